//! Tests of the engine for games with a tower, and positions for the tests of its parts.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use khet::tower::{Position, Square};
use khet::{Color, Game, Move, MoverEval, Rules};

use super::Engine;
use crate::{BestMove, Control, Level, Limits, Options, SearchRoot};

/// Positions with about twelve pieces on each side, some of them on the upper level.
pub(crate) const POSITIONS: [&str; 3] = [
    "4o2ko2d22/10/3P42p13/p1P36p2P4/p2P46p1P3/3P32p23/10/2D2O2KO24+e4:6/4P21/6/6/1p44/6 s",
    "4o2ko23/10/2p15d21/p1P3e16P4/p2P46p1P3/1D25E1P31/10/4O2KO23+e4:1p34/6/4P41/1p24/6/4P11 s",
    "x33k5/10/2a1p36/6S1P32/3s16/10/4P2A14/5K3X1+e4:p25/1P14/6/4e21/1E14/2a13 r",
];

pub(crate) fn position(text: &str) -> Position {
    text.parse().expect("a position")
}

/// Returns the positions of a game of arbitrary moves, without the end of the game.
pub(crate) fn random_positions(start: &str, plies: usize) -> Vec<Position> {
    let mut positions = Vec::new();
    let mut position = position(start);
    let mut state = 1_u64;
    while positions.len() < plies && position.outcome().is_none() {
        positions.push(position);
        let moves = position.legal_moves();
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        position.play_unchecked(moves[(state >> 33) as usize % moves.len()]);
    }
    positions
}
