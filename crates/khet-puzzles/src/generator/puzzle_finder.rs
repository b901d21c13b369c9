//! Looks for puzzles in games.

use std::sync::{Mutex, MutexGuard, PoisonError};

use khet::{Color, Game, Kind, Move, Piece, Position};

use crate::generator::candidate::{CandidateSearch, PuzzleCandidate};
use crate::generator::difficulty::DifficultyEstimator;
use crate::generator::puzzle_set::PuzzleSet;
use crate::{Puzzle, PuzzleSource, PuzzleTheme, PuzzleThemes, themes_of};

/// Plies at the start of a game in which nothing is looked for, because they are much alike.
const OPENING_PLIES: usize = 8;
/// Plies after a puzzle in which no other is looked for, because it would be much alike.
const PLIES_BETWEEN: usize = 6;

/// The most pieces by which one side may be ahead.
const MAX_LEAD: u32 = 5;
/// Themes that are so rare in games that positions beside the game are examined too.
const RARE_THEMES: [PuzzleTheme; 5] = [
    PuzzleTheme::DoubleThreat,
    PuzzleTheme::Defence,
    PuzzleTheme::Deflection,
    PuzzleTheme::SelfHitTrap,
    PuzzleTheme::LongBeam,
];

/// Looks for puzzles in games, one after the other.
#[derive(Debug)]
pub struct PuzzleFinder {
    candidates: CandidateSearch,
    difficulty: DifficultyEstimator,
}

impl Default for PuzzleFinder {
    fn default() -> PuzzleFinder {
        PuzzleFinder { candidates: CandidateSearch::new(), difficulty: DifficultyEstimator::new() }
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
        // The first moves of the solutions found in this game. The same move is the same idea.
        let mut keys: Vec<Move> = Vec::new();
        for (ply, position) in game.positions().iter().enumerate() {
            if ply < next_ply || position.outcome().is_some() || is_lopsided(position) {
                continue;
            }
            if lock(set).is_complete() {
                return;
            }
            let candidate = self.examine(position, set);
            let candidate = candidate.or_else(|| self.examine_variations(position, set));
            let Some(candidate) = candidate else { continue };
            let key = candidate.line.plies()[0].mv;
            let themes = themes_of(&candidate.line, candidate.goal);
            if keys.contains(&key) || !lock(set).wants(themes) {
                continue;
            }
            let rating = self.difficulty.rating(&candidate.line);
            let source = source(u16::try_from(ply).unwrap_or(u16::MAX));
            let puzzle = Puzzle { line: candidate.line, themes, rating, source };
            let added = lock(set).add(&puzzle);
            if added {
                keys.push(key);
                next_ply = ply + PLIES_BETWEEN;
                found(puzzle);
            }
        }
    }

    /// Examines a position of the game.
    fn examine(&mut self, position: &Position, set: &Mutex<PuzzleSet>) -> Option<PuzzleCandidate> {
        // Proofs of long wins cost most of the time.
        let in_three = [PuzzleTheme::PharaohInThree].into_iter().collect();
        let wants_pharaoh_in = |moves: u32| moves < 3 || lock(set).wants(in_three);
        self.candidates.examine(position, &wants_pharaoh_in)
    }

    /// Examines the positions after other moves than the one that was played, for themes that are
    /// too rare in games.
    fn examine_variations(
        &mut self,
        position: &Position,
        set: &Mutex<PuzzleSet>,
    ) -> Option<PuzzleCandidate> {
        let missing: Vec<PuzzleTheme> = {
            let set = lock(set);
            RARE_THEMES.into_iter().filter(|&theme| set.missing(theme) > 0).collect()
        };
        if missing.is_empty() {
            return None;
        }
        let wants = |themes: PuzzleThemes| missing.iter().any(|&theme| themes.contains(theme));
        let aim = position.aim();
        position.legal_moves().iter().find_map(|&mv| {
            let (next, removed) = aim.play(mv);
            // Nobody hits an own piece without need.
            let is_natural = (removed & position.of_color(position.side_to_move())).is_empty();
            let is_ongoing = next.outcome().is_none();
            (is_natural && is_ongoing).then(|| self.candidates.examine_variation(&next, &wants))?
        })
    }
}

/// Returns whether one side has so many more pieces that the game is no contest.
fn is_lopsided(position: &Position) -> bool {
    let [silver, red] = Color::ALL.map(|color| {
        let pieces = position.pieces().filter(|(_, piece)| piece.color() == color);
        pieces.map(|(_, piece)| removable(piece)).sum::<u32>()
    });
    silver.abs_diff(red) > MAX_LEAD
}

/// Returns how often a piece can be hit before it is gone; 0 for those that can't be removed.
fn removable(piece: Piece) -> u32 {
    match piece.kind() {
        Kind::Stack => 2,
        Kind::Pyramid(_) | Kind::Obelisk | Kind::Anubis(_) => 1,
        _ => 0,
    }
}

/// Locks the set. It is never left half changed, so a panic of another thread does not matter.
fn lock(set: &Mutex<PuzzleSet>) -> MutexGuard<'_, PuzzleSet> {
    set.lock().unwrap_or_else(PoisonError::into_inner)
}
