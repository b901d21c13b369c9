//! What a position is worth: an evaluation from Silver's point of view, or the end of the game.

use std::fmt;

use khet::{Color, Evaluation, GameResult};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How many hundredths of a pyramid multiply the odds of winning by e: with an advantage of so many
/// the chance is 73 %. The engine's evaluation is fitted to the results of games with this number.
const CHANCES_SCALE: f64 = 220.0;

/// What a position is worth. Evaluations are Silver's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// The game goes on, and this is what the engine thinks of it.
    Open(Evaluation),
    /// The game is over, and this player, or nobody, has won.
    Over(Option<Color>),
}

impl Worth {
    /// What an engine says, which takes the view of the side to move.
    pub fn of_mover(evaluation: Evaluation, mover: Color) -> Worth {
        let silver = |value: i32| if mover == Color::Silver { value } else { -value };
        Worth::Open(match evaluation {
            Evaluation::Cents(cents) => Evaluation::Cents(silver(cents)),
            // The mover can only light the own pharaoh. A zero could not say whose that is.
            Evaluation::LightsIn(0) => Evaluation::LightsIn(silver(-1)),
            Evaluation::LightsIn(moves) => Evaluation::LightsIn(silver(moves)),
        })
    }

    /// How likely a player is to win, from 0 to 1, where a draw is half a win: a logistic function of
    /// the evaluation, and certainty where a win is forced.
    pub fn chances(self, player: Color) -> f64 {
        let silver = match self {
            Worth::Over(None) => 0.5,
            Worth::Over(Some(winner)) => f64::from(u8::from(winner == Color::Silver)),
            Worth::Open(Evaluation::LightsIn(moves)) => f64::from(u8::from(moves > 0)),
            Worth::Open(Evaluation::Cents(cents)) => {
                1.0 / (1.0 + (-f64::from(cents) / CHANCES_SCALE).exp())
            }
        };
        if player == Color::Silver { silver } else { 1.0 - silver }
    }

    /// Whether the game has ended.
    pub fn is_over(self) -> bool {
        matches!(self, Worth::Over(_))
    }

    /// Whether a player has won or can force it.
    pub fn is_won(self, player: Color) -> bool {
        match self {
            Worth::Over(winner) => winner == Some(player),
            Worth::Open(Evaluation::LightsIn(moves)) => (moves > 0) == (player == Color::Silver),
            Worth::Open(Evaluation::Cents(_)) => false,
        }
    }

    /// What is left of it when the mover has played the move that it promises: a win comes nearer.
    pub fn behind_move(self, mover: Color) -> Worth {
        match self {
            Worth::Open(Evaluation::LightsIn(moves)) if self.is_won(mover) && moves.abs() > 1 => {
                Worth::Open(Evaluation::LightsIn(moves - moves.signum()))
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
            Worth::Over(winner) => GameResult::from_winner(*winner).text().to_string(),
        })
    }
}

impl Serialize for Worth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Worth {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Worth, D::Error> {
        let text = String::deserialize(deserializer)?;
        let over = [Some(Color::Silver), Some(Color::Red), None];
        match over.into_iter().find(|&winner| GameResult::from_winner(winner).text() == text) {
            Some(winner) => Ok(Worth::Over(winner)),
            None => text.parse().map(Worth::Open).map_err(D::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_the_mover_become_silvers() {
        let text = |score, mover| format!("{:+}", Worth::of_mover(score, mover));
        assert_eq!(text(Evaluation::Cents(135), Color::Silver), "+1.35");
        assert_eq!(text(Evaluation::Cents(135), Color::Red), "-1.35");
        assert_eq!(text(Evaluation::Cents(0), Color::Red), "0.00");
        assert_eq!(text(Evaluation::LightsIn(3), Color::Silver), "#3");
        assert_eq!(text(Evaluation::LightsIn(3), Color::Red), "#-3");
        assert_eq!(text(Evaluation::LightsIn(0), Color::Silver), "#-1");
        assert_eq!(text(Evaluation::LightsIn(0), Color::Red), "#1");
    }

    #[test]
    fn a_win_comes_nearer_with_every_move_of_the_winner() {
        let behind =
            |moves, mover| Worth::Open(Evaluation::LightsIn(moves)).behind_move(mover).to_string();
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
        assert_eq!(text(Worth::Over(Some(Color::Red))), "\"0-1\"");
    }

    #[test]
    fn chances_of_both_players_add_up() {
        let draw = Worth::Over(None);
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
