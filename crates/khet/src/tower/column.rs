//! The place of the tower: its column, and the upper level that the column carries.

use std::fmt;

use crate::{Bitboard, Direction, Rotation, Square};

/// The column of the tower: two by two squares, named after the lower left one, from `c3` to `g5`.
///
/// The column carries the upper level, six by six squares with the column in the middle. All places
/// of the column are such that the upper level lies above the board, and on all of them the column
/// stands on neutral squares.
///
/// ```
/// use khet::tower::TowerColumn;
/// use khet::{Direction, Square};
///
/// let column = TowerColumn::new(Square::E4).unwrap();
/// assert_eq!(column.upper_level().len(), 32);
/// // Each square of the column serves one face: this one the south face.
/// assert!(column.has_periscope(Square::E4, Direction::North));
/// assert!(!column.has_periscope(Square::F4, Direction::North));
/// assert_eq!(TowerColumn::new(Square::B3), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TowerColumn(u8);

/// The number of files, and of ranks, on which the lower left square can be.
const FILES: u8 = 5;
const RANKS: u8 = 3;
/// The first file and the first rank of the lower left square.
const FIRST: u8 = 2;

/// The sets of squares that belong to a place of the column.
struct ColumnSquares {
    column: Bitboard,
    upper_level: Bitboard,
    corners: Bitboard,
}

static COLUMN_SQUARES: [ColumnSquares; TowerColumn::COUNT] = {
    const EMPTY: ColumnSquares = ColumnSquares {
        column: Bitboard::EMPTY,
        upper_level: Bitboard::EMPTY,
        corners: Bitboard::EMPTY,
    };
    let mut areas = [EMPTY; TowerColumn::COUNT];
    let mut index = 0;
    while index < TowerColumn::COUNT {
        let (mut column, mut upper_level, mut corners): (u128, u128, u128) = (0, 0, 0);
        let mut at = 0;
        while at < TowerColumn::UPPER_FILES * TowerColumn::UPPER_FILES {
            let (file, rank) = (at % TowerColumn::UPPER_FILES, at / TowerColumn::UPPER_FILES);
            let bit = 1 << TowerColumn(index as u8).upper_square(file, rank).index();
            if is_middle(file) && is_middle(rank) {
                column |= bit;
            } else {
                upper_level |= bit;
            }
            if file % 5 == 0 && rank % 5 == 0 {
                corners |= bit;
            }
            at += 1;
        }
        areas[index] = ColumnSquares {
            column: Bitboard::from_bits(column),
            upper_level: Bitboard::from_bits(upper_level),
            corners: Bitboard::from_bits(corners),
        };
        index += 1;
    }
    areas
};

/// Returns whether a file or rank of the upper level, counted from 0, crosses the column.
const fn is_middle(line: u8) -> bool {
    line == 2 || line == 3
}

impl TowerColumn {
    /// The number of places.
    pub const COUNT: usize = (FILES * RANKS) as usize;
    /// The number of files, and of ranks, of the upper level.
    pub const UPPER_FILES: u8 = 6;

    /// Returns the column with this lower left square, if the upper level would lie above the
    /// board.
    pub const fn new(lower_left: Square) -> Option<TowerColumn> {
        let (file, rank) =
            (lower_left.file().wrapping_sub(FIRST), lower_left.rank().wrapping_sub(FIRST));
        if file < FILES && rank < RANKS { Some(TowerColumn(rank * FILES + file)) } else { None }
    }

    /// Iterates over all places, from `c3` to `g5`.
    pub fn all() -> impl DoubleEndedIterator<Item = TowerColumn> + ExactSizeIterator {
        (0..TowerColumn::COUNT as u8).map(TowerColumn)
    }

    /// Returns a number below [`TowerColumn::COUNT`], for tables.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the square after which the column is named.
    pub const fn lower_left(self) -> Square {
        self.upper_square(2, 2)
    }

    /// Returns the ground squares on which the column stands.
    #[inline]
    pub fn squares(self) -> Bitboard {
        COLUMN_SQUARES[self.index()].column
    }

    /// Returns the 32 squares of the upper level, as the ground squares beneath them.
    #[inline]
    pub fn upper_level(self) -> Bitboard {
        COLUMN_SQUARES[self.index()].upper_level
    }

    /// Returns the corners of the upper level, on which no pharaoh may stand.
    #[inline]
    pub fn corners(self) -> Bitboard {
        COLUMN_SQUARES[self.index()].corners
    }

    /// Returns the ground square beneath a file and a rank of the upper level, both counted from 0
    /// and below [`TowerColumn::UPPER_FILES`].
    pub(super) const fn upper_square(self, file: u8, rank: u8) -> Square {
        debug_assert!(file < TowerColumn::UPPER_FILES && rank < TowerColumn::UPPER_FILES);
        let (column_file, column_rank) = (self.0 % FILES, self.0 / FILES);
        // The upper level of the column on c3 begins above a1.
        match Square::new(column_file + file, column_rank + rank) {
            Some(square) => square,
            None => unreachable!(),
        }
    }

    /// Returns the file and the rank of the upper level above a ground square, both counted from 0.
    pub(super) const fn upper_file_and_rank(self, ground: Square) -> Option<(u8, u8)> {
        let corner = self.upper_square(0, 0);
        let file = ground.file().wrapping_sub(corner.file());
        let rank = ground.rank().wrapping_sub(corner.rank());
        if file < TowerColumn::UPPER_FILES && rank < TowerColumn::UPPER_FILES {
            Some((file, rank))
        } else {
            None
        }
    }

    /// Returns the column that many files to the east and ranks to the north, if the upper level
    /// stays above the board.
    pub const fn shifted(self, files: i8, ranks: i8) -> Option<TowerColumn> {
        match self.lower_left().offset(files, ranks) {
            Some(square) => TowerColumn::new(square),
            None => None,
        }
    }

    /// Returns whether another place is one square away, in one of the eight directions.
    pub const fn is_neighbor(self, other: TowerColumn) -> bool {
        let (one, other) = (self.lower_left(), other.lower_left());
        let (files, ranks) = (one.file().abs_diff(other.file()), one.rank().abs_diff(other.rank()));
        files <= 1 && ranks <= 1 && files + ranks > 0
    }

    /// Returns the column after the board is rotated by 180 degrees.
    pub const fn flipped(self) -> TowerColumn {
        TowerColumn(TowerColumn::COUNT as u8 - 1 - self.0)
    }

    /// Returns the square to which a rotation of the tower carries a square of the upper level,
    /// both as ground squares.
    pub const fn rotate(self, ground: Square, rotation: Rotation) -> Square {
        let Some((file, rank)) = self.upper_file_and_rank(ground) else { return ground };
        const LAST: u8 = TowerColumn::UPPER_FILES - 1;
        match rotation {
            Rotation::Clockwise => self.upper_square(rank, LAST - file),
            Rotation::Counterclockwise => self.upper_square(LAST - rank, file),
        }
    }

    /// Returns whether a beam that reaches a square of the column in this direction of travel enters
    /// a periscope. Otherwise it ends at the wall.
    #[inline]
    pub fn has_periscope(self, square: Square, travel: Direction) -> bool {
        // The left half of each face, seen from outside, with the direction of a beam that meets it.
        let (file, rank) = match travel {
            Direction::North => (2, 2),
            Direction::East => (2, 3),
            Direction::South => (3, 3),
            Direction::West => (3, 2),
        };
        square == self.upper_square(file, rank)
    }
}

impl fmt::Display for TowerColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lower_left().fmt(f)
    }
}

impl fmt::Debug for TowerColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
