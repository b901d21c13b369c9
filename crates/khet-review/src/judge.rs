//! How good a move was: what it lost of the winning chances, its mark, and a player's accuracy.

use khet::Color;
use serde::{Deserialize, Serialize};

use crate::position_eval::PositionEval;

// A move is marked from these losses of winning chances on, which run from 0 to 1. In a balanced
// game they are about a half, one and two pyramids.
const INACCURACY: f64 = 0.05;
const MISTAKE: f64 = 0.10;
const BLUNDER: f64 = 0.20;

/// How fast the accuracy of a move falls with its loss: 100 % · e^(−4.5 · loss), which is 80 % for a
/// loss of 0.05, 64 % for one of 0.10 and 41 % for one of 0.20.
const ACCURACY_DECAY: f64 = 4.5;

/// How bad a move was.
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

/// How good a move was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// Nothing better was found.
    Best,
    /// It lost little or nothing.
    Good,
    /// It lost some of the winning chances.
    Bad(Mark),
}

impl Mark {
    /// As people write it behind a move.
    pub const fn text(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// Its number in records.
    pub const fn number(self) -> u8 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }
}

/// What is thought of a move that was not the best one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Verdict {
    /// Winning chances lost, from 0 to 1.
    pub(crate) loss: f64,
    pub(crate) mark: Option<Mark>,
}

impl Verdict {
    /// Of the best move.
    pub(crate) const BEST: Verdict = Verdict { loss: 0.0, mark: None };

    /// Compares what the best move leads to with what the player's turn has led to.
    pub(crate) fn new(player: Color, best: PositionEval, played: PositionEval) -> Verdict {
        let loss = (best.winning_chances(player) - played.winning_chances(player)).max(0.0);
        let mark = match loss {
            // However good the position still is: who does not take the pharaoh has overlooked it.
            _ if best.is_over() && best.is_won(player) && !played.is_won(player) => {
                Some(Mark::Blunder)
            }
            BLUNDER.. => Some(Mark::Blunder),
            MISTAKE.. => Some(Mark::Mistake),
            INACCURACY.. => Some(Mark::Inaccuracy),
            _ => None,
        };
        Verdict { loss, mark }
    }

    /// The accuracy of the move in percent.
    fn accuracy(self) -> f64 {
        100.0 * (-ACCURACY_DECAY * self.loss).exp()
    }
}

/// A player's turns in numbers.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Tally {
    #[serde(alias = "turns")]
    pub moves: u32,
    pub inaccuracies: u32,
    pub mistakes: u32,
    pub blunders: u32,
    /// The mean of the accuracies of all moves, in percent to one decimal; `None` of no moves.
    pub accuracy: Option<f64>,
}

impl Tally {
    /// Of all moves of a player.
    pub(crate) fn of(verdicts: impl Iterator<Item = Verdict>) -> Tally {
        let (mut tally, mut sum) = (Tally::default(), 0.0);
        for verdict in verdicts {
            tally.moves += 1;
            match verdict.mark {
                Some(Mark::Inaccuracy) => tally.inaccuracies += 1,
                Some(Mark::Mistake) => tally.mistakes += 1,
                Some(Mark::Blunder) => tally.blunders += 1,
                None => {}
            }
            sum += verdict.accuracy();
        }
        let mean = || (10.0 * sum / f64::from(tally.moves)).round() / 10.0;
        tally.accuracy = (tally.moves > 0).then(mean);
        tally
    }
}

#[cfg(test)]
mod tests {
    use khet::SilverEval;

    use super::*;

    fn cents(cents: i32) -> PositionEval {
        PositionEval::Ongoing(SilverEval::Cp(cents))
    }

    fn lights(moves: i32) -> PositionEval {
        PositionEval::Ongoing(SilverEval::MateIn(moves))
    }

    fn mark(player: Color, best: PositionEval, played: PositionEval) -> Option<Mark> {
        Verdict::new(player, best, played).mark
    }

    #[test]
    fn marks_follow_the_loss() {
        let silver = Color::Silver;
        assert_eq!(mark(silver, cents(50), cents(20)), None);
        assert_eq!(mark(silver, cents(50), cents(-10)), Some(Mark::Inaccuracy));
        assert_eq!(mark(silver, cents(100), cents(0)), Some(Mark::Mistake));
        assert_eq!(mark(silver, cents(100), cents(-100)), Some(Mark::Blunder));
        assert_eq!(mark(silver, cents(0), lights(-4)), Some(Mark::Blunder));
        assert_eq!(mark(Color::Red, cents(0), lights(-4)), None);
        assert_eq!(mark(Color::Red, cents(-150), cents(150)), Some(Mark::Blunder));
    }

    #[test]
    fn an_advantage_less_matters_little_when_enough_is_left() {
        assert_eq!(mark(Color::Silver, cents(900), cents(700)), None);
        assert_eq!(mark(Color::Silver, cents(-700), lights(-3)), None);
    }

    #[test]
    fn a_missed_win_on_the_spot_is_a_blunder() {
        let won = |winner| PositionEval::GameOver(Some(winner));
        let (silver, red) = (won(Color::Silver), won(Color::Red));
        assert_eq!(mark(Color::Silver, silver, cents(2_000)), Some(Mark::Blunder));
        assert_eq!(mark(Color::Red, red, cents(-2_000)), Some(Mark::Blunder));
        assert_eq!(mark(Color::Silver, silver, lights(2)), None);
        assert_eq!(mark(Color::Silver, lights(2), cents(2_000)), None);
        assert_eq!(mark(Color::Silver, red, red), None);
    }

    #[test]
    fn accuracy_is_the_mean_over_moves() {
        let tally = |verdicts: &[Verdict]| Tally::of(verdicts.iter().copied());
        assert_eq!(tally(&[]).accuracy, None);
        assert_eq!(tally(&[Verdict::BEST]).accuracy, Some(100.0));
        let blunder = Verdict { loss: 1.0, mark: Some(Mark::Blunder) };
        let both = tally(&[Verdict::BEST, blunder]);
        assert_eq!((both.accuracy, both.moves, both.blunders), (Some(50.6), 2, 1));
    }
}
