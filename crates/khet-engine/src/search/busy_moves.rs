//! The moves that threads are searching at the moment. A thread defers a move that another one is
//! searching, so that they work on different parts of the tree (simplified ABDADA).

use std::sync::atomic::{AtomicU64, Ordering};

use crate::packed::PackedMove;

/// Shallowest node at which moves are deferred: below, the bookkeeping takes longer than it saves.
const DEFER_MIN_DEPTH: i32 = 3;
/// Number of entries, a power of two. An entry may be lost to another one, which only costs time.
const SIZE: usize = 1 << 12;

/// The moves that are being searched.
pub(crate) struct BusyMoves {
    /// Hashes of position and move; 0 if the entry is free. Empty with one thread.
    entries: Box<[AtomicU64]>,
}

impl BusyMoves {
    /// Creates the table for a number of threads. A single thread defers nothing.
    pub(crate) fn new(threads: usize) -> BusyMoves {
        let size = if threads > 1 { SIZE } else { 0 };
        BusyMoves { entries: (0..size).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Returns whether another thread is searching the move.
    pub(crate) fn is_busy(&self, key: u64, mv: PackedMove, depth: i32) -> bool {
        self.entry(key, mv, depth)
            .is_some_and(|(entry, hash)| entry.load(Ordering::Relaxed) == hash)
    }

    /// Marks the move as being searched until the returned guard is dropped.
    pub(crate) fn mark(&self, key: u64, mv: PackedMove, depth: i32) -> BusyMove<'_> {
        let entry = self.entry(key, mv, depth);
        if let Some((entry, hash)) = entry {
            entry.store(hash, Ordering::Relaxed);
        }
        BusyMove(entry.map(|(entry, _)| entry))
    }

    fn entry(&self, key: u64, mv: PackedMove, depth: i32) -> Option<(&AtomicU64, u64)> {
        if depth < DEFER_MIN_DEPTH || self.entries.is_empty() {
            return None;
        }
        // Multiplied by the golden ratio, moves of one position are spread over the table.
        let hash = key ^ (u64::from(mv.bits()) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let index = (hash >> 52) as usize % SIZE;
        Some((&self.entries[index], hash))
    }
}

/// A move that is being searched.
pub(crate) struct BusyMove<'a>(Option<&'a AtomicU64>);

impl Drop for BusyMove<'_> {
    fn drop(&mut self) {
        if let Some(entry) = self.0 {
            entry.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_busy_while_it_is_marked() {
        let busy_moves = BusyMoves::new(2);
        let mv = PackedMove::NONE;
        let mark = busy_moves.mark(1, mv, DEFER_MIN_DEPTH);
        assert!(busy_moves.is_busy(1, mv, DEFER_MIN_DEPTH));
        assert!(!busy_moves.is_busy(2, mv, DEFER_MIN_DEPTH));
        assert!(!busy_moves.is_busy(1, mv, DEFER_MIN_DEPTH - 1));
        drop(mark);
        assert!(!busy_moves.is_busy(1, mv, DEFER_MIN_DEPTH));
    }

    #[test]
    fn one_thread_marks_nothing() {
        let busy_moves = BusyMoves::new(1);
        let _mark = busy_moves.mark(1, PackedMove::NONE, DEFER_MIN_DEPTH);
        assert!(!busy_moves.is_busy(1, PackedMove::NONE, DEFER_MIN_DEPTH));
    }
}
