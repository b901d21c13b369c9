//! Evaluations of positions. The type names the side from whose point of view the number is
//! meant.

use std::fmt;
use std::str::FromStr;

use crate::Color;
use crate::record::decimal;

/// An evaluation from Silver's point of view, as game records, reviews and the user interface
/// show it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SilverEval {
    /// Silver's advantage in hundredths of a pyramid ("centipawns"): `1.35` is 135.
    Cp(i32),
    /// A forced win in this number of the winner's moves; Silver wins if it is positive, Red if
    /// it is negative: `#3`, `#-3`.
    MateIn(i32),
}

/// An evaluation from the point of view of the side to move, as engines report it.
///
/// ```
/// use khet::{Color, MoverEval, SilverEval};
///
/// assert_eq!(MoverEval::Cp(80).for_silver(Color::Silver), SilverEval::Cp(80));
/// assert_eq!(MoverEval::Cp(80).for_silver(Color::Red), SilverEval::Cp(-80));
/// assert_eq!(MoverEval::MateIn(0).for_silver(Color::Red), SilverEval::MateIn(1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoverEval {
    /// The advantage of the side to move in hundredths of a pyramid ("centipawns").
    Cp(i32),
    /// A forced win of the side to move in this number of its own moves. A negative number is a
    /// forced loss; 0 means that the side to move has lost or loses with any move.
    MateIn(i32),
}

/// A computer player that is behind by more than this, in hundredths of a pyramid, prefers a draw.
const PREFERS_DRAW_BELOW: i32 = -50;

impl MoverEval {
    /// Converts the evaluation to Silver's point of view.
    pub fn for_silver(self, side_to_move: Color) -> SilverEval {
        let signed = |value: i32| if side_to_move == Color::Silver { value } else { -value };
        match self {
            MoverEval::Cp(cp) => SilverEval::Cp(signed(cp)),
            // Zero has no sign, so a loss that is already there becomes a loss in one move.
            MoverEval::MateIn(0) => SilverEval::MateIn(signed(-1)),
            MoverEval::MateIn(moves) => SilverEval::MateIn(signed(moves)),
        }
    }

    /// Reads the unit and the number after `score` in an `info` line of the engine protocol.
    pub fn from_uki(unit: &str, number: i32) -> Option<MoverEval> {
        match unit {
            "cp" => Some(MoverEval::Cp(number)),
            "mate" => Some(MoverEval::MateIn(number)),
            _ => None,
        }
    }

    /// Returns whether a computer player with this evaluation accepts or claims a draw.
    pub fn prefers_draw(self) -> bool {
        match self {
            MoverEval::Cp(cp) => cp < PREFERS_DRAW_BELOW,
            MoverEval::MateIn(moves) => moves <= 0,
        }
    }
}

impl fmt::Display for MoverEval {
    /// Writes the evaluation as in an `info` line of the engine protocol: `cp 35` or `mate 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoverEval::Cp(cp) => write!(f, "cp {cp}"),
            MoverEval::MateIn(moves) => write!(f, "mate {moves}"),
        }
    }
}

impl SilverEval {
    /// Returns the side with the advantage, if there is one.
    pub fn leader(self) -> Option<Color> {
        let (SilverEval::Cp(value) | SilverEval::MateIn(value)) = self;
        match value {
            1.. => Some(Color::Silver),
            0 => None,
            ..0 => Some(Color::Red),
        }
    }
}

impl fmt::Display for SilverEval {
    /// Writes the evaluation as in a game record: `1.35`, `-0.20`, `#3`, `#-3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SilverEval::Cp(cp) => {
                let sign = if cp < 0 { "-" } else { "" };
                let size = cp.unsigned_abs();
                write!(f, "{sign}{}.{:02}", size / 100, size % 100)
            }
            SilverEval::MateIn(moves) => write!(f, "#{moves}"),
        }
    }
}

/// The error for a text that is not an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseEvalError;

impl fmt::Display for ParseEvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an evaluation is written like 1.35, -0.20, #3 or #-3")
    }
}

impl std::error::Error for ParseEvalError {}

impl FromStr for SilverEval {
    type Err = ParseEvalError;

    fn from_str(text: &str) -> Result<SilverEval, ParseEvalError> {
        let parse = || match text.strip_prefix('#') {
            Some(moves) => moves.parse().ok().map(SilverEval::MateIn),
            None => i32::try_from(decimal(text, 2)?).ok().map(SilverEval::Cp),
        };
        parse().ok_or(ParseEvalError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evals_of_the_side_to_move_become_silvers() {
        let text = |eval: MoverEval, side| eval.for_silver(side).to_string();
        assert_eq!(text(MoverEval::Cp(135), Color::Silver), "1.35");
        assert_eq!(text(MoverEval::Cp(135), Color::Red), "-1.35");
        assert_eq!(text(MoverEval::Cp(0), Color::Red), "0.00");
        assert_eq!(text(MoverEval::MateIn(3), Color::Silver), "#3");
        assert_eq!(text(MoverEval::MateIn(3), Color::Red), "#-3");
        assert_eq!(text(MoverEval::MateIn(0), Color::Silver), "#-1");
        assert_eq!(text(MoverEval::MateIn(0), Color::Red), "#1");
    }

    #[test]
    fn a_computer_that_is_behind_prefers_a_draw() {
        assert!(MoverEval::Cp(-51).prefers_draw());
        assert!(!MoverEval::Cp(-50).prefers_draw());
        assert!(MoverEval::MateIn(0).prefers_draw());
        assert!(MoverEval::MateIn(-4).prefers_draw());
        assert!(!MoverEval::MateIn(4).prefers_draw());
    }
}
