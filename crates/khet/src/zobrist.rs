//! Zobrist keys: the random numbers from which the hash key of a position is made.
//!
//! The key is the exclusive or of one number per piece and square, so a move changes it by a few of
//! them. The numbers are the same on every machine, so keys may be stored.

use crate::{Color, Piece, Square};

/// An arbitrary seed: the letters of Khet.
const SEED: u64 = 0x4b68_6574;
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

#[cfg(not(feature = "small"))]
static PIECES: [[u64; Square::COUNT]; Piece::COUNT] = {
    let mut keys = [[0; Square::COUNT]; Piece::COUNT];
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            keys[piece][square] = splitmix64(SEED, piece * Square::COUNT + square);
            square += 1;
        }
        piece += 1;
    }
    keys
};

const RED_TO_MOVE: u64 = splitmix64(0x7265_6421, 0);

/// Returns the number at this index of the sequence that SplitMix64 generates from a seed.
pub(crate) const fn splitmix64(seed: u64, index: usize) -> u64 {
    let mut z = seed.wrapping_add(STEP.wrapping_mul(index as u64 + 1));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns the key of a piece on a square.
#[cfg(not(feature = "small"))]
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    PIECES[piece.index()][square.index()]
}

/// Computes the key. Random numbers can't be compressed, so a web page is smaller without the
/// table.
#[cfg(feature = "small")]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    splitmix64(SEED, piece.index() * Square::COUNT + square.index())
}

#[inline]
pub(crate) const fn side(color: Color) -> u64 {
    match color {
        Color::Silver => 0,
        Color::Red => RED_TO_MOVE,
    }
}
