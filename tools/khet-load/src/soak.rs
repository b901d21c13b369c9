//! A soak: players and readers use a server while it is killed, cannot write to its disk, and loses
//! its connections. At the end everything that it acknowledged or showed is compared with a model.
//!
//! | module | content |
//! |---|---|
//! | `server_process` | the server: kill, restart, full disk |
//! | `outages` | when the server could not accept moves |
//! | `soak_run` | the journals, counts and faults that all clients share |
//! | `pair`, `soak_player` | people who play |
//! | `readers` | people who read, search and watch |
//! | `journal`, `clock_model` | the model of a game and of its clock |
//! | `move_waits` | how long players of a cluster waited |
//! | `comparison` | the comparison at the end |
//! | `command_line` | arguments and report |
//!
//! The test of a cluster, `cluster_test`, uses the same players and the same model.

mod clock_model;
mod command_line;
pub(crate) mod comparison;
pub(crate) mod journal;
pub(crate) mod move_waits;
pub(crate) mod outages;
pub(crate) mod pair;
pub(crate) mod readers;
mod server_process;
mod soak_player;
pub(crate) mod soak_run;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use khet_protocol::PersonName;
use serde::Serialize;
use tokio::sync::Mutex;
use tokio::task::JoinSet;

pub use self::command_line::soak_main;
use self::comparison::{ComparedServer, Comparison};
use self::outages::{DiskFill, OutageLog, now};
use self::server_process::ServerProcess;
use self::soak_run::{ClientPatience, SoakRun};
use crate::{Guest, request};

/// One of this number of kills hits the next process, too, while it starts.
const KILL_AT_START_EVERY: u32 = 12;
/// Longest time after a start until it is killed, in milliseconds.
const START_KILL_DELAY: u64 = 150;
/// The interval of progress lines.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(5);
/// Number of concurrent readers, and of spectators.
const READERS: u64 = 4;
/// One of this number of pairs plays rated games.
const RATED_EVERY: usize = 4;
/// The time after which clients try again.
const PATIENCE: ClientPatience = ClientPatience {
    request: Duration::from_secs(25),
    opening: Duration::from_secs(20),
    silence: Duration::from_secs(8),
};
/// Longest time until the server is ready after a full disk.
const MAX_RECOVERY_TIME: Duration = Duration::from_secs(20);
/// Time of a full disk, in milliseconds.
const FILL_TIME: std::ops::Range<u64> = 1000..5000;

/// The options of a soak.
#[derive(Clone, Debug)]
pub struct SoakOptions {
    /// The program `khet`.
    pub binary: PathBuf,
    /// The folder of the database and the log.
    pub folder: PathBuf,
    /// The duration without the comparison at the end.
    pub duration: Duration,
    /// The mean time between two kills.
    pub kill_every: Duration,
    /// The mean time between two full disks.
    pub fill_every: Duration,
    /// The number of simultaneous games.
    pub games: usize,
    /// The seed of all random decisions.
    pub seed: u64,
}

/// The result of a soak.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SoakReport {
    /// The seed of all random decisions.
    pub seed: u64,
    /// The duration, with the comparison at the end.
    pub seconds: f64,
    /// Processes that were killed with SIGKILL.
    pub kills: u32,
    /// Times in which the disk was full.
    pub disk_fills: usize,
    /// Times of a full disk that the server reported.
    pub disk_fills_noticed: usize,
    /// Connections that clients cut.
    pub sockets_cut: u64,
    /// Requests of readers, and games that were watched.
    pub reads: u64,
    /// Actions and requests that were refused during an outage.
    pub refused: u64,
    /// Games that were started.
    pub games: usize,
    /// Games that ended.
    pub games_finished: u64,
    /// Acknowledged moves that were compared.
    pub moves_compared: u64,
    /// Events that were shown and compared.
    pub events_compared: u64,
    /// Times after moves that were compared with the model.
    pub clocks_compared: u64,
    /// Credits that were compared with the outages.
    pub credits_compared: u64,
    /// Changes of ratings that were compared.
    pub ratings_compared: u64,
    /// Games that `khet verify` replayed.
    pub games_verified: u64,
    /// Peak of the last process's resident memory, in megabytes.
    pub peak_memory: f64,
    /// Number of faults.
    pub fault_count: u64,
    /// The first faults.
    pub faults: Vec<String>,
}

/// Runs a soak.
///
/// # Errors
///
/// If the server can't be started.
pub async fn soak(options: &SoakOptions) -> io::Result<SoakReport> {
    let began = Instant::now();
    let mut rng = fastrand::Rng::with_seed(options.seed);
    let server = ServerProcess::start(&options.binary, &options.folder).await?;
    let address = server.address();
    let rated_pairs = options.games.div_ceil(RATED_EVERY);
    let mut accounts = Vec::new();
    let mut names = Vec::new();
    for number in 0..2 * rated_pairs {
        let (guest, name) = sign_up(address, number).await?;
        accounts.push(guest);
        names.push(name);
    }
    let run = Arc::new(SoakRun::new(vec![address], names, PATIENCE));
    let mut clients = JoinSet::new();
    for _ in 0..options.games {
        let (people, rated) = match (accounts.pop(), accounts.pop()) {
            (Some(one), Some(other)) => ([one, other], true),
            _ => ([Guest::enter(address).await?.0, Guest::enter(address).await?.0], false),
        };
        clients.spawn(pair::play_games(Arc::clone(&run), people, rated, rng.u64(..)));
    }
    for _ in 0..READERS {
        clients.spawn(readers::read_pages(Arc::clone(&run), rng.u64(..)));
        clients.spawn(readers::watch_games(Arc::clone(&run), rng.u64(..)));
    }
    let chaos = Chaos {
        options: options.clone(),
        run: Arc::clone(&run),
        server: Mutex::new(server),
        outages: Mutex::default(),
    };
    let end = async {
        tokio::time::sleep(options.duration).await;
        run.stop();
    };
    // Whatever is under way, such as a restart, is finished.
    tokio::join!(
        chaos.kill_repeatedly(rng.u64(..)),
        chaos.fill_repeatedly(rng.u64(..)),
        chaos.print_progress(began),
        run.unless_stopped(end),
    );
    clients.shutdown().await;
    let Chaos { server, outages, .. } = chaos;
    finish(options, &run, server.into_inner(), outages.into_inner(), began).await
}

/// Kills the server once more, and compares everything.
async fn finish(
    options: &SoakOptions,
    run: &SoakRun,
    mut server: ServerProcess,
    mut outages: OutageLog,
    began: Instant,
) -> io::Result<SoakReport> {
    eprintln!("comparing {} games", run.game_count());
    let mut comparison = Comparison::default();
    match server.kill_and_restart(None).await {
        Ok(restart) => {
            outages.restarts.push(restart);
            let address = server.address();
            let server = ComparedServer { address, outages: outages.clone(), database: None };
            comparison = Comparison::compare(run, server).await;
        }
        Err(error) => run.fault(format!("the last start: {error}")),
    }
    let (kills, memory) = (server.kills, server.peak_memory());
    if let Err(error) = server.stop().await {
        run.fault(format!("the stop at the end: {error}"));
    }
    let games_verified =
        comparison::verify(&options.binary, server_process::database(&options.folder), run).await;
    let (fault_count, faults) = run.faults();
    let Comparison { games, totals, ratings, .. } = comparison;
    Ok(SoakReport {
        seed: options.seed,
        seconds: began.elapsed().as_secs_f64(),
        kills,
        disk_fills: outages.fills.len(),
        disk_fills_noticed: outages.fills.iter().filter(|fill| fill.noticed.is_some()).count(),
        sockets_cut: run.counts.cuts.load(Ordering::Relaxed),
        reads: run.counts.reads.load(Ordering::Relaxed),
        refused: run.counts.unavailable.load(Ordering::Relaxed),
        games,
        games_finished: run.counts.finished.load(Ordering::Relaxed) / 2,
        moves_compared: totals.moves,
        events_compared: totals.events,
        clocks_compared: totals.clocks,
        credits_compared: totals.credits,
        ratings_compared: ratings,
        games_verified,
        peak_memory: memory.unwrap_or(f64::NAN),
        fault_count,
        faults,
    })
}

/// Creates an account.
pub(crate) async fn sign_up(
    server: std::net::SocketAddr,
    number: usize,
) -> io::Result<(Guest, PersonName)> {
    // Letters that do not look alike.
    let letter = |number: usize| char::from(b"abcdefgh"[number % 8]);
    let text = format!("Player-{}{}{}", letter(number / 64), letter(number / 8), letter(number));
    let name: PersonName = text.parse().map_err(io::Error::other)?;
    let mut guest = Guest::without_session(server);
    let body = format!(r#"{{"name": "{name}", "password": "a long password {number}"}}"#);
    let response = guest.post("/api/sign-up", &body).await?;
    if response.status == 201 {
        return Ok((guest, name));
    }
    Err(io::Error::other(format!("sign-up of {name}: {}", response.body)))
}

/// Causes the outages.
struct Chaos {
    options: SoakOptions,
    run: Arc<SoakRun>,
    server: Mutex<ServerProcess>,
    outages: Mutex<OutageLog>,
}

impl Chaos {
    /// Kills the server at random times, and looks at a game after each restart. Returns if the
    /// server does not start any more.
    async fn kill_repeatedly(&self, seed: u64) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut next = Instant::now();
        loop {
            next += exponential(self.options.kill_every, &mut rng);
            if self.run.unless_stopped(tokio::time::sleep_until(next.into())).await.is_none() {
                return;
            }
            let at_start = rng.u32(..KILL_AT_START_EVERY) == 0;
            let again = at_start.then(|| Duration::from_millis(rng.u64(..START_KILL_DELAY)));
            let known = self.run.recent_game(&mut rng);
            let known = known.and_then(|game| Some((game, self.run.snapshot(game)?)));
            let mut server = self.server.lock().await;
            match server.kill_and_restart(again).await {
                Ok(restart) => self.outages.lock().await.restarts.push(restart),
                Err(error) => {
                    self.run.fault(format!("the server does not run any more: {error}"));
                    return self.run.stop();
                }
            }
            let address = server.address();
            drop(server);
            if let Some((game, (cookie, journal))) = known
                && let Ok(stored) = comparison::fetch(address, &cookie, game).await
            {
                for fault in journal.missing(&stored) {
                    self.run.fault(format!("game {game}, after a kill: {fault}"));
                }
            }
        }
    }

    /// Fills the disk at random times.
    async fn fill_repeatedly(&self, seed: u64) {
        let mut rng = fastrand::Rng::with_seed(seed);
        loop {
            let pause = tokio::time::sleep(exponential(self.options.fill_every, &mut rng));
            if self.run.unless_stopped(pause).await.is_none() {
                return;
            }
            let is_total = rng.u8(..3) > 0;
            let time = Duration::from_millis(rng.u64(FILL_TIME));
            // The WAL file has some megabytes, and the database more and more.
            let limit = if is_total { 0 } else { rng.u64(..4 << 20) };
            if let Err(error) = self.fill(limit, time).await {
                self.run.fault(format!("the disk could not be filled: {error}"));
            }
        }
    }

    /// Limits the size of files for some time, or until the server is killed.
    async fn fill(&self, limit: u64, time: Duration) -> io::Result<()> {
        let server = self.server.lock().await;
        let filled = now();
        server.limit_file_size(Some(limit))?;
        drop(server);
        self.outages.lock().await.fills.push(DiskFill {
            filled,
            noticed: None,
            lifted: u64::MAX,
            is_total: limit == 0,
        });
        let until = Instant::now() + time;
        let mut noticed = None;
        while Instant::now() < until {
            let ready = request(self.run.nodes[0], "GET", "/readyz", "", "");
            let ready = tokio::time::timeout(Duration::from_secs(1), ready).await;
            if noticed.is_none() && matches!(ready, Ok(Ok(response)) if response.status == 503) {
                noticed = Some(now());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let server = self.server.lock().await;
        server.limit_file_size(None)?;
        let mut outages = self.outages.lock().await;
        let killed = outages.restarts.iter().find(|restart| restart.killed >= filled);
        let lifted = killed.map_or_else(now, |restart| restart.killed);
        if let Some(fill) = outages.fills.last_mut() {
            (fill.lifted, fill.noticed) = (lifted, noticed.filter(|noticed| *noticed <= lifted));
        }
        drop((server, outages));
        self.check_recovery().await;
        Ok(())
    }

    /// Checks that the server is ready again soon after the disk has space.
    async fn check_recovery(&self) {
        let until = Instant::now() + MAX_RECOVERY_TIME;
        while Instant::now() < until {
            let ready = request(self.run.nodes[0], "GET", "/readyz", "", "");
            let ready = tokio::time::timeout(Duration::from_secs(1), ready).await;
            if matches!(ready, Ok(Ok(response)) if response.status == 200) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.run.fault("the server does not recover from a full disk".to_owned());
    }

    /// Prints a line every few seconds.
    async fn print_progress(&self, began: Instant) {
        let minutes =
            |time: Duration| format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60);
        loop {
            if self.run.unless_stopped(tokio::time::sleep(PROGRESS_INTERVAL)).await.is_none() {
                return;
            }
            let elapsed = began.elapsed();
            let left = self.options.duration.saturating_sub(elapsed);
            let counts = &self.run.counts;
            let outages = self.outages.lock().await;
            let kills: u32 = outages.restarts.iter().map(|restart| restart.attempts).sum();
            let fills = outages.fills.len();
            drop(outages);
            eprintln!(
                "{} elapsed, {} left: {} games, {} moves acknowledged, {kills} kills, {fills} full disks, \
                 {} sockets cut, {} reads, {} faults",
                minutes(elapsed),
                minutes(left),
                self.run.game_count(),
                counts.moves.load(Ordering::Relaxed),
                counts.cuts.load(Ordering::Relaxed),
                counts.reads.load(Ordering::Relaxed),
                self.run.faults().0,
            );
        }
    }
}

/// Returns a random time with this mean, as between independent events.
fn exponential(mean: Duration, rng: &mut fastrand::Rng) -> Duration {
    mean.mul_f64(-(1.0 - rng.f64()).ln())
}
