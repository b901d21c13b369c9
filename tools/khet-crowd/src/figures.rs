//! How quickly moves are acknowledged.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Counts of many players.
#[derive(Debug, Default)]
pub struct Figures {
    /// Times from a move to its acknowledgement, in microseconds, since the last summary.
    times: Mutex<Vec<u32>>,
    /// Games that came to their end.
    games: AtomicU64,
    /// Connections that were made anew.
    returns: AtomicU64,
}

/// What was counted.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Moves that were acknowledged.
    pub moves: usize,
    /// In how many seconds.
    pub seconds: f64,
    /// Half of the moves took at most this long, in milliseconds.
    pub median: f64,
    /// 99 of 100 moves took at most this long.
    pub p99: f64,
    /// The slowest one.
    pub slowest: f64,
    /// Games that came to their end.
    pub games: u64,
    /// Connections that were made anew.
    pub returns: u64,
}

impl Figures {
    pub(crate) fn mv(&self, time: Duration) {
        let micros = u32::try_from(time.as_micros()).unwrap_or(u32::MAX);
        self.times.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(micros);
    }

    pub(crate) fn game(&self) {
        self.games.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn back(&self) {
        self.returns.fetch_add(1, Ordering::Relaxed);
    }

    /// Sums up what was counted since the last time.
    pub fn summary(&self, seconds: f64) -> Summary {
        let mut times = {
            let mut times = self.times.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            std::mem::take(&mut *times)
        };
        times.sort_unstable();
        let at = |share: f64| {
            let place = (times.len() as f64 * share) as usize;
            let time = times.get(place.min(times.len().saturating_sub(1)));
            time.map_or(f64::NAN, |&micros| f64::from(micros) / 1000.0)
        };
        Summary {
            moves: times.len(),
            seconds,
            median: at(0.5),
            p99: at(0.99),
            slowest: at(1.0),
            games: self.games.swap(0, Ordering::Relaxed),
            returns: self.returns.swap(0, Ordering::Relaxed),
        }
    }
}
