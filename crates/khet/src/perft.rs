//! Counting move sequences: the measure of a rules implementation's truth and speed.

use std::hint::black_box;

use crate::{Move, Position};

/// The number of move sequences of that length. A move that ends the game counts at the last ply,
/// and has nothing behind it before that. The moves of the last ply are counted, not played.
///
/// ```
/// use khet::{Setup, perft};
///
/// assert_eq!(perft(&Setup::Classic.position(), 2), 6228);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    count::<false>(position, depth)
}

/// Like [`perft`], but the moves of the last ply are played and shot too.
pub fn perft_played(position: &Position, depth: u32) -> u64 {
    count::<true>(position, depth)
}

/// [`perft`] for each first move, in the order of [`Position::legal_moves`]. Sequences of length 0 have no
/// first move.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let aim = position.aim();
    position.legal_moves().iter().map(|&mv| (mv, perft(&aim.play(mv).0, rest))).collect()
}

fn count<const PLAY_LEAVES: bool>(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 if !PLAY_LEAVES => u64::from(position.count_legal_moves()),
        _ => {
            let mut nodes = 0;
            position.aim().each_next(|next| {
                nodes += if depth > 1 {
                    count::<PLAY_LEAVES>(next, depth - 1)
                } else {
                    black_box(next);
                    1
                };
            });
            nodes
        }
    }
}
