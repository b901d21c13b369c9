//! Start and stop of the server.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use khet_protocol::{ApiError, PersonName};
use tokio::net::TcpSocket;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::assets::Assets;
use crate::backups;
use crate::cluster::{self, Cluster, JoinError};
use crate::config::Config;
use crate::connections;
use crate::explorer;
use crate::people::{SESSION_LIFETIME, tokens};
use crate::reviews;
use crate::router;
use crate::server_state::ServerState;
use crate::storage::{DatabaseLock, DatabaseUse, StorageError, Store};

/// Interval of heartbeats. After a crash a player loses at most this much time on the clock.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);
/// Longest time for WebSockets to close when the server stops.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(3);
/// Age at which open challenges are deleted, in milliseconds: two weeks.
const CHALLENGE_LIFETIME: u64 = 14 * 24 * 60 * 60 * 1000;

/// Interval at which expired challenges and sessions are deleted, in milliseconds: one hour.
const CLEANUP_INTERVAL: u64 = 60 * 60 * 1000;

/// Length of the operating system's queue of new connections.
const LISTEN_BACKLOG: u32 = 1024;

/// Reason why the server could not start, or had to stop.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is not available, or the system can't start threads.
    #[error(transparent)]
    Network(io::Error),
    /// The address of the metrics is not available.
    #[error("the address of the metrics: {0}")]
    Metrics(io::Error),
    /// The database can't be opened or is corrupt.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The account of a house bot can't be used.
    #[error("{0}")]
    HouseBot(ApiError),
    /// The other nodes can't be joined.
    #[error(transparent)]
    Cluster(#[from] JoinError),
    /// The task that writes to the database has ended by a failure. A restart helps.
    #[error("the server stopped because its storage has failed")]
    WriterFailed,
}

/// A running server.
pub struct Server {
    address: SocketAddr,
    metrics_address: Option<SocketAddr>,
    state: ServerState,
    serving: JoinHandle<()>,
    serving_metrics: JoinHandle<()>,
    backup_task: JoinHandle<()>,
    heartbeat: JoinHandle<()>,
    cleanup: JoinHandle<()>,
    explorer_task: JoinHandle<()>,
    review_task: JoinHandle<()>,
    /// Ends when the last WebSocket is closed.
    sockets: mpsc::Receiver<()>,
    house_bots: Vec<(PersonName, String)>,
    /// Held while the server uses a database file.
    _lock: Option<DatabaseLock>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Tokens must not get into logs.
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Server {
    /// Starts a server. When this returns, all games in progress have resumed, and the port is
    /// open.
    ///
    /// # Errors
    ///
    /// If the database can't be opened or the address is not available.
    pub async fn start(config: Config, assets: Assets) -> Result<Server, StartError> {
        // Binds the port and locks the database before touching either.
        let port = bind(config.address).map_err(StartError::Network)?;
        let metrics_port =
            config.metrics_listen.map(bind).transpose().map_err(StartError::Metrics)?;
        let lock = config.database.file().map(DatabaseLock::acquire).transpose()?;
        backups::check_options(&config)?;
        let (database, faults) = (&config.database, config.faults.clone());
        let store = Store::open_with(database, DatabaseUse::Shared, faults).await?;
        let (socket, sockets) = mpsc::channel(1);
        let cluster = match Store::leases(&config.database).await? {
            Some(leases) => {
                Some(Cluster::new(leases, &config.node, &config.nats, config.time.clone()).await?)
            }
            None => None,
        };
        let state = ServerState::new(config, assets, store, cluster, socket.downgrade());
        let alive = state.store.last_heartbeat().await?;
        delete_expired(&state).await?;
        if state.cluster.is_none() {
            state.store.reset_house_bots(None).await?;
        } else {
            // Others may run at another node.
            for name in &state.config.house_bots {
                state.store.reset_house_bots(Some(name)).await?;
            }
        }
        grant_moderators(&state).await?;
        state.lobby.fill(&state).await?;
        let mut house_bots = Vec::new();
        for name in state.config.house_bots.clone() {
            let token =
                tokens::create_house_bot(&state, &name).await.map_err(StartError::HouseBot)?;
            house_bots.push((name, token));
        }
        // Last, because the clocks of games run from here on.
        let games = if state.cluster.is_some() {
            cluster::join(&state).await?;
            state.games.count_in_progress()
        } else {
            state.games.resume_all(&state, alive).await?
        };
        state.store.set_heartbeat(state.time.now()).await?;
        let listener = port.listen(LISTEN_BACKLOG).map_err(StartError::Network)?;
        let address = listener.local_addr().map_err(StartError::Network)?;
        let (metrics_address, serving_metrics) =
            serve_metrics(&state, metrics_port).map_err(StartError::Metrics)?;
        tracing::info!(%address, games, "started");
        let heartbeat = tokio::spawn(run_heartbeat(state.clone()));
        let cleanup = tokio::spawn(run_cleanup(state.clone()));
        let explorer_task = tokio::spawn(explorer::run(state.clone()));
        let review_task = tokio::spawn(reviews::run(state.clone()));
        let backup_task = tokio::spawn(backups::run(state.clone()));
        let serving_app = state.clone();
        let serving = tokio::spawn(async move {
            // WebSockets come from connections, so no new ones can appear after these have ended.
            let _socket = socket;
            let router = router::router(&serving_app);
            connections::serve(listener, serving_app, router).await;
        });
        Ok(Server {
            address,
            metrics_address,
            state,
            serving,
            serving_metrics,
            backup_task,
            heartbeat,
            cleanup,
            explorer_task,
            review_task,
            sockets,
            house_bots,
            _lock: lock,
        })
    }

    /// Returns the address that the server is bound to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address of the metrics, if they have one of their own.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.metrics_address
    }

    /// Makes an account a moderator. `false` if no account has this name.
    ///
    /// # Errors
    ///
    /// If the database can't be written.
    pub async fn add_moderator(&self, name: &PersonName) -> Result<bool, StorageError> {
        self.state.store.add_moderator(name.clone()).await
    }

    /// Returns the house bots, with tokens that are valid until the next start.
    pub fn house_bots(&self) -> &[(PersonName, String)] {
        &self.house_bots
    }

    /// Stops the server: closes the listener and all connections, and commits pending writes.
    pub async fn stop(mut self) {
        let state = self.state;
        state.stopping.send_replace(true);
        // From here on no player can move, so the clocks stop: the next start credits the time
        // since the last heartbeat.
        self.heartbeat.abort();
        self.cleanup.abort();
        // Games that are not counted yet are counted after the next start.
        self.explorer_task.abort();
        self.backup_task.abort();
        state.reviews.stop();
        self.review_task.abort();
        state.games.stop().await;
        cluster::leave(&state).await;
        if state.cluster.is_none()
            && let Err(error) = state.store.set_heartbeat(state.time.now()).await
        {
            tracing::error!(
                %error,
                "could not store the last heartbeat; clocks get too much credit"
            );
        }
        let _ = self.serving.await;
        let _ = self.serving_metrics.await;
        let closed = async { while self.sockets.recv().await.is_some() {} };
        if tokio::time::timeout(CLOSE_TIMEOUT, closed).await.is_err() {
            tracing::warn!("some WebSockets did not close in time");
        }
        state.store.close().await;
        tracing::info!("stopped");
    }
}

/// Binds a socket to an address without listening yet.
fn bind(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // Allows a restart while old connections are in TIME_WAIT, as `TcpListener::bind` does.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// Serves the metrics at an address of their own, if there is one.
fn serve_metrics(
    state: &ServerState,
    port: Option<TcpSocket>,
) -> io::Result<(Option<SocketAddr>, JoinHandle<()>)> {
    let Some(port) = port else { return Ok((None, tokio::spawn(async {}))) };
    let listener = port.listen(LISTEN_BACKLOG)?;
    let address = listener.local_addr()?;
    let router = router::metrics_router(state);
    let serving = tokio::spawn(connections::serve(listener, state.clone(), router));
    Ok((Some(address), serving))
}

/// Grants the role of a moderator to the accounts of the deprecated option. A name without an
/// account is skipped, because anyone could sign up with it later.
async fn grant_moderators(state: &ServerState) -> Result<(), StorageError> {
    for name in state.config.moderators.clone() {
        tracing::warn!(%name, "--moderator is deprecated; use `khet moderator add {name}` once");
        if !state.store.add_moderator(name.clone()).await? {
            tracing::error!(%name, "there is no such account, so it does not become a moderator");
        }
    }
    Ok(())
}

/// Stores heartbeats while games are in progress, and maintains the metrics.
async fn run_heartbeat(state: ServerState) {
    loop {
        tokio::time::sleep(HEARTBEAT_INTERVAL).await;
        // Otherwise the values of histograms pile up in memory until somebody reads the metrics.
        state.metrics.run_upkeep();
        if state.cluster.is_none()
            && state.games.any_in_progress()
            // Without heartbeats the next start credits the time of the failure.
            && state.store.write_health().failure().is_none()
            && let Err(error) = state.store.set_heartbeat(state.time.now()).await
        {
            tracing::error!(%error, "could not store the heartbeat");
        }
    }
}

/// Deletes expired challenges and sessions while the server runs.
async fn run_cleanup(state: ServerState) {
    let mut next = state.time.now();
    loop {
        next += CLEANUP_INTERVAL;
        state.time.sleep_until(Some(next)).await;
        if !state.runs_background_tasks() {
            continue;
        }
        if let Err(error) = delete_expired(&state).await {
            tracing::warn!(%error, "could not delete expired challenges and sessions");
        }
    }
}

/// Deletes challenges and sessions that are too old.
async fn delete_expired(state: &ServerState) -> Result<(), StorageError> {
    let now = state.time.now();
    let before = now.saturating_sub(CHALLENGE_LIFETIME);
    state.store.delete_old_challenges(before).await?;
    state.lobby.remove_old_challenges(before);
    state.store.delete_old_sessions(now.saturating_sub(SESSION_LIFETIME)).await
}

/// Serves the embedded app until the process gets Ctrl-C or SIGTERM.
///
/// `started` gets the running server, for example to print its port.
///
/// # Errors
///
/// If the server can't start, or has to be restarted because nothing can be stored any more.
pub fn run(config: Config, started: impl FnOnce(&Server)) -> Result<(), StartError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(StartError::Network)?;
    runtime.block_on(async {
        let server = Server::start(config, Assets::embedded()).await?;
        started(&server);
        let result = tokio::select! {
            () = stop_signal() => Ok(()),
            () = server.state.store.writer_failed() => Err(StartError::WriterFailed),
        };
        server.stop().await;
        result
    })
}

/// Waits for Ctrl-C or SIGTERM.
async fn stop_signal() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            // Without signal handling, wait forever.
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        () = interrupted => {}
        () = terminated => {}
    }
}
