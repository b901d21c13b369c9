//! The task that keeps the leases of this node, takes those of nodes that are gone, and shares them
//! with nodes that join.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use super::messages::AnnouncementContent;
use super::{Fence, NodeId, Shard};
use crate::server_state::ServerState;
use crate::storage::{ClaimedLease, LeaseStore, StorageError};

/// Interval of the task's steps, each of which renews the leases.
const STEP_INTERVAL: Duration = Duration::from_millis(500);
/// Time after which the leases of a node that does not renew them expire.
pub(crate) const LEASE_TIME: Duration = Duration::from_secs(3);
/// Longest duration of a step. One that takes longer is given up, because the database does not
/// answer.
const STEP_TIMEOUT: Duration = Duration::from_secs(2);
/// Time without renewal after which this node gives its games up. A restart of the database takes less.
const GIVE_UP_AFTER: Duration = Duration::from_secs(6);
/// A step that comes later by this time means that the process was paused: the players' clocks went on
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
            let here = self.give_up_all();
            let claimed = self.store.claim_own(self.node, &here).await?;
            self.resume(claimed);
        }
        self.store.renew(self.node, LEASE_TIME, self.server.time.now()).await?;
        self.last_renewed = Instant::now();
        self.renewing_since.get_or_insert(self.last_renewed);
        let view = self.store.view().await?;
        let mut others = HashMap::new();
        let mut own = HashMap::new();
        for lease in view.leases {
            match lease.node {
                Some(node) if node == *self.node => drop(own.insert(lease.shard, lease.epoch)),
                Some(node) if view.nodes.contains(&node) => drop(others.insert(lease.shard, node)),
                _ => {}
            }
        }
        let mut nodes: BTreeSet<NodeId> = view.nodes.into_iter().collect();
        let node_count = nodes.len().max(1);
        nodes.remove(self.node);
        let lost = |fence: &Fence| own.get(&fence.shard) != Some(&fence.epoch);
        let lost: BTreeSet<Shard> =
            cluster.ownership.here().iter().filter(|fence| lost(fence)).map(|f| f.shard).collect();
        if !lost.is_empty() {
            tracing::warn!(shards = lost.len(), "another node has taken leases of this one");
            cluster.give_up(self.server, &lost);
        }
        // Leases of this node whose games are not loaded, because an earlier step has failed.
        let here: BTreeSet<Shard> =
            cluster.ownership.here().iter().map(|fence| fence.shard).collect();
        let orphans: BTreeSet<Shard> =
            own.into_keys().filter(|shard| !here.contains(shard)).collect();
        if !orphans.is_empty() && !self.is_resuming() {
            let claimed = self.store.claim_own(self.node, &orphans).await?;
            self.resume(claimed);
        }
        cluster.ownership.set_others(others, nodes.clone());
        cluster.links.remove_nodes(self.server, |node| nodes.contains(node)).await;
        cluster.live_games.retain(|node| nodes.contains(node));
        self.server.lobby.retain_nodes(|node| nodes.contains(node));
        self.balance(node_count).await?;
        metrics::gauge!("khet_leases").set(cluster.ownership.here().len() as f64);
        metrics::gauge!("khet_nodes").set(node_count as f64);
        Ok(())
    }

    /// Gives all games of this node up. Returns their shards.
    fn give_up_all(&self) -> BTreeSet<Shard> {
        let Some(cluster) = &self.server.cluster else { return BTreeSet::new() };
        let here: BTreeSet<Shard> =
            cluster.ownership.here().iter().map(|fence| fence.shard).collect();
        cluster.give_up(self.server, &here);
        here
    }

    /// Takes free leases up to this node's share, or releases what it has beyond.
    async fn balance(&mut self, node_count: usize) -> Result<(), StorageError> {
        let Some(cluster) = &self.server.cluster else { return Ok(()) };
        let share = usize::from(Shard::COUNT).div_ceil(node_count);
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
            cluster.give_up(self.server, &extra);
            self.store.release(self.node, &extra, self.server.time.now()).await?;
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
