//! The published set: its format, its size, and a sample proved again as `khet puzzles check` does.
#![cfg(feature = "generator")]

use std::collections::HashSet;

use khet_puzzles::generator::PuzzleTargets;
use khet_puzzles::{Puzzle, PuzzleChecker, PuzzleTheme, read_puzzles, write_puzzles};

const PUZZLES: &str = include_str!("../../../data/puzzles.txt");
/// The number of puzzles, of which the generator's targets give the least numbers with each theme.
const COUNT: usize = 5_000;
/// Forced hits in the sample, and other puzzles.
const SAMPLE_OF_EACH: usize = 15;

fn puzzles() -> Vec<Puzzle> {
    read_puzzles(PUZZLES).collect::<Result<_, _>>().expect("a valid file")
}

#[test]
fn the_file_is_valid_and_without_duplicates() {
    let puzzles = puzzles();
    assert_eq!(write_puzzles(&puzzles), PUZZLES);
    let ids: HashSet<_> = puzzles.iter().map(Puzzle::id).collect();
    assert_eq!(ids.len(), puzzles.len());
}

#[test]
fn there_are_enough_puzzles_with_each_theme() {
    let puzzles = puzzles();
    assert!(puzzles.len() >= COUNT);
    for theme in PuzzleTheme::ALL {
        let count = puzzles.iter().filter(|puzzle| puzzle.themes.contains(theme)).count();
        assert!(count >= PuzzleTargets::new(COUNT).least(theme), "{theme}: {count}");
    }
}

#[test]
fn a_sample_is_proved_with_the_engine() {
    let mut puzzles = puzzles();
    // The names are hashes, so that their order is random and always the same.
    puzzles.sort_by_key(Puzzle::id);
    let is_forced =
        |puzzle: &&Puzzle| puzzle.themes.iter().any(|theme| theme.moves_to_pharaoh().is_some());
    let (forced, others): (Vec<&Puzzle>, Vec<&Puzzle>) = puzzles.iter().partition(is_forced);
    let mut checker = PuzzleChecker::default();
    for kind in [forced, others] {
        assert!(kind.len() >= SAMPLE_OF_EACH);
        for puzzle in &kind[..SAMPLE_OF_EACH] {
            assert_eq!(checker.check(puzzle), Ok(()), "{}", puzzle.id());
        }
    }
}
