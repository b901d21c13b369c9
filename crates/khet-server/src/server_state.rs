//! The state that all handlers share.

use std::ops::Deref;
use std::sync::Arc;

use khet_protocol::PersonId;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::{mpsc, watch};

use crate::assets::Assets;
use crate::cluster::{self, Cluster, Shard};
use crate::config::Config;
use crate::connections::ConnectionLimiter;
use crate::explorer::Explorer;
use crate::games::Games;
use crate::lobby::Lobby;
use crate::metrics;
use crate::notices::{Notice, Notices};
use crate::people::Passwords;
use crate::pictures::Pictures;
use crate::puzzles::PuzzleRatings;
use crate::rate_limits::RateLimits;
use crate::reviews::Reviews;
use crate::session_revocation::SessionRevocations;
use crate::storage::Store;
use crate::time::Time;
use crate::watch::Watch;

/// Handle of the shared state. Cloning it is cheap.
#[derive(Clone)]
pub(crate) struct ServerState(Arc<SharedState>);

/// The shared state itself.
pub(crate) struct SharedState {
    pub(crate) config: Config,
    /// The files of the web app.
    pub(crate) assets: Assets,
    pub(crate) store: Store,
    /// The other nodes, if the database is one that several nodes can use.
    pub(crate) cluster: Option<Cluster>,
    pub(crate) time: Time,
    pub(crate) games: Games,
    pub(crate) explorer: Explorer,
    pub(crate) reviews: Reviews,
    /// Open challenges and seeks.
    pub(crate) lobby: Lobby,
    /// Notifications to people, on all their connections.
    pub(crate) notices: Notices,
    pub(crate) rate_limits: RateLimits,
    /// Hashes passwords.
    pub(crate) passwords: Passwords,
    /// Announces people whose sessions were revoked.
    pub(crate) session_revocations: SessionRevocations,
    /// The list of games to watch.
    pub(crate) watch: Watch,
    /// The ratings of puzzles, for choosing the next one.
    pub(crate) puzzle_ratings: PuzzleRatings,
    /// Link preview images.
    pub(crate) pictures: Pictures,
    /// Renders the metrics for `/metrics`.
    pub(crate) metrics: PrometheusHandle,
    /// Becomes true when the server has to stop.
    pub(crate) stopping: watch::Sender<bool>,
    /// Every WebSocket holds a sender; when all are dropped, all sockets are closed.
    pub(crate) sockets: mpsc::WeakSender<()>,
    /// Number of WebSockets and streams per visitor.
    pub(crate) open_visits: ConnectionLimiter,
    /// Number of searches per visitor that are in progress.
    pub(crate) open_searches: ConnectionLimiter,
}

impl Deref for ServerState {
    type Target = SharedState;

    fn deref(&self) -> &SharedState {
        &self.0
    }
}

impl ServerState {
    pub(crate) fn new(
        config: Config,
        assets: Assets,
        store: Store,
        cluster: Option<Cluster>,
        sockets: mpsc::WeakSender<()>,
    ) -> ServerState {
        let time = config.time.clone();
        ServerState(Arc::new(SharedState {
            games: Games::new(store.clone(), time.clone()),
            explorer: Explorer::default(),
            reviews: Reviews::default(),
            lobby: Lobby::default(),
            open_visits: ConnectionLimiter::default(),
            open_searches: ConnectionLimiter::default(),
            notices: Notices::default(),
            rate_limits: RateLimits::new(&config.limits),
            passwords: Passwords::default(),
            session_revocations: SessionRevocations::default(),
            watch: Watch::default(),
            puzzle_ratings: PuzzleRatings::default(),
            pictures: Pictures::default(),
            metrics: metrics::recorder(),
            stopping: watch::Sender::new(false),
            sockets,
            config,
            assets,
            store,
            cluster,
            time,
        }))
    }

    /// Sends a notice to all connections of a person.
    pub(crate) fn notify(&self, person: PersonId, notice: Notice) {
        self.notices.notify(person, notice);
        cluster::announce_notice(self, person, notice);
    }

    /// Returns whether this node runs the tasks of which there is one in the cluster.
    pub(crate) fn runs_background_tasks(&self) -> bool {
        self.cluster.as_ref().is_none_or(|cluster| cluster.owns(Shard::BACKGROUND))
    }

    /// Returns whether this node pairs the seeks of all nodes.
    pub(crate) fn pairs_seeks(&self) -> bool {
        self.cluster.as_ref().is_none_or(|cluster| cluster.owns(Shard::LOBBY))
    }

    /// Returns whether the server is stopping.
    pub(crate) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }
}

/// Waits until the server has to stop.
pub(crate) async fn stop_requested(stopping: &mut watch::Receiver<bool>) {
    // An error means that the sender and with it the server are gone.
    let _ = stopping.wait_for(|stop| *stop).await;
}
