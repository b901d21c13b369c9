//! Bots: `khet serve --house-bots` and `khet bot` play whole games over the network.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use khet::{AnyGame, Move, Termination, tower};
use khet_engine::Level;
use khet_protocol::{GameJoined, GameState, ServerMessage};
use khet_server::testing;
use serde_json::{Value, json};

/// A process that is killed at the end of the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A running server.
struct TestServer {
    _server: Process,
    address: String,
    _folder: tempfile::TempDir,
}

fn khet(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_khet"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::inherit());
    command
}

fn serve(more: &[&str]) -> TestServer {
    let folder = tempfile::TempDir::new().expect("a folder");
    let database = testing::database_argument(folder.path().join("khet.sqlite"));
    let mut arguments = vec!["serve", "--address", "127.0.0.1:0", "--log", "warn", "--database"];
    arguments.push(database.to_str().expect("text"));
    arguments.extend(more);
    let mut server = khet(&arguments).spawn().expect("a server");
    let mut line = String::new();
    let output = server.stdout.take().expect("its output");
    BufReader::new(output).read_line(&mut line).expect("a line");
    let address = line.split_whitespace().find(|word| word.starts_with("http://"));
    let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
    TestServer { _server: Process(server), address, _folder: folder }
}

/// A client of the API that plays as a person.
struct Person {
    agent: ureq::Agent,
    address: String,
    cookie: String,
}

impl Person {
    fn new(server: &TestServer) -> Person {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_per_read(Some(Duration::from_secs(60)));
        let agent = ureq::Agent::new_with_config(config.build());
        Person { agent, address: server.address.clone(), cookie: String::new() }
    }

    fn get(&self, path: &str) -> Value {
        let request = self.agent.get(format!("{}{path}", self.address));
        let mut answer = request.header("cookie", &self.cookie).call().expect("an answer");
        answer.body_mut().read_json().expect("JSON")
    }

    fn post(&mut self, path: &str, body: Value) -> Value {
        let request = self.agent.post(format!("{}{path}", self.address));
        let request = request.header("origin", &self.address).header("cookie", &self.cookie);
        let mut answer = request.send_json(body).expect("an answer");
        if let Some(cookie) = answer.headers().get("set-cookie") {
            let cookie = cookie.to_str().expect("text");
            self.cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        }
        answer.body_mut().read_json().expect("JSON")
    }

    /// Plays a game to its end at a level of the engine. Takes back the first move in casual games.
    fn play(&mut self, game: &str, level: u8) -> GameState {
        let url = format!("{}/api/games/{game}/stream", self.address);
        let answer = self.agent.get(url).header("cookie", &self.cookie).call().expect("a stream");
        let mut state: Option<GameState> = None;
        let mut you = None;
        let (mut took_back, mut key) = (false, 0);
        let level = Level::new(level).expect("a level");
        let mut engine = khet_engine::Engine::new(khet_engine::Options::default());
        let mut tower_engine = khet_engine::tower::Engine::new(khet_engine::Options::default());
        for line in BufReader::new(answer.into_body().into_reader()).lines() {
            let line = line.expect("a line");
            if line.is_empty() {
                continue;
            }
            match serde_json::from_str(&line).expect("a message") {
                ServerMessage::GameJoined(joined) => {
                    let GameJoined { you: color, events, .. } = *joined;
                    you = color;
                    state = Some(GameState::fold(&events).expect("a game"));
                }
                ServerMessage::Event(event) => {
                    state.as_mut().expect("a game").apply(&event).expect("an event");
                }
                _ => continue,
            }
            let state = state.as_mut().expect("a game");
            if state.outcome().is_some() {
                return state.clone();
            }
            if Some(state.to_move()) != you || state.takeback_request().is_some() {
                continue;
            }
            // After a move that ends the game, the event with the end follows.
            if state.game().outcome().is_some() {
                continue;
            }
            let ply = state.game().ply();
            let act = if ply >= 2 && !took_back && !state.options().rated {
                took_back = true;
                json!("takeback")
            } else if ply > 120 {
                json!("resign")
            } else {
                let never = std::sync::atomic::AtomicBool::new(false);
                let began = Instant::now();
                let elapsed = || began.elapsed();
                let control =
                    khet_engine::Control { stop: &never, pondering: &never, elapsed: &elapsed };
                let (limits, seed) = (khet_engine::Limits::default(), ply as u64);
                let mv: Option<Move<tower::Square>> = match state.game() {
                    AnyGame::Standard(game) => {
                        let root = khet_engine::SearchRoot::new(game);
                        let best = level.choose_move(&mut engine, &root, limits, seed, control);
                        best.mv.map(Into::into)
                    }
                    AnyGame::Tower(game) => {
                        let root = khet_engine::SearchRoot::new(game);
                        let engine = &mut tower_engine;
                        level.choose_tower_move(engine, &root, limits, seed, control).mv
                    }
                };
                let mv = mv.expect("a running game has a legal move");
                json!({"move": {"ply": ply, "move": mv.to_string()}})
            };
            key += 1;
            let ack =
                self.post(&format!("/api/games/{game}/action"), json!({"key": key, "action": act}));
            assert!(ack["number"].is_u64(), "{ack}");
        }
        panic!("the game did not end");
    }
}

/// Waits until a player has a challenge in the lobby, and returns its id.
fn challenge_by(person: &Person, name: &str) -> String {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let lobby = person.get("/api/challenges");
        let challenges = lobby["challenges"].as_array().expect("challenges");
        if let Some(challenge) = challenges.iter().find(|one| one["by"]["name"] == name) {
            return challenge["id"].as_str().expect("an id").to_owned();
        }
        assert!(Instant::now() < deadline, "{name} posts no challenge: {lobby}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn house_bots_wait_in_the_lobby_and_play_whole_games() {
    let server = serve(&["--house-bots", "1,4"]);
    let mut anna = Person::new(&server);
    challenge_by(&anna, "Khet-4");
    // They declare that they accept all time controls of the lobby's buttons.
    let lobby = anna.get("/api/challenges");
    let bots = lobby["bots"].as_array().expect("bots");
    let strong = bots.iter().find(|bot| bot["profile"]["name"] == "Khet-4").expect("a bot");
    for preset in khet::TimeControl::PRESETS {
        let times = strong["times"].as_array().expect("time controls");
        assert!(times.contains(&json!(preset.to_string())), "{preset}: {strong}");
    }
    let first = challenge_by(&anna, "Khet-1");
    let game = anna.post(&format!("/api/challenges/{first}/accept"), json!(null));
    let game = game["game"].as_str().expect("a game").to_owned();
    // The bot posts another challenge.
    assert_ne!(challenge_by(&anna, "Khet-1"), first);
    let state = anna.play(&game, 3);
    let end = state.outcome().expect("it is over");
    assert!(
        !matches!(end.termination, Termination::Time | Termination::Abandonment),
        "the bot plays on: {end}"
    );
    assert!(state.game().ply() > 2, "both have played");
}

#[test]
fn a_bot_with_a_token_accepts_challenges_and_plays() {
    let server = serve(&[]);
    let mut owner = Person::new(&server);
    owner.post("/api/sign-up", json!({"name": "Robot", "password": "correct horse battery"}));
    let token = owner.post("/api/me/tokens", json!({"label": "khet bot"}));
    let token = token["token"].as_str().expect("a token");
    let mut bot = khet(&["bot", "--server", &server.address, "--level", "2", "--quiet"])
        .env("KHET_TOKEN", token)
        .spawn()
        .expect("a bot");
    let mut output = BufReader::new(bot.stdout.take().expect("its output"));
    let _bot = Process(bot);
    let mut line = String::new();
    output.read_line(&mut line).expect("a line");
    assert!(line.starts_with("Robot plays at http://127.0.0.1:"), "{line}");
    let mut anna = Person::new(&server);
    for start in ["imhotep", tower::Setup::ALL[0].name()] {
        let challenge = json!({"start": start, "time": "300+3", "color": "red", "to": "Robot"});
        let made = anna.post("/api/challenges", challenge);
        let id = made["challenge"]["id"].as_str().unwrap_or_else(|| panic!("{made}"));
        let deadline = Instant::now() + Duration::from_secs(60);
        let game = loop {
            let challenge = anna.get(&format!("/api/challenges/{id}"));
            if let Some(game) = challenge["game"].as_str() {
                break game.to_owned();
            }
            assert!(Instant::now() < deadline, "the challenge is not accepted");
            std::thread::sleep(Duration::from_millis(50));
        };
        let state = anna.play(&game, 2);
        assert!(state.game().ply() > 2, "both have played");
        line.clear();
        output.read_line(&mut line).expect("a line");
        assert!(line.contains("silver against a guest"), "{line}");
        line.clear();
        output.read_line(&mut line).expect("the end");
    }
}

#[test]
fn a_wrong_token_is_an_error() {
    let server = serve(&[]);
    let output = khet(&["bot", "--server", &server.address, "--token", "wrong"])
        .stderr(Stdio::piped())
        .output()
        .expect("a bot");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("unknown token"), "{message}");
}
