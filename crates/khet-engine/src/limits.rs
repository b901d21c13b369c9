//! Limits of a search and time management.

use std::time::Duration;

use khet::Color;

use crate::score::{Value, WIN, WON};

/// Limits of a search. The first one reached ends it; without limits it runs until it is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Plies to search.
    pub depth: Option<u32>,
    /// Positions to visit, on all threads together.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Clocks of the game, Silver's and Red's.
    pub clocks: [Option<RemainingTime>; 2],
    /// Stops when a forced win in this number of own moves is found.
    pub mate: Option<u32>,
}

/// A player's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RemainingTime {
    /// Time left.
    pub left: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// Deadlines relative to the start of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Deadlines {
    /// No new iteration starts after this.
    pub(crate) soft: Duration,
    /// The search is stopped at this time.
    pub(crate) hard: Duration,
}

/// Assumed number of own moves until the end of the game.
const MOVES_TO_GO: u32 = 30;
/// Largest part of the remaining time for one move, in percent.
const MAX_TIME_PERCENT: u32 = 35;

impl Limits {
    /// Returns the deadlines for a move of a side. The margin covers the delay until the move
    /// reaches the clock.
    pub(crate) fn deadlines(&self, side: Color, margin: Duration) -> Option<Deadlines> {
        if let Some(time) = self.movetime {
            let hard = time.saturating_sub(margin.min(time / 2));
            return Some(Deadlines { soft: hard, hard });
        }
        let clock = self.clocks[side as usize]?;
        let usable = clock.left.saturating_sub(margin);
        let largest = usable * MAX_TIME_PERCENT / 100;
        let share = usable / MOVES_TO_GO + clock.increment * 3 / 4;
        let soft = share.min(largest);
        Some(Deadlines { soft, hard: (soft * 4).min(largest).max(Duration::from_millis(1)) })
    }

    /// Returns whether a value is a forced win in the number of moves that the search is to find.
    pub(crate) fn has_found_mate(&self, value: Value) -> bool {
        let moves = (WIN - value + 1) / 2;
        value >= WON && self.mate.is_some_and(|limit| moves <= limit as i32)
    }

    /// Returns the time after which no new iteration starts, if the best move has stayed the same
    /// for this number of iterations.
    pub(crate) fn time_for_iterations(&self, deadlines: Deadlines, steady: u32) -> Duration {
        // A stable best move needs less time.
        let part = if self.movetime.is_some() { 100 } else { 110 - 10 * steady.min(6) };
        deadlines.soft * part / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(left: u64, increment: u64) -> Limits {
        let clock = RemainingTime {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
        };
        Limits { clocks: [Some(clock), None], ..Limits::default() }
    }

    #[test]
    fn the_hard_deadline_never_exceeds_the_clock() {
        let margin = Duration::from_millis(20);
        for left in [1, 5, 21, 50, 1_000, 600_000] {
            for increment in [0, 100, 10_000] {
                let limits = clocks(left, increment);
                let times = limits.deadlines(Color::Silver, margin).expect("a clock");
                assert!(times.soft <= times.hard || times.soft.is_zero());
                assert!(times.hard <= Duration::from_millis(left.max(1)), "{left} {increment}");
            }
        }
        assert_eq!(clocks(5, 5).deadlines(Color::Red, margin), None);
    }
}
