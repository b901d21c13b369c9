//! Moves: the action of a player before the laser fires, and its notation.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use crate::Square;
use crate::excerpt::excerpt;

/// The direction in which a piece is rotated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rotation {
    /// By 90 degrees clockwise, written `+`.
    Clockwise,
    /// By 90 degrees counterclockwise, written `-`.
    Counterclockwise,
}

impl Rotation {
    /// Returns the number of clockwise rotations by 90 degrees with the same result.
    #[inline]
    pub const fn quarters(self) -> u8 {
        match self {
            Rotation::Clockwise => 1,
            Rotation::Counterclockwise => 3,
        }
    }
}

/// A move, as the notation writes it: `h2g2`, `d1^d2`, `h2+`.
///
/// ```
/// use khet::{Rotation, Square, Move};
///
/// assert_eq!("h2g2".parse(), Ok(Move::Step { from: Square::H2, to: Square::G2 }));
/// assert_eq!("d1^d2".parse(), Ok(Move::Unstack { from: Square::D1, to: Square::D2 }));
///
/// let mv = Move::Rotate { square: Square::H2, rotation: Rotation::Clockwise };
/// assert_eq!(mv.to_string(), "h2+");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A piece or a whole stack goes to a neighbouring square. The contents of that square decide
    /// whether this is a step, a swap or the stacking of two obelisks.
    #[allow(missing_docs)]
    Step { from: Square, to: Square },
    /// The top of a stack goes to a neighbouring square.
    #[allow(missing_docs)]
    Unstack { from: Square, to: Square },
    /// A piece is rotated on its square.
    #[allow(missing_docs)]
    Rotate { square: Square, rotation: Rotation },
}

impl Move {
    /// Returns the square of the piece that moves.
    #[inline]
    pub const fn from(self) -> Square {
        match self {
            Move::Step { from, .. } | Move::Unstack { from, .. } => from,
            Move::Rotate { square, .. } => square,
        }
    }

    /// Returns the target square; a rotated piece stays on its square.
    #[inline]
    pub const fn to(self) -> Square {
        match self {
            Move::Step { to, .. } | Move::Unstack { to, .. } => to,
            Move::Rotate { square, .. } => square,
        }
    }

    /// Returns the same move after the board is rotated by 180 degrees.
    pub const fn flipped(self) -> Move {
        match self {
            Move::Step { from, to } => Move::Step { from: from.flipped(), to: to.flipped() },
            Move::Unstack { from, to } => Move::Unstack { from: from.flipped(), to: to.flipped() },
            Move::Rotate { square, rotation } => {
                Move::Rotate { square: square.flipped(), rotation }
            }
        }
    }

    /// Encodes the move in two bytes, which are never 0. The encoding is stable and may be stored.
    ///
    /// ```
    /// use khet::Move;
    ///
    /// let mv: Move = "h2g2".parse()?;
    /// assert_eq!(Move::from_bits(mv.to_bits()), Some(mv));
    /// # Ok::<_, khet::ParseMoveError>(())
    /// ```
    #[inline]
    pub const fn to_bits(self) -> u16 {
        let kind = match self {
            Move::Step { .. } => 0,
            Move::Unstack { .. } => 1,
            Move::Rotate { rotation: Rotation::Clockwise, .. } => 2,
            Move::Rotate { rotation: Rotation::Counterclockwise, .. } => 3,
        };
        self.to().index() as u16 | (self.from().index() as u16) << 7 | kind << 14
    }

    /// Decodes a move, if the bits are valid. The move may be illegal.
    pub fn from_bits(bits: u16) -> Option<Move> {
        let square = |bits: u16| Square::from_index(usize::from(bits & 127));
        let (to, from) = (square(bits)?, square(bits >> 7)?);
        match bits >> 14 {
            // No move goes from a1 to a1.
            0 if bits == 0 => None,
            0 => Some(Move::Step { from, to }),
            1 => Some(Move::Unstack { from, to }),
            2 => Some(Move::Rotate { square: from, rotation: Rotation::Clockwise }),
            _ => Some(Move::Rotate { square: from, rotation: Rotation::Counterclockwise }),
        }
    }

    /// Reads a move from the bytes of its notation.
    pub(crate) fn from_bytes(text: &[u8]) -> Option<Move> {
        Some(match *text {
            [a, b, c, d] => {
                Move::Step { from: Square::from_name(a, b)?, to: Square::from_name(c, d)? }
            }
            [a, b, sign @ (b'+' | b'-')] => Move::Rotate {
                square: Square::from_name(a, b)?,
                rotation: if sign == b'+' {
                    Rotation::Clockwise
                } else {
                    Rotation::Counterclockwise
                },
            },
            [a, b, b'^', c, d] => {
                Move::Unstack { from: Square::from_name(a, b)?, to: Square::from_name(c, d)? }
            }
            _ => return None,
        })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Step { from, to } => write!(f, "{from}{to}"),
            Move::Unstack { from, to } => write!(f, "{from}^{to}"),
            Move::Rotate { square, rotation: Rotation::Clockwise } => write!(f, "{square}+"),
            Move::Rotate { square, rotation: Rotation::Counterclockwise } => write!(f, "{square}-"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseMoveError(String);

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: a move is written like h2g2, d1^d2, h2+ or h2-", self.0)
    }
}

impl std::error::Error for ParseMoveError {}

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        Move::from_bytes(text.as_bytes()).ok_or_else(|| ParseMoveError(excerpt(text)))
    }
}

/// A list of moves on the stack, which dereferences to a slice.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MoveList::CAPACITY],
    len: usize,
}

impl MoveList {
    /// The largest number of moves that the pieces of one side can have: pharaoh 8; djeds, or
    /// scarabs, and Eye 3 × 9; pyramids 7 × 10; obelisks 4 × 8, or stacks 2 × 16; sphinx 1.
    pub const CAPACITY: usize = 8 + 3 * 9 + 7 * 10 + 4 * 8 + 1;

    pub(crate) fn new() -> MoveList {
        let filler = Move::Rotate { square: Square::A1, rotation: Rotation::Clockwise };
        MoveList { moves: [filler; MoveList::CAPACITY], len: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.deref().fmt(f)
    }
}
