//! Moves: the action of a player before the laser fires, and its notation.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use crate::excerpt::excerpt;
use crate::{BoardSquare, Square};

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

    /// Returns `+` or `-`, as moves are written.
    pub(crate) const fn sign(self) -> char {
        match self {
            Rotation::Clockwise => '+',
            Rotation::Counterclockwise => '-',
        }
    }

    /// Reads `+` or `-`.
    pub(crate) const fn from_sign(sign: u8) -> Option<Rotation> {
        match sign {
            b'+' => Some(Rotation::Clockwise),
            b'-' => Some(Rotation::Counterclockwise),
            _ => None,
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
pub enum Move<S: BoardSquare = Square> {
    /// A piece or a whole stack goes to a neighbouring square. The contents of that square decide
    /// whether this is a step, a swap or the stacking of two obelisks.
    #[allow(missing_docs)]
    Step { from: S, to: S },
    /// The top of a stack goes to a neighbouring square.
    #[allow(missing_docs)]
    Unstack { from: S, to: S },
    /// A piece is rotated on its square.
    #[allow(missing_docs)]
    Rotate { square: S, rotation: Rotation },
    /// The tower moves; never in the standard game.
    Tower(S::TowerMove),
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
}

impl<S: BoardSquare> Move<S> {
    /// Returns the start and the target square, which are the same for a rotation; `None` if the
    /// tower moves.
    pub fn squares(self) -> Option<[S; 2]> {
        match self {
            Move::Step { from, to } | Move::Unstack { from, to } => Some([from, to]),
            Move::Rotate { square, .. } => Some([square, square]),
            Move::Tower(_) => None,
        }
    }

    /// Reads a move from the bytes of its notation.
    pub(crate) fn from_bytes(text: &[u8]) -> Option<Move<S>> {
        Some(match *text {
            [b'T', ..] => Move::Tower(S::read_tower_move(text)?),
            [a, b, c, d] => Move::Step { from: S::from_name(a, b)?, to: S::from_name(c, d)? },
            [a, b, sign] => {
                Move::Rotate { square: S::from_name(a, b)?, rotation: Rotation::from_sign(sign)? }
            }
            [a, b, b'^', c, d] => {
                Move::Unstack { from: S::from_name(a, b)?, to: S::from_name(c, d)? }
            }
            _ => return None,
        })
    }
}

impl<S: BoardSquare> fmt::Display for Move<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Step { from, to } => write!(f, "{from}{to}"),
            Move::Unstack { from, to } => write!(f, "{from}^{to}"),
            Move::Rotate { square, rotation } => write!(f, "{square}{}", rotation.sign()),
            Move::Tower(mv) => mv.fmt(f),
        }
    }
}

impl<S: BoardSquare> fmt::Debug for Move<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseMoveError {
    text: String,
    examples: &'static str,
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: a move is written like {}", self.text, self.examples)
    }
}

impl std::error::Error for ParseMoveError {}

impl<S: BoardSquare> FromStr for Move<S> {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move<S>, ParseMoveError> {
        let error = || ParseMoveError { text: excerpt(text), examples: S::MOVE_EXAMPLES };
        Move::from_bytes(text.as_bytes()).ok_or_else(error)
    }
}

/// The capacity of a list of the moves of the standard game.
const STANDARD_CAPACITY: usize = 8 + 3 * 9 + 7 * 10 + 4 * 8 + 1;

/// A list of moves on the stack, which dereferences to a slice.
#[derive(Clone)]
pub struct MoveList<S: BoardSquare = Square, const N: usize = STANDARD_CAPACITY> {
    moves: [Move<S>; N],
    len: usize,
}

impl MoveList {
    /// The largest number of moves that the pieces of one side can have: pharaoh 8; djeds, or
    /// scarabs, and Eye 3 × 9; pyramids 7 × 10; obelisks 4 × 8, or stacks 2 × 16; sphinx 1.
    pub const CAPACITY: usize = STANDARD_CAPACITY;
}

impl<S: BoardSquare, const N: usize> MoveList<S, N> {
    pub(crate) fn new() -> MoveList<S, N> {
        let square = S::on_level(S::GROUND, Square::A1);
        let filler = Move::Rotate { square, rotation: Rotation::Clockwise };
        MoveList { moves: [filler; N], len: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, mv: Move<S>) {
        self.moves[self.len] = mv;
        self.len += 1;
    }
}

impl<S: BoardSquare, const N: usize> Deref for MoveList<S, N> {
    type Target = [Move<S>];

    #[inline]
    fn deref(&self) -> &[Move<S>] {
        &self.moves[..self.len]
    }
}

impl<'a, S: BoardSquare, const N: usize> IntoIterator for &'a MoveList<S, N> {
    type Item = &'a Move<S>;
    type IntoIter = std::slice::Iter<'a, Move<S>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<S: BoardSquare, const N: usize> fmt::Debug for MoveList<S, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.deref().fmt(f)
    }
}
