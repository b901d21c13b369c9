//! The review of a game, move by move.

use khet::{AnyPlacement, BoardSquare, Color, GamePosition, Move, Position, Square};
use serde::{Deserialize, Serialize};

use crate::judgement::{Judgement, Mark, MoveLoss, PlayerSummary};
use crate::position_eval::PositionEval;

/// The review of a game. A `Review<AnyPosition>` is that of a game with or without a tower, and reads
/// what either of them wrote.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound(
    serialize = "P::Placement: Serialize, Move<P::Square>: Serialize",
    deserialize = "P::Placement: Deserialize<'de>, Move<P::Square>: Deserialize<'de>"
))]
pub struct Review<P: GamePosition = Position> {
    /// The start position.
    pub start: P::Placement,
    /// The judged moves in order. Moves that could not be judged are missing.
    #[serde(alias = "turns")]
    pub moves: Vec<ReviewedMove<P::Square>>,
    /// Statistics of both players.
    pub players: PlayerSummaries,
}

/// The statistics of both players.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct PlayerSummaries {
    pub silver: PlayerSummary,
    pub red: PlayerSummary,
}

/// A move of the game with its judgement.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "Move<S>: Serialize", deserialize = "Move<S>: Deserialize<'de>"))]
pub struct ReviewedMove<S: BoardSquare = Square> {
    /// The number of the move in plies, from 1.
    pub ply: usize,
    /// The move that was played.
    #[serde(rename = "move", alias = "turn")]
    pub mv: Move<S>,
    /// The hits of its shot as written in records, such as `xg3`; empty if it hit nothing.
    pub shot: String,
    /// The evaluation of the position after it.
    pub eval: PositionEval,
    /// The depth in plies to which it was searched; 0 in reviews that were stored without it.
    #[serde(default)]
    pub depth: u32,
    /// The best move.
    pub best: Move<S>,
    /// The evaluation of the position after the best move.
    pub best_eval: PositionEval,
    /// The principal variation, which begins with the best move.
    pub line: Vec<Move<S>>,
    /// The mark, if it was a bad move.
    pub mark: Option<Mark>,
}

impl<P: GamePosition> Review<P> {
    /// Creates a review and summarizes it.
    pub(crate) fn new(start: P::Placement, moves: Vec<ReviewedMove<P::Square>>) -> Review<P> {
        let mut review = Review { start, moves, players: PlayerSummaries::default() };
        review.players = PlayerSummaries {
            silver: PlayerSummary::new(review.losses(Color::Silver)),
            red: PlayerSummary::new(review.losses(Color::Red)),
        };
        review
    }

    /// Returns the player of a move.
    pub fn player(&self, mv: &ReviewedMove<P::Square>) -> Color {
        let start: AnyPlacement = self.start.into();
        let first = start.side_to_move();
        if mv.ply % 2 == 1 { first } else { !first }
    }

    /// Returns the losses of all moves of a player.
    fn losses(&self, player: Color) -> impl Iterator<Item = MoveLoss> {
        let own = self.moves.iter().filter(move |mv| self.player(mv) == player);
        own.map(move |mv| mv.move_loss(player))
    }

    /// Returns up to `limit` mistakes and blunders, those that lost the most winning chances first.
    pub fn turning_points(&self, limit: usize) -> Vec<&ReviewedMove<P::Square>> {
        let mut points: Vec<(&ReviewedMove<P::Square>, f64)> = self
            .moves
            .iter()
            .filter(|mv| mv.mark.is_some_and(|mark| mark >= Mark::Mistake))
            .map(|mv| (mv, mv.move_loss(self.player(mv)).loss))
            .collect();
        points.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        points.truncate(limit);
        points.into_iter().map(|(mv, _)| mv).collect()
    }
}

impl<S: BoardSquare> ReviewedMove<S> {
    /// Returns whether the engine found no better move.
    pub fn is_best(&self) -> bool {
        self.mv == self.best
    }

    /// Returns the judgement of the move.
    pub fn judgement(&self) -> Judgement {
        match self.mark {
            Some(mark) => Judgement::Bad(mark),
            None if self.is_best() => Judgement::Best,
            None => Judgement::Good,
        }
    }

    /// Judges another move of the same player, after which the position has this evaluation.
    pub fn judge_alternative(&self, player: Color, eval: PositionEval) -> Judgement {
        match MoveLoss::new(player, self.best_eval, eval).mark {
            Some(mark) => Judgement::Bad(mark),
            None => Judgement::Good,
        }
    }

    /// Returns the loss of this move for the player who made it.
    pub(crate) fn move_loss(&self, player: Color) -> MoveLoss {
        match self.is_best() {
            true => MoveLoss::of_best(self.best_eval),
            false => MoveLoss::new(player, self.best_eval, self.eval),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Databases hold reviews that were written before `turn` was renamed to `move`.
    #[test]
    fn reviews_of_old_databases_can_be_read() {
        let old = r#"{"start":"4k5/10/10/10/10/10/10/5K4 s",
            "turns":[{"ply":1,"turn":"f1f2","shot":"","eval":"0.35","best":"f1f2",
                "best_eval":"0.35","line":["f1f2"],"mark":null}],
            "players":{
                "silver":{"turns":1,"inaccuracies":0,"mistakes":0,"blunders":0,"accuracy":100.0},
                "red":{"turns":0,"inaccuracies":0,"mistakes":0,"blunders":0,"accuracy":null}}}"#;
        let review: Review = serde_json::from_str(old).unwrap();
        assert_eq!(review.moves.len(), 1);
        assert_eq!(review.moves[0].depth, 0);
        assert_eq!(review.players.silver.moves, 1);
    }
}
