//! The editions of the rules.

use std::fmt;
use std::str::FromStr;

use crate::excerpt::excerpt;

/// The edition of the rules by which a game is played. Everything else (Khet 2.0, the Eye of Horus,
/// the sphinx laser) follows from the pieces on the board.
///
/// ```
/// use khet::Rules;
///
/// assert_eq!("czech".parse(), Ok(Rules::Czech));
/// assert_eq!(Rules::default().draw_claim_at(), 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Rules {
    /// The rules of nearly all printed editions.
    #[default]
    Standard = 0,
    /// The Czech manual 1.1: a djed swaps only with its own colour, and a draw may be claimed when
    /// an arrangement occurs for the second time.
    Czech = 1,
}

impl Rules {
    /// Every edition.
    pub const ALL: [Rules; 2] = [Rules::Standard, Rules::Czech];

    /// Returns whether a djed may swap with a piece of the other colour.
    #[inline]
    pub const fn swaps_either_color(self) -> bool {
        matches!(self, Rules::Standard)
    }

    /// Returns the number of occurrences of an arrangement at which the side to move may claim a
    /// draw.
    pub const fn draw_claim_at(self) -> usize {
        match self {
            Rules::Standard => 3,
            Rules::Czech => 2,
        }
    }

    /// Returns the name in game records and on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            Rules::Standard => "standard",
            Rules::Czech => "czech",
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that is not the name of an edition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseRulesError(String);

impl fmt::Display for ParseRulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: the rules are standard or czech", self.0)
    }
}

impl std::error::Error for ParseRulesError {}

impl FromStr for Rules {
    type Err = ParseRulesError;

    fn from_str(text: &str) -> Result<Rules, ParseRulesError> {
        let rules = Rules::ALL.into_iter().find(|rules| rules.name() == text);
        rules.ok_or_else(|| ParseRulesError(excerpt(text)))
    }
}
