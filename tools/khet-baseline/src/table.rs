//! The transposition table.

use khet::Move;

/// The bound that a stored score gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The exact score.
    Exact,
    /// The true score is this or higher.
    Lower,
    /// The true score is this or lower.
    Upper,
}

/// The stored result of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// The hash of the position; 0 marks an empty slot.
    key: u64,
    pub(crate) mv: Option<Move>,
    pub(crate) score: i16,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    /// The number of the search that wrote it.
    search: u8,
}

const EMPTY: Entry = Entry { key: 0, mv: None, score: 0, depth: 0, bound: Bound::Exact, search: 0 };

/// One slot per hash index. Of two entries for the same slot the deeper one stays, unless it is
/// from an earlier search.
#[derive(Debug)]
pub(crate) struct Table {
    entries: Vec<Entry>,
    search: u8,
}

impl Table {
    /// Creates a table of about this number of mebibytes.
    pub(crate) fn new(mebibytes: usize) -> Table {
        let count = (mebibytes << 20) / size_of::<Entry>();
        Table { entries: vec![EMPTY; count.max(1)], search: 0 }
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(EMPTY);
        self.search = 0;
    }

    /// Starts a new search, which may overwrite entries of earlier ones.
    pub(crate) fn age(&mut self) {
        self.search = self.search.wrapping_add(1);
    }

    /// Returns the index of the slot for a key.
    fn slot(&self, key: u64) -> usize {
        ((u128::from(key) * self.entries.len() as u128) >> 64) as usize
    }

    /// Returns the entry of a key.
    pub(crate) fn get(&self, key: u64) -> Option<&Entry> {
        let entry = &self.entries[self.slot(key)];
        (entry.key == key && key != 0).then_some(entry)
    }

    /// Stores an entry, unless its slot has a deeper one of the same search.
    pub(crate) fn put(&mut self, key: u64, mv: Option<Move>, score: i16, depth: u8, bound: Bound) {
        let slot = self.slot(key);
        let (search, old) = (self.search, &mut self.entries[slot]);
        if old.search == search && old.key != key && old.depth > depth {
            return;
        }
        // Keeps the old best move if the new entry has none.
        let mv = mv.or(if old.key == key { old.mv } else { None });
        *old = Entry { key, mv, score, depth, bound, search };
    }

    /// Returns the share of entries of this search in thousandths, from a sample.
    pub(crate) fn per_mille(&self) -> usize {
        let sample = &self.entries[..self.entries.len().min(1000)];
        let full = sample.iter().filter(|entry| entry.key != 0 && entry.search == self.search);
        full.count() * 1000 / sample.len()
    }
}
