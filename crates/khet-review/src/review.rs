//! A game looked at turn by move.

use khet::{Color, Move, Placement};
use serde::{Deserialize, Serialize};

use crate::judge::{Judgement, Mark, Tally, Verdict};
use crate::position_eval::PositionEval;

/// A game and what is thought of its turns.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Review {
    /// Where it began.
    pub start: Placement,
    /// Its turns; one that could not be judged is missing.
    #[serde(alias = "turns")]
    pub moves: Vec<Reviewed>,
    /// How the players did.
    pub players: Players,
}

/// Both players' turns in numbers.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Players {
    pub silver: Tally,
    pub red: Tally,
}

/// A move of the game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reviewed {
    /// The number of the move, from 1, both players' counted.
    pub ply: usize,
    /// What was played.
    #[serde(rename = "move", alias = "turn")]
    pub mv: Move,
    /// What its shot did: `xg3`, or nothing.
    pub shot: String,
    /// What the position behind it is eval.
    pub eval: PositionEval,
    /// What the engine would have played.
    pub best: Move,
    /// What the position behind that is eval.
    pub best_eval: PositionEval,
    /// How the engine would have gone on, from the best move.
    pub line: Vec<Move>,
    /// How bad it was, if it was.
    pub mark: Option<Mark>,
}

impl Review {
    /// The review of moves that were judged.
    pub(crate) fn new(start: Placement, moves: Vec<Reviewed>) -> Review {
        let mut review = Review { start, moves, players: Players::default() };
        review.players = Players {
            silver: Tally::of(review.verdicts(Color::Silver)),
            red: Tally::of(review.verdicts(Color::Red)),
        };
        review
    }

    /// Who played a move.
    pub fn player(&self, mv: &Reviewed) -> Color {
        let first = self.start.side_to_move;
        if mv.ply % 2 == 1 { first } else { !first }
    }

    fn verdicts(&self, player: Color) -> impl Iterator<Item = Verdict> {
        let own = self.moves.iter().filter(move |mv| self.player(mv) == player);
        own.map(move |mv| mv.verdict(player))
    }

    /// The moves that changed the game most, worst first: mistakes and blunders, at most so many.
    pub fn turning_points(&self, most: usize) -> Vec<&Reviewed> {
        let mut points: Vec<(&Reviewed, f64)> = self
            .moves
            .iter()
            .filter(|mv| mv.mark.is_some_and(|mark| mark >= Mark::Mistake))
            .map(|mv| (mv, mv.verdict(self.player(mv)).loss))
            .collect();
        points.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        points.truncate(most);
        points.into_iter().map(|(mv, _)| mv).collect()
    }
}

impl Reviewed {
    /// Whether nothing better was found.
    pub fn is_best(&self) -> bool {
        self.mv == self.best
    }

    /// How good it was.
    pub fn judgement(&self) -> Judgement {
        match self.mark {
            Some(mark) => Judgement::Bad(mark),
            None if self.is_best() => Judgement::Best,
            None => Judgement::Good,
        }
    }

    /// How good another move of that player would have been, behind which the position is eval so much.
    pub fn judge_other(&self, player: Color, eval: PositionEval) -> Judgement {
        match Verdict::new(player, self.best_eval, eval).mark {
            Some(mark) => Judgement::Bad(mark),
            None => Judgement::Good,
        }
    }

    pub(crate) fn verdict(&self, player: Color) -> Verdict {
        match self.is_best() {
            true => Verdict::BEST,
            false => Verdict::new(player, self.best_eval, self.eval),
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
        assert_eq!(review.players.silver.moves, 1);
    }
}
