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
/// Nearly all puzzles are a defence or one of three kinds of forced hits, so these four must be able
/// to fill a set.
const MAX_MOTIF_SHARE: usize = 400;
/// Width of a band of ratings, and its largest share in thousandths, with the same exception.
const BAND_WIDTH: u16 = 250;
const MAX_BAND_SHARE: usize = 200;
/// A small set may have this many puzzles of each motif and band.
const ALWAYS_ALLOWED: usize = 25;
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
    ///
    /// None is promised for [`PuzzleTheme::Unstack`], because unstacking is hardly ever the only
    /// good move (`docs/puzzles.md`); but such a puzzle is always taken.
    pub fn least(self, theme: PuzzleTheme) -> usize {
        let share = match theme {
            PuzzleTheme::Khet2 => KHET2_SHARE,
            PuzzleTheme::EyeOfHorus => EYE_SHARE,
            PuzzleTheme::Unstack => 0,
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
        let limit = self.limit(MAX_MOTIF_SHARE);
        let is_rare = |theme: PuzzleTheme| !theme.is_motif() || self.count(theme) < limit;
        self.needs(themes) || self.has_spare_room() && themes.iter().all(is_rare)
    }

    /// Returns whether one of the themes is short, or welcome at any time.
    fn needs(&self, themes: PuzzleThemes) -> bool {
        let is_short = |theme| theme == PuzzleTheme::Unstack || self.missing(theme) > 0;
        themes.iter().any(is_short)
    }

    /// Returns the largest number of puzzles for a share in thousandths.
    fn limit(&self, share: usize) -> usize {
        (self.targets.count * share / 1000).max(ALWAYS_ALLOWED)
    }

    /// Returns whether there is room for puzzles beside those that are still needed.
    fn has_spare_room(&self) -> bool {
        let missing: usize = PuzzleTheme::ALL.iter().map(|&theme| self.missing(theme)).sum();
        self.len() + missing < self.targets.count
    }

    /// Returns whether a puzzle may be added.
    fn wants_puzzle(&self, puzzle: &Puzzle) -> bool {
        !self.ids.contains(&puzzle.id())
            && self.wants(puzzle.themes)
            && (self.needs(puzzle.themes)
                || self.bands[band(puzzle.rating)] < self.limit(MAX_BAND_SHARE))
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
    }
}

/// Returns the band of a rating.
fn band(rating: u16) -> usize {
    usize::from(rating.saturating_sub(MIN_RATING) / BAND_WIDTH).min(BANDS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a puzzle whose position depends on a number below 100.
    fn puzzle(number: u8, themes: &[PuzzleTheme], rating: u16) -> Puzzle {
        let square = |index: u8| format!("{}{}", char::from(b'b' + index % 8), 3 + index / 8 % 4);
        let start: khet::Position = "4k5/10/10/10/10/10/10/4K5 s".parse().expect("a position");
        let mut placement = start.placement();
        let piece = "P1".parse().expect("a piece");
        placement.set(square(number % 32).parse().expect("a square"), Some(piece));
        let start = khet::Position::new(&placement, khet::Rules::Standard).expect("playable");
        let line = crate::SolutionLine::new(start, ["e1d1".parse().expect("a move")]);
        Puzzle {
            line: line.expect("a line"),
            themes: themes.iter().copied().collect(),
            rating,
            source: PuzzleSource::Record { file: "x".to_string(), game: u32::from(number), ply: 1 },
        }
    }

    #[test]
    fn a_puzzle_is_added_once() {
        let mut set = PuzzleSet::new(PuzzleTargets::new(10));
        assert!(set.add(&puzzle(1, &[PuzzleTheme::Swap], 900)));
        assert!(!set.add(&puzzle(1, &[PuzzleTheme::Swap], 1200)));
        assert!(!set.add(&puzzle(2, &[PuzzleTheme::Khet2], 900)), "no motif");
        assert_eq!((set.len(), set.count(PuzzleTheme::Swap)), (1, 1));
        assert_eq!((set.finished_records("x"), set.finished_records("y")), (1, 0));
    }

    #[test]
    fn themes_that_are_short_keep_their_room() {
        // One puzzle of each motif is needed, and none with an Eye or of Khet 2.0 beside them.
        let mut set = PuzzleSet::new(PuzzleTargets::new(16));
        assert_eq!(set.targets.least(PuzzleTheme::Swap), 1);
        let needed: usize = PuzzleTheme::ALL.iter().map(|&theme| set.missing(theme)).sum();
        let free = 16 - needed;
        let added = (0..20).filter(|&number| set.add(&puzzle(number, &[PuzzleTheme::Swap], 900)));
        assert_eq!(added.count(), 1 + free);
        assert!(!set.wants([PuzzleTheme::Swap].into_iter().collect()));
        assert!(set.wants([PuzzleTheme::Swap, PuzzleTheme::Defence].into_iter().collect()));
    }

    #[test]
    fn the_least_numbers_fit_into_a_set() {
        for count in [1, 20, 100, 5_000] {
            let targets = PuzzleTargets::new(count);
            let sum: usize = PuzzleTheme::ALL.iter().map(|&theme| targets.least(theme)).sum();
            assert!(sum <= count, "{count}");
        }
        let complete = PuzzleTargets::new(5_000);
        assert!(complete.least(PuzzleTheme::SelfHitTrap) >= 300);
        assert!(complete.least(PuzzleTheme::Khet2) >= 500);
        assert!(complete.least(PuzzleTheme::EyeOfHorus) >= 200);
    }
}
