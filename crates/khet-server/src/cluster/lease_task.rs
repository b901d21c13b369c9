//! The task that keeps the leases of this node, takes those of nodes that are gone, and shares them
//! with nodes that join.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use super::messages::AnnouncementContent;
use super::{Bus, Fence, NodeHealth, NodeId, Shard};
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
pub(super) const GIVE_UP_AFTER: Duration = Duration::from_secs(4);
/// Time in which other nodes have shown that they are connected to NATS, while this one is not, after
/// which this node hands its games over to them. Longer than the time by which nodes differ in noticing
/// that NATS is gone or back: otherwise an outage for all would look like one for this node alone.
const CUT_OFF_AFTER: Duration = Duration::from_millis(1500);
/// Longest time in which the games of claimed leases resume. Then the leases are claimed again.
const RESUME_TIMEOUT: Duration = Duration::from_secs(30);
/// A step that comes later by this time means that the process was paused: the clocks ran
/// although nobody could move.
const PAUSE_LIMIT: Duration = Duration::from_secs(1);

/// State of the task between its steps.
struct LeaseTask<'a> {
    server: &'a ServerState,
    node: &'a NodeId,
    store: &'a LeaseStore,
    /// Since when the leases are renewed without interruption.
    renewing_since: Option<Instant>,
    last_renewed: Instant,
    /// The task that resumes the games of claimed leases. Meanwhile the leases are renewed.
    resuming: Option<JoinHandle<()>>,
    connectivity: Connectivity,
}

/// Finds out whether this node alone has lost NATS.
#[derive(Debug, Default)]
struct Connectivity {
    /// The time since which other nodes have been connected while this one was not, in milliseconds of
    /// the database's clock.
    others_since: Option<i64>,
}

impl Connectivity {
    /// Returns whether this node is cut off from nodes that have NATS. `renewed` is the time of the last
    /// renewal by another node that was connected.
    fn is_cut_off(&mut self, connected: bool, now: i64, renewed: Option<i64>) -> bool {
        match renewed {
            Some(renewed) if !connected => {
                let since = *self.others_since.get_or_insert(now);
                // A row of a node that has not noticed the outage yet says nothing about the time since.
                renewed.saturating_sub(since) >= CUT_OFF_AFTER.as_millis() as i64
            }
            _ => {
                self.others_since = None;
                false
            }
        }
    }
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
        connectivity: Connectivity::default(),
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
            cluster.links.watch(&server, &cluster.node, bus);
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
        connectivity: Connectivity::default(),
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
        let view = self.store.view(LEASE_TIME).await?;
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
        let renewals = nodes.values().filter(|node| node.connected).map(|node| node.renewed);
        let is_cut_off = self.connectivity.is_cut_off(connected, view.now, renewals.max());
        let share = share(connected, is_cut_off, nodes.values().map(|node| node.connected));
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
        if !orphans.is_empty() && self.is_resuming() {
            self.store.keep_release_times(self.node, &orphans).await?;
        } else if !orphans.is_empty() {
            let claimed = self.store.claim_own(self.node, &orphans).await?;
            self.resume(claimed);
        }
        self.store.renew(self.node, LEASE_TIME, self.server.time.now(), connected).await?;
        self.last_renewed = Instant::now();
        cluster.set_health(NodeHealth { renewed: self.last_renewed, is_cut_off });
        self.renewing_since.get_or_insert(self.last_renewed);
        metrics::gauge!("khet_nodes").set((nodes.len() + 1) as f64);
        let nodes: BTreeSet<NodeId> = nodes.into_keys().collect();
        cluster.ownership.set_others(others, nodes.clone());
        cluster.links.remove_nodes(self.server, |node| nodes.contains(node));
        cluster.links.retain_games(|game, node| cluster.is_owned_by(game, node));
        cluster.live_games.retain(|node| nodes.contains(node));
        self.server.lobby.retain_nodes(|node| nodes.contains(node));
        self.balance(share).await?;
        metrics::gauge!("khet_leases").set(cluster.ownership.here().len() as f64);
        Ok(())
    }

    /// Returns whether there is a connection to NATS. Ends an outage.
    fn is_connected(&self) -> bool {
        let Some(cluster) = &self.server.cluster else { return false };
        let Some(bus) = &cluster.bus else { return false };
        let connected = bus.is_connected();
        if connected && let Some(since) = bus.lost_since() {
            // In this order: an action that arrives in between is credited by itself.
            self.server.games.credit_outage(since);
            bus.end_outage();
        }
        connected
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

/// Returns the number of leases that this node should have. One that is cut off leaves them to the nodes
/// that are connected to NATS. One that has just lost NATS keeps its share, because NATS may be down for
/// all.
fn share(connected: bool, is_cut_off: bool, others: impl Iterator<Item = bool>) -> usize {
    if is_cut_off {
        return 0;
    }
    let others: Vec<bool> = others.collect();
    let sharing = match others.iter().filter(|connected| **connected).count() {
        0 if !connected => others.len(),
        connected_others => connected_others,
    };
    usize::from(Shard::COUNT).div_ceil(sharing + 1)
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
    let resumed = tokio::time::timeout(RESUME_TIMEOUT, resumed).await;
    match resumed.unwrap_or(Err(StorageError::TooSlow)) {
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
    use super::{Connectivity, share};

    #[test]
    fn nodes_that_are_cut_off_leave_the_games_to_those_that_have_nats() {
        assert_eq!(share(true, false, [].into_iter()), 258);
        assert_eq!(share(true, false, [true, true].into_iter()), 86);
        assert_eq!(share(true, false, [true, false].into_iter()), 129);
        assert_eq!(share(false, true, [true, false].into_iter()), 0);
        // The others may lose NATS, too.
        assert_eq!(share(false, false, [true, true].into_iter()), 86);
        // NATS is down, or the nodes were started without it.
        assert_eq!(share(false, false, [false, false].into_iter()), 86);
        assert_eq!(share(false, false, [].into_iter()), 258);
    }

    #[test]
    fn node_that_alone_has_lost_nats_is_cut_off() {
        let mut connectivity = Connectivity::default();
        assert!(!connectivity.is_cut_off(true, 1000, Some(900)));
        for now in [1500, 2000, 2500, 3000] {
            assert!(!connectivity.is_cut_off(false, now, Some(now - 100)), "{now}");
        }
        assert!(connectivity.is_cut_off(false, 3500, Some(3400)));
        assert!(!connectivity.is_cut_off(true, 4000, Some(3900)));
        assert!(!connectivity.is_cut_off(false, 4500, Some(4400)));
    }

    #[test]
    fn no_node_is_cut_off_while_all_have_lost_nats() {
        let mut connectivity = Connectivity::default();
        // The other node notices the loss half a second later.
        assert!(!connectivity.is_cut_off(false, 1000, Some(700)));
        assert!(!connectivity.is_cut_off(false, 1500, Some(1200)));
        for now in (2000..10_000).step_by(500) {
            assert!(!connectivity.is_cut_off(false, now, None), "{now}");
        }
        // It is the first to be connected again.
        assert!(!connectivity.is_cut_off(false, 10_000, Some(9700)));
        assert!(!connectivity.is_cut_off(false, 10_500, Some(10_200)));

        // A node that has stopped while it was connected.
        let mut connectivity = Connectivity::default();
        for now in (1000..4000).step_by(500) {
            assert!(!connectivity.is_cut_off(false, now, Some(1000)), "{now}");
        }
    }
}
