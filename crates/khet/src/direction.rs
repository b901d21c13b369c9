//! The four directions of travel of a beam.

use std::fmt;
use std::str::FromStr;

use crate::excerpt::excerpt;

/// A direction along a file or a rank. North points from Silver to Red.
///
/// ```
/// use khet::Direction;
///
/// assert_eq!(Direction::North.clockwise(), Direction::East);
/// assert_eq!(Direction::North.opposite(), Direction::South);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Towards rank 8.
    North = 0,
    /// Towards file j.
    East = 1,
    /// Towards rank 1.
    South = 2,
    /// Towards file a.
    West = 3,
}

impl Direction {
    /// All four, clockwise from north.
    pub const ALL: [Direction; 4] =
        [Direction::North, Direction::East, Direction::South, Direction::West];

    #[inline]
    pub(crate) const fn from_bits(bits: u8) -> Direction {
        match bits & 3 {
            0 => Direction::North,
            1 => Direction::East,
            2 => Direction::South,
            _ => Direction::West,
        }
    }

    /// Returns the next direction clockwise.
    pub const fn clockwise(self) -> Direction {
        Direction::from_bits(self as u8 + 1)
    }

    /// Returns the opposite direction.
    pub const fn opposite(self) -> Direction {
        Direction::from_bits(self as u8 + 2)
    }

    /// Returns `N`, `E`, `S` or `W`.
    pub const fn letter(self) -> char {
        match self {
            Direction::North => 'N',
            Direction::East => 'E',
            Direction::South => 'S',
            Direction::West => 'W',
        }
    }

    /// Returns the change of file and rank of one step.
    pub const fn step(self) -> (i8, i8) {
        match self {
            Direction::North => (0, 1),
            Direction::East => (1, 0),
            Direction::South => (0, -1),
            Direction::West => (-1, 0),
        }
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Direction::North => "north",
            Direction::East => "east",
            Direction::South => "south",
            Direction::West => "west",
        })
    }
}

/// A text that is not a direction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseDirectionError(String);

impl fmt::Display for ParseDirectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: a direction is north, east, south or west", self.0)
    }
}

impl std::error::Error for ParseDirectionError {}

impl FromStr for Direction {
    type Err = ParseDirectionError;

    fn from_str(text: &str) -> Result<Direction, ParseDirectionError> {
        let direction = Direction::ALL.into_iter().find(|direction| direction.to_string() == text);
        direction.ok_or_else(|| ParseDirectionError(excerpt(text)))
    }
}
