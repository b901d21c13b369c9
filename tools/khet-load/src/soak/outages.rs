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

/// A fault of a cluster, or its start. All times are milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub struct ClusterOutage {
    /// The node whose clients were affected directly, if it was one.
    pub node: Option<usize>,
    /// Just before the fault.
    pub began: u64,
    /// When its cause was gone.
    pub lifted: u64,
    /// When all players could move again.
    pub recovered: u64,
}

/// All outages, in order.
#[derive(Clone, Debug, Default)]
pub struct OutageLog {
    /// The faults of a cluster, the first of which is its start. Empty for a single server.
    pub cluster: Vec<ClusterOutage>,
    /// Longest time, in milliseconds, from the end of a fault until each game of a cluster has an
    /// owner that works.
    pub takeover_time: u64,
    /// Most time on the clock, in milliseconds, that a fault of a cluster may cost a player.
    pub max_loss: i64,
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

    /// Returns the last fault of a cluster that began before a time, and those before it whose games
    /// may still have waited for an owner then.
    pub fn cluster_outages_before(&self, at: u64) -> impl Iterator<Item = &ClusterOutage> {
        let after = self.cluster.partition_point(|outage| outage.began <= at);
        let earlier = move |outage: &&ClusterOutage| outage.lifted + self.takeover_time >= at;
        let (last, others) = self.cluster[..after]
            .split_last()
            .map_or((None, &[][..]), |(last, others)| (Some(last), others));
        last.into_iter().chain(others.iter().filter(earlier))
    }

    /// Returns the faults of a cluster that overlap a span of time.
    pub fn cluster_outages_during(
        &self,
        from: u64,
        to: u64,
    ) -> impl Iterator<Item = &ClusterOutage> {
        self.cluster.iter().filter(move |outage| outage.began <= to && from <= outage.recovered)
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
