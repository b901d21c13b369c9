//! The published puzzles, which are part of the program.

use std::collections::HashMap;
use std::sync::OnceLock;

use khet_puzzles::{Puzzle, PuzzleId, daily_puzzle_index, read_puzzles};

use crate::assets::File;
use crate::static_files;

const TEXT: &str = include_str!("../../../../data/puzzles.txt");
/// A day, in milliseconds.
pub(super) const DAY: u64 = 24 * 60 * 60 * 1000;

/// A puzzle with its name, which takes a hash to compute.
#[derive(Debug)]
pub(crate) struct NamedPuzzle {
    pub(crate) id: PuzzleId,
    pub(crate) puzzle: Puzzle,
}

/// All puzzles.
#[derive(Debug)]
pub(crate) struct PublishedPuzzles {
    /// In the order of the published file.
    puzzles: Vec<NamedPuzzle>,
    by_id: HashMap<PuzzleId, usize>,
}

impl PublishedPuzzles {
    /// Returns the set, which is read once.
    pub(crate) fn get() -> &'static PublishedPuzzles {
        static SET: OnceLock<PublishedPuzzles> = OnceLock::new();
        SET.get_or_init(|| {
            // A test checks that every line can be read.
            let puzzles = read_puzzles(TEXT).filter_map(Result::ok);
            let puzzles: Vec<NamedPuzzle> =
                puzzles.map(|puzzle| NamedPuzzle { id: puzzle.id(), puzzle }).collect();
            let by_id = puzzles.iter().zip(0..).map(|(puzzle, index)| (puzzle.id, index)).collect();
            PublishedPuzzles { puzzles, by_id }
        })
    }

    /// Returns all puzzles.
    pub(crate) fn puzzles(&self) -> &[NamedPuzzle] {
        &self.puzzles
    }

    /// Returns the puzzle with this name.
    pub(crate) fn find(&self, id: PuzzleId) -> Option<&NamedPuzzle> {
        self.puzzles.get(*self.by_id.get(&id)?)
    }

    /// Returns the puzzle of the day at a time.
    pub(crate) fn daily(&self, now: u64) -> &NamedPuzzle {
        &self.puzzles[daily_puzzle_index(now / DAY, self.puzzles.len())]
    }
}

/// Returns the published file.
pub(super) fn file() -> &'static File {
    static GZIP: OnceLock<Option<Vec<u8>>> = OnceLock::new();
    static FILE: OnceLock<File> = OnceLock::new();
    FILE.get_or_init(|| File {
        name: "puzzles.txt",
        plain: TEXT.as_bytes(),
        brotli: None,
        gzip: GZIP.get_or_init(|| static_files::gzip(TEXT.as_bytes())).as_deref(),
    })
}

#[cfg(test)]
mod tests {
    use super::{PublishedPuzzles, TEXT};

    #[test]
    fn every_line_of_the_file_is_a_puzzle_with_its_own_name() {
        let set = PublishedPuzzles::get();
        assert_eq!(set.puzzles.len(), TEXT.lines().count() - 1);
        assert_eq!(set.by_id.len(), set.puzzles.len());
        for named in set.puzzles() {
            assert_eq!(set.find(named.id).map(|found| found.id), Some(named.id));
        }
    }
}
