//! `khet-crowd`: plays many games at once against a server, and prints how quickly moves are acknowledged, as JSON.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use khet_crowd::{Broken, Figures, Guest, Pace, Player};
use khet_protocol::{GameId, NewChallenge};
use tokio::task::JoinSet;

/// Play many games at once against a server
#[derive(Parser)]
struct Args {
    /// Where the server is
    #[arg(long)]
    server: SocketAddr,
    /// How many games are played at once, by twice as many players
    #[arg(long, default_value_t = 2000)]
    games: u32,
    /// How many moves are made in a second, in all games; 0 for as many as the server takes
    #[arg(long, default_value_t = 6000)]
    rate: u32,
    /// For how many seconds moves are counted
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// How many seconds are played before that
    #[arg(long, default_value_t = 5)]
    warm_up: u64,
}

/// How many are on their way to their first game at once.
const ARRIVING: usize = 32;

type Failure = Box<dyn Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let mut arrivals = JoinSet::new();
    let mut players: Vec<(String, GameId)> = Vec::new();
    for _ in 0..args.games {
        if arrivals.len() >= ARRIVING {
            arrived(&mut arrivals, &mut players).await?;
        }
        arrivals.spawn(start_game(args.server));
    }
    while !arrivals.is_empty() {
        arrived(&mut arrivals, &mut players).await?;
    }
    let span = Duration::from_secs(1) * args.games / args.rate.max(1);
    let pace = if args.rate == 0 { Pace::Eager } else { Pace::Every(span) };
    let figures = Arc::new(Figures::default());
    let mut playing = JoinSet::new();
    let count = players.len() as u32;
    let start = Instant::now() + Duration::from_secs(2);
    for ((cookie, game), number) in players.into_iter().zip(0..) {
        let figures = Arc::clone(&figures);
        // Spread over a span, so that turns do not come all at once.
        let from = start + span * (number / 2) / (count / 2).max(1) + span * (number % 2);
        playing.spawn(async move {
            let mut player = Player::new(args.server, cookie, game, u64::from(number)).from(from);
            player.play(pace, &figures).await
        });
        if number % 50 == 49 {
            // Connections come quickly, but not faster than they can be accepted.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    let warm = async {
        tokio::time::sleep(Duration::from_secs(2 + args.warm_up)).await;
        figures.summary(0.0);
        let counted = Instant::now();
        tokio::time::sleep(Duration::from_secs(args.seconds)).await;
        figures.summary(counted.elapsed().as_secs_f64())
    };
    let summary = tokio::select! {
        summary = warm => summary,
        failed = first_failure(&mut playing) => return Err(failed.into()),
    };
    println!("{}", serde_json::to_string(&summary)?);
    Ok(())
}

async fn arrived(
    arrivals: &mut JoinSet<Result<[(String, GameId); 2], Failure>>,
    players: &mut Vec<(String, GameId)>,
) -> Result<(), Failure> {
    if let Some(arrived) = arrivals.join_next().await {
        players.extend(arrived??);
    }
    Ok(())
}

async fn first_failure(playing: &mut JoinSet<Result<(), Broken>>) -> Broken {
    loop {
        match playing.join_next().await {
            Some(Ok(Err(broken))) => return broken,
            Some(Err(error)) => return Broken(error.to_string()),
            Some(Ok(Ok(()))) => {}
            None => return Broken("nobody plays".to_owned()),
        }
    }
}

/// Two guests and their game.
async fn start_game(server: SocketAddr) -> Result<[(String, GameId); 2], Failure> {
    let challenge: NewChallenge =
        serde_json::from_str(r#"{"start": "classic", "time": "1800+20"}"#)?;
    let mut one = Guest::nobody(server);
    let mut other = Guest::nobody(server);
    let id = one.challenge(&challenge).await?;
    let game = other.accept(id).await?;
    let cookie = |guest: Guest| guest.cookie.ok_or("the server gave no cookie");
    Ok([(cookie(one)?, game), (cookie(other)?, game)])
}
