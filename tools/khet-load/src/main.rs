//! `khet-load`: plays many games at once against a server, and prints how quickly moves are
//! acknowledged, as JSON.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use khet_load::{Guest, LoadPlayer, LoadStats, MoveRate, ServerFault};
use khet_protocol::{GameId, NewChallenge};
use tokio::task::JoinSet;

/// Play many games at once against a server
#[derive(Parser)]
struct Args {
    /// Address of the server
    #[arg(long)]
    server: SocketAddr,
    /// Number of simultaneous games, each with two players
    #[arg(long, default_value_t = 2000)]
    games: u32,
    /// Moves per second in all games together; 0 for as many as the server accepts
    #[arg(long, default_value_t = 6000)]
    rate: u32,
    /// Seconds to measure
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// Seconds to play before measuring
    #[arg(long, default_value_t = 5)]
    warm_up: u64,
}

/// The number of games that are started concurrently.
const CONCURRENT_STARTS: usize = 32;

type LoadError = Box<dyn Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), LoadError> {
    let args = Args::parse();
    let mut starts = JoinSet::new();
    let mut players: Vec<(String, GameId)> = Vec::new();
    for _ in 0..args.games {
        if starts.len() >= CONCURRENT_STARTS {
            collect_players(&mut starts, &mut players).await?;
        }
        starts.spawn(start_game(args.server));
    }
    while !starts.is_empty() {
        collect_players(&mut starts, &mut players).await?;
    }
    let span = Duration::from_secs(1) * args.games / args.rate.max(1);
    let pace = if args.rate == 0 { MoveRate::Eager } else { MoveRate::Every(span) };
    let stats = Arc::new(LoadStats::default());
    let mut playing = JoinSet::new();
    let count = players.len() as u32;
    let start = Instant::now() + Duration::from_secs(2);
    for ((cookie, game), number) in players.into_iter().zip(0..) {
        let stats = Arc::clone(&stats);
        // The first moves are spread over one interval, to avoid bursts.
        let from = start + span * (number / 2) / (count / 2).max(1) + span * (number % 2);
        playing.spawn(async move {
            let mut player =
                LoadPlayer::new(args.server, cookie, game, u64::from(number)).from(from);
            player.play(pace, &stats).await
        });
        if number % 50 == 49 {
            // Connections must not come faster than the server accepts them.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    let measurement = async {
        tokio::time::sleep(Duration::from_secs(2 + args.warm_up)).await;
        stats.summary(0.0);
        let started = Instant::now();
        tokio::time::sleep(Duration::from_secs(args.seconds)).await;
        stats.summary(started.elapsed().as_secs_f64())
    };
    let summary = tokio::select! {
        summary = measurement => summary,
        failed = first_failure(&mut playing) => return Err(failed.into()),
    };
    println!("{}", serde_json::to_string(&summary)?);
    Ok(())
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

/// Starts a game between two guests, and returns their cookies and the game.
async fn start_game(server: SocketAddr) -> Result<[(String, GameId); 2], LoadError> {
    let challenge: NewChallenge =
        serde_json::from_str(r#"{"start": "classic", "time": "1800+20"}"#)?;
    let mut one = Guest::without_session(server);
    let mut other = Guest::without_session(server);
    let id = one.challenge(&challenge).await?;
    let game = other.accept(id).await?;
    let cookie = |guest: Guest| guest.cookie.ok_or("the server gave no cookie");
    Ok([(cookie(one)?, game), (cookie(other)?, game)])
}
