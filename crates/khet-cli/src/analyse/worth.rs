//! What a position is worth: an evaluation from Silver's point of view, or the end of the game.

use std::fmt;

use khet::{Color, Evaluation, Outcome};
use khet_engine::Score;
use serde::{Serialize, Serializer};

/// How many hundredths of a pyramid multiply the odds of winning by e: with an advantage of so many
/// the chance is 73 %. The engine's evaluation is fitted to the results of games with this number.
const CHANCES_SCALE: f64 = 220.0;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Worth {
    /// The game goes on, and this is what the engine thinks of it.
    Open(Evaluation),
    /// The game is over.
    Over(Outcome),
}

impl Worth {
    /// A score of the engine, which takes the view of the side to move.
    pub(super) fn from_score(score: Score, mover: Color) -> Worth {
        let silver = |value: i32| if mover == Color::Silver { value } else { -value };
        Worth::Open(match score {
            Score::Cents(cents) => Evaluation::Cents(silver(cents)),
            // The mover can only light the own pharaoh. A zero could not say whose that is.
            Score::LightsIn(0) => Evaluation::LightsIn(silver(-1)),
            Score::LightsIn(turns) => Evaluation::LightsIn(silver(turns)),
        })
    }

    /// How likely a player is to win, from 0 to 1, where a draw is half a win: a logistic function of
    /// the evaluation, and certainty where a win is forced.
    pub(super) fn chances(self, player: Color) -> f64 {
        let silver = match self {
            Worth::Over(Outcome { winner: None, .. }) => 0.5,
            Worth::Over(Outcome { winner: Some(winner), .. }) => {
                f64::from(u8::from(winner == Color::Silver))
            }
            Worth::Open(Evaluation::LightsIn(turns)) => f64::from(u8::from(turns > 0)),
            Worth::Open(Evaluation::Cents(cents)) => {
                1.0 / (1.0 + (-f64::from(cents) / CHANCES_SCALE).exp())
            }
        };
        if player == Color::Silver { silver } else { 1.0 - silver }
    }

    /// Whether the game has ended.
    pub(super) fn is_over(self) -> bool {
        matches!(self, Worth::Over(_))
    }

    /// Whether a player has won or can force it.
    pub(super) fn is_won(self, player: Color) -> bool {
        match self {
            Worth::Over(outcome) => outcome.winner == Some(player),
            Worth::Open(Evaluation::LightsIn(turns)) => (turns > 0) == (player == Color::Silver),
            Worth::Open(Evaluation::Cents(_)) => false,
        }
    }

    /// What is left of it when the mover has played the turn that it promises: a win comes nearer.
    pub(super) fn behind_turn(self, mover: Color) -> Worth {
        match self {
            Worth::Open(Evaluation::LightsIn(turns)) if self.is_won(mover) && turns.abs() > 1 => {
                Worth::Open(Evaluation::LightsIn(turns - turns.signum()))
            }
            _ => self,
        }
    }
}

impl fmt::Display for Worth {
    /// As records write evaluations, `1.35`, `-0.20`, `#3`, `#-3`, and scores, `1-0`. With the flag
    /// `+` an advantage of Silver has its sign.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self {
            Worth::Open(Evaluation::Cents(cents)) if *cents > 0 && f.sign_plus() => {
                format!("+{}", Evaluation::Cents(*cents))
            }
            Worth::Open(evaluation) => evaluation.to_string(),
            Worth::Over(outcome) => outcome.score().to_string(),
        })
    }
}

impl Serialize for Worth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use khet::Reason;

    use super::*;

    #[test]
    fn scores_of_the_mover_become_silvers() {
        let text = |score, mover| format!("{:+}", Worth::from_score(score, mover));
        assert_eq!(text(Score::Cents(135), Color::Silver), "+1.35");
        assert_eq!(text(Score::Cents(135), Color::Red), "-1.35");
        assert_eq!(text(Score::Cents(0), Color::Red), "0.00");
        assert_eq!(text(Score::LightsIn(3), Color::Silver), "#3");
        assert_eq!(text(Score::LightsIn(3), Color::Red), "#-3");
        assert_eq!(text(Score::LightsIn(0), Color::Silver), "#-1");
        assert_eq!(text(Score::LightsIn(0), Color::Red), "#1");
    }

    #[test]
    fn a_win_comes_nearer_with_every_turn_of_the_winner() {
        let behind =
            |turns, mover| Worth::Open(Evaluation::LightsIn(turns)).behind_turn(mover).to_string();
        assert_eq!(behind(3, Color::Silver), "#2");
        assert_eq!(behind(3, Color::Red), "#3");
        assert_eq!(behind(-3, Color::Red), "#-2");
        assert_eq!(behind(-3, Color::Silver), "#-3");
        assert_eq!(behind(1, Color::Silver), "#1");
    }

    #[test]
    fn programs_read_evaluations_as_records_write_them() {
        let text = |worth: Worth| serde_json::to_string(&worth).expect("a text");
        assert_eq!(text(Worth::Open(Evaluation::Cents(135))), "\"1.35\"");
        let outcome = Outcome { winner: Some(Color::Red), reason: Reason::PharaohsLit };
        assert_eq!(text(Worth::Over(outcome)), "\"0-1\"");
    }

    #[test]
    fn chances_of_both_players_add_up() {
        let draw = Worth::Over(Outcome { winner: None, reason: Reason::PharaohsLit });
        let worths = [-31_000, -135, 0, 1, 31_000]
            .map(|cents| Worth::Open(Evaluation::Cents(cents)))
            .into_iter()
            .chain([draw, Worth::Open(Evaluation::LightsIn(-2))]);
        for worth in worths {
            let sum = worth.chances(Color::Silver) + worth.chances(Color::Red);
            assert!((sum - 1.0).abs() < 1e-12, "{worth}");
        }
        assert_eq!(Worth::Open(Evaluation::LightsIn(-2)).chances(Color::Red), 1.0);
        assert_eq!(draw.chances(Color::Red), 0.5);
    }
}
