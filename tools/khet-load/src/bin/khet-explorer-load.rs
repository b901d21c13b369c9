//! `khet-explorer-load`: queries a server's explorer for positions of the games that
//! `khet-playouts` writes, and prints the latencies as JSON.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Parser;
use khet::{Placement, Rules, Setup};
use khet_load::{Guest, Playout};
use khet_protocol::ExplorerResponse;
use serde::Serialize;
use tokio::task::JoinSet;

/// Query a server's explorer for positions of random games
#[derive(Parser)]
struct Args {
    /// Address of the server
    #[arg(long)]
    server: SocketAddr,
    /// Number of games in the server's database
    #[arg(long)]
    games: u64,
    /// Number of queries
    #[arg(long, default_value_t = 20_000)]
    questions: u64,
    /// Number of concurrent queries
    #[arg(long, default_value_t = 4)]
    at_once: u64,
}

/// Latencies in milliseconds.
#[derive(Serialize)]
struct ExplorerSummary {
    questions: usize,
    median: f64,
    p99: f64,
    slowest: f64,
    /// The slowest query of a start position, which has the most games.
    starts_slowest: f64,
    /// The mean number of moves in a response.
    moves: f64,
}

type ExplorerLoadError = Box<dyn Error + Send + Sync>;

struct Measurement {
    milliseconds: f64,
    is_start: bool,
    moves: usize,
}

#[tokio::main]
async fn main() -> Result<(), ExplorerLoadError> {
    let args = Arc::new(Args::parse());
    let next = Arc::new(AtomicU64::new(0));
    let mut askers = JoinSet::new();
    for _ in 0..args.at_once {
        askers.spawn(ask(Arc::clone(&args), Arc::clone(&next)));
    }
    let mut measurements: Vec<Measurement> = Vec::new();
    while let Some(done) = askers.join_next().await {
        measurements.extend(done??);
    }
    let slowest_start = measurements.iter().filter(|one| one.is_start).map(|one| one.milliseconds);
    let moves: usize = measurements.iter().map(|one| one.moves).sum();
    let mut times: Vec<f64> = measurements.iter().map(|one| one.milliseconds).collect();
    times.sort_unstable_by(f64::total_cmp);
    let at = |part: usize| times.get((times.len() * part / 100).min(times.len() - 1));
    let at = |part: usize| at(part).copied().unwrap_or(f64::NAN);
    let summary = ExplorerSummary {
        questions: times.len(),
        median: at(50),
        p99: at(99),
        slowest: at(100),
        starts_slowest: slowest_start.fold(f64::NAN, f64::max),
        moves: moves as f64 / times.len() as f64,
    };
    println!("{}", serde_json::to_string(&summary)?);
    Ok(())
}

/// Sends queries one after the other. Every twentieth is for a start position; the others are for
/// random positions of games, so that only starts repeat. Half of the queries have filters.
async fn ask(args: Arc<Args>, next: Arc<AtomicU64>) -> Result<Vec<Measurement>, ExplorerLoadError> {
    let mut guest = Guest::without_session(args.server);
    let mut measurements = Vec::new();
    loop {
        let question = next.fetch_add(1, Ordering::Relaxed);
        if question >= args.questions {
            return Ok(measurements);
        }
        let mut rng = fastrand::Rng::with_seed(question);
        let is_start = question.is_multiple_of(20);
        let (position, rules) = if is_start {
            let setup = Setup::ALL[rng.usize(..Setup::ALL.len())];
            (setup.placement(), Rules::Standard)
        } else {
            random_position(args.games, &mut rng)
        };
        let filter = if rng.bool() { "&speeds=bullet,blitz&ratings=1400,1600,1800" } else { "" };
        let position = position.to_string().replace(' ', "_");
        let path = format!("/api/explorer?position={position}&rules={rules}{filter}");
        let began = Instant::now();
        let answer = guest.ask("GET", &path, "").await?;
        let milliseconds = began.elapsed().as_secs_f64() * 1000.0;
        let answer: ExplorerResponse = answer.read()?;
        if filter.is_empty() && answer.results.games == 0 {
            return Err(format!("the explorer has no game with {position}").into());
        }
        measurements.push(Measurement { milliseconds, is_start, moves: answer.moves.len() });
    }
}

/// Returns a random position of a random game, except its last.
fn random_position(games: u64, rng: &mut fastrand::Rng) -> (Placement, Rules) {
    let playout = Playout::new(rng.u64(..games));
    let mut position = playout.start;
    for &mv in &playout.moves[..rng.usize(..playout.moves.len())] {
        position.play_unchecked(mv);
    }
    (position.placement(), position.rules())
}
