//! The times at which the server could not accept moves, as the soak caused them.

use std::time::SystemTime;

/// A kill and the restart after it. All times are milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub struct Restart {
    /// Just before the process was killed.
    pub killed: u64,
    /// When the process was certainly dead.
    pub dead: u64,
    /// When the next process listened.
    pub ready: u64,
    /// The number of processes that it took; more than one if some were killed while they started.
    pub attempts: u32,
}

/// A time in which the process could not write. All times are milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub struct DiskFill {
    /// Just before the disk was full.
    pub filled: u64,
    /// When `/readyz` reported it first; `None` if it did not.
    pub noticed: Option<u64>,
    /// When the disk had space again, or the process was killed.
    pub lifted: u64,
    /// True if nothing at all could be written. Otherwise a part could, so that the server may have
    /// recovered in between.
    pub is_total: bool,
}

/// All outages, in order.
#[derive(Clone, Debug, Default)]
pub struct OutageLog {
    /// The restarts.
    pub restarts: Vec<Restart>,
    /// The times of a full disk.
    pub fills: Vec<DiskFill>,
}

impl OutageLog {
    /// Returns the restart during which an event happened.
    pub fn restart_at(&self, at: u64) -> Option<&Restart> {
        let after = self.restarts.partition_point(|restart| restart.killed <= at);
        let last = self.restarts[..after].last()?;
        (at <= last.ready).then_some(last)
    }

    /// Returns the last time of a full disk that began before a time.
    pub fn fill_before(&self, at: u64) -> Option<&DiskFill> {
        let after = self.fills.partition_point(|fill| fill.filled <= at);
        self.fills[..after].last()
    }
}

/// Returns the system time in milliseconds since 1970.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
