//! The line of a solution, replayed: every move with the positions around it and its shot.

use std::fmt;

use khet::{Color, IllegalMove, Move, Position, Shot};

/// The most moves that a line may have; far more than the generator makes.
const MAX_MOVES: usize = 15;

/// The start position of a puzzle and its solution: the solver's moves, with a reply of the opponent
/// between each two. The first and the last move are the solver's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolutionLine {
    plies: Vec<SolutionPly>,
}

/// A move of a solution, by either side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolutionPly {
    /// The position before the move.
    pub before: Position,
    /// The move.
    pub mv: Move,
    /// Its shot.
    pub shot: Shot,
    /// The position after the shot.
    pub after: Position,
}

impl SolutionPly {
    /// Returns whether the shot hit a piece of that colour.
    pub fn hits(&self, color: Color) -> bool {
        self.shot.hits.iter().any(|hit| hit.piece.color() == color)
    }
}

/// The reason why moves are not the line of a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolutionError {
    /// The number of moves is even, so that the last one is not the solver's, or there are none or
    /// too many.
    Length(usize),
    /// The move with this number, counted from 1, is illegal.
    Illegal(usize, IllegalMove),
    /// The game is over before the move with this number, counted from 1.
    Over(usize),
    /// The line ends the game, and the solver has not won.
    NotWon,
}

impl fmt::Display for SolutionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolutionError::Length(moves) => {
                write!(f, "a solution has an odd number of moves up to {MAX_MOVES}, not {moves}")
            }
            SolutionError::Illegal(number, error) => write!(f, "move {number}: {error}"),
            SolutionError::Over(number) => write!(f, "move {number}: the game is over"),
            SolutionError::NotWon => f.write_str("the solution ends the game without a win"),
        }
    }
}

impl std::error::Error for SolutionError {}

impl SolutionLine {
    /// Replays the moves of a solution.
    pub fn new(
        start: Position,
        moves: impl IntoIterator<Item = Move>,
    ) -> Result<SolutionLine, SolutionError> {
        let mut plies: Vec<SolutionPly> = Vec::new();
        let mut position = start;
        for mv in moves {
            let number = plies.len() + 1;
            if number > MAX_MOVES {
                return Err(SolutionError::Length(number));
            }
            if position.outcome().is_some() {
                return Err(SolutionError::Over(number));
            }
            let before = position;
            let mv = before.check(mv).map_err(|error| SolutionError::Illegal(number, error))?;
            let shot = position.play(mv).map_err(|error| SolutionError::Illegal(number, error))?;
            plies.push(SolutionPly { before, mv, shot, after: position });
        }
        if plies.len().is_multiple_of(2) {
            return Err(SolutionError::Length(plies.len()));
        }
        let outcome = position.outcome();
        if outcome.is_some_and(|outcome| outcome.winner != Some(start.side_to_move())) {
            return Err(SolutionError::NotWon);
        }
        Ok(SolutionLine { plies })
    }

    /// Returns the start position.
    pub fn start(&self) -> &Position {
        &self.plies[0].before
    }

    /// Returns the position after the last move.
    pub fn end(&self) -> &Position {
        &self.plies[self.plies.len() - 1].after
    }

    /// Returns the side that solves the puzzle.
    pub fn solver(&self) -> Color {
        self.start().side_to_move()
    }

    /// Returns all moves with their positions and shots; at least one.
    pub fn plies(&self) -> &[SolutionPly] {
        &self.plies
    }

    /// Iterates over the moves.
    pub fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.plies.iter().map(|ply| ply.mv)
    }

    /// Iterates over the solver's moves, each with the opponent's reply, which the last one lacks.
    pub fn solver_plies(&self) -> impl Iterator<Item = (&SolutionPly, Option<&SolutionPly>)> {
        self.plies.chunks(2).map(|pair| (&pair[0], pair.get(1)))
    }

    /// Returns the number of the solver's moves.
    pub fn solver_moves(&self) -> usize {
        self.plies.len().div_ceil(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Silver hits the pharaoh with j8+.
    const START: &str = "4k4P2/2p27/p29/10/1d15d12/10/2P37/4K5 s";

    fn line(moves: &str) -> Result<SolutionLine, SolutionError> {
        let moves = moves.split_whitespace().map(|mv| mv.parse().expect("a move"));
        SolutionLine::new(START.parse().expect("a position"), moves)
    }

    #[test]
    fn a_line_starts_and_ends_with_the_solver() {
        assert_eq!(line("j8+").expect("a line").solver_moves(), 1);
        assert_eq!(line("e1d1 b4+ j8+").expect("a line").solver_moves(), 2);
        assert_eq!(line(""), Err(SolutionError::Length(0)));
        assert_eq!(line("e1d1 b4+"), Err(SolutionError::Length(2)));
    }

    #[test]
    fn errors_name_the_move() {
        let text = |moves| line(moves).expect_err("an error").to_string();
        assert_eq!(text("j8+ b4+ e1d1"), "move 2: the game is over");
        assert_eq!(text("e1e3"), "move 1: e1e3: e3 is not next to e1");
        assert_eq!(
            text(&"e1d1 e8d8 d1e1 d8e8 ".repeat(4)),
            "a solution has an odd number of moves up to 15, not 16"
        );
    }
}
