//! How long the engine may think.

use std::time::Duration;

use khet::Color;

/// What bounds a search. Whatever is reached first ends it; with nothing set it goes on until it is
/// stopped.
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
    /// Stop when a win in this many own moves is found.
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

/// When to stop, in time since the search began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Deadlines {
    /// No new iteration is begun after this.
    pub(crate) soft: Duration,
    /// The search is cut off here.
    pub(crate) hard: Duration,
}

/// A game is thought to last this many own moves more.
const MOVES_TO_GO: u32 = 30;
/// Never more than this part of the time left, in hundredths.
const LARGEST_SHARE: u32 = 35;

impl Limits {
    /// The time for a move of that side, with a margin for the way to the player's clock.
    pub(crate) fn deadlines(&self, side: Color, margin: Duration) -> Option<Deadlines> {
        if let Some(time) = self.movetime {
            let hard = time.saturating_sub(margin.min(time / 2));
            return Some(Deadlines { soft: hard, hard });
        }
        let clock = self.clocks[side as usize]?;
        let usable = clock.left.saturating_sub(margin);
        let largest = usable * LARGEST_SHARE / 100;
        let share = usable / MOVES_TO_GO + clock.increment * 3 / 4;
        let soft = share.min(largest);
        Some(Deadlines { soft, hard: (soft * 4).min(largest).max(Duration::from_millis(1)) })
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
