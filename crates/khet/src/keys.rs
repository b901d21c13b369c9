//! The random numbers behind the hash of a position.
//!
//! A position's hash is the exclusive or of one number for each piece on its square, so that a turn
//! changes it by a few of them. The numbers are the same on every machine: hashes may be stored.

use crate::{Color, Piece, Square};

static PIECES: [[u64; Square::COUNT]; Piece::COUNT] = {
    let mut keys = [[0; Square::COUNT]; Piece::COUNT];
    let mut state = 0x4b68_6574; // any fixed number: this one spells Khet
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            (state, keys[piece][square]) = split_mix(state);
            square += 1;
        }
        piece += 1;
    }
    keys
};

const RED_TO_MOVE: u64 = split_mix(0x7265_6421).1;

/// The generator SplitMix64: its next state and number.
const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, z ^ (z >> 31))
}

#[inline]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    PIECES[piece.index()][square.index()]
}

#[inline]
pub(crate) const fn side(color: Color) -> u64 {
    match color {
        Color::Silver => 0,
        Color::Red => RED_TO_MOVE,
    }
}
