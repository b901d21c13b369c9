//! The counts of a number of games: results, lengths, shots and moves.

use std::collections::{BTreeMap, HashSet};

use khet::{Color, Game, GameError, Move, Position, Role, Shot, Termination};
use serde::Serialize;

use super::self_play::PlayedGame;

/// The last move of each phase of a game but the last phase, counted for each side.
pub(super) const PHASE_ENDS: [usize; 3] = [10, 20, 40];

/// The kind of a move, as the rules name them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum MoveKind {
    Step,
    Rotation,
    Swap,
    Stack,
    Unstack,
}

impl MoveKind {
    pub(super) const ALL: [MoveKind; 5] =
        [MoveKind::Step, MoveKind::Rotation, MoveKind::Swap, MoveKind::Stack, MoveKind::Unstack];

    /// Returns the kind of a legal move.
    fn of(position: &Position, mv: Move) -> MoveKind {
        match mv {
            Move::Rotate { .. } => MoveKind::Rotation,
            Move::Unstack { .. } => MoveKind::Unstack,
            Move::Step { from, to } => match (position.get(from), position.get(to)) {
                (_, None) => MoveKind::Step,
                (Some(piece), Some(_)) if piece.role() == Role::Obelisk => MoveKind::Stack,
                _ => MoveKind::Swap,
            },
        }
    }
}

/// A sum over a number of things.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Tally {
    pub(super) sum: u64,
    pub(super) count: u64,
}

impl Tally {
    fn add(&mut self, value: u64) {
        self.sum += value;
        self.count += 1;
    }

    /// Returns the mean, 0 if there is nothing.
    pub(super) fn mean(self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }
}

/// Counts of a number of games. All are integers, so their order does not matter.
#[derive(Clone, Default, Debug)]
pub(super) struct GameFigures {
    /// Won by Silver, who moves first.
    pub(super) silver_wins: u64,
    pub(super) red_wins: u64,
    pub(super) draws: u64,
    /// Games that the loser's own shot ended.
    pub(super) own_shot_losses: u64,
    /// Number of moves of each game.
    pub(super) lengths: Vec<u64>,
    pub(super) terminations: BTreeMap<Termination, u64>,
    /// The moves of all games, to count those that differ.
    pub(super) distinct: HashSet<Vec<Move>>,
    pub(super) hits_on_opponent: u64,
    pub(super) hits_on_own: u64,
    /// Shots that hit a piece of the opponent.
    pub(super) shots_at_opponent: u64,
    /// Shots that hit a piece of the player who fired.
    pub(super) shots_at_own: u64,
    /// Hits by the role of the piece.
    pub(super) hits_by_role: [u64; Role::ALL.len()],
    /// Reflections of each shot.
    pub(super) reflections: Tally,
    pub(super) most_reflections: u64,
    /// Squares that each shot crosses.
    pub(super) squares: Tally,
    pub(super) most_squares: u64,
    /// Legal moves by phase.
    pub(super) legal_moves: [Tally; PHASE_ENDS.len() + 1],
    pub(super) most_legal_moves: u64,
    /// Moves by [`MoveKind`].
    pub(super) moves_by_kind: [u64; MoveKind::ALL.len()],
}

impl GameFigures {
    /// Counts a game. Fails if one of its moves is illegal.
    pub(super) fn add(&mut self, played: &PlayedGame) -> Result<(), GameError> {
        let mut game = Game::new(played.setup.position());
        for (ply, &mv) in played.moves.iter().enumerate() {
            let position = *game.position();
            let legal = position.legal_moves().len() as u64;
            let phase = PHASE_ENDS.iter().filter(|&&end| ply / 2 >= end).count();
            self.legal_moves[phase].add(legal);
            self.most_legal_moves = self.most_legal_moves.max(legal);
            self.moves_by_kind[MoveKind::of(&position, mv) as usize] += 1;
            let shot = game.play(mv)?;
            self.add_shot(&shot);
            let winner = shot.outcome.and_then(|outcome| outcome.winner);
            self.own_shot_losses += u64::from(winner == Some(!shot.by));
        }
        match game.outcome().and_then(|outcome| outcome.winner) {
            Some(Color::Silver) => self.silver_wins += 1,
            Some(Color::Red) => self.red_wins += 1,
            None => self.draws += 1,
        }
        self.lengths.push(played.moves.len() as u64);
        *self.terminations.entry(played.termination).or_default() += 1;
        self.distinct.insert(played.moves.clone());
        Ok(())
    }

    fn add_shot(&mut self, shot: &Shot) {
        let own = shot.hits.iter().filter(|hit| hit.piece.color() == shot.by).count() as u64;
        let opponent = shot.hits.len() as u64 - own;
        self.hits_on_own += own;
        self.hits_on_opponent += opponent;
        self.shots_at_own += u64::from(own > 0);
        self.shots_at_opponent += u64::from(opponent > 0);
        for hit in &shot.hits {
            self.hits_by_role[hit.piece.role() as usize] += 1;
        }
        let steps = shot.beams.iter().flat_map(|beam| &beam.steps);
        let squares = steps.clone().count() as u64;
        let reflections = steps.filter(|step| step.reflection().is_some()).count() as u64;
        self.squares.add(squares);
        self.most_squares = self.most_squares.max(squares);
        self.reflections.add(reflections);
        self.most_reflections = self.most_reflections.max(reflections);
    }

    pub(super) fn games(&self) -> u64 {
        self.lengths.len() as u64
    }

    /// Returns the number of games that differ in a move.
    pub(super) fn distinct_games(&self) -> u64 {
        self.distinct.len() as u64
    }

    pub(super) fn shots(&self) -> u64 {
        self.squares.count
    }
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    #[test]
    fn shots_and_moves_of_a_game_are_counted() {
        let played = PlayedGame {
            setup: Setup::Classic,
            number: 0,
            moves: ["h2+", "a5b5"].map(|mv| mv.parse().expect(mv)).to_vec(),
            termination: Termination::MoveLimit,
            removals: Vec::new(),
        };
        let mut figures = GameFigures::default();
        figures.add(&played).expect("legal moves");
        figures.add(&played).expect("legal moves");
        assert_eq!((figures.games(), figures.distinct_games(), figures.draws), (2, 1, 2));
        // Red's second move lets Red's own beam through to Red's pyramid on a4.
        assert_eq!((figures.hits_on_own, figures.hits_on_opponent), (2, 0));
        assert_eq!((figures.shots(), figures.shots_at_own), (4, 2));
        assert_eq!(figures.hits_by_role[Role::Pyramid as usize], 2);
        assert_eq!(figures.legal_moves[0].count, 4);
        assert!(figures.most_legal_moves >= 79);
        assert_eq!(figures.moves_by_kind, [2, 2, 0, 0, 0]);
        assert_eq!(figures.lengths, [2, 2]);
    }

    #[test]
    fn kinds_of_moves_are_told_apart() {
        let position: Position =
            "4k5/10/10/10/10/3D1P15/4O25/4K1O1O12 s".parse().expect("a position");
        let kind = |mv: &str| MoveKind::of(&position, mv.parse().expect(mv));
        assert_eq!(kind("d3e3"), MoveKind::Swap);
        assert_eq!(kind("d3d4"), MoveKind::Step);
        assert_eq!(kind("d3+"), MoveKind::Rotation);
        assert_eq!(kind("g1h1"), MoveKind::Stack);
        assert_eq!(kind("e2^f2"), MoveKind::Unstack);
        assert_eq!(kind("e2f2"), MoveKind::Step);
    }
}
