//! Leases of shards, nodes, and ended sessions: what the nodes of a cluster share. PostgreSQL only.
//!
//! Leases expire by the clock of the database, so that those of the nodes do not matter. What the
//! players' clocks are credited with is counted by the clocks of the nodes, which also write the times
//! of events: a difference between two nodes is charged to a player and credited again.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use khet_protocol::PersonId;
use sqlx::postgres::PgConnectOptions;

use super::postgres::pool_options;
use super::sql::{DatabaseConnection, Pool, execute_each, query};
use super::{StorageError, to_i64};
use crate::cluster::{Fence, NodeId, Shard};

/// Number of connections for leases. They wait for nothing else.
const CONNECTIONS: u32 = 2;
/// Longest wait for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);
/// Longest wait for the answer to a statement.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// Age at which the records of ended sessions and of nodes that are gone are deleted, in
/// milliseconds.
const RECORD_LIFETIME: i64 = 10 * 60 * 1000;

/// The present time of the database, in milliseconds since 1970.
macro_rules! now {
    () => {
        "(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT"
    };
}

/// The elements of a list of [`numbers`].
macro_rules! any_of {
    ($placeholder:literal) => {
        concat!("ANY(string_to_array(", $placeholder, ", ',')::BIGINT[])")
    };
}

/// Locks leases of the node `$1` in the order in which transactions with events lock them. In another
/// order both could wait for each other.
macro_rules! lock_own {
    () => {
        "WITH own AS (SELECT shard FROM leases WHERE node = $1 ORDER BY shard FOR UPDATE) "
    };
    ($shards:literal) => {
        concat!(
            "WITH own AS (SELECT shard FROM leases WHERE node = $1 AND shard = ",
            any_of!($shards),
            " ORDER BY shard FOR UPDATE) "
        )
    };
}

/// Access to the tables of the cluster.
#[derive(Clone, Debug)]
pub(crate) struct LeaseStore(Pool);

/// The nodes and leases at one time.
#[derive(Debug)]
pub(crate) struct ClusterView {
    /// The time, in milliseconds of the database's clock.
    pub(crate) now: i64,
    /// The nodes whose leases are valid.
    pub(crate) nodes: BTreeMap<NodeId, StoredNode>,
    pub(crate) leases: Vec<StoredLease>,
}

/// A row of the table `nodes`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredNode {
    /// The node was connected to NATS when it renewed its leases.
    pub(crate) connected: bool,
    /// When it renewed them, in milliseconds of the database's clock.
    pub(crate) renewed: i64,
}

/// A row of the table `leases`.
#[derive(Debug)]
pub(crate) struct StoredLease {
    pub(crate) shard: Shard,
    pub(crate) node: Option<NodeId>,
    pub(crate) epoch: i64,
}

/// A lease that this node has taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClaimedLease {
    pub(crate) fence: Fence,
    /// Since when the games stand still, by the clock of the last owner. `None` if the shard had no
    /// owner before.
    pub(crate) since: Option<u64>,
}

/// Locks the leases of games until the end of the transaction, so that no other node can take them.
/// Returns those that this node no longer owns.
pub(super) async fn lock(
    connection: &mut DatabaseConnection,
    fences: impl Iterator<Item = Fence>,
) -> Result<Vec<Fence>, StorageError> {
    let fences: BTreeMap<(Shard, i64), Fence> =
        fences.map(|fence| ((fence.shard, fence.epoch), fence)).collect();
    if fences.is_empty() {
        return Ok(Vec::new());
    }
    let shards: BTreeSet<Shard> = fences.keys().map(|&(shard, _)| shard).collect();
    // The rows come as they are after waiting for a node that takes them.
    let rows: Vec<(i64, i64)> = query(concat!(
        "SELECT shard, epoch FROM leases WHERE shard = ",
        any_of!("$1"),
        " ORDER BY shard FOR SHARE"
    ))
    .bind(numbers(&shards))
    .fetch_all(connection)
    .await?;
    let is_lost = |fence: &Fence| !rows.contains(&(fence.shard.number(), fence.epoch));
    Ok(fences.into_values().filter(is_lost).collect())
}

impl LeaseStore {
    /// Connects to the database, whose migrations have run.
    pub(crate) async fn connect(options: PgConnectOptions) -> Result<LeaseStore, StorageError> {
        let pool = pool_options()
            .max_connections(CONNECTIONS)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_with(options)
            .await?;
        Ok(LeaseStore(Pool::Postgres(pool)))
    }

    async fn connection(&self) -> Result<DatabaseConnection, StorageError> {
        let mut connection = self.0.acquire().await?;
        connection.set_timeout(ANSWER_TIMEOUT);
        Ok(connection)
    }

    /// Returns the id of the database, by which nodes recognise each other's messages.
    pub(crate) async fn cluster_id(&self) -> Result<String, StorageError> {
        query("SELECT id FROM cluster").fetch_one(&mut self.connection().await?).await
    }

    /// Renews all leases of a node for a time, at a time of its own clock, and records whether it is
    /// connected to NATS.
    pub(crate) async fn renew(
        &self,
        node: &NodeId,
        time: Duration,
        at: u64,
        connected: bool,
    ) -> Result<(), StorageError> {
        let renew = query(concat!(
            "INSERT INTO nodes (id, renewed, expires, connected) VALUES ($1, $3, ",
            now!(),
            " + $2, $4) ON CONFLICT (id) DO UPDATE SET renewed = excluded.renewed, \
             expires = excluded.expires, connected = excluded.connected"
        ));
        let renew = renew.bind(node.as_str()).bind(time.as_millis() as i64);
        let renew = renew.bind(to_i64(at)).bind(i64::from(connected));
        renew.execute(&mut self.connection().await?).await.map(drop)
    }

    /// Returns all leases, and the nodes that are alive. All nodes renew their leases for this time.
    pub(crate) async fn view(&self, time: Duration) -> Result<ClusterView, StorageError> {
        let mut connection = self.connection().await?;
        let now: i64 = query(concat!("SELECT ", now!())).fetch_one(&mut connection).await?;
        let nodes: Vec<(String, i64, i64)> =
            query("SELECT id, connected, expires FROM nodes WHERE expires > $1")
                .bind(now)
                .fetch_all(&mut connection)
                .await?;
        let leases: Vec<(i64, Option<String>, i64)> =
            query("SELECT shard, node, epoch FROM leases").fetch_all(&mut connection).await?;
        let leases = leases.into_iter().filter_map(|(shard, node, epoch)| {
            let node = node.map(NodeId::from);
            Some(StoredLease { shard: Shard::from_number(shard)?, node, epoch })
        });
        let nodes = nodes.into_iter().map(|(id, connected, expires)| {
            let renewed = expires - time.as_millis() as i64;
            (NodeId::from(id), StoredNode { connected: connected == 1, renewed })
        });
        Ok(ClusterView { now, nodes: nodes.collect(), leases: leases.collect() })
    }

    /// Takes up to `most` leases that nobody holds or whose node has not renewed them.
    ///
    /// A lease that a transaction with events has locked is left out: its node is alive.
    pub(crate) async fn claim(
        &self,
        node: &NodeId,
        most: usize,
    ) -> Result<Vec<ClaimedLease>, StorageError> {
        // If another node has just taken a lease, PostgreSQL checks the condition again with the new row
        // of the lease, but would keep the row of a joined table. So the node is looked up in a subquery,
        // which PostgreSQL does not turn into a join because of the clock.
        let claim = query(concat!(
            "WITH free AS ( \
                 SELECT shard, COALESCE(released, \
                     (SELECT renewed FROM nodes WHERE nodes.id = leases.node)) AS since \
                 FROM leases WHERE NOT EXISTS ( \
                     SELECT 1 FROM nodes WHERE nodes.id = leases.node AND nodes.expires >= ",
            now!(),
            ") ORDER BY shard LIMIT $2 FOR UPDATE OF leases SKIP LOCKED) \
             UPDATE leases SET node = $1, epoch = epoch + 1, released = free.since FROM free \
             WHERE leases.shard = free.shard \
             RETURNING leases.shard, leases.epoch, free.since"
        ));
        let mut connection = self.connection().await?;
        let rows: Vec<ClaimedRow> =
            claim.bind(node.as_str()).bind(most as i64).fetch_all(&mut connection).await?;
        delete_old_records(&mut connection).await?;
        Ok(claimed(rows))
    }

    /// Takes leases of this node again, with a new epoch.
    pub(crate) async fn claim_own(
        &self,
        node: &NodeId,
        shards: &BTreeSet<Shard>,
    ) -> Result<Vec<ClaimedLease>, StorageError> {
        let claim = query(concat!(
            lock_own!("$2"),
            "UPDATE leases SET epoch = epoch + 1, released = COALESCE(released, nodes.renewed) \
             FROM own, nodes WHERE leases.shard = own.shard AND nodes.id = $1 \
             RETURNING leases.shard, leases.epoch, leases.released",
        ));
        let claim = claim.bind(node.as_str()).bind(numbers(shards));
        Ok(claimed(claim.fetch_all(&mut self.connection().await?).await?))
    }

    /// Keeps the time since which the games of leases stand still, because a renewal would move it.
    pub(crate) async fn keep_release_times(
        &self,
        node: &NodeId,
        shards: &BTreeSet<Shard>,
    ) -> Result<(), StorageError> {
        let keep = query(concat!(
            lock_own!("$2"),
            "UPDATE leases SET released = nodes.renewed FROM own, nodes \
             WHERE leases.shard = own.shard AND nodes.id = $1 AND released IS NULL",
        ));
        let keep = keep.bind(node.as_str()).bind(numbers(shards));
        keep.execute(&mut self.connection().await?).await.map(drop)
    }

    /// Records that the games of claimed leases have resumed. Until then a lease that is claimed again
    /// remembers since when its games stand still.
    pub(crate) async fn confirm(
        &self,
        node: &NodeId,
        shards: &BTreeSet<Shard>,
    ) -> Result<(), StorageError> {
        let confirm = query(concat!(
            lock_own!("$2"),
            "UPDATE leases SET released = NULL FROM own WHERE leases.shard = own.shard"
        ));
        let confirm = confirm.bind(node.as_str()).bind(numbers(shards));
        confirm.execute(&mut self.connection().await?).await.map(drop)
    }

    /// Releases leases at a time of the node's clock, so that others can take them at once.
    pub(crate) async fn release(
        &self,
        node: &NodeId,
        shards: &BTreeSet<Shard>,
        at: u64,
    ) -> Result<(), StorageError> {
        let release = query(concat!(
            lock_own!("$2"),
            "UPDATE leases SET node = NULL, released = $3 FROM own WHERE leases.shard = own.shard"
        ));
        let release = release.bind(node.as_str()).bind(numbers(shards)).bind(to_i64(at));
        release.execute(&mut self.connection().await?).await.map(drop)
    }

    /// Releases all leases of a node that stops, at a time of its clock.
    pub(crate) async fn leave(&self, node: &NodeId, at: u64) -> Result<(), StorageError> {
        let mut connection = self.connection().await?;
        let release = query(concat!(
            lock_own!(),
            "UPDATE leases SET node = NULL, released = $2 FROM own WHERE leases.shard = own.shard"
        ));
        release.bind(node.as_str()).bind(to_i64(at)).execute(&mut connection).await?;
        let delete = query("DELETE FROM nodes WHERE id = $1").bind(node.as_str());
        delete.execute(&mut connection).await.map(drop)
    }

    /// Returns the sessions that ended after the record of a number: the numbers of the records, and
    /// whose sessions they were.
    pub(crate) async fn revocations(
        &self,
        after: i64,
    ) -> Result<Vec<(i64, PersonId)>, StorageError> {
        let rows: Vec<(i64, String)> =
            query("SELECT id, person FROM revocations WHERE id > $1 ORDER BY id")
                .bind(after)
                .fetch_all(&mut self.connection().await?)
                .await?;
        Ok(rows
            .into_iter()
            .filter_map(|(number, person)| Some((number, person.parse().ok()?)))
            .collect())
    }

    /// Closes the connections.
    pub(crate) async fn close(&self) {
        self.0.close().await;
    }
}

/// Deletes old records of ended sessions, and of nodes that are gone and hold no lease.
async fn delete_old_records(connection: &mut DatabaseConnection) -> Result<(), StorageError> {
    let statements = [
        concat!("DELETE FROM revocations WHERE at < ", now!(), " - $1"),
        concat!(
            "DELETE FROM nodes WHERE expires < ",
            now!(),
            " - $1 AND NOT EXISTS (SELECT 1 FROM leases WHERE leases.node = nodes.id)"
        ),
    ];
    execute_each(connection, &statements, RECORD_LIFETIME).await
}

/// Returns the numbers of shards as the value of `any_of`.
fn numbers(shards: &BTreeSet<Shard>) -> String {
    let numbers: Vec<String> = shards.iter().map(|shard| shard.number().to_string()).collect();
    numbers.join(",")
}

/// The shard, its new epoch, and since when its games stand still.
type ClaimedRow = (i64, i64, Option<i64>);

fn claimed(rows: Vec<ClaimedRow>) -> Vec<ClaimedLease> {
    let claimed = rows.into_iter().filter_map(|(shard, epoch, since)| {
        let fence = Fence { shard: Shard::from_number(shard)?, epoch };
        Some(ClaimedLease { fence, since: since.and_then(|since| u64::try_from(since).ok()) })
    });
    claimed.collect()
}

#[cfg(test)]
mod tests {
    use super::super::Store;
    use super::super::testing::TestDatabase;
    use super::LeaseStore;
    use crate::cluster::{LEASE_TIME, NodeId, Shard};
    use crate::testing::{self, uses_postgres};

    /// Returns the leases of a new database, if there is a server for tests.
    async fn leases() -> Option<(TestDatabase, LeaseStore)> {
        if !uses_postgres() {
            eprintln!("skipped: KHET_TEST_POSTGRES is not set");
            return None;
        }
        let (database, store) = TestDatabase::open_new().await;
        store.close().await;
        let leases = Store::leases(&database.location).await.unwrap().unwrap();
        Some((database, leases))
    }

    /// Registers a node at a time of its clock, and takes all leases that are free. Returns the times
    /// since which their games stand still.
    async fn take_all(leases: &LeaseStore, node: &NodeId, at: u64) -> Vec<Option<u64>> {
        leases.renew(node, LEASE_TIME, at, true).await.unwrap();
        let claimed = leases.claim(node, 1000).await.unwrap();
        claimed.into_iter().map(|lease| lease.since).collect()
    }

    #[tokio::test]
    async fn games_get_all_time_back_if_two_nodes_die_one_after_the_other() {
        let Some((database, leases)) = leases().await else { return };
        let kill_all = || testing::execute(&database.location, "UPDATE nodes SET expires = 0");
        let [first, second, third] = ["a", "b", "c"].map(NodeId::start);
        let count = usize::from(Shard::COUNT);
        let all = (0..i64::from(Shard::COUNT)).filter_map(Shard::from_number).collect();
        assert_eq!(take_all(&leases, &first, 1000).await, vec![None; count]);
        leases.confirm(&first, &all).await.unwrap();
        kill_all();
        assert_eq!(take_all(&leases, &second, 5000).await, vec![Some(1000); count]);
        // It dies before the games have resumed.
        kill_all();
        assert_eq!(take_all(&leases, &third, 9000).await, vec![Some(1000); count]);
        leases.confirm(&third, &all).await.unwrap();
        assert!(take_all(&leases, &first, 9500).await.is_empty(), "the third node is alive");
        leases.close().await;
    }

    #[tokio::test]
    async fn leases_are_taken_again_and_released() {
        let Some((_database, leases)) = leases().await else { return };
        let node = NodeId::start("a");
        let count = usize::from(Shard::COUNT);
        assert_eq!(take_all(&leases, &node, 1000).await.len(), count);
        let some = [1, 2, 3].into_iter().filter_map(Shard::from_number).collect();
        leases.confirm(&node, &some).await.unwrap();
        let claimed = leases.claim_own(&node, &some).await.unwrap();
        let claimed: Vec<_> =
            claimed.iter().map(|lease| (lease.fence.shard.number(), lease.since)).collect();
        assert_eq!(claimed, [(1, Some(1000)), (2, Some(1000)), (3, Some(1000))]);
        // Their games stand still since 1000, also if the node renews before it takes them again.
        leases.confirm(&node, &some).await.unwrap();
        leases.keep_release_times(&node, &some).await.unwrap();
        leases.renew(&node, LEASE_TIME, 1500, true).await.unwrap();
        let claimed = leases.claim_own(&node, &some).await.unwrap();
        assert!(claimed.iter().all(|lease| lease.since == Some(1000)), "{claimed:?}");
        leases.release(&node, &some, 2000).await.unwrap();
        assert_eq!(take_all(&leases, &node, 3000).await, [Some(2000); 3]);
        leases.leave(&node, 4000).await.unwrap();
        assert_eq!(take_all(&leases, &node, 5000).await, vec![Some(4000); count]);
        leases.close().await;
    }
}
