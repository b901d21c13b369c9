//! `khet-explore`: asks a server's explorer about positions of the games that `khet-playouts` writes, and prints how quickly it answers, as
//! JSON.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Parser;
use khet::{Placement, Rules, Setup};
use khet_crowd::{Guest, Playout};
use khet_protocol::ExplorerResponse;
use serde::Serialize;
use tokio::task::JoinSet;

/// Ask a server's explorer about positions of games that were made up by chance
#[derive(Parser)]
struct Args {
    /// Where the server is
    #[arg(long)]
    server: SocketAddr,
    /// How many games the server has
    #[arg(long)]
    games: u64,
    /// How many questions are asked
    #[arg(long, default_value_t = 20_000)]
    questions: u64,
    /// How many of them at once
    #[arg(long, default_value_t = 4)]
    at_once: u64,
}

/// How quickly, in milliseconds.
#[derive(Serialize)]
struct Summary {
    questions: usize,
    /// Half of the answers took at most this long.
    median: f64,
    /// 99 of 100 took at most this long.
    p99: f64,
    slowest: f64,
    /// The same for the positions at which games start, which have most to tell.
    starts_slowest: f64,
    /// Moves of an answer, on average.
    moves: f64,
}

type Failure = Box<dyn Error + Send + Sync>;

struct Asked {
    milliseconds: f64,
    is_start: bool,
    moves: usize,
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let args = Arc::new(Args::parse());
    let next = Arc::new(AtomicU64::new(0));
    let mut askers = JoinSet::new();
    for _ in 0..args.at_once {
        askers.spawn(ask(Arc::clone(&args), Arc::clone(&next)));
    }
    let mut asked: Vec<Asked> = Vec::new();
    while let Some(done) = askers.join_next().await {
        asked.extend(done??);
    }
    let slowest_start = asked.iter().filter(|one| one.is_start).map(|one| one.milliseconds);
    let moves: usize = asked.iter().map(|one| one.moves).sum();
    let mut times: Vec<f64> = asked.iter().map(|one| one.milliseconds).collect();
    times.sort_unstable_by(f64::total_cmp);
    let at = |part: usize| times.get((times.len() * part / 100).min(times.len() - 1));
    let at = |part: usize| at(part).copied().unwrap_or(f64::NAN);
    let summary = Summary {
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

/// Asks one question after the other. Every twentieth is about a start; the others stand anywhere in a game, so that nothing but the start
/// is asked for often. Half are asked about all games, half about some.
async fn ask(args: Arc<Args>, next: Arc<AtomicU64>) -> Result<Vec<Asked>, Failure> {
    let mut guest = Guest::nobody(args.server);
    let mut asked = Vec::new();
    loop {
        let question = next.fetch_add(1, Ordering::Relaxed);
        if question >= args.questions {
            return Ok(asked);
        }
        let mut chance = fastrand::Rng::with_seed(question);
        let is_start = question.is_multiple_of(20);
        let (position, rules) = if is_start {
            let setup = Setup::ALL[chance.usize(..Setup::ALL.len())];
            (setup.placement(), Rules::Standard)
        } else {
            somewhere(args.games, &mut chance)
        };
        let filter = if chance.bool() { "&speeds=bullet,blitz&ratings=1400,1600,1800" } else { "" };
        let position = position.to_string().replace(' ', "_");
        let path = format!("/api/explorer?position={position}&rules={rules}{filter}");
        let began = Instant::now();
        let answer = guest.ask("GET", &path, "").await?;
        let milliseconds = began.elapsed().as_secs_f64() * 1000.0;
        let answer: ExplorerResponse = answer.read()?;
        if filter.is_empty() && answer.results.games == 0 {
            return Err(format!("nothing is known of {position}").into());
        }
        asked.push(Asked { milliseconds, is_start, moves: answer.moves.len() });
    }
}

/// A position of a game from which it went on.
fn somewhere(games: u64, chance: &mut fastrand::Rng) -> (Placement, Rules) {
    let playout = Playout::new(chance.u64(..games));
    let mut position = playout.start;
    for &mv in &playout.moves[..chance.usize(..playout.moves.len())] {
        position.play_unchecked(mv);
    }
    (position.placement(), position.rules())
}
