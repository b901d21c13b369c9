//! Sets of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::{Color, Direction, Square};

/// A set of squares, one bit each: bit 0 is `a1`, bit 9 is `j1`, bit 79 is `j8`.
///
/// ```
/// use khet::{Bitboard, Color, Square};
///
/// let around = Bitboard::around(Square::A1);
/// assert_eq!(around.into_iter().map(|s| s.to_string()).collect::<Vec<_>>(), ["b1", "a2", "b2"]);
/// assert_eq!(Bitboard::reserved(Color::Red).len(), 10);
/// assert!((around & Bitboard::reserved(Color::Silver)).has(Square::B1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard {
    /// `a1` to `d7`.
    low: u64,
    /// `e7` to `j8`, in the lowest 16 bits.
    high: u64,
}

/// The length of tables by square. A square is a byte below 80; with an entry for every byte, no
/// bounds check is needed.
const ANY_BYTE: usize = 256;

const FILE_A: u128 = {
    let mut bits = 0;
    let mut rank = 0;
    while rank < Square::RANKS {
        bits |= 1 << (rank * Square::FILES);
        rank += 1;
    }
    bits
};

const RED_ONLY: u128 = FILE_A | 1 << Square::I1.index() | 1 << Square::I8.index();
const SILVER_ONLY: u128 = FILE_A << 9 | 1 << Square::B1.index() | 1 << Square::B8.index();

static RESERVED: [Bitboard; 2] = [Bitboard::from_bits(SILVER_ONLY), Bitboard::from_bits(RED_ONLY)];

static ALLOWED: [Bitboard; 2] = [
    Bitboard::from_bits(Bitboard::ALL.bits() & !RED_ONLY),
    Bitboard::from_bits(Bitboard::ALL.bits() & !SILVER_ONLY),
];

/// The set of each single square. A table, because a shift of 128 bits takes several instructions.
static SINGLES: [Bitboard; ANY_BYTE] = {
    let mut singles = [Bitboard::EMPTY; ANY_BYTE];
    let mut index = 0;
    while index < Square::COUNT {
        singles[index] = Bitboard::from_bits(1 << index);
        index += 1;
    }
    singles
};

/// The squares from each square to the wall, in each direction, without that square. The two words
/// of a set are stored apart, so that the tracer works in general registers, which are faster here
/// than vector registers.
static RAYS: BitboardArray<{ ANY_BYTE * 4 }> = {
    let mut rays = BitboardArray::EMPTY;
    let mut index = 0;
    while index < Square::COUNT {
        let mut direction_index = 0;
        while direction_index < 4 {
            let direction = Direction::from_bits(direction_index as u8);
            let mut at = Square::from_bit(index as u32);
            let mut bits: u128 = 0;
            while let Some(next) = at.neighbor(direction) {
                bits |= 1 << next.index();
                at = next;
            }
            rays.low[index * 4 + direction_index] = bits as u64;
            rays.high[index * 4 + direction_index] = (bits >> 64) as u16;
            direction_index += 1;
        }
        index += 1;
    }
    rays
};

/// The neighbours of each square, up to eight.
static AROUND: [Bitboard; ANY_BYTE] = {
    let mut around = [Bitboard::EMPTY; ANY_BYTE];
    let mut index = 0;
    while index < Square::COUNT {
        let mut bits = 0;
        let mut step = 0;
        while step < 9 {
            let (files, ranks) = (step % 3 - 1, step / 3 - 1);
            if step != 4
                && let Some(next) = Square::from_bit(index as u32).offset(files, ranks)
            {
                bits |= 1 << next.index();
            }
            step += 1;
        }
        around[index] = Bitboard::from_bits(bits);
        index += 1;
    }
    around
};

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard::from_bits(0);
    /// All 80 squares.
    pub const ALL: Bitboard = Bitboard::from_bits((1 << Square::COUNT) - 1);

    pub(crate) const fn from_bits(bits: u128) -> Bitboard {
        Bitboard { low: bits as u64, high: (bits >> 64) as u64 }
    }

    const fn bits(self) -> u128 {
        (self.high as u128) << 64 | self.low as u128
    }

    /// Returns the set of a single square.
    #[inline]
    pub fn of(square: Square) -> Bitboard {
        SINGLES[square.index()]
    }

    /// Returns the squares that are reserved for a side.
    #[inline]
    pub fn reserved(color: Color) -> Bitboard {
        RESERVED[color as usize]
    }

    /// Returns the squares on which a side's pieces may stand.
    #[inline]
    pub fn allowed(color: Color) -> Bitboard {
        ALLOWED[color as usize]
    }

    /// Returns the neighbours of a square.
    #[inline]
    pub fn around(square: Square) -> Bitboard {
        AROUND[square.index()]
    }

    /// Returns all neighbours of the squares in the set, which may be in the set themselves.
    #[inline]
    pub const fn neighbors(self) -> Bitboard {
        const FILE_J: u128 = FILE_A << 9;
        let bits = self.bits();
        let beside = (bits & !FILE_J) << 1 | (bits & !FILE_A) >> 1;
        let row = bits | beside;
        Bitboard::from_bits((beside | row << 10 | row >> 10) & Bitboard::ALL.bits())
    }

    /// Returns the squares from a square to the wall, without the square itself.
    #[inline]
    pub fn ray(from: Square, direction: Direction) -> Bitboard {
        RAYS.get(from.index() * 4 + direction as usize)
    }

    /// Returns whether the square is in the set.
    #[inline]
    pub fn has(self, square: Square) -> bool {
        !(self & Bitboard::of(square)).is_empty()
    }

    /// Returns whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.low | self.high == 0
    }

    /// Returns the number of squares in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.low.count_ones() + self.high.count_ones()
    }

    /// Returns the square with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(self.lowest()) }
    }

    /// Returns the square that a beam reaches first, if all squares of the set lie ahead of it.
    #[inline]
    pub const fn nearest(self, direction: Direction) -> Option<Square> {
        if self.is_empty() {
            return None;
        }
        Some(match direction {
            Direction::North | Direction::East => self.lowest(),
            Direction::South | Direction::West => self.highest(),
        })
    }

    /// Returns the lowest square of a set that is not empty.
    #[inline]
    const fn lowest(self) -> Square {
        debug_assert!(!self.is_empty());
        let high = 64 + self.high.trailing_zeros();
        Square::from_bit(if self.low != 0 { self.low.trailing_zeros() } else { high })
    }

    /// Returns the highest square of a set that is not empty.
    #[inline]
    const fn highest(self) -> Square {
        debug_assert!(!self.is_empty());
        Square::from_bit(if self.high != 0 { 64 + self.high.ilog2() } else { self.low.ilog2() })
    }

    /// Counts the steps in all eight directions from these squares to `targets`. The sets belong to
    /// one side: squares of its pieces, and squares on which they may stand.
    ///
    /// Steps that a shift wraps around the edge need no mask: they lead from file `j` to `a` or
    /// back, and no side may stand on both.
    #[inline]
    pub(crate) const fn count_steps(self, targets: Bitboard) -> u32 {
        // Two overlapping words hold all neighbours of the squares 0 to 39 and 40 to 79, so that no
        // shift has to carry from one word to the other.
        const LOWER: u64 = (1 << 40) - 1;
        let (from, to) = (self.bits(), targets.bits());
        let words = [from as u64, (from >> 16) as u64];
        let targets = [to as u64 & LOWER, (to >> 16) as u64 & !(LOWER >> 16)];
        let mut steps = 0;
        let mut half = 0;
        while half < 2 {
            let (from, to) = (words[half], targets[half]);
            steps += (from << 1 & to).count_ones()
                + (from >> 1 & to).count_ones()
                + (from << 9 & to).count_ones()
                + (from >> 9 & to).count_ones()
                + (from << 10 & to).count_ones()
                + (from >> 10 & to).count_ones()
                + (from << 11 & to).count_ones()
                + (from >> 11 & to).count_ones();
            half += 1;
        }
        steps
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard { low: self.low & other.low, high: self.high & other.high }
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard { low: self.low | other.low, high: self.high | other.high }
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard { low: self.low ^ other.low, high: self.high ^ other.high }
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Bitboard) {
        *self = *self & other;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Bitboard) {
        *self = *self | other;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Bitboard) {
        *self = *self ^ other;
    }
}

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn not(self) -> Bitboard {
        self ^ Bitboard::ALL
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// An iterator over the squares of a [`Bitboard`], lowest index first.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        if self.0.low != 0 {
            self.0.low &= self.0.low - 1;
        } else {
            self.0.high &= self.0.high - 1;
        }
        Some(square)
    }

    /// Iterates word by word, which is faster than choosing the word for each square.
    #[inline]
    fn fold<B, F: FnMut(B, Square) -> B>(self, init: B, mut f: F) -> B {
        let Bitboard { mut low, mut high } = self.0;
        let mut result = init;
        while low != 0 {
            result = f(result, Square::from_bit(low.trailing_zeros()));
            low &= low - 1;
        }
        while high != 0 {
            result = f(result, Square::from_bit(64 + high.trailing_zeros()));
            high &= high - 1;
        }
        result
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.len() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Squares {}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// An array of bitboards, packed to ten bytes each.
///
/// Besides saving space, this stores the halves of a set apart. Side by side they would be written
/// one by one and read as one vector, which fails store-to-load forwarding.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct BitboardArray<const N: usize> {
    low: [u64; N],
    high: [u16; N],
}

impl<const N: usize> BitboardArray<N> {
    pub(crate) const EMPTY: BitboardArray<N> = BitboardArray { low: [0; N], high: [0; N] };

    /// Returns the bitboard at an index.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Bitboard {
        Bitboard { low: self.low[index], high: u64::from(self.high[index]) }
    }

    /// Adds the squares that are not in the bitboard at an index, and removes those that are.
    #[inline]
    pub(crate) fn toggle(&mut self, index: usize, squares: Bitboard) {
        self.low[index] ^= squares.low;
        self.high[index] ^= squares.high as u16;
    }
}
