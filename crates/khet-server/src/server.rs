//! The server from its start to its stop.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use khet_protocol::{ApiError, PersonName};
use tokio::net::TcpSocket;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::assets::Assets;
use crate::config::Config;
use crate::connections;
use crate::explorer;
use crate::people::tokens;
use crate::reviews;
use crate::server_state::ServerState;
use crate::storage::{DatabaseLock, StorageError, Store};

/// How often the server notes that it is alive. After a crash at most this much of a clock is lost to a player.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// How long sockets may take to say goodbye.
const PATIENCE: Duration = Duration::from_secs(3);
/// Challenges that nobody accepts are forgotten after so many milliseconds: two weeks.
const FORGOTTEN: u64 = 14 * 24 * 60 * 60 * 1000;

/// How many connections the system lets wait.
const BACKLOG: u32 = 1024;
/// Sessions end after so many milliseconds, as their cookies do: a year.
const SESSION: u64 = 365 * 24 * 60 * 60 * 1000;

/// Why the server could not start.
#[derive(Debug)]
pub enum Failure {
    /// The address can't be had, or the system has no threads to give.
    Network(io::Error),
    /// The database can't be opened, or holds what can't be read.
    Storage(StorageError),
    /// A program of the house can't play.
    House(ApiError),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Network(error) => error.fmt(f),
            Failure::Storage(error) => error.fmt(f),
            Failure::House(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Failure {}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Failure {
        Failure::Storage(error)
    }
}

/// A server that runs.
pub struct Server {
    address: SocketAddr,
    app: ServerState,
    serving: JoinHandle<()>,
    beating: JoinHandle<()>,
    counting: JoinHandle<()>,
    reviewing: JoinHandle<()>,
    /// Ends when the last socket is closed.
    sockets: mpsc::Receiver<()>,
    house: Vec<(PersonName, String)>,
    /// Held as long as the database is this server's.
    _lock: DatabaseLock,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Tokens do not belong in logs.
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Server {
    /// Starts a server. When this returns, every unfinished game is live again, and the port is open.
    ///
    /// # Errors
    ///
    /// If the database can't be opened or the address can't be had.
    pub async fn start(config: Config, assets: Assets) -> Result<Server, Failure> {
        // Whoever can't have the port or the database leaves both alone.
        let port = reserve(config.address).map_err(Failure::Network)?;
        let lock = DatabaseLock::acquire(&config.database)?;
        let store = Store::open(&config.database).await?;
        let (socket, sockets) = mpsc::channel(1);
        let app = ServerState::new(config, assets, store, socket.downgrade());
        let alive = app.store.last_heartbeat().await?;
        let now = app.time.now();
        let away = alive.map_or(0, |alive| now.saturating_sub(alive));
        let games = app.games.revive(&app, away).await?;
        app.store.delete_old_challenges(now.saturating_sub(FORGOTTEN)).await?;
        app.store.delete_old_sessions(now.saturating_sub(SESSION)).await?;
        app.store.reset_house_bots().await?;
        app.lobby.fill(&app).await?;
        let mut house = Vec::new();
        for name in app.config.house_bots.clone() {
            let token = tokens::house(&app, &name).await.map_err(Failure::House)?;
            house.push((name, token));
        }
        app.store.set_heartbeat(app.time.now()).await?;
        let listener = port.listen(BACKLOG).map_err(Failure::Network)?;
        let address = listener.local_addr().map_err(Failure::Network)?;
        tracing::info!(%address, games, away, "started");
        let beating = tokio::spawn(beat(app.clone()));
        let counting = tokio::spawn(explorer::run(app.clone()));
        let reviewing = tokio::spawn(reviews::work(app.clone()));
        let serving_app = app.clone();
        let serving = tokio::spawn(async move {
            // Sockets come from connections: the way to more of them ends with these.
            let _socket = socket;
            connections::serve(listener, serving_app).await;
        });
        Ok(Server {
            address,
            app,
            serving,
            beating,
            counting,
            reviewing,
            sockets,
            house,
            _lock: lock,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The programs of the house, with the tokens by which they play until the next start.
    pub fn house(&self) -> &[(PersonName, String)] {
        &self.house
    }

    /// Stops: no new connections, goodbye to clients, everything that was begun written to disk.
    pub async fn stop(mut self) {
        let app = self.app;
        app.stopping.send_replace(true);
        // From here on nobody can make a move, so no clock may run.
        self.beating.abort();
        // What is not counted yet will be after the next start.
        self.counting.abort();
        app.reviews.stop();
        self.reviewing.abort();
        app.games.stop().await;
        if let Err(error) = app.store.set_heartbeat(app.time.now()).await {
            tracing::error!(%error, "clocks will not be credited for all of the time");
        }
        let _ = self.serving.await;
        let closed = async { while self.sockets.recv().await.is_some() {} };
        if tokio::time::timeout(PATIENCE, closed).await.is_err() {
            tracing::warn!("some sockets did not close");
        }
        app.store.close().await;
        tracing::info!("stopped");
    }
}

/// A socket at an address, on which nobody is heard yet.
fn reserve(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // Behind a server that has just ended, as listeners usually do.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// Notes again and again that the server is alive, as long as someone plays.
async fn beat(app: ServerState) {
    loop {
        tokio::time::sleep(HEARTBEAT).await;
        if app.games.are_played()
            && let Err(error) = app.store.set_heartbeat(app.time.now()).await
        {
            tracing::error!(%error, "no heartbeat");
        }
    }
}

/// Serves the embedded app until the program is asked to stop, by Ctrl-C or by its system.
///
/// `started` is told the server, whose port was chosen by the system if 0 was asked for.
///
/// # Errors
///
/// If the server can't start.
pub fn run(config: Config, started: impl FnOnce(&Server)) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(Failure::Network)?;
    runtime.block_on(async {
        let server = Server::start(config, Assets::embedded()).await?;
        started(&server);
        asked_to_stop().await;
        server.stop().await;
        Ok(())
    })
}

async fn asked_to_stop() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            // Without the signal there is nothing to wait for.
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
