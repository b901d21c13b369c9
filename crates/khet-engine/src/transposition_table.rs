//! The transposition table, shared by all threads of a search.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::packed::PackedMove;
use crate::score::{Value, WON};

/// How a stored value bounds the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Bound {
    /// The true value is at most this.
    Upper = 1,
    /// The true value is at least this.
    Lower = 2,
    Exact = 3,
}

/// The stored result of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) mv: PackedMove,
    pub(crate) value: Value,
    pub(crate) eval: Value,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

/// Two words that threads read and write without locks. The first holds the key XOR the second, so
/// that an entry half overwritten by another thread does not match.
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// The slots of one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// The table.
pub(crate) struct TranspositionTable {
    buckets: Vec<Bucket>,
    /// The number of the search, so that entries of earlier searches are replaced first.
    age: AtomicU8,
}

const AGE_COUNT: u8 = 64;

/// Asks the system for huge pages. With small pages, TLB misses cost more time than the table
/// reads.
#[allow(unsafe_code)]
fn ask_for_large_pages(room: &Vec<Bucket>) {
    #[cfg(target_os = "linux")]
    {
        const PAGE_SIZE: usize = 4096;
        let start = (room.as_ptr().addr()).next_multiple_of(PAGE_SIZE);
        let end = room.as_ptr().addr() + room.capacity() * size_of::<Bucket>();
        // SAFETY: a hint for memory that belongs to `room`; its contents stay as they are. Whether
        // the system follows it makes no difference but speed.
        unsafe {
            libc::madvise(
                room.as_ptr().with_addr(start).cast_mut().cast(),
                end - start,
                libc::MADV_HUGEPAGE,
            );
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = room;
}

impl TranspositionTable {
    /// Creates a table of this size.
    pub(crate) fn new(mebibytes: usize) -> TranspositionTable {
        let count = (mebibytes.max(1) << 20) / size_of::<Bucket>();
        let mut buckets = Vec::with_capacity(count);
        ask_for_large_pages(&buckets);
        buckets.resize_with(count, Bucket::default);
        TranspositionTable { buckets, age: AtomicU8::new(0) }
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        for slot in self.buckets.iter_mut().flat_map(|bucket| &mut bucket.0) {
            *slot = Slot::default();
        }
        *self.age.get_mut() = 0;
    }

    /// Starts a new search, which makes all entries older.
    pub(crate) fn new_search(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGE_COUNT, Ordering::Relaxed);
    }

    /// Returns the bucket of a key.
    fn bucket(&self, key: u64) -> &Bucket {
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Prefetches the bucket of a position that will be probed soon.
    #[inline]
    #[allow(unsafe_code)]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a hint to the processor, which reads nothing; every x86-64 processor knows it.
        // Waiting for the table took a sixth of the time of a search.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.bucket(key)).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// Returns the entry of a position, with win distances relative to `ply`.
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let check = slot.check.load(Ordering::Relaxed);
            (check ^ data == key && data != 0).then(|| unpack(data, ply)).flatten()
        })
    }

    /// Stores an entry found at `ply` and replaces the least valuable one.
    pub(crate) fn store(&self, key: u64, ply: usize, entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let mut least: Option<(i32, &Slot)> = None;
        for slot in &self.bucket(key).0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key {
                return slot.replace(key, ply, entry, age, data);
            }
            let priority = if data == 0 { i32::MIN } else { priority(data, age) };
            if least.is_none_or(|(known, _)| priority < known) {
                least = Some((priority, slot));
            }
        }
        if let Some((_, slot)) = least {
            slot.write(key, pack(entry, ply, age));
        }
    }

    /// Returns the share of entries of this search, in thousandths.
    pub(crate) fn fullness(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample: Vec<&Slot> = self.buckets.iter().take(250).flat_map(|b| &b.0).collect();
        let used = sample.iter().filter(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && age_of(data) == age
        });
        (used.count() * 1000 / sample.len().max(1)) as u32
    }
}

impl Slot {
    /// Writes both words of an entry.
    fn write(&self, key: u64, data: u64) {
        self.data.store(data, Ordering::Relaxed);
        self.check.store(key ^ data, Ordering::Relaxed);
    }

    /// Replaces the entry of the same position, unless that is much deeper.
    fn replace(&self, key: u64, ply: usize, mut entry: Entry, age: u8, old: u64) {
        if let Some(known) = unpack(old, ply) {
            let better =
                entry.bound == Bound::Exact || entry.depth + 4 > known.depth || age_of(old) != age;
            if !better {
                return;
            }
            if entry.mv == PackedMove::NONE {
                entry.mv = known.mv;
            }
        }
        self.write(key, pack(entry, ply, age));
    }
}

/// Returns the replacement priority: deep and recent entries are kept.
fn priority(data: u64, age: u8) -> i32 {
    let depth = (data >> 48 & 0xff) as i32;
    let older = (AGE_COUNT + age - age_of(data)) % AGE_COUNT;
    depth - 4 * i32::from(older)
}

/// Returns the age in packed data.
fn age_of(data: u64) -> u8 {
    (data >> 58) as u8
}

/// Packs an entry into a word. Win distances are stored relative to the position, not to the root.
fn pack(entry: Entry, ply: usize, age: u8) -> u64 {
    let value = match entry.value {
        value if value >= WON => value + ply as Value,
        value if value <= -WON => value - ply as Value,
        value => value,
    };
    u64::from(entry.mv.bits())
        | u64::from(value as i16 as u16) << 16
        | u64::from(entry.eval as i16 as u16) << 32
        | u64::from(entry.depth.clamp(0, 255) as u8) << 48
        | (entry.bound as u64) << 56
        | u64::from(age) << 58
}

/// Reads packed data; `ply` converts wins and losses to their distance from the root.
fn unpack(data: u64, ply: usize) -> Option<Entry> {
    let value = match Value::from((data >> 16) as i16) {
        value if value >= WON => value - ply as Value,
        value if value <= -WON => value + ply as Value,
        value => value,
    };
    let bound = match data >> 56 & 3 {
        1 => Bound::Upper,
        2 => Bound::Lower,
        3 => Bound::Exact,
        _ => return None,
    };
    Some(Entry {
        mv: PackedMove::from_bits(data as u16),
        value,
        eval: Value::from((data >> 32) as i16),
        depth: (data >> 48 & 0xff) as i32,
        bound,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{loss_at, win_at};

    #[test]
    fn stored_entries_are_found() {
        let table = TranspositionTable::new(1);
        for (value, depth) in [(0, 3), (-250, 0), (win_at(5), 9), (loss_at(8), 200)] {
            let entry = Entry {
                mv: PackedMove::from_bits(77),
                value,
                eval: -31,
                depth,
                bound: Bound::Lower,
            };
            table.store(99, 3, entry);
            let found = table.probe(99, 3).expect("stored");
            assert_eq!((found.value, found.depth, found.eval), (value, depth, -31));
            assert_eq!((found.mv, found.bound), (entry.mv, Bound::Lower));
            table.new_search();
        }
        assert!(table.probe(98, 3).is_none());
    }

    #[test]
    fn win_distance_is_relative_to_the_ply() {
        let table = TranspositionTable::new(1);
        let mv = PackedMove::NONE;
        let entry = Entry { mv, value: win_at(7), eval: 0, depth: 1, bound: Bound::Exact };
        table.store(5, 2, entry);
        assert_eq!(table.probe(5, 4).map(|found| found.value), Some(win_at(9)));
    }
}
