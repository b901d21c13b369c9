//! The rating with which a puzzle starts, from the levels of the engine that solve it.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use khet_engine::{Control, Engine, Level, Limits, Options, SearchRoot};

use crate::{MAX_RATING, MIN_RATING, SolutionLine, longest_beam};

/// Tries of each level from 1 to 5, which overlook different things in each.
const NOVICE_TRIES: u64 = 5;
/// The first level that always plays the same, and so has one try.
const FIRST_STEADY_LEVEL: u8 = 6;
/// Size of the transposition table in mebibytes.
const HASH: usize = 1;

/// The rating of a puzzle that a level solves in half of its tries, from level 1 to level 9.
/// Level 10 has no limit, so it solves everything.
const LEVEL_RATINGS: [u16; 9] = [700, 900, 1100, 1350, 1600, 1800, 2000, 2200, 2450];
/// Added for each further move of the solver: people have to see the whole line.
const RATING_PER_MOVE: u16 = 50;
/// Added for each reflection of the solver's longest beam, which people follow mirror by mirror, and
/// a computer does not.
const RATING_PER_REFLECTION: u16 = 20;
/// Reflections that are seen at a glance.
const EASY_REFLECTIONS: usize = 2;

/// Lets the levels solve puzzles.
pub(crate) struct DifficultyEstimator {
    engine: Engine,
}

impl std::fmt::Debug for DifficultyEstimator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DifficultyEstimator").finish_non_exhaustive()
    }
}

impl DifficultyEstimator {
    pub(crate) fn new() -> DifficultyEstimator {
        DifficultyEstimator { engine: Engine::new(Options { hash: HASH, ..Options::default() }) }
    }

    /// Estimates the rating of a puzzle: that of the lowest level which solves it in most of its
    /// tries, a little lower if it always does.
    pub(crate) fn rating(&mut self, line: &SolutionLine) -> u16 {
        let mut below = LEVEL_RATINGS[0] - 100;
        let mut rating = MAX_RATING;
        for (level, own) in Level::ALL.into_iter().zip(LEVEL_RATINGS) {
            let share = self.solved_share(level, line);
            if share > 0.5 {
                // From the rating of this level, if it solves it in half of its tries, to that of
                // the level below, if it always does.
                let ease = (share - 0.5) * 2.0;
                rating = own - (f64::from(own - below) * ease) as u16;
                break;
            }
            below = own;
        }
        let longer = RATING_PER_MOVE * (line.solver_moves() as u16 - 1);
        let reflections = longest_beam(line).saturating_sub(EASY_REFLECTIONS) as u16;
        (rating + longer + RATING_PER_REFLECTION * reflections).clamp(MIN_RATING, MAX_RATING)
    }

    /// Returns the share of its tries in which a level solves the puzzle.
    fn solved_share(&mut self, level: Level, line: &SolutionLine) -> f64 {
        let tries = if level.number() < FIRST_STEADY_LEVEL { NOVICE_TRIES } else { 1 };
        let solved = (0..tries).filter(|&seed| self.solves(level, line, seed)).count();
        solved as f64 / tries as f64
    }

    /// Returns whether a level finds every move of the solution.
    fn solves(&mut self, level: Level, line: &SolutionLine, seed: u64) -> bool {
        let never = AtomicBool::new(false);
        let control = Control { stop: &never, pondering: &never, elapsed: &|| Duration::ZERO };
        line.solver_plies().all(|(ply, _)| {
            self.engine.clear();
            let search_root = SearchRoot::from_position(ply.before);
            let limits = Limits::default();
            let engine = &mut self.engine;
            let chosen = level.choose_move(engine, &search_root, limits, seed, control);
            // Another way to hit the pharaoh with the last move would be another solution, so
            // there is none.
            chosen.mv == Some(ply.mv)
        })
    }
}
