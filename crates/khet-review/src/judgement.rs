//! Judgements of moves by the winning chances they lost, and the accuracy of a player.

use khet::Color;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::position_eval::PositionEval;

// Smallest losses of winning chances, from 0 to 1, that get a mark. In a balanced position they
// correspond to a quarter of a pyramid, half a pyramid and one pyramid.
const INACCURACY_LOSS: f64 = 0.04;
const MISTAKE_LOSS: f64 = 0.08;
const BLUNDER_LOSS: f64 = 0.16;

/// Exponential decay of a move's accuracy with its loss: 100 % · e^(−5 · loss), which is 82 % for a
/// loss of 0.04, 67 % for 0.08 and 45 % for 0.16. `docs/review.md` says why.
const ACCURACY_DECAY: f64 = 5.0;

/// Smallest weight of a move, for games that are decided from the start.
const MIN_WEIGHT: f64 = 0.05;

/// The mark of a bad move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Mark {
    #[serde(rename = "?!")]
    Inaccuracy,
    #[serde(rename = "?")]
    Mistake,
    #[serde(rename = "??")]
    Blunder,
}

/// The judgement of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// The engine found no better move.
    Best,
    /// It lost little or nothing.
    Good,
    /// It lost some of the winning chances.
    Bad(Mark),
}

impl Mark {
    /// Returns the mark as written after a move.
    pub const fn text(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// Returns the number of the mark in game records (a numeric annotation glyph, NAG).
    pub const fn number(self) -> u8 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }
}

/// The winning chances that a move lost compared with the best move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct MoveLoss {
    /// Winning chances lost, from 0 to 1.
    pub(crate) loss: f64,
    pub(crate) mark: Option<Mark>,
    /// The weight of the move in the player's accuracy: 1 in a balanced position, little if the
    /// game was decided. Otherwise the many moves that no longer matter would flatter both players.
    weight: f64,
}

impl MoveLoss {
    /// Returns the loss of the best move, which is none.
    pub(crate) fn of_best(best: PositionEval) -> MoveLoss {
        let chances = best.winning_chances(Color::Silver);
        MoveLoss { loss: 0.0, mark: None, weight: weight(chances) }
    }

    /// Compares the evaluation after the best move with the one after the move that was played.
    pub(crate) fn new(player: Color, best: PositionEval, played: PositionEval) -> MoveLoss {
        let [best_chances, chances] = [best, played].map(|eval| eval.winning_chances(player));
        let loss = (best_chances - chances).max(0.0);
        let mark = match loss {
            // Missing a win in one is a blunder even if the position is still winning.
            _ if best.is_over() && best.is_won(player) && !played.is_won(player) => {
                Some(Mark::Blunder)
            }
            BLUNDER_LOSS.. => Some(Mark::Blunder),
            MISTAKE_LOSS.. => Some(Mark::Mistake),
            INACCURACY_LOSS.. => Some(Mark::Inaccuracy),
            _ => None,
        };
        MoveLoss { loss, mark, weight: weight((best_chances + chances) / 2.0) }
    }

    /// Returns the accuracy of the move in percent.
    fn accuracy(self) -> f64 {
        100.0 * (-ACCURACY_DECAY * self.loss).exp()
    }
}

/// Returns the weight of a move with these winning chances, the mean of those before and after it.
fn weight(chances: f64) -> f64 {
    (4.0 * chances * (1.0 - chances)).max(MIN_WEIGHT)
}

/// Statistics of one player's moves in a review.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct PlayerSummary {
    #[serde(alias = "turns")]
    pub moves: u32,
    pub inaccuracies: u32,
    pub mistakes: u32,
    pub blunders: u32,
    /// The mean accuracy of the moves in percent, rounded to one decimal; `None` without moves.
    /// Moves of decided positions count little.
    #[serde(default, deserialize_with = "read_accuracy")]
    pub accuracy: Option<f64>,
}

/// Reads an accuracy. One that is not a percentage is refused, and decimals after the first are
/// rounded, so that it is written as it was read.
fn read_accuracy<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let accuracy: Option<f64> = Deserialize::deserialize(deserializer)?;
    if accuracy.is_some_and(|accuracy| !(0.0..=100.0).contains(&accuracy)) {
        return Err(D::Error::custom("an accuracy is between 0 and 100"));
    }
    Ok(accuracy.map(|accuracy| (accuracy * 10.0).round() / 10.0))
}

impl PlayerSummary {
    /// Summarizes the moves of one player.
    pub(crate) fn new(losses: impl Iterator<Item = MoveLoss>) -> PlayerSummary {
        let (mut summary, mut sum, mut weights) = (PlayerSummary::default(), 0.0, 0.0);
        for loss in losses {
            summary.moves += 1;
            match loss.mark {
                Some(Mark::Inaccuracy) => summary.inaccuracies += 1,
                Some(Mark::Mistake) => summary.mistakes += 1,
                Some(Mark::Blunder) => summary.blunders += 1,
                None => {}
            }
            sum += loss.weight * loss.accuracy();
            weights += loss.weight;
        }
        let mean = || (10.0 * sum / weights).round() / 10.0;
        summary.accuracy = (summary.moves > 0).then(mean);
        summary
    }
}

#[cfg(test)]
mod tests {
    use khet::SilverEval;

    use super::*;

    fn cp(cp: i32) -> PositionEval {
        PositionEval::Ongoing(SilverEval::Cp(cp))
    }

    fn mate_in(moves: i32) -> PositionEval {
        PositionEval::Ongoing(SilverEval::MateIn(moves))
    }

    fn mark(player: Color, best: PositionEval, played: PositionEval) -> Option<Mark> {
        MoveLoss::new(player, best, played).mark
    }

    #[test]
    fn marks_follow_the_loss() {
        let silver = Color::Silver;
        assert_eq!(mark(silver, cp(50), cp(30)), None);
        assert_eq!(mark(silver, cp(50), cp(10)), Some(Mark::Inaccuracy));
        assert_eq!(mark(silver, cp(100), cp(40)), Some(Mark::Mistake));
        assert_eq!(mark(silver, cp(100), cp(-100)), Some(Mark::Blunder));
        assert_eq!(mark(silver, cp(0), mate_in(-4)), Some(Mark::Blunder));
        assert_eq!(mark(Color::Red, cp(0), mate_in(-4)), None);
        assert_eq!(mark(Color::Red, cp(-150), cp(150)), Some(Mark::Blunder));
    }

    #[test]
    fn smaller_advantage_is_no_mistake_while_the_game_stays_decided() {
        assert_eq!(mark(Color::Silver, cp(900), cp(700)), None);
        assert_eq!(mark(Color::Silver, cp(-700), mate_in(-3)), None);
    }

    #[test]
    fn missed_win_in_one_is_a_blunder() {
        let won = |winner| PositionEval::GameOver(Some(winner));
        let (silver, red) = (won(Color::Silver), won(Color::Red));
        assert_eq!(mark(Color::Silver, silver, cp(2_000)), Some(Mark::Blunder));
        assert_eq!(mark(Color::Red, red, cp(-2_000)), Some(Mark::Blunder));
        assert_eq!(mark(Color::Silver, silver, mate_in(2)), None);
        assert_eq!(mark(Color::Silver, mate_in(2), cp(2_000)), None);
        assert_eq!(mark(Color::Silver, red, red), None);
    }

    fn accuracy(losses: &[MoveLoss]) -> Option<f64> {
        PlayerSummary::new(losses.iter().copied()).accuracy
    }

    #[test]
    fn accuracy_is_the_mean_over_moves() {
        let best = MoveLoss::of_best(cp(0));
        let blunder = MoveLoss::new(Color::Silver, mate_in(1), mate_in(-1));
        assert_eq!(accuracy(&[]), None);
        assert_eq!(accuracy(&[best]), Some(100.0));
        assert_eq!(accuracy(&[best, blunder]), Some(50.3));
        let summary = PlayerSummary::new([best, blunder].into_iter());
        assert_eq!((summary.moves, summary.blunders), (2, 1));
    }

    #[test]
    fn a_move_without_a_mark_costs_little_accuracy() {
        let smallest_inaccuracy = MoveLoss { loss: INACCURACY_LOSS, mark: None, weight: 1.0 };
        assert!(smallest_inaccuracy.accuracy() > 80.0);
    }

    #[test]
    fn moves_of_a_lost_position_do_not_flatter() {
        let mistake = MoveLoss::new(Color::Red, cp(0), cp(100));
        let alone = accuracy(&[mistake]).expect("a number");
        let later = [MoveLoss::of_best(cp(1_000)); 20];
        let with_later = accuracy(&[&[mistake][..], &later].concat()).expect("a number");
        let in_balance = [MoveLoss::of_best(cp(0)); 20];
        let with_balanced = accuracy(&[&[mistake][..], &in_balance].concat()).expect("a number");
        assert!(alone < with_later && with_later < 80.0, "{alone} {with_later}");
        assert!(with_balanced > 95.0, "{with_balanced}");
    }
}
