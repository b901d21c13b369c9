//! The published puzzles: the index and the slices that were loaded, and the choice of puzzles.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use khet_puzzles::{
    Puzzle, PuzzleId, PuzzleIndex, PuzzleTheme, daily_puzzle_index, puzzle_lines, read_puzzle,
};
use leptos::prelude::*;

use super::progress::time_now;
use crate::api::{self, RequestError};
use crate::browser::random::random_u32;

/// The element that names the index.
const INDEX_SELECTOR: &str = "meta[name=puzzles]";
const DAY_MS: u64 = 24 * 60 * 60 * 1000;
/// Puzzles whose ratings differ by less are chosen at random.
const RATING_SPREAD: u32 = 100;

/// A slice that was loaded. Its puzzles are read when they are needed.
struct LoadedSlice {
    text: String,
}

/// A line of a slice with what decides about its choice.
struct ListedPuzzle<'a> {
    line: &'a str,
    themes: &'a str,
    rating: u16,
}

impl LoadedSlice {
    fn puzzles(&self) -> impl Iterator<Item = ListedPuzzle<'_>> {
        puzzle_lines(&self.text).filter_map(|line| {
            let mut fields = line.split('\t').skip(2);
            let (themes, rating) = (fields.next()?, fields.next()?.parse().ok()?);
            Some(ListedPuzzle { line, themes, rating })
        })
    }
}

thread_local! {
    static INDEX: RefCell<Option<Rc<PuzzleIndex>>> = const { RefCell::new(None) };
    static SLICES: RefCell<BTreeMap<usize, Rc<LoadedSlice>>> =
        const { RefCell::new(BTreeMap::new()) };
}

/// Criteria for the choice of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PuzzleChoice {
    /// Only puzzles with this theme.
    pub(crate) theme: Option<PuzzleTheme>,
    /// The rating of the puzzle, nearly.
    pub(crate) rating: u16,
}

/// Returns the index, which is loaded once.
pub(crate) async fn index() -> Result<Rc<PuzzleIndex>, RequestError> {
    if let Some(index) = INDEX.with_borrow(Clone::clone) {
        return Ok(index);
    }
    let element = document().query_selector(INDEX_SELECTOR).ok().flatten();
    let file = element.and_then(|meta| meta.get_attribute("content")).unwrap_or_default();
    let text = api::get_text(&file).await?;
    let index = Rc::new(PuzzleIndex::read(&text).ok_or(RequestError::Unreachable)?);
    INDEX.set(Some(index.clone()));
    Ok(index)
}

/// Returns a slice, which is loaded once.
async fn slice(index: &PuzzleIndex, slice: usize) -> Result<Rc<LoadedSlice>, RequestError> {
    if let Some(loaded) = SLICES.with_borrow(|slices| slices.get(&slice).cloned()) {
        return Ok(loaded);
    }
    let file = index.slices.get(slice).map(|slice| slice.file.clone()).unwrap_or_default();
    let loaded = Rc::new(LoadedSlice { text: api::get_text(&file).await? });
    SLICES.with_borrow_mut(|slices| slices.insert(slice, loaded.clone()));
    Ok(loaded)
}

/// Returns a puzzle by its index in the set.
async fn puzzle_at(index: &PuzzleIndex, number: usize) -> Result<Option<Puzzle>, RequestError> {
    let Some((place, line)) = index.place(number) else { return Ok(None) };
    let slice = slice(index, place).await?;
    Ok(puzzle_lines(&slice.text).nth(line).and_then(|line| read_puzzle(line).ok()))
}

/// Returns the puzzle of the day.
pub(crate) async fn daily_puzzle() -> Result<Option<Puzzle>, RequestError> {
    let index = index().await?;
    puzzle_at(&index, daily_puzzle_index(time_now() / DAY_MS, index.puzzles())).await
}

/// Returns the puzzle with this name, if the set has it.
pub(crate) async fn find_puzzle(id: PuzzleId) -> Result<Option<Puzzle>, RequestError> {
    let index = index().await?;
    let names = api::get_text(&index.names_file).await?;
    for number in index.candidates(&names, id) {
        if let Some(puzzle) = puzzle_at(&index, number).await?.filter(|puzzle| puzzle.id() == id) {
            return Ok(Some(puzzle));
        }
    }
    Ok(None)
}

/// Returns a puzzle near a rating that is not to be left out, from the slice that is nearest to the
/// rating if possible; one that is to be left out if there is no other, and the `current` one only
/// if it is the only one; `None` if there is none.
pub(crate) async fn choose_puzzle(
    choice: PuzzleChoice,
    current: Option<PuzzleId>,
    leave_out: impl Fn(PuzzleId) -> bool,
) -> Result<Option<Puzzle>, RequestError> {
    let index = index().await?;
    let has_theme =
        |slice: usize| choice.theme.is_none_or(|theme| index.slices[slice].count(theme) > 0);
    let mut slices: Vec<usize> =
        (0..index.slices.len()).filter(|&slice| has_theme(slice)).collect();
    slices.sort_by_key(|&slice| index.slices[slice].distance(choice.rating));
    let mut others = OtherPuzzles { current, tried: None, shown: None };
    for number in slices {
        let slice = slice(&index, number).await?;
        let lines = nearest_lines(&slice, choice, random_u32);
        let puzzles = lines.filter_map(|line| read_puzzle(line).ok());
        if let Some(puzzle) = others.first_new(puzzles, &leave_out) {
            return Ok(Some(puzzle));
        }
    }
    Ok(others.tried.or(others.shown))
}

/// The puzzles to show if all are to be left out.
struct OtherPuzzles {
    current: Option<PuzzleId>,
    /// The nearest that is not the current one.
    tried: Option<Puzzle>,
    /// The current one.
    shown: Option<Puzzle>,
}

impl OtherPuzzles {
    /// Returns the first puzzle that is not to be left out, and keeps the others before it.
    fn first_new(
        &mut self,
        puzzles: impl IntoIterator<Item = Puzzle>,
        leave_out: impl Fn(PuzzleId) -> bool,
    ) -> Option<Puzzle> {
        for puzzle in puzzles {
            let id = puzzle.id();
            if self.current == Some(id) {
                self.shown = Some(puzzle);
            } else if leave_out(id) {
                self.tried.get_or_insert(puzzle);
            } else {
                return Some(puzzle);
            }
        }
        None
    }
}

/// Returns the lines of the puzzles with the theme, those near the rating first. Their order is
/// random among those that are equally near.
fn nearest_lines(
    slice: &LoadedSlice,
    choice: PuzzleChoice,
    random: impl Fn() -> u32,
) -> impl Iterator<Item = &str> {
    let wanted = choice.theme.map(PuzzleTheme::name);
    let has_theme =
        |themes: &str| wanted.is_none_or(|name| themes.split(' ').any(|theme| theme == name));
    let puzzles = slice.puzzles().filter(|puzzle| has_theme(puzzle.themes));
    let distance = |puzzle: &ListedPuzzle<'_>| u32::from(puzzle.rating.abs_diff(choice.rating));
    let mut lines: Vec<(u32, &str)> =
        puzzles.map(|puzzle| (distance(&puzzle) + random() % RATING_SPREAD, puzzle.line)).collect();
    lines.sort_unstable();
    lines.into_iter().map(|(_, line)| line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puzzles_are_chosen_by_theme_and_rating() {
        let slice = LoadedSlice { text: include_str!("../../../../data/puzzles.txt").to_owned() };
        for theme in [None, Some(PuzzleTheme::Swap), Some(PuzzleTheme::LongBeam)] {
            let choice = PuzzleChoice { theme, rating: 1400 };
            let lines: Vec<&str> = nearest_lines(&slice, choice, || 0).collect();
            let puzzles: Vec<Puzzle> =
                lines.iter().map(|line| read_puzzle(line).expect("a puzzle")).collect();
            assert!(puzzles.len() > 100, "{theme:?}: {}", puzzles.len());
            assert!(
                puzzles
                    .iter()
                    .all(|puzzle| theme.is_none_or(|theme| puzzle.themes.contains(theme)))
            );
            assert!(puzzles.is_sorted_by_key(|puzzle| puzzle.rating.abs_diff(1400)));
        }
    }

    #[test]
    fn current_puzzle_comes_again_only_if_it_is_the_only_one() {
        let text = include_str!("../../../../data/puzzles.txt");
        let puzzles: Vec<Puzzle> =
            puzzle_lines(text).take(3).filter_map(|line| read_puzzle(line).ok()).collect();
        let ids: Vec<PuzzleId> = puzzles.iter().map(Puzzle::id).collect();
        let others = || OtherPuzzles { current: Some(ids[0]), tried: None, shown: None };
        let id = |puzzle: Option<Puzzle>| puzzle.map(|puzzle| puzzle.id());

        let new = others().first_new(puzzles.clone(), |id| id == ids[1]);
        assert_eq!(id(new), Some(ids[2]), "the current one is left out in any case");

        let mut all_tried = others();
        assert_eq!(id(all_tried.first_new(puzzles.clone(), |_| true)), None);
        assert_eq!(id(all_tried.tried), Some(ids[1]), "the nearest of the others");

        let mut single = others();
        assert_eq!(id(single.first_new(puzzles[..1].to_vec(), |_| true)), None);
        assert_eq!((id(single.tried), id(single.shown)), (None, Some(ids[0])));
    }
}
