//! A puzzle: a position, its solution, and what is known about it.

use khet::{Move, Position};

use crate::{MateSearch, PuzzleId, PuzzleSource, PuzzleTheme, PuzzleThemes, SolutionLine};

/// The lowest rating with which a puzzle starts.
pub const MIN_RATING: u16 = 600;
/// The highest rating with which a puzzle starts.
pub const MAX_RATING: u16 = 2600;

/// A position with one clearly best move, and the line that follows from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The start position and the solution. The side to move solves the puzzle.
    pub line: SolutionLine,
    /// Its themes, at least one.
    pub themes: PuzzleThemes,
    /// The rating with which it starts, on the scale of Glicko, from [`MIN_RATING`] to
    /// [`MAX_RATING`]: an estimate by the engine's levels.
    pub rating: u16,
    /// The game that it comes from.
    pub source: PuzzleSource,
}

/// The judgement of a solver's move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveJudgement {
    /// It is right, and the solution goes on.
    Right,
    /// It is right and the last one.
    Solves,
    /// It is wrong.
    Wrong,
}

impl Puzzle {
    /// Returns the identity of the puzzle, which depends only on its start position.
    pub fn id(&self) -> PuzzleId {
        PuzzleId::of(self.line.start())
    }

    /// Judges a legal move of the solver that follows this number of plies of the solution. Another
    /// move than that of the solution is right if it wins at once, or as the last move of a forced
    /// hit if every reply hits the opponent's own pharaoh.
    pub fn judge(&self, plies: usize, mv: Move) -> MoveJudgement {
        let Some(expected) = self.line.plies().get(plies) else { return MoveJudgement::Wrong };
        let is_expected = mv == expected.mv;
        let is_last = plies + 1 == self.line.plies().len();
        if is_last && is_expected || self.hits_in_time(expected.before, mv, is_last) {
            MoveJudgement::Solves
        } else if is_expected {
            MoveJudgement::Right
        } else {
            MoveJudgement::Wrong
        }
    }

    /// Returns whether these moves of the solver solve the puzzle.
    pub fn is_solved_by(&self, moves: impl IntoIterator<Item = Move>) -> bool {
        let mut moves = moves.into_iter();
        // A reply follows each move of the solver.
        for plies in (0..).step_by(2) {
            let position = self.line.plies().get(plies).map(|ply| ply.before);
            let checked = position.zip(moves.next()).map(|(position, mv)| position.check(mv));
            let Some(Ok(mv)) = checked else { return false };
            match self.judge(plies, mv) {
                MoveJudgement::Right => {}
                MoveJudgement::Solves => return moves.next().is_none(),
                MoveJudgement::Wrong => return false,
            }
        }
        false
    }

    /// Returns whether a move wins at once, or is the last one of a forced hit and hits whatever the
    /// reply.
    fn hits_in_time(&self, mut position: Position, mv: Move, is_last: bool) -> bool {
        let solver = position.side_to_move();
        position.play_unchecked(mv);
        if position.pharaoh(solver).is_none() || position.pharaoh(!solver).is_none() {
            return position.pharaoh(solver).is_some();
        }
        let is_forced_hit =
            self.themes.iter().any(|theme| PuzzleTheme::moves_to_pharaoh(theme).is_some());
        is_last && is_forced_hit && MateSearch::default().wins_after(&position, solver, 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Puzzle;
    use crate::read_puzzle;

    #[test]
    fn a_puzzle_is_solved_by_its_moves_or_by_a_win_at_once() {
        let puzzle: Puzzle = read_puzzle(
            "4k4P2/2p27/p29/10/1d15d12/10/2P37/4K5 s\te1d1 b4+ j8+\tpharaoh-in-two swap\t1240\tclassic:7:1234:56",
        )
        .expect("a puzzle");
        for (moves, solved) in [
            ("e1d1 j8+", true),
            ("j8+", true),
            ("", false),
            ("e1d1", false),
            ("e1d1 j8-", false),
            ("j8-", false),
            ("e1e3 j8+", false),
            ("j8+ e1d1", false),
            ("e1d1 j8+ e1d1", false),
        ] {
            let moves_made = moves.split_whitespace().map(|mv| mv.parse().expect("a move"));
            assert_eq!(puzzle.is_solved_by(moves_made), solved, "{moves}");
        }
    }
}
