//! The counts of a number of games: results, lengths, shots and moves.

use std::collections::BTreeMap;

use khet::{Color, Game, GameError, Move, Position, Role, Shot, Termination};
use serde::Serialize;

use super::self_player::SelfPlayGame;

/// The last move of each phase of a game but the last phase, counted for each side.
pub(super) const PHASE_ENDS: [usize; 3] = [10, 20, 40];

/// The category of a move, as the rules name them: a step to an occupied square is a swap or a
/// stacking.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum MoveCategory {
    Step,
    Rotation,
    Swap,
    Stack,
    Unstack,
}

impl MoveCategory {
    pub(super) const ALL: [MoveCategory; 5] = [
        MoveCategory::Step,
        MoveCategory::Rotation,
        MoveCategory::Swap,
        MoveCategory::Stack,
        MoveCategory::Unstack,
    ];

    /// Returns the category of a legal move.
    fn of(position: &Position, mv: Move) -> MoveCategory {
        match mv {
            Move::Rotate { .. } => MoveCategory::Rotation,
            Move::Unstack { .. } => MoveCategory::Unstack,
            Move::Step { from, to } => match (position.get(from), position.get(to)) {
                (_, None) => MoveCategory::Step,
                (Some(piece), Some(_)) if piece.role() == Role::Obelisk => MoveCategory::Stack,
                _ => MoveCategory::Swap,
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

/// A game that was played once or several times.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct DistinctGame {
    /// How often it was played.
    pub(super) count: u64,
    /// The score of Silver in one of them.
    pub(super) score: f64,
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
    /// The games that differ in a move. The map is ordered, so that sums of floats are the same in
    /// each run.
    pub(super) distinct: BTreeMap<Vec<Move>, DistinctGame>,
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
    /// Moves by [`MoveCategory`].
    pub(super) moves_by_category: [u64; MoveCategory::ALL.len()],
}

impl GameFigures {
    /// Counts a game. Fails if one of its moves is illegal.
    pub(super) fn add(&mut self, played: &SelfPlayGame) -> Result<(), GameError> {
        let mut game = Game::new(played.setup.position());
        for (ply, &mv) in played.moves.iter().enumerate() {
            let position = *game.position();
            let legal = position.legal_moves().len() as u64;
            let phase = PHASE_ENDS.iter().filter(|&&end| ply / 2 >= end).count();
            self.legal_moves[phase].add(legal);
            self.most_legal_moves = self.most_legal_moves.max(legal);
            self.moves_by_category[MoveCategory::of(&position, mv) as usize] += 1;
            let shot = game.play(mv)?;
            self.add_shot(&shot);
            let winner = shot.outcome.and_then(|outcome| outcome.winner);
            self.own_shot_losses += u64::from(winner == Some(!shot.by));
        }
        let winner = game.outcome().and_then(|outcome| outcome.winner);
        let (results, score) = match winner {
            Some(Color::Silver) => (&mut self.silver_wins, 1.0),
            Some(Color::Red) => (&mut self.red_wins, 0.0),
            None => (&mut self.draws, 0.5),
        };
        *results += 1;
        self.lengths.push(played.moves.len() as u64);
        *self.terminations.entry(played.termination).or_default() += 1;
        let new = DistinctGame { count: 0, score };
        self.distinct.entry(played.moves.clone()).or_insert(new).count += 1;
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
        let played = SelfPlayGame {
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
        assert_eq!(figures.moves_by_category, [2, 2, 0, 0, 0]);
        assert_eq!(figures.lengths, [2, 2]);
    }

    #[test]
    fn categories_of_moves_are_told_apart() {
        let position: Position =
            "4k5/10/10/10/10/3D1P15/4O25/4K1O1O12 s".parse().expect("a position");
        let category = |mv: &str| MoveCategory::of(&position, mv.parse().expect(mv));
        assert_eq!(category("d3e3"), MoveCategory::Swap);
        assert_eq!(category("d3d4"), MoveCategory::Step);
        assert_eq!(category("d3+"), MoveCategory::Rotation);
        assert_eq!(category("g1h1"), MoveCategory::Stack);
        assert_eq!(category("e2^f2"), MoveCategory::Unstack);
        assert_eq!(category("e2f2"), MoveCategory::Step);
    }
}
