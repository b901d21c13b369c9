//! A test of several nodes: people play and watch through all of them while nodes, PostgreSQL, NATS
//! and the connections between them fail. At the end everything that was acknowledged or shown is
//! compared with the database and with a model.
//!
//! | module | content |
//! |---|---|
//! | `fault_plan` | the faults, drawn from a seed |
//! | `test_cluster`, `tcp_proxy` | the processes, and the links between them |
//! | `lease_history` | the owners of games: their epochs never go back |
//! | `event_writers` | the node that stored each event: no two owners' writes are interleaved |
//! | `stored_events` | the events as they are in PostgreSQL |
//! | `recovery` | how long after each fault moves were possible again |
//! | `self_test` | damages that the comparison must find |
//! | `evidence` | the files about a violation |
//! | `command_line` | arguments and report |
//!
//! Players, spectators, the model of a game and the comparison are those of the soak.
//!
//! Everything runs on one machine with one clock. A player who sends a move to a node that is frozen,
//! dead or cut off loses the time until the player turns to another node, which no server can know.
//! So the time that a fault cost counts from when the move first reached a node without a fault.
//! Players who reconnect choose among the nodes that pass the health checks of a balancer.

mod balancer;
mod command_line;
mod event_writers;
mod evidence;
mod fault_plan;
mod lease_history;
mod recovery;
mod self_test;
mod stored_events;
mod tcp_proxy;
mod test_cluster;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use self::command_line::FaultProgress;
pub use self::command_line::cluster_test_main;
use self::fault_plan::{FaultKind, PlannedFault};
use self::lease_history::LeaseHistory;
use self::recovery::FaultRecovery;
use self::test_cluster::TestCluster;
use crate::Guest;
use crate::soak::comparison::{self, ComparedServer, Comparison};
use crate::soak::outages::{ClusterOutage, OutageLog, now};
use crate::soak::soak_run::{ClientPatience, SoakRun};
use crate::soak::{pair, readers, sign_up};

/// One of this number of pairs plays rated games.
const RATED_EVERY: usize = 4;
/// Number of concurrent readers, and of spectators.
const READERS: usize = 3;
/// The time after which clients turn to another node.
const PATIENCE: ClientPatience = ClientPatience {
    request: Duration::from_secs(4),
    opening: Duration::from_secs(2),
    silence: Duration::from_secs(3),
};
/// The time in which nodes distribute the games before the first fault.
const WARM_UP: Duration = Duration::from_secs(5);
/// Longest time after a fault until all players can move.
const MAX_RECOVERY_TIME: Duration = Duration::from_secs(60);
/// A player who waits for a shorter time is not waiting because of a fault.
const USUAL_WAIT: u64 = 1000;
/// The interval at which the leases are looked at.
const LEASE_INTERVAL: Duration = Duration::from_secs(1);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The options of a test.
#[derive(Clone, Debug)]
pub struct ClusterTestOptions {
    /// The program `khet`.
    pub binary: PathBuf,
    /// The folder of data, logs and evidence.
    pub folder: PathBuf,
    /// The number of nodes; 0 for a single server with an SQLite file.
    pub nodes: usize,
    /// The number of faults.
    pub faults: usize,
    /// The kinds of faults; all if empty.
    pub kinds: Vec<FaultKind>,
    /// The number of simultaneous games.
    pub games: usize,
    /// The seed of all random decisions.
    pub seed: u64,
    /// Most time on the clock that a player may lose by a fault.
    pub max_loss: Duration,
    /// Longest time after a fault until each game has an owner that works; it is credited.
    pub takeover_time: Duration,
    /// Whether to damage a game at the end, to see whether the comparison finds it.
    pub self_test: bool,
}

/// The result of a test.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ClusterReport {
    /// The seed of all random decisions.
    pub seed: u64,
    /// The duration, with the comparison at the end.
    pub seconds: f64,
    /// The number of nodes.
    pub nodes: usize,
    /// The time until moves were possible again: after all faults, then after each kind.
    pub recoveries: Vec<FaultRecovery>,
    /// Most time on the clock that a fault cost a player, in milliseconds.
    pub largest_loss: i64,
    /// Waits for moves around faults whose cost was compared.
    pub waits_compared: usize,
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
    /// Credits that were compared with the faults.
    pub credits_compared: u64,
    /// Changes of ratings that were compared.
    pub ratings_compared: u64,
    /// Games that were read from PostgreSQL and compared.
    pub games_in_database: usize,
    /// Games that `khet verify` replayed.
    pub games_verified: u64,
    /// Leases whose epochs were compared.
    pub leases_compared: u64,
    /// Times that a shard got another owner.
    pub leases_moved: u64,
    /// Events of which it was compared which node stored them.
    pub writers_compared: u64,
    /// Damages that the self-test made.
    pub damages_tried: usize,
    /// Number of violations.
    pub violation_count: u64,
    /// The first violations.
    pub violations: Vec<String>,
}

/// Runs a test.
///
/// # Errors
///
/// If the cluster can't be started.
pub async fn cluster_test(options: &ClusterTestOptions) -> io::Result<ClusterReport> {
    let began = Instant::now();
    let mut rng = fastrand::Rng::with_seed(options.seed);
    let single = options.nodes == 0;
    let start = now();
    let cluster = if single {
        TestCluster::start_single(&options.binary, &options.folder)?
    } else {
        TestCluster::start(&options.binary, &options.folder, options.nodes).await?
    };
    let kinds = if single { &FaultKind::OF_ONE_SERVER[..] } else { &FaultKind::ALL };
    let chosen = |kind: &FaultKind| options.kinds.is_empty() || options.kinds.contains(kind);
    let kinds: Vec<FaultKind> = kinds.iter().copied().filter(chosen).collect();
    let faults = fault_plan::plan(options.faults, &kinds, options.nodes.max(1), &mut rng);
    let database = cluster.postgres();
    if let Some(database) = &database {
        tokio::task::block_in_place(|| event_writers::record(database))?;
    }
    let (run, mut clients) = start_clients(&cluster, options.games, &mut rng).await?;
    let injector = FaultInjector { run: Arc::clone(&run), cluster: Mutex::new(cluster) };
    let leases = Mutex::new(LeaseHistory::default());
    let mut outages = OutageLog {
        takeover_time: u64::try_from(options.takeover_time.as_millis()).unwrap_or(u64::MAX),
        max_loss: i64::try_from(options.max_loss.as_millis()).unwrap_or(i64::MAX),
        ..OutageLog::default()
    };
    let cause = async {
        tokio::time::sleep(WARM_UP).await;
        let ready = now();
        outages.cluster.push(ClusterOutage {
            node: None,
            began: start,
            lifted: ready,
            recovered: ready,
        });
        injector.cause_all(&faults, &mut rng, &mut outages).await;
        run.stop();
    };
    tokio::join!(cause, watch_leases(&run, database.as_deref(), &leases));
    clients.shutdown().await;
    let cluster = injector.cluster.into_inner();
    let mut report = finish(options, &run, cluster, outages, &faults).await;
    let leases = leases.into_inner();
    (report.leases_compared, report.leases_moved) = (leases.compared, leases.moved);
    if database.is_some() && leases.compared == 0 {
        report.violation_count += 1;
        report.violations.push("no leases were found in the database".to_owned());
    }
    report.seconds = began.elapsed().as_secs_f64();
    Ok(report)
}

/// Starts players, readers, spectators and the balancer.
async fn start_clients(
    cluster: &TestCluster,
    games: usize,
    rng: &mut fastrand::Rng,
) -> io::Result<(Arc<SoakRun>, JoinSet<()>)> {
    let addresses = cluster.addresses();
    let mut accounts = Vec::new();
    let mut names = Vec::new();
    for number in 0..2 * games.div_ceil(RATED_EVERY) {
        let (guest, name) = sign_up(addresses[number % addresses.len()], number).await?;
        accounts.push(guest);
        names.push(name);
    }
    let mut run = SoakRun::new(addresses.clone(), names, PATIENCE);
    run.reads_may_fail = true;
    let run = Arc::new(run);
    let mut clients = JoinSet::new();
    for number in 0..games {
        let address = addresses[number % addresses.len()];
        let (people, rated) = match (accounts.pop(), accounts.pop()) {
            (Some(one), Some(other)) => ([one, other], true),
            _ => ([Guest::enter(address).await?.0, Guest::enter(address).await?.0], false),
        };
        clients.spawn(pair::play_games(Arc::clone(&run), people, rated, rng.u64(..)));
    }
    for (node, metrics) in cluster.metrics().into_iter().enumerate() {
        let run = Arc::clone(&run);
        clients.spawn(async move { balancer::watch_node(&run, node, metrics).await });
    }
    for _ in 0..READERS {
        clients.spawn(readers::read_pages(Arc::clone(&run), rng.u64(..)));
        clients.spawn(readers::watch_games(Arc::clone(&run), rng.u64(..)));
    }
    Ok((run, clients))
}

/// Looks at the leases until the run is stopped.
async fn watch_leases(run: &SoakRun, database: Option<&str>, leases: &Mutex<LeaseHistory>) {
    let Some(database) = database else { return };
    while run.unless_stopped(tokio::time::sleep(LEASE_INTERVAL)).await.is_some() {
        let mut leases = leases.lock().await;
        // Fails while PostgreSQL is down.
        if let Ok(faults) = tokio::task::block_in_place(|| leases.read(database)) {
            faults.into_iter().for_each(|fault| run.fault(fault));
        }
    }
}

/// Causes the faults.
struct FaultInjector {
    run: Arc<SoakRun>,
    cluster: Mutex<TestCluster>,
}

impl FaultInjector {
    /// Causes all faults, one after another. Returns early if the cluster does not recover.
    async fn cause_all(
        &self,
        faults: &[PlannedFault],
        rng: &mut fastrand::Rng,
        outages: &mut OutageLog,
    ) {
        let progress = FaultProgress::new(faults.len());
        for (fault, number) in faults.iter().zip(1..) {
            progress.begin(number, fault, &self.run);
            let began = now();
            let caused = self.cluster.lock().await.cause(fault).await;
            let lifted = now();
            let recovered = match caused {
                Ok(()) => self.recover().await,
                Err(error) => Err(error.to_string()),
            };
            let outage = ClusterOutage { node: fault.node, began, lifted, recovered: now() };
            outages.cluster.push(outage);
            progress.end(number, &outage, &self.run);
            if let Err(reason) = recovered {
                let kind = fault.kind.name();
                self.run
                    .fault(format!("fault {number} ({kind}) at {began}: no recovery: {reason}"));
                return;
            }
            self.check_game(rng).await;
            tokio::time::sleep(fault.pause).await;
        }
    }

    /// Waits until all nodes are ready and no player waits.
    async fn recover(&self) -> Result<(), String> {
        let until = Instant::now() + MAX_RECOVERY_TIME;
        loop {
            let unready = self.cluster.lock().await.unready();
            let waits = self.run.longest_wait().filter(|(_, _, since)| since + USUAL_WAIT < now());
            let reason = match (unready, waits) {
                (None, None) => return Ok(()),
                (Some(unready), _) => unready,
                (None, Some((game, by, since))) => {
                    format!("{by} has waited in game {game} since {since}")
                }
            };
            if Instant::now() > until {
                return Err(reason);
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    /// Compares a game with what each node shows of it.
    async fn check_game(&self, rng: &mut fastrand::Rng) {
        let game = self.run.recent_game(rng);
        let Some((id, (cookie, journal))) = game.and_then(|id| Some((id, self.run.snapshot(id)?)))
        else {
            return;
        };
        for &node in &self.run.nodes {
            if let Ok(stored) = comparison::fetch(node, &cookie, id).await {
                for fault in journal.missing(&stored) {
                    self.run.fault(format!("game {id}, after a fault, at {node}: {fault}"));
                }
            }
        }
    }
}

/// Stops the nodes, starts one of them again, and compares everything that it has.
async fn finish(
    options: &ClusterTestOptions,
    run: &SoakRun,
    mut cluster: TestCluster,
    outages: OutageLog,
    faults: &[PlannedFault],
) -> ClusterReport {
    let mut report = ClusterReport {
        seed: options.seed,
        nodes: options.nodes.max(1),
        ..ClusterReport::default()
    };
    if let Err(error) = cluster.stop_nodes() {
        run.fault(format!("the stop of all nodes: {error}"));
    }
    let stored = read_database(cluster.postgres().as_deref(), run);
    if let Some(database) = cluster.postgres() {
        compare_writers(&database, options.self_test, run, &mut report);
    }
    report.games_in_database = stored.as_ref().map_or(0, |stored| stored.len());
    let compared = match cluster.start_one() {
        Ok(address) => {
            let server = ComparedServer { address, outages: outages.clone(), database: stored };
            Comparison::compare(run, server).await
        }
        Err(error) => {
            run.fault(format!("the restart at the end: {error}"));
            Comparison::default()
        }
    };
    if let Err(error) = cluster.stop_one() {
        run.fault(format!("the stop at the end: {error}"));
    }
    let sqlite = || test_cluster::sqlite_file(&options.folder).display().to_string();
    let database = cluster.postgres().unwrap_or_else(sqlite);
    report.games_verified = comparison::verify(&options.binary, database, run).await;
    if let Err(error) = cluster.stop() {
        run.fault(format!("the stop at the end: {error}"));
    }
    if options.self_test {
        report.damages_tried += run_self_test(&compared, run, &outages);
    }
    report.recoveries = recovery::recoveries(&compared.waits, &outages, faults);
    report.largest_loss = compared.waits.iter().map(|(_, wait)| wait.loss).max().unwrap_or(0);
    report.waits_compared = compared.waits.len();
    report.sockets_cut = run.counts.cuts.load(Ordering::Relaxed);
    report.reads = run.counts.reads.load(Ordering::Relaxed);
    report.refused = run.counts.unavailable.load(Ordering::Relaxed);
    report.games = compared.games;
    report.games_finished = run.counts.finished.load(Ordering::Relaxed) / 2;
    report.moves_compared = compared.totals.moves;
    report.events_compared = compared.totals.events;
    report.clocks_compared = compared.totals.clocks;
    report.credits_compared = compared.totals.credits;
    report.ratings_compared = compared.ratings;
    (report.violation_count, report.violations) = run.faults();
    if report.violation_count > 0
        && let Err(error) = evidence::write(&options.folder, &compared, &outages, faults)
    {
        report.violations.push(format!("the evidence can't be written: {error}"));
    }
    report
}

/// Reads all events from PostgreSQL.
fn read_database(database: Option<&str>, run: &SoakRun) -> Option<comparison::StoredEvents> {
    let database = database?;
    tokio::task::block_in_place(|| {
        match stored_events::gaps(database) {
            Ok(gaps) => gaps.into_iter().for_each(|gap| run.fault(gap)),
            Err(error) => run.fault(format!("the database: {error}")),
        }
        match stored_events::read(database) {
            Ok(stored) => Some(stored),
            Err(error) => {
                run.fault(format!("the database: {error}"));
                None
            }
        }
    })
}

/// Compares which nodes stored the events, and damages that record if the self-test is asked for.
fn compare_writers(database: &str, self_test: bool, run: &SoakRun, report: &mut ClusterReport) {
    let compared = tokio::task::block_in_place(|| {
        let (events, faults) = event_writers::compare(database)?;
        let damages =
            if self_test { event_writers::undetected(database)? } else { (0, Vec::new()) };
        io::Result::Ok((events, faults, damages))
    });
    match compared {
        Ok((0, ..)) => run.fault("no writers of events were recorded".to_owned()),
        Ok((events, faults, (tried, missed))) => {
            report.writers_compared = events;
            report.damages_tried += tried;
            faults.into_iter().for_each(|fault| run.fault(fault));
            for name in missed {
                run.fault(format!("self-test: {name} of an event was not found"));
            }
        }
        Err(error) => run.fault(format!("the writers of events: {error}")),
    }
}

/// Damages the longest game in several ways, each of which must be found. Returns their number.
fn run_self_test(compared: &Comparison, run: &SoakRun, outages: &OutageLog) -> usize {
    let Some(game) = &compared.longest else {
        run.fault("self-test: there is no game".to_owned());
        return 0;
    };
    let (tried, missed) = self_test::undetected(game, outages);
    for name in missed {
        run.fault(format!("self-test: {name} in game {} was not found", game.id));
    }
    tried
}
