//! The task that keeps the leases of this node, takes those of nodes that are gone, and shares them
//! with nodes that join.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use super::messages::AnnouncementContent;
use super::{Bus, Fence, NodeId, Shard};
use crate::server_state::ServerState;
use crate::storage::{ClaimedLease, LeaseStore, StorageError};

/// Interval of the task's steps, each of which renews the leases.
const STEP_INTERVAL: Duration = Duration::from_millis(500);
/// Time after which the leases of a node that does not renew them expire.
pub(crate) const LEASE_TIME: Duration = Duration::from_secs(3);
/// Longest duration of a step. One that takes longer is given up, because the database does not
/// answer.
const STEP_TIMEOUT: Duration = Duration::from_secs(2);
/// Time without renewal after which this node gives its games up. Others own them by then, unless the
/// database is down for all.
const GIVE_UP_AFTER: Duration = Duration::from_secs(4);
/// Time without a connection to NATS, including that until the loss is noticed, after which this node
/// hands its games over to nodes that have one.
const BUS_LIMIT: Duration = Duration::from_secs(2);
/// A step that comes later by this time means that the process was paused: the clocks ran
/// although nobody could move.
const PAUSE_LIMIT: Duration = Duration::from_secs(1);

/// What the task knows from its last step.
struct LeaseTask<'a> {
    server: &'a ServerState,
    node: &'a NodeId,
    store: &'a LeaseStore,
    /// Since when the leases are renewed without interruption.
    renewing_since: Option<Instant>,
    last_renewed: Instant,
    /// The task that resumes the games of claimed leases. Meanwhile the leases are renewed.
    resuming: Option<JoinHandle<()>>,
}

/// Runs until the server stops.
pub(super) async fn run(server: ServerState) {
    let Some(cluster) = &server.cluster else { return };
    let mut task = LeaseTask {
        server: &server,
        node: &cluster.node,
        store: &cluster.leases,
        renewing_since: Instant::now().checked_sub(LEASE_TIME),
        last_renewed: Instant::now(),
        resuming: None,
    };
    loop {
        let waiting_since = Instant::now();
        tokio::select! {
            () = tokio::time::sleep(STEP_INTERVAL) => {}
            () = cluster.leases_changed.notified() => {}
        }
        let was_paused = waiting_since.elapsed() > STEP_INTERVAL + PAUSE_LIMIT;
        let failure = match tokio::time::timeout(STEP_TIMEOUT, task.step(was_paused)).await {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error),
            Err(_) => Some(StorageError::TooSlow),
        };
        if let Some(error) = failure {
            task.renewing_since = None;
            tracing::warn!(%error, "could not renew the leases");
            if task.last_renewed.elapsed() > GIVE_UP_AFTER {
                task.give_up_all();
            }
        }
        if let Some(bus) = &cluster.bus {
            cluster.links.watch(&server, &cluster.node, bus).await;
        }
    }
}

/// Registers this node and takes all leases that are free. Games in progress have resumed when it
/// returns.
pub(super) async fn start(server: &ServerState) -> Result<(), StorageError> {
    let Some(cluster) = &server.cluster else { return Ok(()) };
    let mut task = LeaseTask {
        server,
        node: &cluster.node,
        store: &cluster.leases,
        renewing_since: Instant::now().checked_sub(LEASE_TIME),
        last_renewed: Instant::now(),
        resuming: None,
    };
    task.step(false).await?;
    if let Some(resuming) = task.resuming {
        let _ = resuming.await;
    }
    Ok(())
}

impl LeaseTask<'_> {
    /// Renews the leases, gives up those that were lost, and takes or releases some until each node
    /// has its share.
    async fn step(&mut self, was_paused: bool) -> Result<(), StorageError> {
        let Some(cluster) = &self.server.cluster else { return Ok(()) };
        if was_paused {
            // Taken again, with a new epoch, the games get the time of the pause back.
            tracing::warn!("this process was paused");
            self.give_up_all();
        }
        let view = self.store.view().await?;
        let mut others = HashMap::new();
        let mut own = HashMap::new();
        for lease in view.leases {
            match lease.node {
                Some(node) if node == *self.node => drop(own.insert(lease.shard, lease.epoch)),
                Some(node) if view.nodes.contains_key(&node) => {
                    others.insert(lease.shard, node);
                }
                _ => {}
            }
        }
        let mut nodes = view.nodes;
        nodes.remove(self.node);
        let connected = self.is_connected();
        let share = share(connected, nodes.values().copied());
        let here = cluster.ownership.here();
        let lost = |fence: &&Fence| own.get(&fence.shard) != Some(&fence.epoch);
        let lost: BTreeSet<Shard> = here.iter().filter(lost).map(|fence| fence.shard).collect();
        if !lost.is_empty() {
            tracing::warn!(shards = lost.len(), "another node has taken leases of this one");
            cluster.give_up(self.server, &lost);
        }
        // Leases of this node whose games are not loaded: it has given them up, or could not load them.
        // Taken before the renewal, which moves the time from which on the games get their time back.
        let here: BTreeSet<Shard> = here.iter().map(|fence| fence.shard).collect();
        let orphans: BTreeSet<Shard> =
            own.into_keys().filter(|shard| !here.contains(shard)).collect();
        if !orphans.is_empty() && !self.is_resuming() {
            let claimed = self.store.claim_own(self.node, &orphans).await?;
            self.resume(claimed);
        }
        self.store.renew(self.node, LEASE_TIME, self.server.time.now(), connected).await?;
        self.last_renewed = Instant::now();
        self.renewing_since.get_or_insert(self.last_renewed);
        metrics::gauge!("khet_nodes").set((nodes.len() + 1) as f64);
        let nodes: BTreeSet<NodeId> = nodes.into_keys().collect();
        cluster.ownership.set_others(others, nodes.clone());
        cluster.links.remove_nodes(self.server, |node| nodes.contains(node)).await;
        cluster.links.retain_games(|game, node| cluster.is_at(game, node));
        cluster.live_games.retain(|node| nodes.contains(node));
        self.server.lobby.retain_nodes(|node| nodes.contains(node));
        self.balance(share).await?;
        metrics::gauge!("khet_leases").set(cluster.ownership.here().len() as f64);
        Ok(())
    }

    /// Returns whether other nodes can be reached over NATS, or were reached a moment ago.
    fn is_connected(&self) -> bool {
        let Some(cluster) = &self.server.cluster else { return false };
        let Some(bus) = &cluster.bus else { return false };
        let Some(since) = bus.lost_since() else { return true };
        if bus.is_connected() {
            // In this order: an action that arrives in between is credited by itself.
            self.server.games.credit_outage(since);
            bus.end_outage();
            return true;
        }
        u128::from(self.server.time.now().saturating_sub(since)) < BUS_LIMIT.as_millis()
    }

    /// Gives all games of this node up.
    fn give_up_all(&self) {
        let Some(cluster) = &self.server.cluster else { return };
        let here: BTreeSet<Shard> =
            cluster.ownership.here().iter().map(|fence| fence.shard).collect();
        cluster.give_up(self.server, &here);
    }

    /// Takes free leases up to this node's share, or releases what it has beyond.
    async fn balance(&mut self, share: usize) -> Result<(), StorageError> {
        let Some(cluster) = &self.server.cluster else { return Ok(()) };
        let here = cluster.ownership.here();
        if here.len() < share {
            // After an outage of the database all leases have expired. Their owners renew them first.
            let is_steady = self.renewing_since.is_some_and(|since| since.elapsed() >= LEASE_TIME);
            if is_steady && !self.is_resuming() {
                let claimed = self.store.claim(self.node, share - here.len()).await?;
                self.resume(claimed);
            }
        } else if here.len() > share {
            let extra: BTreeSet<Shard> = here.iter().skip(share).map(|fence| fence.shard).collect();
            tracing::info!(leases = extra.len(), "released leases to another node");
            // Players at other nodes could not reach their games since NATS was lost.
            let since = cluster.bus.as_ref().and_then(Bus::lost_since).filter(|_| share == 0);
            let since = since.unwrap_or_else(|| self.server.time.now());
            cluster.give_up(self.server, &extra);
            self.store.release(self.node, &extra, since).await?;
            cluster.announce(AnnouncementContent::LeasesChanged).await;
        }
        Ok(())
    }

    fn is_resuming(&self) -> bool {
        self.resuming.as_ref().is_some_and(|task| !task.is_finished())
    }

    /// Starts to resume the games of claimed leases.
    fn resume(&mut self, claimed: Vec<ClaimedLease>) {
        if claimed.is_empty() {
            return;
        }
        let server = self.server.clone();
        self.resuming = Some(tokio::spawn(async move {
            if let Err(error) = resume(&server, &claimed).await {
                tracing::error!(%error, "could not resume the games of claimed leases");
            }
        }));
    }
}

/// Returns the number of leases that this node should have. One that can't reach the others over NATS
/// leaves them to nodes that can, if there are any.
fn share(connected: bool, others: impl Iterator<Item = bool>) -> usize {
    let others: Vec<bool> = others.collect();
    let connected_count = others.iter().chain([&connected]).filter(|is| **is).count();
    match (connected, connected_count) {
        (false, 0) => usize::from(Shard::COUNT).div_ceil(others.len() + 1),
        (false, _) => 0,
        (true, count) => usize::from(Shard::COUNT).div_ceil(count),
    }
}

/// Resumes the games of claimed leases. From then on this node answers for them. After an error the
/// leases are claimed again by a later step.
async fn resume(server: &ServerState, claimed: &[ClaimedLease]) -> Result<(), StorageError> {
    let Some(cluster) = &server.cluster else { return Ok(()) };
    let began = Instant::now();
    let fences: Vec<Fence> = claimed.iter().map(|lease| lease.fence).collect();
    let shards = fences.iter().map(|fence| fence.shard).collect();
    let resumed = async {
        let games = server.games.resume_claimed(server, claimed).await?;
        cluster.leases.confirm(&cluster.node, &shards).await?;
        Ok(games)
    };
    match resumed.await {
        Ok(games) => {
            cluster.ownership.add_here(&fences);
            metrics::counter!("khet_leases_taken_total").increment(fences.len() as u64);
            metrics::histogram!("khet_takeover_seconds").record(began.elapsed());
            tracing::info!(leases = fences.len(), games, "took leases");
            cluster.announce(AnnouncementContent::LeasesChanged).await;
            Ok(())
        }
        Err(error) => {
            server.games.evict(&shards);
            Err(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn nodes_without_nats_leave_the_games_to_those_that_have_it() {
        assert_eq!(share(true, [].into_iter()), 258);
        assert_eq!(share(true, [true, true].into_iter()), 86);
        assert_eq!(share(true, [true, false].into_iter()), 129);
        assert_eq!(share(false, [true, false].into_iter()), 0);
        // NATS is down, or the nodes were started without it.
        assert_eq!(share(false, [false, false].into_iter()), 86);
        assert_eq!(share(false, [].into_iter()), 258);
    }
}
