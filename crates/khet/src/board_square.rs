//! The squares of a board, with or without a second level: what moves, shots, faults and records of
//! both games have in common.

use std::convert::Infallible;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::BitOrAssign;
use std::str::FromStr;

use crate::tower::BoardLevel;
use crate::{Bitboard, Color, IllegalMove, Move, RecordProblem, Square};

/// A square of the standard board, [`Square`], or of a board with a tower,
/// [`tower::Square`](crate::tower::Square).
///
/// Moves, shots, faults and errors have the type of their squares as a parameter, so that code for
/// both games is written once. The parameter is [`Square`] unless another one is named. The
/// variants `Tower` of [`Move`](crate::Move) and [`Fault`](crate::Fault) can't be constructed for
/// the standard board, so a `match` on a value of the standard game needs no arm for them.
pub trait BoardSquare:
    LevelSquare + Copy + Ord + Hash + Debug + Display + FromStr + 'static
{
    /// A set of squares.
    type Set: Copy
        + Eq
        + Hash
        + Debug
        + Default
        + BitOrAssign
        + FromIterator<Self>
        + IntoIterator<Item = Self>;
    /// A move of the tower itself; for the standard board a type without values.
    type TowerMove: Copy + Ord + Hash + Debug + Display;
    /// A fault that only a placement with a tower can have; for the standard board a type without
    /// values.
    type TowerFault: Copy + Eq + Hash + Debug + Display;

    /// Returns the set of this square alone.
    fn to_set(self) -> Self::Set;

    /// Returns whether the square is in a set.
    fn is_in(self, set: Self::Set) -> bool;

    /// Returns the side for which the square is reserved.
    fn reserved_for(self) -> Option<Color>;

    /// Returns the square in the same place after the board is rotated by 180 degrees.
    fn flipped(self) -> Self;

    /// Returns the square on the ground at or beneath this one.
    fn ground(self) -> Square;

    /// Returns the level; the ground on the standard board.
    fn board_level(self) -> BoardLevel;

    /// Encodes a move in two bytes. The encoding is stable and may be stored; boards with and without
    /// a tower have different ones.
    ///
    /// ```
    /// use khet::{BoardSquare, Move, tower};
    ///
    /// let mv: Move<tower::Square> = "c7C7".parse()?;
    /// let bits = tower::Square::move_to_bits(mv);
    /// assert_eq!(tower::Square::move_from_bits(bits), Some(mv));
    /// # Ok::<_, khet::ParseMoveError>(())
    /// ```
    fn move_to_bits(mv: Move<Self>) -> u16;

    /// Decodes a move, if the bits are valid. The move may be illegal.
    fn move_from_bits(bits: u16) -> Option<Move<Self>>;
}

/// The part of [`BoardSquare`] that only this crate uses and implements.
pub trait LevelSquare: Sized {
    /// A level of the board; `()` if there is only one.
    type Level: Copy + Eq;
    /// The level of the lasers.
    const GROUND: Self::Level;
    /// The notation of moves by examples, for error messages.
    const MOVE_EXAMPLES: &'static str;

    /// Returns a square on a level.
    fn on_level(level: Self::Level, square: Square) -> Self;

    /// Returns the level of the square.
    fn level(self) -> Self::Level;

    /// Reads the two characters of the square's name.
    fn from_name(file: u8, rank: u8) -> Option<Self>;

    /// Reads a move of the tower.
    fn read_tower_move(text: &[u8]) -> Option<Self::TowerMove>
    where
        Self: BoardSquare;

    /// Returns the square to which a fault of the tower refers.
    fn of_tower_fault(fault: Self::TowerFault) -> Self
    where
        Self: BoardSquare;

    /// Wraps an illegal move as the error of a record.
    fn illegal_in_record(error: IllegalMove<Self>) -> RecordProblem
    where
        Self: BoardSquare;
}

impl BoardSquare for Square {
    type Set = Bitboard;
    type TowerMove = Infallible;
    type TowerFault = Infallible;

    #[inline]
    fn to_set(self) -> Bitboard {
        Bitboard::of(self)
    }

    #[inline]
    fn is_in(self, set: Bitboard) -> bool {
        set.has(self)
    }

    fn reserved_for(self) -> Option<Color> {
        self.reserved_for()
    }

    fn flipped(self) -> Square {
        self.flipped()
    }

    #[inline]
    fn ground(self) -> Square {
        self
    }

    fn board_level(self) -> BoardLevel {
        BoardLevel::Ground
    }

    fn move_to_bits(mv: Move) -> u16 {
        mv.to_bits()
    }

    fn move_from_bits(bits: u16) -> Option<Move> {
        Move::from_bits(bits)
    }
}

impl LevelSquare for Square {
    type Level = ();
    const GROUND: () = ();
    const MOVE_EXAMPLES: &'static str = "h2g2, d1^d2, h2+ or h2-";

    #[inline]
    fn on_level((): (), square: Square) -> Square {
        square
    }

    #[inline]
    fn level(self) {}

    fn from_name(file: u8, rank: u8) -> Option<Square> {
        Square::from_name(file, rank)
    }

    fn read_tower_move(_: &[u8]) -> Option<Infallible> {
        None
    }

    fn of_tower_fault(fault: Infallible) -> Square {
        match fault {}
    }

    fn illegal_in_record(error: IllegalMove) -> RecordProblem {
        RecordProblem::Illegal(error)
    }
}
