//! Looks for puzzles in games.

use std::sync::{Mutex, MutexGuard, PoisonError};

use khet::Game;

use crate::generator::candidate::CandidateSearch;
use crate::generator::difficulty::DifficultyEstimator;
use crate::generator::puzzle_set::PuzzleSet;
use crate::{Puzzle, PuzzleSource, PuzzleTheme, themes_of};

/// Plies at the start of a game in which nothing is looked for, because they are much alike.
const OPENING_PLIES: usize = 8;
/// Plies after a puzzle in which no other is looked for, because it would be much alike.
const PLIES_BETWEEN: usize = 6;

/// Looks for puzzles in games, one after the other.
#[derive(Debug)]
pub struct PuzzleFinder {
    candidates: CandidateSearch,
    difficulty: DifficultyEstimator,
}

impl Default for PuzzleFinder {
    fn default() -> PuzzleFinder {
        PuzzleFinder {
            candidates: CandidateSearch::new(),
            difficulty: DifficultyEstimator::new(),
        }
    }
}

impl PuzzleFinder {
    /// Looks through a game, adds the puzzles that the set wants, and passes them to `found`.
    /// `source` returns the source of a puzzle after a number of plies. Ends early when the set is
    /// complete.
    pub fn search(
        &mut self,
        game: &Game,
        source: impl Fn(u16) -> PuzzleSource,
        set: &Mutex<PuzzleSet>,
        mut found: impl FnMut(Puzzle),
    ) {
        let mut next_ply = OPENING_PLIES;
        for (ply, position) in game.positions().iter().enumerate() {
            if ply < next_ply || position.outcome().is_some() {
                continue;
            }
            let wants_pharaoh_in = |moves: u32| {
                let set = lock(set);
                // Proofs of long wins cost most of the time.
                moves < 3 || set.missing(PuzzleTheme::PharaohInThree) > 0
            };
            let Some(candidate) = self.candidates.examine(position, &wants_pharaoh_in) else {
                continue;
            };
            let themes = themes_of(&candidate.line, candidate.goal);
            if lock(set).is_complete() {
                return;
            }
            if !lock(set).wants(themes) {
                continue;
            }
            let rating = self.difficulty.rating(&candidate.line);
            let source = source(u16::try_from(ply).unwrap_or(u16::MAX));
            let puzzle = Puzzle { line: candidate.line, themes, rating, source };
            let added = lock(set).add(&puzzle);
            if added {
                next_ply = ply + PLIES_BETWEEN;
                found(puzzle);
            }
        }
    }
}

/// Locks the set. It is never left half changed, so a panic of another thread does not matter.
fn lock(set: &Mutex<PuzzleSet>) -> MutexGuard<'_, PuzzleSet> {
    set.lock().unwrap_or_else(PoisonError::into_inner)
}
