//! The 80 squares of the board.

use std::fmt;
use std::str::FromStr;

use crate::excerpt::excerpt;
use crate::{Bitboard, Color, Direction};

/// One of the 80 squares, `a1` to `j8`: files from left to right and ranks up as Silver sees them.
///
/// ```
/// use khet::{Color, Square};
///
/// let square: Square = "h2".parse()?;
/// assert_eq!(square, Square::H2);
/// assert_eq!((square.file(), square.rank()), (7, 1));
/// assert_eq!(Square::J5.reserved_for(), Some(Color::Silver));
/// # Ok::<_, khet::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

macro_rules! name_squares {
    ($($rank:literal: $($name:ident)*;)*) => {
        #[allow(missing_docs)]
        impl Square {
            name_squares!(@count 0u8; $($($name)*)*);
        }
    };
    (@count $index:expr; $name:ident $($rest:ident)*) => {
        pub const $name: Square = Square($index);
        name_squares!(@count $index + 1; $($rest)*);
    };
    (@count $index:expr;) => {};
}

name_squares! {
    1: A1 B1 C1 D1 E1 F1 G1 H1 I1 J1;
    2: A2 B2 C2 D2 E2 F2 G2 H2 I2 J2;
    3: A3 B3 C3 D3 E3 F3 G3 H3 I3 J3;
    4: A4 B4 C4 D4 E4 F4 G4 H4 I4 J4;
    5: A5 B5 C5 D5 E5 F5 G5 H5 I5 J5;
    6: A6 B6 C6 D6 E6 F6 G6 H6 I6 J6;
    7: A7 B7 C7 D7 E7 F7 G7 H7 I7 J7;
    8: A8 B8 C8 D8 E8 F8 G8 H8 I8 J8;
}

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 80;
    /// The number of files, `a` to `j`.
    pub const FILES: u8 = 10;
    /// The number of ranks, `1` to `8`.
    pub const RANKS: u8 = 8;

    /// Returns the square on a file and a rank, both counted from 0.
    pub const fn new(file: u8, rank: u8) -> Option<Square> {
        if file < Square::FILES && rank < Square::RANKS {
            Some(Square(rank * Square::FILES + file))
        } else {
            None
        }
    }

    /// Returns the square with this index: 0 is `a1`, 9 is `j1`, 79 is `j8`.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Square::COUNT { Some(Square(index as u8)) } else { None }
    }

    /// Returns the square of a bit in a bitboard, which must be below 80.
    #[inline]
    pub(crate) const fn from_bit(bit: u32) -> Square {
        debug_assert!(bit < Square::COUNT as u32);
        Square(bit as u8)
    }

    /// Iterates over all squares in the order of their indices.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..Square::COUNT as u8).map(Square)
    }

    /// Returns the index of the square, 0 to 79.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the file, from 0 for `a` to 9 for `j`.
    pub const fn file(self) -> u8 {
        self.0 % Square::FILES
    }

    /// Returns the rank, from 0 for `1` to 7 for `8`.
    pub const fn rank(self) -> u8 {
        self.0 / Square::FILES
    }

    /// Returns the square that many files to the east and ranks to the north, if it is on the
    /// board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let (file, rank) = (self.file() as i16 + files as i16, self.rank() as i16 + ranks as i16);
        if file < 0 || rank < 0 { None } else { Square::new(file as u8, rank as u8) }
    }

    /// Returns the next square in a direction, if it is on the board.
    pub const fn neighbor(self, direction: Direction) -> Option<Square> {
        let (files, ranks) = direction.step();
        self.offset(files, ranks)
    }

    /// Returns the square in the same place after the board is rotated by 180 degrees.
    pub const fn flipped(self) -> Square {
        Square(Square::COUNT as u8 - 1 - self.0)
    }

    /// Returns the side for which the square is reserved; `None` for the 60 neutral squares.
    pub fn reserved_for(self) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| Bitboard::reserved(color).has(self))
    }

    /// Returns the corner at which a player's laser fires, or on which the player's sphinx stands.
    pub const fn laser_corner(color: Color) -> Square {
        match color {
            Color::Silver => Square::J1,
            Color::Red => Square::A8,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [b'a' + self.file(), b'1' + self.rank()];
        f.pad(std::str::from_utf8(&name).unwrap_or_default())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not the name of a square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseSquareError(String);

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: a square is a file a to j and a rank 1 to 8, such as h2", self.0)
    }
}

impl std::error::Error for ParseSquareError {}

impl Square {
    /// Reads the two characters of a square's name.
    pub(crate) fn from_name(file: u8, rank: u8) -> Option<Square> {
        Square::new(file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'))
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match *text.as_bytes() {
            [file, rank] => Square::from_name(file, rank),
            _ => None,
        }
        .ok_or_else(|| ParseSquareError(excerpt(text)))
    }
}
