//! Kills the server repeatedly with `kill -9` while games are played: every acknowledged move is
//! kept, no game is corrupt, and every client resumes by itself.
//!
//! Five times by default; set `KHET_KILLS` for another number.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use khet_load::{ClientSocket, Guest, LoadPlayer, LoadStats, MoveRate, ServerFault};
use khet_protocol::{ErrorCode, Event, GameId, GameState, NewChallenge, ServerMessage};
use khet_server::testing;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Number of simultaneous games.
const GAMES: u64 = 24;
/// Default number of kills.
const KILLS: u32 = 5;
/// How long the games may take to resume.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Pause before a game that has no owner is asked for again.
const RETRY_PAUSE: Duration = Duration::from_millis(100);

/// A server that is killed when it is dropped.
struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    fn start(address: &str, database: &OsStr) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_khet"))
            .args(["serve", "--log", "error", "--address", address])
            .args(["--connections-per-address", "1000", "--requests-per-minute", "100000"])
            .args(["--guests-per-hour", "100000", "--messages-per-second", "100000"])
            .args(["--subscriptions-per-minute", "100000", "--games-per-minute", "100000"])
            .arg("--database")
            .arg(database)
            .stdout(Stdio::piped())
            .spawn()
            .expect("khet starts");
        let output = process.stdout.take().expect("its output");
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).expect("its address");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split(' ').next());
        let address = address.and_then(|address| address.parse().ok());
        Server { process, address: address.unwrap_or_else(|| panic!("no address: {line:?}")) }
    }

    /// Kills the process without a warning, as `kill -9` does.
    fn kill(&mut self) {
        self.process.kill().expect("killed");
        self.process.wait().expect("gone");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

type Playing = JoinHandle<(LoadPlayer, Result<(), ServerFault>)>;

async fn start_game(server: SocketAddr, setup: &str) -> (GameId, [String; 2]) {
    let text = format!(r#"{{"start": "{setup}", "time": "3600+60"}}"#);
    let challenge: NewChallenge = serde_json::from_str(&text).expect("a challenge");
    let (mut one, mut other) = (Guest::without_session(server), Guest::without_session(server));
    let id = one.challenge(&challenge).await.expect("a challenge");
    let game = other.accept(id).await.expect("a game");
    (game, [one, other].map(|guest| guest.cookie.expect("a cookie")))
}

/// Returns all events of a game, as a player receives them.
async fn events(server: SocketAddr, cookie: &str, game: GameId) -> Vec<Event> {
    loop {
        let mut socket = ClientSocket::open(server, Some(cookie)).await.expect("a connection");
        socket.subscribe(game, 0).await.expect("sent");
        loop {
            match socket.receive().await.expect("received").expect("open") {
                ServerMessage::GameJoined(joined) => return joined.events,
                // With PostgreSQL the leases of the server that was killed have to expire first.
                ServerMessage::Refused { key: 0, error }
                    if error.code == ErrorCode::Unavailable =>
                {
                    break;
                }
                _ => {}
            }
        }
        tokio::time::sleep(RETRY_PAUSE).await;
    }
}

/// Waits until moves are played again.
async fn resumed(figures: &LoadStats, moves: &mut usize) {
    let began = Instant::now();
    let before = *moves;
    while *moves < before + GAMES as usize {
        assert!(began.elapsed() < TIMEOUT, "the games do not resume");
        tokio::time::sleep(Duration::from_millis(5)).await;
        *moves += figures.summary(0.0).moves;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_acknowledged_move_outlives_a_kill() {
    let kills = std::env::var("KHET_KILLS").ok().and_then(|kills| kills.parse().ok());
    let folder = tempfile::TempDir::new().expect("a folder");
    let database = testing::database_argument(folder.path().join("khet.sqlite"));
    let mut server = Server::start("127.0.0.1:0", &database);
    let address = server.address;
    let figures = Arc::new(LoadStats::default());
    let (stop, stopped) = watch::channel(false);
    let mut playing: Vec<(String, Playing)> = Vec::new();
    for number in 0..GAMES {
        let setup = if number % 2 == 0 { "classic" } else { "orontes" };
        let (game, cookies) = start_game(address, setup).await;
        for (cookie, seed) in cookies.into_iter().zip(2 * number..) {
            let (figures, mut stopped) = (Arc::clone(&figures), stopped.clone());
            let mut player = LoadPlayer::new(address, cookie.clone(), game, seed).keeping_events();
            let task = tokio::spawn(async move {
                let played = tokio::select! {
                    played = player.play(MoveRate::Eager, &figures) => played,
                    _ = stopped.wait_for(|stop| *stop) => Ok(()),
                };
                (player, played)
            });
            playing.push((cookie, task));
        }
    }
    let mut moves = 0;
    for _ in 0..kills.unwrap_or(KILLS) {
        resumed(&figures, &mut moves).await;
        tokio::time::sleep(Duration::from_millis(fastrand::u64(0..300))).await;
        server.kill();
        server = Server::start(&address.to_string(), &database);
    }
    resumed(&figures, &mut moves).await;
    server.kill();
    stop.send_replace(true);
    let mut players = Vec::new();
    for (cookie, task) in playing {
        let (player, played) = task.await.expect("no panic");
        if let Err(broken) = played {
            panic!("{broken}");
        }
        players.push((cookie, player));
    }
    let server = Server::start("127.0.0.1:0", &database);
    let mut compared = 0;
    for (cookie, player) in players {
        let mut known: HashMap<GameId, Vec<Event>> = HashMap::new();
        for (game, event) in player.shown() {
            if !known.contains_key(game) {
                let events = events(server.address, &cookie, *game).await;
                GameState::fold(&events).expect("a game that can be read");
                known.insert(*game, events);
            }
            let kept = known[game].get(event.number as usize - 1);
            assert_eq!(kept, Some(event), "an event that was shown in game {game}");
            compared += 1;
        }
    }
    println!("{moves} moves acknowledged, {compared} events compared");
    assert!(moves > 0 && compared > moves);
}
