//! The puzzles found so far, and which themes are still needed.

use std::collections::{HashMap, HashSet};

use khet::Setup;

use crate::{MAX_RATING, MIN_RATING, Puzzle, PuzzleId, PuzzleSource, PuzzleTheme, PuzzleThemes};

/// Least share of each motif in thousandths. A little more than the 6 % that the complete set needs.
const MOTIF_SHARE: usize = 63;
/// Least share of puzzles with the pieces of Khet 2.0, in thousandths.
const KHET2_SHARE: usize = 105;
/// Least share of puzzles with the Eye of Horus, in thousandths.
const EYE_SHARE: usize = 45;
/// Largest share of a motif, in thousandths, unless a puzzle with it also has a theme that is needed.
const MAX_MOTIF_SHARE: usize = 200;
/// Width of a band of ratings, and its largest share in thousandths, with the same exception.
const BAND_WIDTH: u16 = 250;
const MAX_BAND_SHARE: usize = 200;
const BANDS: usize = ((MAX_RATING - MIN_RATING) / BAND_WIDTH + 1) as usize;

/// The number of puzzles to find, in all and with each theme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PuzzleTargets {
    count: usize,
}

impl PuzzleTargets {
    /// The targets for a set with this number of puzzles.
    pub fn new(count: usize) -> PuzzleTargets {
        PuzzleTargets { count }
    }

    /// Returns the number of puzzles in all.
    pub fn count(self) -> usize {
        self.count
    }

    /// Returns the least number of puzzles with a theme. The sum over all themes is less than the
    /// number of puzzles.
    pub fn least(self, theme: PuzzleTheme) -> usize {
        let share = match theme {
            PuzzleTheme::Khet2 => KHET2_SHARE,
            PuzzleTheme::EyeOfHorus => EYE_SHARE,
            _ => MOTIF_SHARE,
        };
        self.count * share / 1000
    }
}

/// A growing set of different puzzles, which decides what it still needs.
///
/// Puzzles with a theme that is short are always taken. Others are taken only as long as there is
/// room for them beside all that are still needed, and neither their themes nor their rating are
/// over-represented.
#[derive(Clone, Debug)]
pub struct PuzzleSet {
    targets: PuzzleTargets,
    ids: HashSet<PuzzleId>,
    themes: [usize; PuzzleTheme::ALL.len()],
    bands: [usize; BANDS],
    /// The last game of each record file, and of each seed, with a puzzle in the set.
    last_games: HashMap<String, u32>,
}

impl PuzzleSet {
    /// Creates an empty set.
    pub fn new(targets: PuzzleTargets) -> PuzzleSet {
        PuzzleSet {
            targets,
            ids: HashSet::new(),
            themes: [0; PuzzleTheme::ALL.len()],
            bands: [0; BANDS],
            last_games: HashMap::new(),
        }
    }

    /// Returns the number of puzzles.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns whether there is no puzzle yet.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Returns whether there are as many puzzles as wanted.
    pub fn is_complete(&self) -> bool {
        self.len() >= self.targets.count
    }

    /// Returns the number of puzzles with a theme.
    pub fn count(&self, theme: PuzzleTheme) -> usize {
        self.themes[theme as usize]
    }

    /// Returns how many puzzles with a theme are still needed.
    pub fn missing(&self, theme: PuzzleTheme) -> usize {
        self.targets.least(theme).saturating_sub(self.count(theme))
    }

    /// Returns the number of games of this seed that need not be played again.
    pub fn finished_games(&self, seed: u64) -> u32 {
        self.last_games.get(&seed.to_string()).map_or(0, |last| last + 1)
    }

    /// Returns the number of games of a record file that need not be read again.
    pub fn finished_records(&self, file: &str) -> u32 {
        self.last_games.get(&format!("{file}:")).copied().unwrap_or(0)
    }

    /// Returns whether a puzzle with these themes may be added.
    pub fn wants(&self, themes: PuzzleThemes) -> bool {
        if self.is_complete() || !themes.iter().any(PuzzleTheme::is_motif) {
            return false;
        }
        let limit = self.targets.count * MAX_MOTIF_SHARE / 1000;
        let is_rare = |theme: PuzzleTheme| !theme.is_motif() || self.count(theme) < limit.max(1);
        themes.iter().any(|theme| self.missing(theme) > 0)
            || self.has_spare_room() && themes.iter().all(is_rare)
    }

    /// Returns whether there is room for puzzles beside those that are still needed.
    fn has_spare_room(&self) -> bool {
        let missing: usize = PuzzleTheme::ALL.iter().map(|&theme| self.missing(theme)).sum();
        self.len() + missing < self.targets.count
    }

    /// Returns whether a puzzle may be added.
    fn wants_puzzle(&self, puzzle: &Puzzle) -> bool {
        let limit = self.targets.count * MAX_BAND_SHARE / 1000;
        !self.ids.contains(&puzzle.id())
            && self.wants(puzzle.themes)
            && (puzzle.themes.iter().any(|theme| self.missing(theme) > 0)
                || self.bands[band(puzzle.rating)] < limit.max(1))
    }

    /// Adds a puzzle if it is wanted, and returns whether it was.
    pub fn add(&mut self, puzzle: &Puzzle) -> bool {
        let wanted = self.wants_puzzle(puzzle);
        if wanted {
            self.add_known(puzzle);
        }
        wanted
    }

    /// Adds a puzzle of a file that is continued. Returns false if the set has it already.
    pub fn add_known(&mut self, puzzle: &Puzzle) -> bool {
        if !self.ids.insert(puzzle.id()) {
            return false;
        }
        puzzle.themes.iter().for_each(|theme| self.themes[theme as usize] += 1);
        self.bands[band(puzzle.rating)] += 1;
        let (origin, game) = match &puzzle.source {
            PuzzleSource::SelfPlay { seed, game, .. } => (seed.to_string(), *game),
            // No seed ends with a colon.
            PuzzleSource::Record { file, game, .. } => (format!("{file}:"), *game),
        };
        let last = self.last_games.entry(origin).or_insert(game);
        *last = game.max(*last);
        true
    }

    /// Returns how much a game from a setup would help: 1, and more if it has pieces of which
    /// themes are short.
    pub fn demand(&self, setup: Setup) -> u32 {
        let roles: HashSet<_> = setup.placement().pieces().map(|(_, piece)| piece.role()).collect();
        let needs = |theme: PuzzleTheme, role: khet::Role| {
            u32::from(self.missing(theme) > 0 && roles.contains(&role))
        };
        1 + 2 * needs(PuzzleTheme::Khet2, khet::Role::Sphinx)
            + 2 * needs(PuzzleTheme::EyeOfHorus, khet::Role::Eye)
            + 5 * needs(PuzzleTheme::Unstack, khet::Role::Obelisk)
    }
}

/// Returns the band of a rating.
fn band(rating: u16) -> usize {
    usize::from(rating.saturating_sub(MIN_RATING) / BAND_WIDTH).min(BANDS - 1)
}
