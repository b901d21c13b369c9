//! A set that is cut into slices by rating, and its index, so that an app loads only the puzzles
//! that it shows.
//!
//! An index is a text: the header, the address of the file with the first digits of all names in
//! quotes, a line for each slice with its address, its lowest and highest rating and the number of
//! puzzles with each theme, and a line with a character per puzzle of the set, in the order of the
//! set, which says in which slice it is. Each slice is a puzzle file in the order of the set.

use std::fmt;

use crate::{PUZZLE_FILE_HEADER, Puzzle, PuzzleId, PuzzleTheme, write_puzzles};

/// The first line of an index: the format and its version.
const HEADER: &str = "khet-puzzle-index 1";
/// The number of digits of each name in the file of names. The few puzzles that share them are told
/// apart by their whole names.
const NAME_DIGITS: usize = 3;
/// The character for the first slice; the others follow in ASCII.
const FIRST_SLICE: u8 = b'0';
/// The largest number of slices for which there are characters.
const MAX_SLICES: usize = 64;

/// A puzzle file with those puzzles of a set whose ratings lie in a range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleSlice {
    /// The address of the file.
    pub file: String,
    /// The lowest rating of its puzzles.
    pub low: u16,
    /// The highest rating of its puzzles.
    pub high: u16,
    /// The number of its puzzles with each theme, in the order of [`PuzzleTheme::ALL`].
    pub themes: Vec<u16>,
}

impl PuzzleSlice {
    /// Returns the number of its puzzles with a theme.
    pub fn count(&self, theme: PuzzleTheme) -> u16 {
        self.themes.get(theme as usize).copied().unwrap_or_default()
    }

    /// Returns the distance of a rating from the range of the slice.
    pub fn distance(&self, rating: u16) -> u16 {
        self.low.saturating_sub(rating).max(rating.saturating_sub(self.high))
    }
}

/// The index of a set that is cut into slices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleIndex {
    /// The address of the file with the first digits of all names.
    pub names_file: String,
    /// The slices, the easiest first.
    pub slices: Vec<PuzzleSlice>,
    /// The slice of each puzzle, in the order of the set.
    places: Vec<u8>,
}

/// The files of a set that is cut into slices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlicedPuzzles {
    /// The index.
    pub index: PuzzleIndex,
    /// The file with the first digits of all names.
    pub names: String,
    /// The content of each slice, in the order of the index.
    pub slices: Vec<String>,
}

impl SlicedPuzzles {
    /// Cuts a set into slices of nearly equal numbers of puzzles, at most `limit`. `slice_file`
    /// returns the address of a slice.
    ///
    /// # Panics
    ///
    /// If there is no puzzle, or there are more than 64 slices.
    pub fn cut(
        puzzles: &[Puzzle],
        limit: usize,
        names_file: &str,
        slice_file: impl Fn(usize) -> String,
    ) -> SlicedPuzzles {
        let count = puzzles.len().div_ceil(limit);
        assert!((1..=MAX_SLICES).contains(&count), "{count} slices");
        let mut by_rating: Vec<usize> = (0..puzzles.len()).collect();
        by_rating.sort_by_key(|&number| puzzles[number].rating);
        let mut places = vec![0; puzzles.len()];
        for (rank, &number) in by_rating.iter().enumerate() {
            places[number] = (rank * count / puzzles.len()) as u8;
        }
        let members = |slice: usize| {
            puzzles
                .iter()
                .zip(&places)
                .filter(move |(_, place)| usize::from(**place) == slice)
                .map(|(puzzle, _)| puzzle)
        };
        let describe = |slice: usize| {
            let ratings = || members(slice).map(|puzzle| puzzle.rating);
            let with = |theme: PuzzleTheme| {
                members(slice).filter(move |puzzle| puzzle.themes.contains(theme)).count() as u16
            };
            PuzzleSlice {
                file: slice_file(slice),
                low: ratings().min().unwrap_or_default(),
                high: ratings().max().unwrap_or_default(),
                themes: PuzzleTheme::ALL.map(with).to_vec(),
            }
        };
        let names = puzzles.iter().map(|puzzle| puzzle.id().to_string());
        SlicedPuzzles {
            names: names.map(|name| name[..NAME_DIGITS].to_owned()).collect(),
            slices: (0..count).map(|slice| write_puzzles(members(slice))).collect(),
            index: PuzzleIndex {
                names_file: names_file.to_owned(),
                slices: (0..count).map(describe).collect(),
                places,
            },
        }
    }
}

impl PuzzleIndex {
    /// Reads an index; `None` if the text is not one.
    pub fn read(text: &str) -> Option<PuzzleIndex> {
        let mut lines = text.strip_prefix(HEADER)?.strip_prefix('\n')?.lines();
        let names_file = lines.next()?.trim_matches('"').to_owned();
        let places = lines.next_back()?.bytes().map(|place| place.wrapping_sub(FIRST_SLICE));
        let slices = lines.map(read_slice).collect::<Option<Vec<_>>>()?;
        let places: Vec<u8> = places.collect();
        let known = places.iter().all(|&place| usize::from(place) < slices.len());
        (known && !places.is_empty()).then_some(PuzzleIndex { names_file, slices, places })
    }

    /// Returns the number of puzzles in the set.
    pub fn puzzles(&self) -> usize {
        self.places.len()
    }

    /// Returns the number of puzzles with a theme.
    pub fn count(&self, theme: PuzzleTheme) -> usize {
        self.slices.iter().map(|slice| usize::from(slice.count(theme))).sum()
    }

    /// Returns the slice of a puzzle and its index there, by its index in the set.
    pub fn place(&self, number: usize) -> Option<(usize, usize)> {
        let place = *self.places.get(number)?;
        let before = self.places[..number].iter().filter(|&&other| other == place).count();
        Some((usize::from(place), before))
    }

    /// Returns the indices in the set of the puzzles that may have this name, by the file with the
    /// first digits of all names.
    pub fn candidates(&self, names: &str, id: PuzzleId) -> Vec<usize> {
        let name = id.to_string();
        let digits = &name.as_bytes()[..NAME_DIGITS];
        let all = names.as_bytes().chunks(NAME_DIGITS).enumerate();
        all.filter(|(_, known)| *known == digits).map(|(number, _)| number).collect()
    }
}

/// Reads the line of a slice.
fn read_slice(line: &str) -> Option<PuzzleSlice> {
    let mut fields = line.split(' ');
    let file = fields.next()?.trim_matches('"').to_owned();
    let mut number = || fields.next()?.parse().ok();
    let (low, high) = (number()?, number()?);
    let themes = PuzzleTheme::ALL.map(|_| number()).into_iter().collect::<Option<Vec<_>>>()?;
    Some(PuzzleSlice { file, low, high, themes })
}

impl fmt::Display for PuzzleIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}\n\"{}\"", self.names_file)?;
        for slice in &self.slices {
            write!(f, "\"{}\" {} {}", slice.file, slice.low, slice.high)?;
            slice.themes.iter().try_for_each(|count| write!(f, " {count}"))?;
            writeln!(f)?;
        }
        let places = self.places.iter().map(|place| char::from(FIRST_SLICE + place));
        writeln!(f, "{}", places.collect::<String>())
    }
}

/// Returns the lines of a puzzle file, unread; none if the header is missing.
pub fn puzzle_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut lines = text.lines();
    let headed = lines.next() == Some(PUZZLE_FILE_HEADER);
    lines.take_while(move |_| headed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_puzzles;

    fn sample() -> Vec<Puzzle> {
        let lines = include_str!("../../../data/puzzles.txt").split_inclusive('\n');
        let text: String = lines.take(26).collect();
        read_puzzles(&text).collect::<Result<_, _>>().expect("puzzles")
    }

    fn cut(puzzles: &[Puzzle]) -> SlicedPuzzles {
        SlicedPuzzles::cut(puzzles, 10, "/names.txt", |slice| format!("/slice-{slice}.txt"))
    }

    #[test]
    fn every_puzzle_is_at_its_place() {
        let puzzles = sample();
        let sliced = cut(&puzzles);
        assert_eq!(sliced.slices.len(), 3);
        for (number, puzzle) in puzzles.iter().enumerate() {
            let (slice, line) = sliced.index.place(number).expect("a place");
            let line = puzzle_lines(&sliced.slices[slice]).nth(line);
            assert_eq!(line.map(str::to_owned), Some(puzzle.to_string()));
            let described = &sliced.index.slices[slice];
            assert_eq!(described.distance(puzzle.rating), 0);
            assert!(puzzle.themes.iter().all(|theme| described.count(theme) > 0));
            assert!(sliced.index.candidates(&sliced.names, puzzle.id()).contains(&number));
        }
        let [first, .., last] = &sliced.index.slices[..] else { panic!("slices") };
        assert!(first.high <= last.low);
        assert_eq!(sliced.index.place(puzzles.len()), None);
    }

    #[test]
    fn an_index_is_read_as_it_was_written() {
        let index = cut(&sample()).index;
        assert_eq!(PuzzleIndex::read(&index.to_string()), Some(index.clone()));
        let text = index.to_string();
        for (old, new) in [("index 1", "index 2"), ("\"/slice-1", "\"/slice 1"), ("\n0", "\n7")] {
            let wrong = text.replacen(old, new, 1);
            assert!(wrong == text || PuzzleIndex::read(&wrong).is_none(), "{wrong}");
        }
        assert_eq!(PuzzleIndex::read(""), None);
    }
}
