//! What a player does in a turn, before the laser fires, and its notation.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use crate::Square;
use crate::excerpt::excerpt;

/// Which way a piece is rotated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Spin {
    /// A quarter turn to the right, written `+`.
    Clockwise,
    /// A quarter turn to the left, written `-`.
    Anticlockwise,
}

impl Spin {
    /// The quarter turns clockwise to which it amounts.
    #[inline]
    pub const fn quarters(self) -> u8 {
        match self {
            Spin::Clockwise => 1,
            Spin::Anticlockwise => 3,
        }
    }
}

/// A turn, in the words of the notation: `h2g2`, `d1^d2`, `h2+`.
///
/// ```
/// use khet::{Spin, Square, Turn};
///
/// assert_eq!("h2g2".parse(), Ok(Turn::Move { from: Square::H2, to: Square::G2 }));
/// assert_eq!("d1^d2".parse(), Ok(Turn::Unstack { from: Square::D1, to: Square::D2 }));
///
/// let turn = Turn::Rotate { square: Square::H2, spin: Spin::Clockwise };
/// assert_eq!(turn.to_string(), "h2+");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Turn {
    /// A piece or a whole stack goes to a neighbouring square. What stands there decides whether
    /// that is a move, a swap or the stacking of two obelisks.
    #[allow(missing_docs)]
    Move { from: Square, to: Square },
    /// The top of a stack goes to a neighbouring square.
    #[allow(missing_docs)]
    Unstack { from: Square, to: Square },
    /// A piece is turned in place.
    #[allow(missing_docs)]
    Rotate { square: Square, spin: Spin },
}

impl Turn {
    /// The square of the piece that acts.
    #[inline]
    pub const fn from(self) -> Square {
        match self {
            Turn::Move { from, .. } | Turn::Unstack { from, .. } => from,
            Turn::Rotate { square, .. } => square,
        }
    }

    /// The square to which it goes; a rotated piece stays where it is.
    #[inline]
    pub const fn to(self) -> Square {
        match self {
            Turn::Move { to, .. } | Turn::Unstack { to, .. } => to,
            Turn::Rotate { square, .. } => square,
        }
    }

    /// The turn on the board turned by half.
    pub const fn turned(self) -> Turn {
        match self {
            Turn::Move { from, to } => Turn::Move { from: from.turned(), to: to.turned() },
            Turn::Unstack { from, to } => Turn::Unstack { from: from.turned(), to: to.turned() },
            Turn::Rotate { square, spin } => Turn::Rotate { square: square.turned(), spin },
        }
    }

    /// The turn in two bytes, the same on every machine: turns may be stored so. Never 0.
    ///
    /// ```
    /// use khet::Turn;
    ///
    /// let turn: Turn = "h2g2".parse()?;
    /// assert_eq!(Turn::from_bits(turn.to_bits()), Some(turn));
    /// # Ok::<_, khet::ParseTurnError>(())
    /// ```
    #[inline]
    pub const fn to_bits(self) -> u16 {
        let kind = match self {
            Turn::Move { .. } => 0,
            Turn::Unstack { .. } => 1,
            Turn::Rotate { spin: Spin::Clockwise, .. } => 2,
            Turn::Rotate { spin: Spin::Anticlockwise, .. } => 3,
        };
        self.to().index() as u16 | (self.from().index() as u16) << 7 | kind << 14
    }

    /// The turn that was stored so, if these bits are one. Whether it is legal is another question.
    pub fn from_bits(bits: u16) -> Option<Turn> {
        let square = |bits: u16| Square::from_index(usize::from(bits & 127));
        let (to, from) = (square(bits)?, square(bits >> 7)?);
        match bits >> 14 {
            // No turn goes from a1 to a1.
            0 if bits == 0 => None,
            0 => Some(Turn::Move { from, to }),
            1 => Some(Turn::Unstack { from, to }),
            2 => Some(Turn::Rotate { square: from, spin: Spin::Clockwise }),
            _ => Some(Turn::Rotate { square: from, spin: Spin::Anticlockwise }),
        }
    }

    /// Reads a turn from the bytes of its notation.
    pub(crate) fn from_bytes(text: &[u8]) -> Option<Turn> {
        Some(match *text {
            [a, b, c, d] => {
                Turn::Move { from: Square::from_name(a, b)?, to: Square::from_name(c, d)? }
            }
            [a, b, sign @ (b'+' | b'-')] => Turn::Rotate {
                square: Square::from_name(a, b)?,
                spin: if sign == b'+' { Spin::Clockwise } else { Spin::Anticlockwise },
            },
            [a, b, b'^', c, d] => {
                Turn::Unstack { from: Square::from_name(a, b)?, to: Square::from_name(c, d)? }
            }
            _ => return None,
        })
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Turn::Move { from, to } => write!(f, "{from}{to}"),
            Turn::Unstack { from, to } => write!(f, "{from}^{to}"),
            Turn::Rotate { square, spin: Spin::Clockwise } => write!(f, "{square}+"),
            Turn::Rotate { square, spin: Spin::Anticlockwise } => write!(f, "{square}-"),
        }
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseTurnError(String);

impl fmt::Display for ParseTurnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: a turn is written like h2g2, d1^d2, h2+ or h2-", self.0)
    }
}

impl std::error::Error for ParseTurnError {}

impl FromStr for Turn {
    type Err = ParseTurnError;

    fn from_str(text: &str) -> Result<Turn, ParseTurnError> {
        Turn::from_bytes(text.as_bytes()).ok_or_else(|| ParseTurnError(excerpt(text)))
    }
}

/// The legal turns of a position, as a slice that lives on the stack.
#[derive(Clone)]
pub struct TurnList {
    turns: [Turn; TurnList::CAPACITY],
    len: usize,
}

impl TurnList {
    /// No box has pieces for more turns than these: pharaoh 8; djeds, or scarabs, and Eye 3 × 9;
    /// pyramids 7 × 10; obelisks 4 × 8, or stacks 2 × 16; sphinx 1.
    pub const CAPACITY: usize = 8 + 3 * 9 + 7 * 10 + 4 * 8 + 1;

    pub(crate) fn new() -> TurnList {
        let filler = Turn::Rotate { square: Square::A1, spin: Spin::Clockwise };
        TurnList { turns: [filler; TurnList::CAPACITY], len: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, turn: Turn) {
        self.turns[self.len] = turn;
        self.len += 1;
    }
}

impl Deref for TurnList {
    type Target = [Turn];

    #[inline]
    fn deref(&self) -> &[Turn] {
        &self.turns[..self.len]
    }
}

impl<'a> IntoIterator for &'a TurnList {
    type Item = &'a Turn;
    type IntoIter = std::slice::Iter<'a, Turn>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for TurnList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.deref().fmt(f)
    }
}
