//! The two players.

use std::fmt;
use std::ops::Not;
use std::str::FromStr;

use crate::excerpt::excerpt;

/// A side: a player, named after the colour of the pieces.
///
/// ```
/// use khet::Color;
///
/// assert_eq!(!Color::Silver, Color::Red);
/// assert_eq!(Color::Red.to_string(), "red");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// Starts at rank 1 and moves first.
    Silver = 0,
    /// Starts at rank 8.
    Red = 1,
}

impl Color {
    /// Both players, Silver first.
    pub const ALL: [Color; 2] = [Color::Silver, Color::Red];

    /// Returns the letter of the side to move in a position: `s` or `r`.
    pub const fn letter(self) -> char {
        match self {
            Color::Silver => 's',
            Color::Red => 'r',
        }
    }
}

impl Not for Color {
    type Output = Color;

    /// Returns the other player.
    #[inline]
    fn not(self) -> Color {
        match self {
            Color::Silver => Color::Red,
            Color::Red => Color::Silver,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Color::Silver => "silver",
            Color::Red => "red",
        })
    }
}

/// A text that names neither player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseColorError(String);

impl fmt::Display for ParseColorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: a player is silver or red", self.0)
    }
}

impl std::error::Error for ParseColorError {}

impl FromStr for Color {
    type Err = ParseColorError;

    fn from_str(text: &str) -> Result<Color, ParseColorError> {
        match text {
            "silver" => Ok(Color::Silver),
            "red" => Ok(Color::Red),
            _ => Err(ParseColorError(excerpt(text))),
        }
    }
}
