//! The squares of both levels, and sets of them.

use std::fmt;
use std::iter::Chain;
use std::ops::{BitAnd, BitOr, BitOrAssign};
use std::str::FromStr;

use super::{BoardLevel, TowerFault, TowerMove, move_codes};
use crate::board_square::LevelSquare;
use crate::excerpt::excerpt;
use crate::{Bitboard, BoardSquare, Color, IllegalMove, Move, RecordProblem, Squares};

/// A square on the ground, `a1` to `j8`, or above one of these squares, `A1` to `J8`.
///
/// Which squares the upper level has depends on the place of the tower; see
/// [`TowerColumn`](super::TowerColumn).
///
/// ```
/// use khet::tower::{BoardLevel, Square};
///
/// let square: Square = "C7".parse()?;
/// assert_eq!(square, Square::new(BoardLevel::Upper, khet::Square::C7));
/// assert_eq!(square.on_other_level().to_string(), "c7");
/// # Ok::<_, khet::tower::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    level: BoardLevel,
    ground: crate::Square,
}

impl Square {
    /// The number of squares of both levels, wherever the tower stands.
    pub const COUNT: usize = 2 * crate::Square::COUNT;

    /// Returns the square of a level at or above this ground square.
    #[inline]
    pub const fn new(level: BoardLevel, ground: crate::Square) -> Square {
        Square { level, ground }
    }

    /// Returns the level.
    #[inline]
    pub const fn level(self) -> BoardLevel {
        self.level
    }

    /// Returns the ground square at or beneath this one.
    #[inline]
    pub const fn ground(self) -> crate::Square {
        self.ground
    }

    /// Returns the square of a board without a tower; `None` on the upper level.
    #[inline]
    pub fn without_tower(self) -> Option<crate::Square> {
        (self.level == BoardLevel::Ground).then_some(self.ground)
    }

    /// Returns the square straight above or below.
    #[inline]
    pub const fn on_other_level(self) -> Square {
        Square { level: self.level.other(), ground: self.ground }
    }

    /// Returns the index of the square: 0 to 79 on the ground, 80 to 159 above.
    #[inline]
    pub const fn index(self) -> usize {
        self.level as usize * crate::Square::COUNT + self.ground.index()
    }

    /// Returns the square with this index.
    pub const fn from_index(index: usize) -> Option<Square> {
        let (level, index) = if index < crate::Square::COUNT {
            (BoardLevel::Ground, index)
        } else {
            (BoardLevel::Upper, index - crate::Square::COUNT)
        };
        match crate::Square::from_index(index) {
            Some(ground) => Some(Square { level, ground }),
            None => None,
        }
    }
}

impl From<crate::Square> for Square {
    /// Returns the square on the ground.
    fn from(ground: crate::Square) -> Square {
        Square::new(BoardLevel::Ground, ground)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = match self.level {
            BoardLevel::Ground => b'a',
            BoardLevel::Upper => b'A',
        };
        let name = [first + self.ground.file(), b'1' + self.ground.rank()];
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
        write!(f, "{:?}: a square is a file a to j and a rank 1 to 8, such as h2, ", self.0)?;
        f.write_str("with a capital letter on the upper level")
    }
}

impl std::error::Error for ParseSquareError {}

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

impl BoardSquare for Square {
    type Set = SquareSet;
    type TowerMove = TowerMove;
    type TowerFault = TowerFault;

    #[inline]
    fn to_set(self) -> SquareSet {
        SquareSet::on_level(self.level, Bitboard::of(self.ground))
    }

    #[inline]
    fn is_in(self, set: SquareSet) -> bool {
        set.has(self)
    }

    /// Squares of the upper level are neutral.
    fn reserved_for(self) -> Option<Color> {
        match self.level {
            BoardLevel::Ground => self.ground.reserved_for(),
            BoardLevel::Upper => None,
        }
    }

    fn flipped(self) -> Square {
        Square { ground: self.ground.flipped(), ..self }
    }

    #[inline]
    fn ground(self) -> crate::Square {
        self.ground
    }

    fn board_level(self) -> BoardLevel {
        self.level
    }

    fn move_to_bits(mv: Move<Square>) -> u16 {
        move_codes::encode(mv)
    }

    fn move_from_bits(bits: u16) -> Option<Move<Square>> {
        move_codes::decode(bits)
    }
}

impl LevelSquare for Square {
    type Level = BoardLevel;
    const GROUND: BoardLevel = BoardLevel::Ground;
    const MOVE_EXAMPLES: &'static str = "h2g2, c7C7, d1^d2, h2+, G6-, Te5, T+ or T-";

    #[inline]
    fn on_level(level: BoardLevel, ground: crate::Square) -> Square {
        Square { level, ground }
    }

    #[inline]
    fn level(self) -> BoardLevel {
        self.level
    }

    fn from_name(file: u8, rank: u8) -> Option<Square> {
        let level = if file.is_ascii_uppercase() { BoardLevel::Upper } else { BoardLevel::Ground };
        let ground = crate::Square::from_name(file.to_ascii_lowercase(), rank)?;
        Some(Square { level, ground })
    }

    fn read_tower_move(text: &[u8]) -> Option<TowerMove> {
        TowerMove::from_bytes(text)
    }

    fn of_tower_fault(fault: TowerFault) -> Square {
        fault.square()
    }

    fn illegal_in_record(error: IllegalMove<Square>) -> RecordProblem {
        RecordProblem::IllegalWithTower(error)
    }
}

/// A set of squares of both levels.
///
/// ```
/// use khet::tower::{Square, SquareSet};
///
/// let squares: [Square; 2] = ["C7".parse()?, "c7".parse()?];
/// let set: SquareSet = squares.into_iter().collect();
/// assert_eq!(set.into_iter().map(|square| square.to_string()).collect::<Vec<_>>(), ["c7", "C7"]);
/// # Ok::<_, khet::tower::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SquareSet {
    /// The squares on the ground.
    pub ground: Bitboard,
    /// The squares of the upper level, as the ground squares beneath them.
    pub upper: Bitboard,
}

impl SquareSet {
    /// No square.
    pub const EMPTY: SquareSet = SquareSet { ground: Bitboard::EMPTY, upper: Bitboard::EMPTY };

    /// Returns the squares of one level at or above these ground squares.
    #[inline]
    pub const fn on_level(level: BoardLevel, squares: Bitboard) -> SquareSet {
        match level {
            BoardLevel::Ground => SquareSet { ground: squares, upper: Bitboard::EMPTY },
            BoardLevel::Upper => SquareSet { ground: Bitboard::EMPTY, upper: squares },
        }
    }

    /// Returns the squares of a level, as ground squares.
    #[inline]
    pub const fn level(self, level: BoardLevel) -> Bitboard {
        match level {
            BoardLevel::Ground => self.ground,
            BoardLevel::Upper => self.upper,
        }
    }

    /// Returns whether the square is in the set.
    #[inline]
    pub fn has(self, square: Square) -> bool {
        self.level(square.level).has(square.ground)
    }

    /// Returns whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.ground.is_empty() && self.upper.is_empty()
    }

    /// Returns the number of squares in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.ground.len() + self.upper.len()
    }
}

impl BitOr for SquareSet {
    type Output = SquareSet;

    #[inline]
    fn bitor(self, other: SquareSet) -> SquareSet {
        SquareSet { ground: self.ground | other.ground, upper: self.upper | other.upper }
    }
}

impl BitAnd for SquareSet {
    type Output = SquareSet;

    #[inline]
    fn bitand(self, other: SquareSet) -> SquareSet {
        SquareSet { ground: self.ground & other.ground, upper: self.upper & other.upper }
    }
}

impl BitOrAssign for SquareSet {
    #[inline]
    fn bitor_assign(&mut self, other: SquareSet) {
        *self = *self | other;
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        squares.into_iter().fold(SquareSet::EMPTY, |set, square| set | square.to_set())
    }
}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Chain<LevelSquares, LevelSquares>;

    /// Iterates over the squares of the ground, then over those of the upper level.
    fn into_iter(self) -> Self::IntoIter {
        let squares = |level| LevelSquares { level, squares: self.level(level).into_iter() };
        squares(BoardLevel::Ground).chain(squares(BoardLevel::Upper))
    }
}

/// An iterator over squares of one level, lowest index first.
#[derive(Clone, Debug)]
pub struct LevelSquares {
    level: BoardLevel,
    squares: Squares,
}

impl Iterator for LevelSquares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        self.squares.next().map(|ground| Square::new(self.level, ground))
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
