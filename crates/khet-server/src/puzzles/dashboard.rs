//! Computes a solver's dashboard from the attempts.

use std::collections::{BTreeMap, HashMap};

use khet_protocol::{
    PuzzleDashboard, PuzzleDay, PuzzleRun, PuzzleRunKind, Rating, RatingPoint, ThemeScore,
};
use khet_puzzles::{PuzzleId, PuzzleTheme};

use super::published_puzzles::{DAY, PublishedPuzzles};
use crate::storage::StoredAttempt;

/// Number of days with points and numbers of attempts.
const DAYS: u64 = 90;
/// Number of attempts in the history.
const HISTORY_LENGTH: usize = 50;
/// The range in which performances are searched.
const PERFORMANCES: (f64, f64) = (100.0, 4000.0);
/// Number of steps of that search, after which the range is smaller than one point.
const SEARCH_STEPS: u32 = 13;

/// The data from which the dashboard is computed.
pub(super) struct DashboardData<'a> {
    pub(super) set: &'a PublishedPuzzles,
    /// Ratings of the puzzles that accounts have tried.
    pub(super) ratings: &'a HashMap<PuzzleId, f64>,
    pub(super) rating: Rating,
    /// The oldest first.
    pub(super) attempts: Vec<StoredAttempt>,
    pub(super) best_runs: Vec<PuzzleRun>,
    pub(super) now: u64,
}

impl DashboardData<'_> {
    /// Returns the dashboard.
    pub(super) fn dashboard(self) -> PuzzleDashboard {
        let best = |kind: PuzzleRunKind| {
            let scores = self.best_runs.iter().filter(|run| run.kind == kind).map(|run| run.score);
            scores.max().unwrap_or(0)
        };
        let first_day = (self.now / DAY).saturating_sub(DAYS - 1);
        let attempts = || self.attempts.iter().map(|attempt| attempt.first);
        let recent = || attempts().filter(move |attempt| attempt.at / DAY >= first_day);
        let points = recent().filter_map(|attempt| {
            Some(RatingPoint { at: attempt.at, value: attempt.rating?.after })
        });
        let mut days: BTreeMap<u32, PuzzleDay> = BTreeMap::new();
        for attempt in recent() {
            let day = u32::try_from(attempt.at / DAY).unwrap_or(u32::MAX);
            let entry = days.entry(day).or_insert(PuzzleDay { day, attempts: 0, solved: 0 });
            entry.attempts += 1;
            entry.solved += u32::from(attempt.solved);
        }
        PuzzleDashboard {
            rating: self.rating,
            attempts: self.attempts.len() as u32,
            solved: attempts().filter(|attempt| attempt.solved).count() as u32,
            best_storm: best(PuzzleRunKind::Storm),
            best_streak: best(PuzzleRunKind::Streak),
            themes: self.theme_scores(),
            points: points.collect(),
            days: days.into_values().collect(),
            history: attempts().rev().take(HISTORY_LENGTH).collect(),
        }
    }

    /// Returns the results by theme.
    fn theme_scores(&self) -> Vec<ThemeScore> {
        let mut results: HashMap<PuzzleTheme, Vec<(f64, bool)>> = HashMap::new();
        for StoredAttempt { first, .. } in &self.attempts {
            // A puzzle of an earlier version may be gone.
            let Some(named) = self.set.find(first.puzzle) else { continue };
            let rating = self.ratings.get(&named.id).copied();
            let rating = rating.unwrap_or(named.puzzle.rating.into());
            for theme in named.puzzle.themes.iter() {
                results.entry(theme).or_default().push((rating, first.solved));
            }
        }
        let score = |theme: PuzzleTheme| {
            let results = results.get(&theme)?;
            let attempts = results.len() as u32;
            let is_known = attempts >= PuzzleDashboard::MIN_ATTEMPTS_FOR_PERFORMANCE;
            Some(ThemeScore {
                theme,
                attempts,
                solved: results.iter().filter(|(_, solved)| *solved).count() as u32,
                performance: is_known.then(|| performance(results)),
            })
        };
        PuzzleTheme::ALL.into_iter().filter_map(score).collect()
    }
}

/// Returns the rating at which a solver is expected to solve as many of these puzzles, given by
/// their ratings, as were solved.
fn performance(results: &[(f64, bool)]) -> u16 {
    let solved = results.iter().filter(|(_, solved)| *solved).count() as f64;
    // Half a puzzle less than all and more than none, because no finite rating is expected to solve
    // all or none.
    let solved = solved.clamp(0.5, results.len() as f64 - 0.5);
    let expected = |rating: f64| -> f64 {
        let chance = |puzzle: f64| 1.0 / (1.0 + 10_f64.powf((puzzle - rating) / 400.0));
        results.iter().map(|&(puzzle, _)| chance(puzzle)).sum()
    };
    let (mut low, mut high) = PERFORMANCES;
    for _ in 0..SEARCH_STEPS {
        let middle = f64::midpoint(low, high);
        if expected(middle) < solved {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high).round() as u16
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use khet_protocol::{PuzzleHistoryEntry, PuzzleRun, PuzzleRunKind, Rating, RatingChange};

    use super::{DAY, DashboardData, HISTORY_LENGTH, PublishedPuzzles, performance};
    use crate::storage::StoredAttempt;

    #[test]
    fn performance_is_the_rating_with_these_results() {
        let results = |solved: usize, count: usize| -> Vec<(f64, bool)> {
            (0..count).map(|number| (1500.0, number < solved)).collect()
        };
        // Chances by the formula of Elo: 1/2, 10/11, 1/11.
        for (solved, count, expected) in [(10, 20, 1500), (20, 22, 1900), (2, 22, 1100)] {
            let found = performance(&results(solved, count));
            assert!(found.abs_diff(expected) <= 1, "{found} {expected}");
        }
        assert!((1900..2200).contains(&performance(&results(20, 20))));
        assert!((800..1100).contains(&performance(&results(0, 20))));
    }

    #[test]
    fn dashboard_counts_days_and_keeps_the_newest_attempts() {
        let set = PublishedPuzzles::get();
        let now = 1000 * DAY + 5;
        // Four attempts each day, of which one is solved; every second one is rated.
        let attempts = set.puzzles().iter().take(480).zip(0_u64..).map(|(named, number)| {
            let rating = RatingChange { before: 1500, after: 1501 };
            let first = PuzzleHistoryEntry {
                puzzle: named.id,
                at: now - (479 - number) / 4 * DAY,
                solved: number % 4 == 0,
                rating: (number % 2 == 0).then_some(rating),
            };
            StoredAttempt { first, latest: first.at }
        });
        let run = |kind, score| PuzzleRun { kind, at: 0, score };
        let data = DashboardData {
            set,
            ratings: &HashMap::new(),
            rating: Rating { value: 1500, deviation: 60 },
            attempts: attempts.collect(),
            best_runs: vec![run(PuzzleRunKind::Storm, 8)],
            now,
        };
        let dashboard = data.dashboard();
        assert_eq!((dashboard.attempts, dashboard.solved), (480, 120));
        assert_eq!((dashboard.best_storm, dashboard.best_streak), (8, 0));
        assert_eq!(dashboard.history.len(), HISTORY_LENGTH);
        assert_eq!(dashboard.history[0].at, now);
        assert_eq!(dashboard.days.len(), 90);
        assert_eq!((dashboard.days[0].day, dashboard.days[89].day), (911, 1000));
        assert!(dashboard.days.iter().all(|day| (day.attempts, day.solved) == (4, 1)));
        assert_eq!(dashboard.points.len(), 180);
        assert!(dashboard.points.is_sorted_by_key(|point| point.at));
        let best = dashboard.themes.iter().map(|theme| theme.attempts).max();
        assert!(best.is_some_and(|attempts| attempts > 100), "{best:?}");
    }
}
