//! Privacy: what was deleted is gone, what has expired ends, and texts are what they seem.

use std::time::{Duration, Instant};

use khet_load::ClientSocket;
use khet_protocol::ServerMessage;
use khet_server::testing;
use serde_json::{Value, json};

use crate::test_server::{Client, PASSWORD, TestServer, act, begin, game_path, win};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const SECRET: &str = "I live at 7 Laser Lane";

/// Returns whether bytes occur in others.
fn contains(content: &[u8], part: &[u8]) -> bool {
    content.windows(part.len()).any(|window| window == part)
}

#[test]
fn chat_of_a_deleted_account_is_gone_everywhere() {
    let mut server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let chat = |anna: &mut Client, ben: &mut Client, game: &str| {
        // Long enough that what replaces it does not cover the secret.
        let text = format!("{SECRET} {}", "x".repeat(100));
        assert_eq!(act(anna, game, json!({"chat": {"text": text}})).status, 200);
        assert_eq!(act(ben, game, json!({"chat": {"text": "Nice"}})).status, 200);
        assert!(ben.get(&game_path(game, "")).text.contains(SECRET));
    };
    // The restarted server has not loaded this game, so its chat is only on disk.
    let stored = win(&mut anna, &mut ben, json!({}));
    chat(&mut anna, &mut ben, &stored);
    server.stop();
    server.start();
    for client in [&mut anna, &mut ben] {
        client.server = server.stranger().server;
    }
    let finished = win(&mut anna, &mut ben, json!({}));
    let running = begin(&mut ben, &mut anna, json!({}));
    for game in [&finished, &running] {
        chat(&mut anna, &mut ben, game);
    }
    // The opponent watches both games, so that they stay in memory.
    let _watching = [&finished, &running].map(|game| server.open_socket(&ben, game));
    let password = json!({"password": PASSWORD}).to_string();
    assert_eq!(anna.send("DELETE", "/api/me", Some(&password)).status, 204);
    for game in [&stored, &finished, &running] {
        for path in ["", "/kgn"] {
            let answer = ben.get(&game_path(game, path));
            assert_eq!(answer.status, 200, "{}", answer.text);
            assert!(!answer.text.contains(SECRET), "{}", answer.text);
        }
        let shown = ben.get(&game_path(game, "")).text;
        assert!(shown.contains("Nice") && shown.contains("chat-hidden"), "{shown}");
        let first = ben.lines(&game_path(game, "/stream")).next().expect("a line").to_string();
        assert!(first.contains("Nice") && !first.contains(SECRET), "{first}");
    }
    assert!(!ben.get("/api/me/data").text.contains(SECRET));
    assert!(!ben.get("/api/export?player=Ben").text.contains(SECRET));
    // The files of the database do not hold it either.
    server.stop();
    assert!(!contains(&server.bytes(), SECRET.as_bytes()));
    server.start();
    ben.server = server.stranger().server;
    assert!(!ben.get(&game_path(&running, "")).text.contains(SECRET));
}

#[test]
fn a_connection_that_outlives_its_account_can_not_chat() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let game = win(&mut anna, &mut ben, json!({}));
    let mut other_browser = anna.clone();
    let mut socket = server.open_socket(&anna, &game);
    let password = json!({"password": PASSWORD}).to_string();
    assert_eq!(anna.send("DELETE", "/api/me", Some(&password)).status, 204);
    assert_eq!(other_browser.get("/api/me").status, 401);
    let refused = act(&mut other_browser, &game, json!({"chat": {"text": SECRET}}));
    assert_eq!(refused.status, 401, "{}", refused.text);
    server.wait(until_closing(&mut socket));
    assert!(!ben.get(&game_path(&game, "")).text.contains(SECRET));
    // The account is deleted, but its sessions do not know yet.
    let sql = "UPDATE people SET kind = 'gone', name = NULL, name_key = NULL \
               WHERE name_key = 'ben'";
    testing::execute(&server.config.database, sql);
    let refused = act(&mut ben, &game, json!({"chat": {"text": SECRET}}));
    assert_eq!((refused.status, &*refused.code()), (401, "signed-out"), "{}", refused.text);
}

/// Waits until the server closes a connection and says so.
async fn until_closing(socket: &mut ClientSocket) {
    loop {
        match socket.receive().await {
            Ok(Some(ServerMessage::Closing { .. })) => return,
            Ok(Some(_)) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn texts_with_invisible_characters_are_refused() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let game = begin(&mut anna, &mut ben, json!({}));
    let position = "4k5/10/3P16/10/10/10/10/5K4 s";
    for text in [
        "gnp.\u{202e}exe",
        "\u{2066}a\u{2069}",
        "a\u{200b}b",
        "a\u{200f}b",
        "\u{3164}x",
        "\u{2800}x",
        "x\u{feff}y",
        "x\u{e0041}y",
        "x\u{1b}[2Jy",
        "x\u{85}y",
        "x\u{34f}y",
    ] {
        let said = act(&mut anna, &game, json!({"chat": {"text": text}}));
        assert_eq!((said.status, &*said.code()), (422, "invalid"), "{text:?}: {}", said.text);
        let named = json!({"name": text, "position": position});
        let described = json!({"name": "x", "description": text, "position": position});
        for setup in [named, described] {
            assert_eq!(anna.post("/api/setups", setup).status, 422, "{text:?}");
        }
        let account = json!({"name": text, "password": PASSWORD});
        assert_eq!(server.stranger().post("/api/sign-up", account).status, 422, "{text:?}");
        assert_eq!(anna.post("/api/me/tokens", json!({"label": text})).status, 422, "{text:?}");
        server.skip(Duration::from_secs(15));
    }
    for text in ["Žluťoučký kůň", "👩\u{200d}🚀 ❤\u{fe0f}", "שלום", "مرحبا"] {
        let said = act(&mut anna, &game, json!({"chat": {"text": text}}));
        assert_eq!(said.status, 200, "{text:?}: {}", said.text);
        server.skip(Duration::from_secs(15));
    }
}

#[test]
fn sessions_end_when_they_expire_also_on_open_connections() {
    let server = TestServer::unlimited();
    let (mut anna, mut ben) = (server.account("Anna"), server.account("Ben"));
    let game = begin(&mut anna, &mut ben, json!({"time": "none"}));
    let address = server.running().address();
    let mut socket =
        server.wait(ClientSocket::open(address, anna.cookie.as_deref())).expect("a connection");
    server.wait(socket.subscribe(game.parse().expect("a game"), 0)).expect("sent");
    let mut lines = anna.lines(&game_path(&game, "/stream"));
    assert!(lines.next().is_some());
    server.skip(DAY * 364);
    assert_eq!(anna.get("/api/me").status, 200);
    server.skip(DAY);
    assert_eq!(anna.get("/api/me").status, 401);
    assert_eq!(act(&mut anna, &game, json!({"chat": {"text": "Hi"}})).status, 401);
    // Both connections are closed by the server.
    server.wait(until_closing(&mut socket));
    let left: Vec<Value> = lines.collect();
    assert!(left.len() < 10, "{left:?}");
    // A new session is as long as the first.
    let again = json!({"name": "Anna", "password": PASSWORD});
    assert_eq!(anna.post("/api/sign-in", again).status, 200);
    assert_eq!(anna.get("/api/me").status, 200);
}

/// Returns the number of sessions in the database.
fn count_sessions(server: &TestServer) -> i64 {
    testing::fetch_number(&server.config.database, "SELECT COUNT(*) FROM sessions")
}

#[test]
fn expired_sessions_are_deleted_while_the_server_runs() {
    let server = TestServer::unlimited();
    let mut anna = server.account("Anna");
    server.skip(DAY * 364);
    let mut ben = server.account("Ben");
    assert_eq!(count_sessions(&server), 2);
    server.skip(DAY * 2);
    let began = Instant::now();
    while count_sessions(&server) > 1 {
        assert!(began.elapsed() < Duration::from_secs(30), "the session is still there");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!((anna.get("/api/me").status, ben.get("/api/me").status), (401, 200));
}
