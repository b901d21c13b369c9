//! The rules of storm and streak: time, combo, difficulty of the next puzzle.

use std::time::Duration;

use khet_protocol::PuzzleRunKind;
use khet_puzzles::{MAX_RATING, MIN_RATING, PuzzleId};

/// The time of a storm.
const STORM_TIME: Duration = Duration::from_secs(180);
/// The time that a wrong move costs in a storm.
const PENALTY: Duration = Duration::from_secs(10);
/// The combos that earn time: the number of right moves in a row, and the seconds. After the last,
/// every ten moves earn as much again.
const BONUSES: [(u16, u64); 4] = [(5, 3), (12, 5), (20, 7), (30, 10)];
/// How much harder each puzzle is than the one before.
const STORM_STEP: u16 = 30;
const STREAK_STEP: u16 = 45;

/// A series of puzzles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PuzzleSeries {
    kind: PuzzleRunKind,
    /// When a storm ends, once its clock runs.
    ends: Option<Duration>,
    /// Number of puzzles shown.
    shown: u16,
    pub(crate) solved: u16,
    /// Number of right and of wrong moves.
    pub(crate) right: u16,
    pub(crate) wrong: u16,
    /// Number of right moves since the last wrong one.
    pub(crate) combo: u16,
    pub(crate) best_combo: u16,
    /// The rating of the hardest puzzle that was solved.
    pub(crate) highest: u16,
    /// The puzzles that were not solved.
    pub(crate) missed: Vec<PuzzleId>,
    pub(crate) has_skip: bool,
}

impl PuzzleSeries {
    /// Returns a series without puzzles, whose clock does not run.
    pub(crate) fn new(kind: PuzzleRunKind) -> PuzzleSeries {
        PuzzleSeries {
            kind,
            ends: None,
            shown: 0,
            solved: 0,
            right: 0,
            wrong: 0,
            combo: 0,
            best_combo: 0,
            highest: 0,
            missed: Vec::new(),
            has_skip: kind == PuzzleRunKind::Streak,
        }
    }

    /// Starts the clock of a storm, when the first puzzle is shown: its file may take a while.
    pub(crate) fn start_clock(&mut self, now: Duration) {
        self.ends = (self.kind == PuzzleRunKind::Storm).then_some(now + STORM_TIME);
    }

    /// Returns the time left; `None` without a clock.
    pub(crate) fn left(&self, now: Duration) -> Option<Duration> {
        self.ends.map(|ends| ends.saturating_sub(now))
    }

    /// Returns the rating of the next puzzle, nearly, and counts it.
    pub(crate) fn next_rating(&mut self) -> u16 {
        let step = match self.kind {
            PuzzleRunKind::Storm => STORM_STEP,
            PuzzleRunKind::Streak => STREAK_STEP,
        };
        let rating = MIN_RATING.saturating_add(self.shown.saturating_mul(step));
        self.shown += 1;
        rating.min(MAX_RATING)
    }

    /// Counts a right move. Returns the seconds that the combo earns.
    pub(crate) fn count_right(&mut self) -> Option<u64> {
        self.right += 1;
        self.combo += 1;
        self.best_combo = self.best_combo.max(self.combo);
        let seconds = bonus(self.combo).filter(|_| self.ends.is_some())?;
        self.ends = self.ends.map(|ends| ends + Duration::from_secs(seconds));
        Some(seconds)
    }

    /// Counts a solved puzzle.
    pub(crate) fn count_solved(&mut self, rating: u16) {
        self.solved += 1;
        self.highest = self.highest.max(rating);
    }

    /// Counts a wrong move. Returns whether the series goes on.
    pub(crate) fn count_wrong(&mut self, puzzle: PuzzleId) -> bool {
        self.wrong += 1;
        self.combo = 0;
        self.missed.push(puzzle);
        self.ends = self.ends.map(|ends| ends.saturating_sub(PENALTY));
        self.kind == PuzzleRunKind::Storm
    }
}

/// Returns the seconds that a combo of this many moves earns.
fn bonus(combo: u16) -> Option<u64> {
    let [.., (last, most)] = BONUSES;
    if combo > last {
        return combo.is_multiple_of(10).then_some(most);
    }
    BONUSES.iter().find(|(moves, _)| *moves == combo).map(|(_, seconds)| *seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id() -> PuzzleId {
        "rk4mDs".parse().expect("a name")
    }

    #[test]
    fn storm_ends_after_three_minutes_and_combos_earn_time() {
        let start = Duration::from_secs(100);
        let mut series = PuzzleSeries::new(PuzzleRunKind::Storm);
        assert_eq!(series.left(start), None, "the first puzzle is being loaded");
        series.start_clock(start);
        let left = |series: &PuzzleSeries| series.left(start).map(|left| left.as_secs());
        assert_eq!(left(&series), Some(180));
        let earned: Vec<u64> = (0..50).filter_map(|_| series.count_right()).collect();
        assert_eq!(earned, [3, 5, 7, 10, 10, 10]);
        assert_eq!(left(&series), Some(180 + 45));
        assert!(series.count_wrong(id()));
        assert_eq!((left(&series), series.combo, series.best_combo), (Some(215), 0, 50));
        assert_eq!(series.left(start + Duration::from_secs(300)), Some(Duration::ZERO));
    }

    #[test]
    fn streak_ends_with_the_first_error_and_has_no_clock() {
        let mut series = PuzzleSeries::new(PuzzleRunKind::Streak);
        series.start_clock(Duration::ZERO);
        assert_eq!(series.left(Duration::from_secs(1000)), None);
        assert!((0..30).all(|_| series.count_right().is_none()));
        assert!(!series.count_wrong(id()));
        assert_eq!(series.missed, [id()]);
    }

    #[test]
    fn puzzles_become_harder_up_to_the_hardest() {
        let mut series = PuzzleSeries::new(PuzzleRunKind::Streak);
        let ratings: Vec<u16> = (0..100).map(|_| series.next_rating()).collect();
        assert!(ratings.is_sorted());
        assert_eq!((ratings[0], ratings[99]), (MIN_RATING, MAX_RATING));
    }
}
