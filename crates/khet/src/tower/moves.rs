//! Moves of the tower itself, and the list of all moves.

use std::fmt;

use super::Square;
use crate::{BoardSquare, Move, Rotation};

/// A move of the tower, with everything on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TowerMove {
    /// The column goes to the place with this lower left square, written `Te5`.
    Shift(crate::Square),
    /// The upper level is rotated by 90 degrees, written `T+` or `T-`.
    Rotate(Rotation),
}

impl TowerMove {
    /// Reads the bytes of the notation.
    pub(super) fn from_bytes(text: &[u8]) -> Option<TowerMove> {
        match *text {
            [b'T', sign] => Rotation::from_sign(sign).map(TowerMove::Rotate),
            [b'T', file, rank] => crate::Square::from_name(file, rank).map(TowerMove::Shift),
            _ => None,
        }
    }

    /// Returns the same move after the board is rotated by 180 degrees, if the column fits there.
    fn flipped(self) -> Option<TowerMove> {
        Some(match self {
            // The upper right square becomes the lower left one.
            TowerMove::Shift(square) => TowerMove::Shift(square.offset(1, 1)?.flipped()),
            TowerMove::Rotate(rotation) => TowerMove::Rotate(rotation),
        })
    }
}

impl fmt::Display for TowerMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TowerMove::Shift(square) => write!(f, "T{square}"),
            TowerMove::Rotate(rotation) => write!(f, "T{}", rotation.sign()),
        }
    }
}

impl fmt::Debug for TowerMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Move> for Move<Square> {
    /// Returns the same move on the ground.
    fn from(mv: Move) -> Move<Square> {
        match mv {
            Move::Step { from, to } => Move::Step { from: from.into(), to: to.into() },
            Move::Unstack { from, to } => Move::Unstack { from: from.into(), to: to.into() },
            Move::Rotate { square, rotation } => Move::Rotate { square: square.into(), rotation },
        }
    }
}

impl Move<Square> {
    /// Returns the same move on a board without a tower; `None` if it is one of the tower, or one
    /// from or to the upper level.
    ///
    /// ```
    /// use khet::{Move, tower};
    ///
    /// let mv: Move<tower::Square> = "h2g2".parse()?;
    /// assert_eq!(mv.without_tower(), "h2g2".parse::<Move>().ok());
    /// let mv: Move<tower::Square> = "h2H2".parse()?;
    /// assert_eq!(mv.without_tower(), None);
    /// # Ok::<_, khet::ParseMoveError>(())
    /// ```
    pub fn without_tower(self) -> Option<Move> {
        let ground = Square::without_tower;
        Some(match self {
            Move::Step { from, to } => Move::Step { from: ground(from)?, to: ground(to)? },
            Move::Unstack { from, to } => Move::Unstack { from: ground(from)?, to: ground(to)? },
            Move::Rotate { square, rotation } => Move::Rotate { square: ground(square)?, rotation },
            Move::Tower(_) => return None,
        })
    }

    /// Returns the same move after the board is rotated by 180 degrees; `None` if it shifts the
    /// tower off the board.
    pub fn flipped(self) -> Option<Move<Square>> {
        Some(match self {
            Move::Step { from, to } => Move::Step { from: from.flipped(), to: to.flipped() },
            Move::Unstack { from, to } => Move::Unstack { from: from.flipped(), to: to.flipped() },
            Move::Rotate { square, rotation } => {
                Move::Rotate { square: square.flipped(), rotation }
            }
            Move::Tower(mv) => Move::Tower(mv.flipped()?),
        })
    }
}

/// A list of moves on the stack, which dereferences to a slice.
pub type MoveList = crate::MoveList<Square, MAX_MOVES>;

/// The largest number of moves of one side: pharaoh 9; djeds, or scarabs, and Eye 3 × 10; pyramids
/// 7 × 11; obelisks 4 × 9, or stacks 2 × 18; sphinx 1; tower 8 + 2.
pub const MAX_MOVES: usize = 9 + 3 * 10 + 7 * 11 + 4 * 9 + 1 + 10;
