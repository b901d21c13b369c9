//! Perft: counting move sequences, to test the correctness and the speed of the move generator.

use std::hint::black_box;

use crate::{Move, Position};

/// Counts the move sequences of a length. A sequence that ends the game earlier does not count. The
/// moves of the last ply are counted, not played.
///
/// ```
/// use khet::{Setup, perft};
///
/// assert_eq!(perft(&Setup::Classic.position(), 2), 6228);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    count::<false>(position, depth)
}

/// Counts like [`perft`], but also plays the moves of the last ply with their shots.
pub fn perft_played(position: &Position, depth: u32) -> u64 {
    count::<true>(position, depth)
}

/// Returns the [`perft`] count of each first move, in the order of [`Position::legal_moves`];
/// nothing at depth 0.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let aim = position.aim();
    position.legal_moves().iter().map(|&mv| (mv, perft(&aim.play(mv).0, rest))).collect()
}

/// Counts the leaf nodes. Without `PLAY_LEAVES` the last moves are only counted.
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
