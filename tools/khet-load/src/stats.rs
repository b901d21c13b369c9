//! Statistics of a load test: latencies, finished games, reconnects.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The statistics that all players record.
#[derive(Debug, Default)]
pub struct LoadStats {
    /// Microseconds from each move to its acknowledgement, since the last summary.
    times: Mutex<Vec<u32>>,
    /// Finished games.
    games: AtomicU64,
    /// Connections after the first of each player.
    reconnects: AtomicU64,
}

/// The statistics of a time span, with latencies in milliseconds.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct LoadSummary {
    /// Acknowledged moves.
    pub moves: usize,
    /// The length of the span.
    pub seconds: f64,
    /// Median latency.
    pub median: f64,
    /// 99th percentile of the latency.
    pub p99: f64,
    /// Greatest latency.
    pub slowest: f64,
    /// Finished games.
    pub games: u64,
    /// Connections after the first of each player.
    pub reconnects: u64,
}

impl LoadStats {
    pub(crate) fn record_move(&self, time: Duration) {
        let micros = u32::try_from(time.as_micros()).unwrap_or(u32::MAX);
        self.times.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(micros);
    }

    pub(crate) fn count_game(&self) {
        self.games.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_reconnect(&self) {
        self.reconnects.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the statistics since the last call, and resets them.
    pub fn summary(&self, seconds: f64) -> LoadSummary {
        let mut times = {
            let mut times = self.times.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            std::mem::take(&mut *times)
        };
        times.sort_unstable();
        let at = |share: f64| {
            let index = (times.len() as f64 * share) as usize;
            let time = times.get(index.min(times.len().saturating_sub(1)));
            time.map_or(f64::NAN, |&micros| f64::from(micros) / 1000.0)
        };
        LoadSummary {
            moves: times.len(),
            seconds,
            median: at(0.5),
            p99: at(0.99),
            slowest: at(1.0),
            games: self.games.swap(0, Ordering::Relaxed),
            reconnects: self.reconnects.swap(0, Ordering::Relaxed),
        }
    }
}
