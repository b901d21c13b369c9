//! `khet-load`: plays many games at once against a server, and prints how quickly moves are
//! acknowledged, as JSON.
//!
//! Without `--rate` it looks for the highest rate that the server sustains: it raises the rate step
//! by step until the 99th percentile of the latency reaches the limit or moves are made later than
//! asked for. Finally each player moves as soon as the opponent has, to find the throughput when
//! everything waits in queues; the latency of that step says more about the number of games than
//! about the server.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use khet_load::{
    ClusterServiceArgs, Guest, LoadPlayer, LoadStats, LoadSummary, MoveRate, ProcessStats,
    ServerFault, ServiceLoad, request,
};
use khet_protocol::{GameId, NewChallenge};
use serde::Serialize;
use tokio::task::JoinSet;

/// Play many games at once against a server
#[derive(Parser)]
struct Args {
    /// Address of the server; several times for the nodes of a cluster
    #[arg(long = "server", required = true)]
    servers: Vec<SocketAddr>,
    /// Address of the server's /metrics, if it is not the server's; once for each server
    #[arg(long)]
    metrics: Vec<SocketAddr>,
    /// Process of the server, to measure its processor time and memory; once for each server
    #[arg(long = "process")]
    processes: Vec<u32>,
    /// What the nodes of a cluster use.
    #[command(flatten)]
    services: ClusterServiceArgs,
    /// Number of simultaneous games, each with two players
    #[arg(long, default_value_t = 2000)]
    games: u32,
    /// Moves per second in all games together; 0 for as many as the server accepts. By default the
    /// highest rate is searched for
    #[arg(long)]
    rate: Option<u32>,
    /// Largest 99th percentile of the latency that counts as sustained, in milliseconds
    #[arg(long, default_value_t = 50.0)]
    max_p99: f64,
    /// Seconds to measure each rate
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Seconds to play before measuring
    #[arg(long, default_value_t = 3)]
    warm_up: u64,
}

/// The number of games that are started concurrently.
const CONCURRENT_STARTS: usize = 32;
/// The number of attempts to start a game, and the pause between them.
const MAX_START_ATTEMPTS: u32 = 20;
const START_PAUSE: Duration = Duration::from_millis(500);
/// The first rate, and the factor from one rate to the next. The fifth rate is a little above the
/// 12,000 moves per second that the server has to sustain.
const FIRST_RATE: u32 = 6120;
const RATE_FACTOR: f64 = 1.19;
/// The share of the asked moves that must be made.
const MIN_SHARE: f64 = 0.97;
/// Pause before the first move, in which all players connect.
const CONNECT_TIME: Duration = Duration::from_secs(2);

type LoadError = Box<dyn Error + Send + Sync>;

/// The results of a run.
#[derive(Serialize)]
struct LoadReport {
    /// All steps, in order.
    steps: Vec<LoadStep>,
    /// The highest rate that was sustained; `None` if a rate was given, or none was.
    sustained: Option<LoadStep>,
    /// The step in which players did not wait.
    saturated: Option<LoadStep>,
}

/// The results of one rate.
#[derive(Clone, Copy, Serialize)]
struct LoadStep {
    /// Moves per second that the players were asked to make; 0 for as many as possible.
    asked: u32,
    /// Moves per second that were acknowledged.
    rate: f64,
    /// Moves per transaction, which has one fsync.
    moves_per_commit: f64,
    /// Microseconds of processor time per move: of all servers, and of this program.
    server_micros_per_move: Option<f64>,
    generator_micros_per_move: Option<f64>,
    /// Resident memory of all servers, in bytes.
    memory: Option<f64>,
    /// What PostgreSQL and NATS did for each move.
    services: Option<ServiceLoad>,
    #[serde(flatten)]
    summary: LoadSummary,
}

impl LoadStep {
    /// Returns whether the server kept up.
    fn is_sustained(&self, max_p99: f64) -> bool {
        self.rate >= MIN_SHARE * f64::from(self.asked) && self.summary.p99 < max_p99
    }
}

#[tokio::main]
async fn main() -> Result<(), LoadError> {
    let args = Args::parse();
    let players = start_games(&args).await?;
    let stats = Arc::new(LoadStats::default());
    // It lives as long as the program.
    let interval: &'static AtomicU64 = Box::leak(Box::new(AtomicU64::new(0)));
    let load = RunningLoad { args: &args, stats: Arc::clone(&stats), interval };
    load.set_rate(args.rate.unwrap_or(FIRST_RATE));
    let mut playing = JoinSet::new();
    let span = Duration::from_micros(interval.load(Ordering::Relaxed));
    let count = players.len() as u32;
    let start = Instant::now() + CONNECT_TIME;
    for ((cookie, game), number) in players.into_iter().zip(0..) {
        let stats = Arc::clone(&stats);
        // The first moves are spread over one interval, to avoid bursts.
        let from = start + span * (number / 2) / (count / 2).max(1) + span * (number % 2);
        // The players of a game use different nodes.
        let server = args.servers[number as usize % args.servers.len()];
        playing.spawn(async move {
            let mut player = LoadPlayer::new(server, cookie, game, u64::from(number)).from(from);
            player.play(MoveRate::Adjustable(interval), &stats).await
        });
        if number % 50 == 49 {
            // Connections must not come faster than the server accepts them.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    tokio::time::sleep(CONNECT_TIME).await;
    let report = tokio::select! {
        report = load.run() => report?,
        failed = first_failure(&mut playing) => return Err(failed.into()),
    };
    println!("{}", serde_json::to_string(&report)?);
    Ok(())
}

/// The games that are being played, and their common rate.
struct RunningLoad<'a> {
    args: &'a Args,
    stats: Arc<LoadStats>,
    /// Microseconds between two moves of a game.
    interval: &'static AtomicU64,
}

impl RunningLoad<'_> {
    /// Measures the rate of the arguments, or looks for the highest one.
    async fn run(&self) -> Result<LoadReport, LoadError> {
        let mut report = LoadReport { steps: Vec::new(), sustained: None, saturated: None };
        if let Some(rate) = self.args.rate {
            report.steps.push(self.measure(rate).await?);
            return Ok(report);
        }
        let mut rate = FIRST_RATE;
        let mut failures = 0;
        // A second chance, because another program may have disturbed one step.
        while failures < 2 {
            let step = self.measure(rate).await?;
            report.steps.push(step);
            if step.is_sustained(self.args.max_p99) {
                report.sustained = Some(step);
                failures = 0;
                rate = (f64::from(rate) * RATE_FACTOR) as u32;
            } else {
                failures += 1;
            }
        }
        let saturated = self.measure(0).await?;
        report.steps.push(saturated);
        report.saturated = Some(saturated);
        Ok(report)
    }

    /// Sets the number of moves per second in all games together.
    fn set_rate(&self, rate: u32) {
        let micros = match rate {
            0 => 0,
            rate => 1_000_000 * u64::from(self.args.games) / u64::from(rate),
        };
        self.interval.store(micros, Ordering::Relaxed);
    }

    /// Plays at a rate and measures.
    async fn measure(&self, asked: u32) -> Result<LoadStep, LoadError> {
        self.set_rate(asked);
        tokio::time::sleep(Duration::from_secs(self.args.warm_up)).await;
        let servers: Vec<ProcessStats> =
            self.args.processes.iter().copied().map(ProcessStats).collect();
        let own = [ProcessStats::own()];
        let services_before = self.args.services.read()?;
        let (server_before, own_before) = (processor_time(&servers), processor_time(&own));
        let commits_before = self.commits().await?;
        self.stats.summary(0.0);
        let started = Instant::now();
        tokio::time::sleep(Duration::from_secs(self.args.seconds)).await;
        let summary = self.stats.summary(started.elapsed().as_secs_f64());
        let commits = self.commits().await? - commits_before;
        let moves = summary.moves as f64;
        let per_move =
            |before: Option<f64>, after: Option<f64>| Some((after? - before?) * 1e6 / moves);
        let step = LoadStep {
            asked,
            rate: moves / summary.seconds,
            moves_per_commit: moves / commits,
            server_micros_per_move: per_move(server_before, processor_time(&servers)),
            generator_micros_per_move: per_move(own_before, processor_time(&own)),
            memory: sum(servers.iter().map(|server| server.memory().ok())),
            services: self.args.services.load_since(services_before.as_ref(), moves)?,
            summary,
        };
        eprintln!(
            "asked for {asked}/s: {:.0}/s, median {:.1} ms, p99 {:.1} ms, slowest {:.0} ms, {:.1} moves per \
             fsync, µs per move: server {:.1}, generator {:.1}",
            step.rate,
            summary.median,
            summary.p99,
            summary.slowest,
            step.moves_per_commit,
            step.server_micros_per_move.unwrap_or(f64::NAN),
            step.generator_micros_per_move.unwrap_or(f64::NAN),
        );
        Ok(step)
    }

    /// Returns the number of transactions so far.
    async fn commits(&self) -> Result<f64, LoadError> {
        let servers =
            if self.args.metrics.is_empty() { &self.args.servers } else { &self.args.metrics };
        let mut commits = 0.0;
        for server in servers {
            let metrics = request(*server, "GET", "/metrics", "", "").await?.body;
            // A node that has not written anything does not have the line yet.
            let value =
                metrics.lines().find_map(|line| line.strip_prefix("khet_commit_seconds_count "));
            commits += value.map_or(Ok(0.0), |value| value.trim().parse::<f64>())?;
        }
        Ok(commits)
    }
}

/// Returns the processor time of processes in seconds, if all of them are known.
fn processor_time(processes: &[ProcessStats]) -> Option<f64> {
    sum(processes.iter().map(|process| process.processor_time().ok()))
}

/// Returns the sum of at least one value, if all are known.
fn sum(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    values.reduce(|sum, value| Some(sum? + value?)).flatten()
}

/// Starts all games, and returns the players.
async fn start_games(args: &Args) -> Result<Vec<(String, GameId)>, LoadError> {
    let mut starts = JoinSet::new();
    let mut players: Vec<(String, GameId)> = Vec::new();
    for number in 0..args.games as usize {
        if starts.len() >= CONCURRENT_STARTS {
            collect_players(&mut starts, &mut players).await?;
        }
        starts.spawn(start_game(args.servers[number % args.servers.len()]));
    }
    while !starts.is_empty() {
        collect_players(&mut starts, &mut players).await?;
    }
    Ok(players)
}

/// Adds the players of the next started game.
async fn collect_players(
    starts: &mut JoinSet<Result<[(String, GameId); 2], LoadError>>,
    players: &mut Vec<(String, GameId)>,
) -> Result<(), LoadError> {
    if let Some(arrived) = starts.join_next().await {
        players.extend(arrived??);
    }
    Ok(())
}

/// Waits for the first player that fails.
async fn first_failure(playing: &mut JoinSet<Result<(), ServerFault>>) -> ServerFault {
    loop {
        match playing.join_next().await {
            Some(Ok(Err(broken))) => return broken,
            Some(Err(error)) => return ServerFault(error.to_string()),
            Some(Ok(Ok(()))) => {}
            None => return ServerFault("no player is left".to_owned()),
        }
    }
}

/// Starts a game, if necessary again after a pause: the nodes of a cluster that has just started still
/// share the games among them.
async fn start_game(server: SocketAddr) -> Result<[(String, GameId); 2], LoadError> {
    let mut attempts = 1;
    loop {
        match start_game_once(server).await {
            Err(_) if attempts < MAX_START_ATTEMPTS => attempts += 1,
            started => return started,
        }
        tokio::time::sleep(START_PAUSE).await;
    }
}

/// Starts a game between two guests, and returns their cookies and the game.
async fn start_game_once(server: SocketAddr) -> Result<[(String, GameId); 2], LoadError> {
    let challenge: NewChallenge =
        serde_json::from_str(r#"{"start": "classic", "time": "1800+20"}"#)?;
    let mut one = Guest::without_session(server);
    let mut other = Guest::without_session(server);
    let id = one.challenge(&challenge).await?;
    let game = other.accept(id).await?;
    let cookie = |guest: Guest| guest.cookie.ok_or("the server gave no cookie");
    Ok([(cookie(one)?, game), (cookie(other)?, game)])
}
