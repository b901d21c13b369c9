//! The random numbers behind the hash of a position.
//!
//! A position's hash is the exclusive or of one number for each piece on its square, so that a move
//! changes it by a few of them. The numbers are the same on every machine: hashes may be stored.

use crate::{Color, Piece, Square};

/// Any fixed number: this one spells Khet.
const SEED: u64 = 0x4b68_6574;
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

#[cfg(not(feature = "small"))]
static PIECES: [[u64; Square::COUNT]; Piece::COUNT] = {
    let mut keys = [[0; Square::COUNT]; Piece::COUNT];
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            keys[piece][square] = number(SEED, piece * Square::COUNT + square);
            square += 1;
        }
        piece += 1;
    }
    keys
};

const RED_TO_MOVE: u64 = number(0x7265_6421, 0);

/// The number at a place of the sequence that the generator SplitMix64 makes of a seed.
pub(crate) const fn number(seed: u64, place: usize) -> u64 {
    let mut z = seed.wrapping_add(STEP.wrapping_mul(place as u64 + 1));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(not(feature = "small"))]
#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    PIECES[piece.index()][square.index()]
}

/// Random numbers can't be compressed, so a page that is loaded does without the table.
#[cfg(feature = "small")]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    number(SEED, piece.index() * Square::COUNT + square.index())
}

#[inline]
pub(crate) const fn side(color: Color) -> u64 {
    match color {
        Color::Silver => 0,
        Color::Red => RED_TO_MOVE,
    }
}
