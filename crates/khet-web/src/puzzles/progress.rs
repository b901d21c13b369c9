//! The progress of this device: rating, attempts, results by theme, series of puzzles.
//!
//! It is a text of limited length in the browser's storage: old attempts are dropped, their totals
//! and the names of their puzzles stay. Attempts and series that were not sent to an account yet are
//! marked.

use std::fmt::{self, Write as _};

use khet_protocol::glicko::{self, Glicko2Rating, Outcomes};
use khet_protocol::{DeviceAttempt, PuzzleAttempt, PuzzleRun, PuzzleRunKind, Rating, RatingChange};
use khet_puzzles::{Puzzle, PuzzleId, PuzzleTheme, PuzzleThemes};

use crate::browser::storage;

const KEY: &str = "khet.puzzles";
/// The largest number of attempts that are kept.
const MAX_ATTEMPTS: usize = 600;
/// The largest number of earlier puzzles whose names are kept: more than the set has, because its
/// next edition may have others.
const MAX_EARLIER: usize = 10_000;
/// The length of a puzzle's name.
const NAME_LENGTH: usize = 6;
/// The largest number of series that are kept.
const MAX_RUNS: usize = 50;
/// Ratings are stored as whole numbers of this part of a point, and volatilities of a thousandth
/// of it, because formatting floats takes 14 KB of code.
const SCALE: f64 = 1000.0;

/// An attempt on this device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AttemptEntry {
    pub(crate) attempt: DeviceAttempt,
    /// The rating of the device after it.
    pub(crate) rating: u16,
    /// True if it was sent to an account.
    pub(crate) is_sent: bool,
    /// The moves, if it was made with an account and the server has not received it yet.
    pub(crate) submission: Option<PuzzleAttempt>,
}

impl AttemptEntry {
    /// Returns whether a guest made it, and no account has it.
    pub(crate) fn is_of_guest(&self) -> bool {
        !self.is_sent && self.submission.is_none()
    }
}

/// A series on this device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StoredRun {
    pub(crate) run: PuzzleRun,
    /// True if it was sent to an account.
    pub(crate) is_sent: bool,
}

/// The results in puzzles, or in those of one theme.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct AttemptTotals {
    pub(crate) tried: u32,
    pub(crate) solved: u32,
}

impl AttemptTotals {
    fn add(&mut self, is_solved: bool) {
        self.tried = self.tried.saturating_add(1);
        self.solved = self.solved.saturating_add(u32::from(is_solved));
    }
}

/// The progress of this device.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PuzzleProgress {
    rating: Glicko2Rating,
    /// When the rating changed last, in milliseconds since 1970.
    changed: u64,
    pub(crate) total: AttemptTotals,
    pub(crate) themes: [AttemptTotals; PuzzleTheme::ALL.len()],
    /// The last attempts, the oldest first.
    pub(crate) attempts: Vec<AttemptEntry>,
    /// The puzzles of the attempts before these.
    earlier: Vec<PuzzleId>,
    /// The last series, the oldest first.
    pub(crate) runs: Vec<StoredRun>,
    pub(crate) best_storm: u16,
    pub(crate) best_streak: u16,
}

impl Default for PuzzleProgress {
    fn default() -> PuzzleProgress {
        PuzzleProgress {
            rating: Glicko2Rating::new(),
            changed: 0,
            total: AttemptTotals::default(),
            themes: [AttemptTotals::default(); PuzzleTheme::ALL.len()],
            attempts: Vec::new(),
            earlier: Vec::new(),
            runs: Vec::new(),
            best_storm: 0,
            best_streak: 0,
        }
    }
}

impl PuzzleProgress {
    /// Returns the rating in whole numbers.
    pub(crate) fn rating(&self) -> Rating {
        glicko::rounded(self.rating)
    }

    /// Returns whether a puzzle was tried.
    pub(crate) fn has_tried(&self, id: PuzzleId) -> bool {
        self.attempts.iter().any(|stored| stored.attempt.puzzle == id) || self.earlier.contains(&id)
    }

    /// Returns whether there is an attempt at a puzzle that no account has.
    pub(crate) fn has_unsent(&self, id: PuzzleId) -> bool {
        self.attempts.iter().any(|stored| stored.attempt.puzzle == id && !stored.is_sent)
    }

    /// Adds an attempt, with what is to be sent to the server if somebody is signed in. Only the
    /// first attempt at a puzzle changes the rating.
    pub(crate) fn add_attempt(
        &mut self,
        puzzle: &Puzzle,
        is_solved: bool,
        at: u64,
        submission: Option<PuzzleAttempt>,
    ) -> RatingChange {
        let (id, before) = (puzzle.id(), self.rating().value);
        if !self.has_tried(id) {
            let outcome = if is_solved { Outcomes::WIN } else { Outcomes::LOSS };
            let opponent = glicko::first_puzzle_rating(puzzle.rating);
            let pause = if self.changed == 0 { 0 } else { at.saturating_sub(self.changed) };
            let rested = glicko::after_pause(self.rating, pause);
            (self.rating, _) = glicko::rate_game(rested, opponent, outcome);
            self.changed = at;
            self.total.add(is_solved);
            self.add_to_themes(puzzle.themes, is_solved);
        }
        let after = self.rating().value;
        let attempt = DeviceAttempt { puzzle: id, at, solved: is_solved };
        self.attempts.push(AttemptEntry { attempt, rating: after, is_sent: false, submission });
        let excess = self.attempts.len().saturating_sub(MAX_ATTEMPTS);
        for dropped in self.attempts.drain(..excess) {
            if !self.earlier.contains(&dropped.attempt.puzzle) {
                self.earlier.push(dropped.attempt.puzzle);
            }
        }
        let excess = self.earlier.len().saturating_sub(MAX_EARLIER);
        self.earlier.drain(..excess);
        RatingChange { before, after }
    }

    fn add_to_themes(&mut self, themes: PuzzleThemes, is_solved: bool) {
        themes.iter().for_each(|theme| self.themes[theme as usize].add(is_solved));
    }

    /// Adds a finished series. Returns whether it is the best of its kind.
    pub(crate) fn add_run(&mut self, run: PuzzleRun) -> bool {
        let best = match run.kind {
            PuzzleRunKind::Storm => &mut self.best_storm,
            PuzzleRunKind::Streak => &mut self.best_streak,
        };
        let is_best = run.score > *best;
        *best = run.score.max(*best);
        self.runs.push(StoredRun { run, is_sent: false });
        let excess = self.runs.len().saturating_sub(MAX_RUNS);
        self.runs.drain(..excess);
        is_best
    }

    /// Marks the attempts and series of these times as sent.
    pub(crate) fn mark_sent(&mut self, attempts: &[DeviceAttempt], runs: &[PuzzleRun]) {
        for stored in &mut self.attempts {
            if attempts.contains(&stored.attempt) {
                stored.is_sent = true;
                stored.submission = None;
            }
        }
        for stored in &mut self.runs {
            stored.is_sent |= runs.contains(&stored.run);
        }
    }

    /// Reads the stored text. Lines that can't be read are left out.
    fn read(text: &str) -> PuzzleProgress {
        let mut progress = PuzzleProgress::default();
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            // An unreadable line is lost, which is better than all of them.
            let _ = progress.read_line(&words);
        }
        progress
    }

    fn read_line(&mut self, words: &[&str]) -> Option<()> {
        match *words {
            ["rating", rating, deviation, volatility, changed] => {
                let number = |word: &str| word.parse::<u32>().ok().map(f64::from);
                self.rating = Glicko2Rating {
                    rating: number(rating)? / SCALE,
                    deviation: number(deviation)? / SCALE,
                    volatility: number(volatility)? / SCALE / SCALE,
                };
                self.changed = changed.parse().ok()?;
            }
            ["best", storm, streak] => {
                (self.best_storm, self.best_streak) = (storm.parse().ok()?, streak.parse().ok()?);
            }
            ["theme", theme, tried, solved] => {
                let theme: PuzzleTheme = theme.parse().ok()?;
                self.themes[theme as usize] = read_totals(tried, solved)?;
            }
            ["total", tried, solved] => self.total = read_totals(tried, solved)?,
            ["run", kind, at, score, sent] => {
                let kind =
                    if kind == "storm" { PuzzleRunKind::Storm } else { PuzzleRunKind::Streak };
                let run = PuzzleRun { kind, at: at.parse().ok()?, score: score.parse().ok()? };
                self.runs.push(StoredRun { run, is_sent: sent == "sent" });
            }
            ["earlier", names] => {
                let names = names.as_bytes().chunks(NAME_LENGTH);
                let ids =
                    names.filter_map(|name| str::from_utf8(name).ok()?.parse::<PuzzleId>().ok());
                self.earlier.extend(ids);
            }
            ["try", puzzle, at, solved, rating, sent, ref moves @ ..] => {
                let attempt = DeviceAttempt {
                    puzzle: puzzle.parse().ok()?,
                    at: at.parse().ok()?,
                    solved: solved == "solved",
                };
                let submission = moves.split_first().map(|(help, moves)| PuzzleAttempt {
                    moves: moves.join(" "),
                    helped: *help == "helped",
                });
                let (rating, is_sent) = (rating.parse().ok()?, sent == "sent");
                self.attempts.push(AttemptEntry { attempt, rating, is_sent, submission });
            }
            _ => {}
        }
        Some(())
    }
}

fn read_totals(tried: &str, solved: &str) -> Option<AttemptTotals> {
    Some(AttemptTotals { tried: tried.parse().ok()?, solved: solved.parse().ok()? })
}

impl fmt::Display for PuzzleProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scaled = |number: f64| (number * SCALE).round() as u32;
        let Glicko2Rating { rating, deviation, volatility } = self.rating;
        let volatility = scaled(volatility * SCALE);
        writeln!(
            f,
            "rating {} {} {volatility} {}",
            scaled(rating),
            scaled(deviation),
            self.changed
        )?;
        writeln!(f, "total {} {}", self.total.tried, self.total.solved)?;
        writeln!(f, "best {} {}", self.best_storm, self.best_streak)?;
        for theme in PuzzleTheme::ALL {
            let AttemptTotals { tried, solved } = self.themes[theme as usize];
            if tried > 0 {
                writeln!(f, "theme {theme} {tried} {solved}")?;
            }
        }
        let sent = |is_sent| if is_sent { "sent" } else { "new" };
        for StoredRun { run, is_sent } in &self.runs {
            let kind = match run.kind {
                PuzzleRunKind::Storm => "storm",
                PuzzleRunKind::Streak => "streak",
            };
            writeln!(f, "run {kind} {} {} {}", run.at, run.score, sent(*is_sent))?;
        }
        if !self.earlier.is_empty() {
            f.write_str("earlier ")?;
            self.earlier.iter().try_for_each(|puzzle| write!(f, "{puzzle}"))?;
            f.write_char('\n')?;
        }
        for AttemptEntry { attempt, rating, is_sent, submission } in &self.attempts {
            let DeviceAttempt { puzzle, at, solved } = attempt;
            let solved = if *solved { "solved" } else { "failed" };
            write!(f, "try {puzzle} {at} {solved} {rating} {}", sent(*is_sent))?;
            if let Some(PuzzleAttempt { moves, helped }) = submission {
                let help = if *helped { "helped" } else { "alone" };
                let space = if moves.is_empty() { "" } else { " " };
                write!(f, " {help}{space}{moves}")?;
            }
            f.write_char('\n')?;
        }
        f.write_char('.')
    }
}

/// Returns the stored progress.
pub(crate) fn load() -> PuzzleProgress {
    PuzzleProgress::read(&storage::load_or_empty(KEY))
}

/// Changes the stored progress. It is read before, because another tab may have changed it.
pub(crate) fn change<T>(change: impl FnOnce(&mut PuzzleProgress) -> T) -> T {
    let mut progress = load();
    let result = change(&mut progress);
    // If storage is full or forbidden, the progress is lost with this visit.
    storage::store(KEY, &progress.to_string());
    result
}

/// Returns the current time in milliseconds since 1970.
pub(crate) fn time_now() -> u64 {
    js_sys::Date::now() as u64
}

#[cfg(test)]
mod tests {
    use khet_puzzles::read_puzzles;

    use super::*;

    fn puzzles() -> Vec<Puzzle> {
        let text = include_str!("../../../../data/puzzles.txt");
        read_puzzles(text).take(5).collect::<Result<_, _>>().expect("puzzles")
    }

    #[test]
    fn progress_is_read_as_it_was_written() {
        let mut progress = PuzzleProgress::default();
        for (index, puzzle) in puzzles().iter().enumerate() {
            let moves = ["", "e1d1", "e1d1 j8+"].get(index);
            let submission =
                moves.map(|moves| PuzzleAttempt { moves: moves.to_string(), helped: index == 0 });
            progress.add_attempt(puzzle, index % 2 == 0, 1_000 + index as u64, submission);
        }
        progress.add_run(PuzzleRun { kind: PuzzleRunKind::Storm, at: 9, score: 12 });
        progress.add_run(PuzzleRun { kind: PuzzleRunKind::Streak, at: 10, score: 3 });
        let sent = [progress.attempts[1].attempt];
        progress.mark_sent(&sent, &[]);
        let read = PuzzleProgress::read(&progress.to_string());
        assert_eq!(read.to_string(), progress.to_string());
        assert_eq!(read.attempts, progress.attempts);
        let is_of_guest: Vec<bool> = read.attempts.iter().map(AttemptEntry::is_of_guest).collect();
        assert_eq!(is_of_guest, [false, false, false, true, true]);
        assert_eq!((read.best_storm, read.best_streak), (12, 3));
        assert_eq!((read.total.tried, read.total.solved), (5, 3));
        assert!(read.attempts[1].is_sent && !read.attempts[0].is_sent);
        assert_eq!(PuzzleProgress::read("nonsense\ntry x"), PuzzleProgress::default());
    }

    #[test]
    fn only_the_first_attempt_at_a_puzzle_is_rated() {
        let (puzzle, mut progress) = (&puzzles()[0], PuzzleProgress::default());
        let first = progress.add_attempt(puzzle, false, 1, None);
        assert!(first.after < first.before);
        let second = progress.add_attempt(puzzle, true, 2, None);
        assert_eq!((second.before, second.after), (first.after, first.after));
        assert_eq!(progress.total.tried, 1);
    }

    #[test]
    fn puzzle_is_rated_once_even_if_its_attempt_was_dropped() {
        let (puzzles, mut progress) = (puzzles(), PuzzleProgress::default());
        progress.add_attempt(&puzzles[0], true, 1, None);
        progress.add_attempt(&puzzles[1], true, 2, None);
        for at in 0..MAX_ATTEMPTS as u64 {
            progress.add_attempt(&puzzles[2], true, 3 + at, None);
        }
        let is_kept = |puzzle: &Puzzle| {
            progress.attempts.iter().any(|stored| stored.attempt.puzzle == puzzle.id())
        };
        assert!(!is_kept(&puzzles[0]) && !is_kept(&puzzles[1]));
        let mut read = PuzzleProgress::read(&progress.to_string());
        assert_eq!(read.to_string(), progress.to_string());
        assert!(read.has_tried(puzzles[0].id()) && read.has_tried(puzzles[1].id()));
        assert!(!read.has_tried(puzzles[3].id()));
        let change = read.add_attempt(&puzzles[1], false, 9_000, None);
        assert_eq!((change.before, read.total.tried), (change.after, 3));
    }

    #[test]
    fn storage_is_bounded() {
        let (puzzle, mut progress) = (&puzzles()[0], PuzzleProgress::default());
        for at in 0..2_000 {
            progress.add_attempt(puzzle, true, at, None);
            progress.add_run(PuzzleRun { kind: PuzzleRunKind::Storm, at, score: 1 });
        }
        assert_eq!((progress.attempts.len(), progress.runs.len()), (MAX_ATTEMPTS, MAX_RUNS));
        assert!(progress.to_string().len() < 40_000);
    }
}
