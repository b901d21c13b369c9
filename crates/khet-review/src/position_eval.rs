//! The evaluation of a position in a review.

use std::fmt;

use khet::{Color, GameResult, MoverEval, SilverEval};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Slope of the logistic curve from evaluations to winning chances: an advantage of this number of
/// hundredths of a pyramid multiplies the odds by e, which is a chance of 73 %. Fitted to the
/// results of games between the engine's levels 6 to 9 (`docs/review.md`); weaker players win less
/// surely, but a review judges a move by what it is worth to a player who can use it.
const WINNING_CHANCES_SCALE: f64 = 150.0;

/// The evaluation of a position that may be the last one of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PositionEval {
    /// The engine's evaluation of a position in which the game goes on.
    Ongoing(SilverEval),
    /// The game is over. Holds the winner, or `None` for a draw.
    GameOver(Option<Color>),
}

impl PositionEval {
    /// Converts what an engine reports for the side to move.
    pub fn from_mover(eval: MoverEval, side_to_move: Color) -> PositionEval {
        PositionEval::Ongoing(eval.for_silver(side_to_move))
    }

    /// Returns the winning chances of a player from 0 to 1, where a draw counts one half: a
    /// logistic function of the evaluation, 0 or 1 if a win is forced.
    pub fn winning_chances(self, player: Color) -> f64 {
        let silver = match self {
            PositionEval::GameOver(None) => 0.5,
            PositionEval::GameOver(Some(winner)) => f64::from(u8::from(winner == Color::Silver)),
            PositionEval::Ongoing(SilverEval::MateIn(moves)) => f64::from(u8::from(moves > 0)),
            PositionEval::Ongoing(SilverEval::Cp(cp)) => {
                1.0 / (1.0 + (-f64::from(cp) / WINNING_CHANCES_SCALE).exp())
            }
        };
        if player == Color::Silver { silver } else { 1.0 - silver }
    }

    /// Returns whether the game has ended.
    pub fn is_over(self) -> bool {
        matches!(self, PositionEval::GameOver(_))
    }

    /// Returns whether a player has won or has a forced win.
    pub fn is_won(self, player: Color) -> bool {
        match self {
            PositionEval::GameOver(winner) => winner == Some(player),
            PositionEval::Ongoing(SilverEval::MateIn(moves)) => {
                (moves > 0) == (player == Color::Silver)
            }
            PositionEval::Ongoing(SilverEval::Cp(_)) => false,
        }
    }

    /// Returns the evaluation after the mover has played the best move: a forced win of the mover
    /// is one move nearer.
    pub fn after_best_move(self, mover: Color) -> PositionEval {
        match self {
            PositionEval::Ongoing(SilverEval::MateIn(moves))
                if self.is_won(mover) && moves.abs() > 1 =>
            {
                PositionEval::Ongoing(SilverEval::MateIn(moves - moves.signum()))
            }
            _ => self,
        }
    }
}

impl fmt::Display for PositionEval {
    /// Writes evaluations (`1.35`, `-0.20`, `#3`, `#-3`) and results (`1-0`) as game records do.
    /// With the flag `+`, an advantage of Silver has a plus sign.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self {
            PositionEval::Ongoing(SilverEval::Cp(cp)) if *cp > 0 && f.sign_plus() => {
                format!("+{}", SilverEval::Cp(*cp))
            }
            PositionEval::Ongoing(eval) => eval.to_string(),
            PositionEval::GameOver(winner) => GameResult::from_winner(*winner).text().to_string(),
        })
    }
}

impl Serialize for PositionEval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PositionEval {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PositionEval, D::Error> {
        let text = String::deserialize(deserializer)?;
        let results = [Some(Color::Silver), Some(Color::Red), None];
        match results.into_iter().find(|&winner| GameResult::from_winner(winner).text() == text) {
            Some(winner) => Ok(PositionEval::GameOver(winner)),
            None => text.parse().map(PositionEval::Ongoing).map_err(D::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cp(cp: i32) -> PositionEval {
        PositionEval::Ongoing(SilverEval::Cp(cp))
    }

    fn mate_in(moves: i32) -> PositionEval {
        PositionEval::Ongoing(SilverEval::MateIn(moves))
    }

    #[test]
    fn an_advantage_of_silver_has_a_plus_sign_on_request() {
        let texts = [cp(135), cp(-135), cp(0), mate_in(3)].map(|eval| format!("{eval:+}"));
        assert_eq!(texts, ["+1.35", "-1.35", "0.00", "#3"]);
    }

    #[test]
    fn a_win_comes_nearer_with_every_move_of_the_winner() {
        let after = |moves, mover| mate_in(moves).after_best_move(mover).to_string();
        assert_eq!(after(3, Color::Silver), "#2");
        assert_eq!(after(3, Color::Red), "#3");
        assert_eq!(after(-3, Color::Red), "#-2");
        assert_eq!(after(-3, Color::Silver), "#-3");
        assert_eq!(after(1, Color::Silver), "#1");
    }

    #[test]
    fn json_has_evaluations_as_records_write_them() {
        let json = |eval: PositionEval| serde_json::to_string(&eval).expect("JSON");
        assert_eq!(json(cp(135)), "\"1.35\"");
        assert_eq!(json(PositionEval::GameOver(Some(Color::Red))), "\"0-1\"");
    }

    #[test]
    fn winning_chances_of_both_players_add_up_to_one() {
        let draw = PositionEval::GameOver(None);
        let evals = [-31_000, -135, 0, 1, 31_000].map(cp).into_iter().chain([draw, mate_in(-2)]);
        for eval in evals {
            let sum = eval.winning_chances(Color::Silver) + eval.winning_chances(Color::Red);
            assert!((sum - 1.0).abs() < 1e-12, "{eval}");
        }
        assert_eq!(mate_in(-2).winning_chances(Color::Red), 1.0);
        assert_eq!(draw.winning_chances(Color::Red), 0.5);
    }
}
