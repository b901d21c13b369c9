//! Perft on two levels: counting move sequences, to test the move generator.

use super::{Position, Square};
use crate::Move;

/// Counts the move sequences of a length. A sequence that ends the game earlier does not count. The
/// moves of the last ply are counted, not played.
///
/// ```
/// use khet::tower::{Position, perft};
///
/// let position: Position = "4k5/10/10/10/10/10/10/4K5+e4:6/6/6/6/6/6 s".parse()?;
/// // The pharaoh has five steps and the tower eight shifts.
/// assert_eq!(perft(&position, 1), 13);
/// # Ok::<_, khet::tower::ParsePositionError>(())
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_legal_moves()),
        _ => divide(position, depth).into_iter().map(|(_, count)| count).sum(),
    }
}

/// Returns the [`perft`] count of each first move, in the order of [`Position::legal_moves`];
/// nothing at depth 0.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move<Square>, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let count = |&mv: &Move<Square>| {
        let mut next = *position;
        next.play_unchecked(mv);
        (mv, perft(&next, rest))
    };
    position.legal_moves().iter().map(count).collect()
}
