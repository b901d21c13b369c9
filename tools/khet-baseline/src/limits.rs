//! The limits of a `go` command, and time management.

use std::time::Duration;

use khet::Color;

use crate::search::MAX_DEPTH;

/// The parameters of `go`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) depth: Option<u8>,
    pub(crate) nodes: Option<u64>,
    movetime: Option<Duration>,
    /// Time left and increment of Silver and Red.
    left: [Option<Duration>; 2],
    increment: [Duration; 2],
    /// `bestmove` is held back until `stop`.
    pub(crate) infinite: bool,
}

/// Assumed number of moves until the end of the game.
const MOVES_LEFT: u32 = 30;

/// Largest time reserved for the delay of the answer; a twentieth of a short time is enough.
const MAX_DELAY_RESERVE: Duration = Duration::from_millis(10);

impl Limits {
    /// Parses the parameters of `go`. Returns unknown words as the second value.
    pub(crate) fn read(words: &str) -> (Limits, Vec<String>) {
        let mut limits = Limits::default();
        let mut unknown = Vec::new();
        let mut words = words.split_whitespace();
        while let Some(word) = words.next() {
            if word == "infinite" {
                limits.infinite = true;
                continue;
            }
            let known = ["depth", "nodes", "movetime", "stime", "rtime", "sinc", "rinc"];
            let number = if known.contains(&word) { words.next() } else { None };
            // A clock that has run out may be reported as negative.
            let number: Option<i64> = number.and_then(|number| number.parse().ok());
            let Some(number) = number.map(|number| number.max(0) as u64) else {
                unknown.push(word.to_string());
                continue;
            };
            let time = Duration::from_millis(number);
            match word {
                "depth" => limits.depth = Some(number.clamp(1, u64::from(MAX_DEPTH)) as u8),
                "nodes" => limits.nodes = Some(number),
                "movetime" => limits.movetime = Some(time),
                "stime" => limits.left[0] = Some(time),
                "rtime" => limits.left[1] = Some(time),
                "sinc" => limits.increment[0] = time,
                _ => limits.increment[1] = time,
            }
        }
        let bounded = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.movetime.is_some()
            || limits.left.iter().any(Option::is_some);
        limits.infinite |= !bounded;
        (limits, unknown)
    }

    /// Returns the time for the move.
    pub(crate) fn time(&self, mover: Color) -> Option<Duration> {
        if self.infinite {
            return None;
        }
        let usable = |time: Duration| time.saturating_sub(MAX_DELAY_RESERVE.min(time / 20));
        let by_clock = self.left[mover as usize].map(|left| {
            let share = left / MOVES_LEFT + self.increment[mover as usize] * 3 / 4;
            // The increment is added after the move, so it can't be used before.
            share.min(usable(left) / 2)
        });
        match (self.movetime.map(usable), by_clock) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }
}
