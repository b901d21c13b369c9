//! Closes connections whose session or token was ended at another node.
//!
//! The database records each ended session (a trigger of the tables `sessions` and `tokens`), so
//! that none is missed, whatever NATS loses.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::server_state::ServerState;

/// Interval of readings: how long a connection may outlive its session at most.
const INTERVAL: Duration = Duration::from_secs(2);
/// Number of the latest records that are read again, because transactions may commit in another order
/// than that of their numbers.
const OVERLAP: i64 = 1000;

/// Runs until the server stops.
pub(super) async fn run(server: ServerState) {
    let Some(cluster) = &server.cluster else { return };
    let mut seen: Option<BTreeSet<i64>> = None;
    loop {
        let last = seen.as_ref().and_then(|seen| seen.last().copied()).unwrap_or(0);
        match cluster.leases.revocations(last.saturating_sub(OVERLAP)).await {
            Ok(rows) => {
                // Sessions that ended before this node started have no connection here.
                let is_first = seen.is_none();
                let known = seen.get_or_insert_default();
                for (number, person) in rows {
                    if known.insert(number) && !is_first {
                        server.session_revocations.announce(person);
                    }
                }
                while known.len() as i64 > 2 * OVERLAP {
                    known.pop_first();
                }
            }
            Err(error) => tracing::warn!(%error, "could not read the ended sessions"),
        }
        tokio::time::sleep(INTERVAL).await;
    }
}
