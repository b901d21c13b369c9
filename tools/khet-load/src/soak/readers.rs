//! Readers of the soak: searches, profiles, pages, pictures, game records, and spectators.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use khet_protocol::{ErrorCode, Event, GameId, ServerMessage};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use super::soak_run::SoakRun;
use crate::{ClientSocket, Guest};

/// The pause between two requests, in milliseconds.
const PAUSE: std::ops::Range<u64> = 20..200;
/// The time for which a game is watched, in milliseconds.
const WATCH_TIME: std::ops::Range<u64> = 500..4000;

/// Reads pages, one after another, until the future is dropped.
pub async fn read_pages(run: Arc<SoakRun>, seed: u64) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut guest = Guest::without_session(run.any_address(&mut rng));
    loop {
        tokio::time::sleep(Duration::from_millis(rng.u64(PAUSE))).await;
        guest.server = run.any_address(&mut rng);
        let game = run.recent_game(&mut rng);
        let path = choose_path(&run, game, &mut rng);
        // A lost connection is normal when the server is killed.
        let Ok(response) = run.timely(guest.ask("GET", &path, "")).await else { continue };
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
        let server = run.any_address(&mut rng);
        let mut spectator = Spectator { run: &run, game, seen: 0 };
        let watched = if rng.bool() {
            tokio::time::timeout(time, spectator.watch_socket(server)).await
        } else {
            tokio::time::timeout(time, spectator.watch_stream(server)).await
        };
        // Otherwise the connection was lost.
        if watched.is_err() {
            run.count(|counts| &counts.reads);
        }
    }
}

/// A spectator of a game over one connection.
struct Spectator<'a> {
    run: &'a SoakRun,
    game: GameId,
    /// The number of the last event.
    seen: u32,
}

impl Spectator<'_> {
    /// Watches the game over a WebSocket.
    async fn watch_socket(&mut self, server: SocketAddr) -> io::Result<()> {
        let mut socket = ClientSocket::open(server, None).await?;
        socket.subscribe(self.game, 0).await?;
        while let Some(message) = socket.next().await? {
            self.record(message);
        }
        Ok(())
    }

    /// Watches the game as a stream of lines.
    async fn watch_stream(&mut self, server: SocketAddr) -> io::Result<()> {
        let mut stream = TcpStream::connect(server).await?;
        let game = self.game;
        let request = format!("GET /api/games/{game}/stream HTTP/1.1\r\nHost: {server}\r\n\r\n");
        stream.write_all(request.as_bytes()).await?;
        let mut lines = BufReader::new(stream).lines();
        while let Some(line) = lines.next_line().await? {
            // Other lines are headers and the sizes of chunks.
            if let Ok(message) = serde_json::from_str(&line) {
                self.record(message);
            }
        }
        Ok(())
    }

    /// Records the events of a message.
    fn record(&mut self, message: ServerMessage) {
        match message {
            ServerMessage::GameJoined(joined) => {
                joined.events.iter().for_each(|event| self.see(event));
            }
            ServerMessage::Event(event) => self.see(&event),
            ServerMessage::Refused { error, .. } => {
                if self.run.reads_may_fail && error.code == ErrorCode::Unavailable {
                    return self.run.count(|counts| &counts.unavailable);
                }
                self.run.fault(format!("watching game {}: {error}", self.game));
            }
            _ => {}
        }
    }

    /// Records an event, which must be the next one by number.
    fn see(&mut self, event: &Event) {
        let (game, expected) = (self.game, self.seen + 1);
        if event.number != expected {
            let number = event.number;
            self.run.fault(format!("game {game}: a spectator got event {number}, not {expected}"));
        }
        self.seen = event.number;
        self.run.show(game, event);
    }
}
