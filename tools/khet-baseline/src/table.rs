//! The transposition table: what is known of positions that were searched before.

use khet::Move;

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// It is the score.
    Exact,
    /// The true score is this or higher.
    Lower,
    /// The true score is this or lower.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// A hash of 0 is an empty place; no position is lost by that but one in 2⁶⁴.
    key: u64,
    pub(crate) mv: Option<Move>,
    pub(crate) score: i16,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
    /// The search that wrote it.
    search: u8,
}

const EMPTY: Entry = Entry { key: 0, mv: None, score: 0, depth: 0, bound: Bound::Exact, search: 0 };

/// A place for each entry, found by its hash. Of two that fall on the same place the deeper one
/// stays, unless it is from an earlier search.
#[derive(Debug)]
pub(crate) struct Table {
    entries: Vec<Entry>,
    search: u8,
}

impl Table {
    /// A table of about that many mebibytes.
    pub(crate) fn new(mebibytes: usize) -> Table {
        let count = (mebibytes << 20) / size_of::<Entry>();
        Table { entries: vec![EMPTY; count.max(1)], search: 0 }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(EMPTY);
        self.search = 0;
    }

    /// A new search begins, and may overwrite what earlier ones found.
    pub(crate) fn age(&mut self) {
        self.search = self.search.wrapping_add(1);
    }

    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.entries.len() as u128) >> 64) as usize
    }

    pub(crate) fn get(&self, key: u64) -> Option<&Entry> {
        let entry = &self.entries[self.place(key)];
        (entry.key == key && key != 0).then_some(entry)
    }

    pub(crate) fn put(&mut self, key: u64, mv: Option<Move>, score: i16, depth: u8, bound: Bound) {
        let place = self.place(key);
        let (search, old) = (self.search, &mut self.entries[place]);
        if old.search == search && old.key != key && old.depth > depth {
            return;
        }
        // A move that was best once is a better guess than none.
        let mv = mv.or(if old.key == key { old.mv } else { None });
        *old = Entry { key, mv, score, depth, bound, search };
    }

    /// How full the table is with entries of this search, in thousandths, by a sample.
    pub(crate) fn per_mille(&self) -> usize {
        let sample = &self.entries[..self.entries.len().min(1000)];
        let full = sample.iter().filter(|entry| entry.key != 0 && entry.search == self.search);
        full.count() * 1000 / sample.len()
    }
}
