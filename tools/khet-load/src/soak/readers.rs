//! Readers of the soak: searches, profiles, pages, pictures, game records, and spectators.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use khet_protocol::{GameId, ServerMessage};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use super::pair::timely;
use super::soak_run::SoakRun;
use crate::{ClientSocket, Guest};

/// The pause between two requests, in milliseconds.
const PAUSE: std::ops::Range<u64> = 20..200;
/// The time for which a game is watched, in milliseconds.
const WATCH_TIME: std::ops::Range<u64> = 500..4000;

/// Reads pages, one after another, until the future is dropped.
pub async fn read_pages(run: Arc<SoakRun>, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut guest = Guest::without_session(run.server);
    loop {
        tokio::time::sleep(Duration::from_millis(rng.u64(PAUSE))).await;
        let game = run.recent_game(&mut rng);
        let path = choose_path(&run, game, &mut rng);
        // A lost connection is normal when the server is killed.
        let Ok(response) = timely(guest.ask("GET", &path, "")).await else { continue };
        match response.status {
            200..=399 => run.count(|counts| &counts.reads),
            // All readers have one address, which may run only a few searches at once.
            429 | 503 => run.count(|counts| &counts.unavailable),
            status => run.fault(format!("GET {path}: {status}: {}", response.body)),
        }
    }
}

/// Chooses a page.
fn choose_path(run: &SoakRun, game: Option<GameId>, rng: &mut fastrand::Rng) -> String {
    let name = &run.names[rng.usize(..run.names.len())];
    let other = &run.names[rng.usize(..run.names.len())];
    let position = "/pictures/position.png?position=";
    match (rng.u8(..18), game) {
        (0, _) => "/api/games?limit=50".to_owned(),
        (1, _) => format!("/api/games?player={name}&result=won"),
        (2, _) => format!("/api/games?player={name}&opponent={other}"),
        (3, _) => "/api/games?setup=classic&rated=true&result=draw".to_owned(),
        (4, _) => format!("/api/people/{name}"),
        (5, _) => format!("/api/people/{name}/ratings"),
        (6, _) => "/api/leaderboard/blitz".to_owned(),
        (7, _) => "/api/watch".to_owned(),
        (8, _) => "/api/challenges".to_owned(),
        (9, _) => "/api/explorer?position=classic".to_owned(),
        (10, _) => "/api/explorer?position=imhotep&speeds=bullet,blitz".to_owned(),
        (11, _) => {
            let file = rng.u8(3..7);
            format!("{position}{file}k{}/10/10/10/10/10/10/5K4_s", 9 - file)
        }
        (12, _) => "/api/setups".to_owned(),
        (13, _) => "/".to_owned(),
        (14 | 15, Some(game)) => format!("/api/games/{game}"),
        (16, Some(game)) => format!("/api/games/{game}/kgn"),
        _ => "/api/openapi.json".to_owned(),
    }
}

/// Watches games, one after another, until the future is dropped.
pub async fn watch_games(run: Arc<SoakRun>, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    loop {
        tokio::time::sleep(Duration::from_millis(rng.u64(PAUSE))).await;
        let Some(game) = run.recent_game(&mut rng) else { continue };
        let time = Duration::from_millis(rng.u64(WATCH_TIME));
        let watched = if rng.bool() {
            tokio::time::timeout(time, watch_socket(&run, game)).await
        } else {
            tokio::time::timeout(time, watch_stream(&run, game)).await
        };
        // Otherwise the connection was lost.
        if watched.is_err() {
            run.count(|counts| &counts.reads);
        }
    }
}

/// Watches a game over a WebSocket.
async fn watch_socket(run: &SoakRun, game: GameId) -> io::Result<()> {
    let mut socket = ClientSocket::open(run.server, None).await?;
    socket.subscribe(game, 0).await?;
    while let Some(message) = socket.next().await? {
        record(run, game, message);
    }
    Ok(())
}

/// Watches a game as a stream of lines.
async fn watch_stream(run: &SoakRun, game: GameId) -> io::Result<()> {
    let mut stream = TcpStream::connect(run.server).await?;
    let request = format!("GET /api/games/{game}/stream HTTP/1.1\r\nHost: {}\r\n\r\n", run.server);
    stream.write_all(request.as_bytes()).await?;
    let mut lines = BufReader::new(stream).lines();
    while let Some(line) = lines.next_line().await? {
        // Other lines are headers and the sizes of chunks.
        if let Ok(message) = serde_json::from_str(&line) {
            record(run, game, message);
        }
    }
    Ok(())
}

/// Records the events of a message.
fn record(run: &SoakRun, game: GameId, message: ServerMessage) {
    match message {
        ServerMessage::GameJoined(joined) => {
            joined.events.iter().for_each(|event| run.show(game, event));
        }
        ServerMessage::Event(event) => run.show(game, &event),
        ServerMessage::Refused { error, .. } => {
            run.fault(format!("watching game {game}: {error}"));
        }
        _ => {}
    }
}
