//! Clients that lie, flood or vanish get a clear error or a closed connection, and others notice nothing.

use std::io;
use std::time::Duration;

use khet_crowd::{Guest, Line, request};
use khet_protocol::{Action, ErrorCode, EventKind, GameId, ServerMessage};
use khet_server::Time;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::table::{Client, House, Table, sit_down};

/// A game in which Silver is to make the third move, with both players connected.
struct Scene {
    house: House,
    table: Table,
    silver: Client,
    red: Client,
}

impl Scene {
    async fn set() -> Scene {
        let house = House::open(Time::default()).await;
        let table = sit_down(&house, "300+3").await;
        let mut silver = Client::open(&table.people[0], table.game).await;
        let mut red = Client::open(&table.people[1], table.game).await;
        silver.mv(0, "h2+").await.expect("made");
        red.event().await;
        red.mv(1, "c7+").await.expect("made");
        silver.event().await;
        Scene { house, table, silver, red }
    }

    /// Someone who has nothing to do with the game.
    async fn stranger(&self) -> (Guest, Line) {
        let (guest, _) = Guest::enter(self.house.at()).await.expect("a guest");
        let line = Line::open(self.house.at(), guest.cookie.as_deref()).await.expect("a line");
        (guest, line)
    }

    /// The game goes on as if nothing had happened.
    async fn others_notice_nothing(mut self) {
        self.silver.mv(2, "h2-").await.expect("made");
        assert!(matches!(self.red.event().await, EventKind::Move { .. }));
        assert_eq!(self.silver.events, self.red.events);
        assert_eq!(self.silver.state().game().moves().len(), 3);
        self.house.stop().await;
    }
}

/// Waits until the server has closed a line; what it says before does not matter.
async fn closed(line: &mut Line) {
    while let Ok(Some(_)) = line.hear().await {}
    let error = line.hear().await.err().map(|error| error.kind());
    assert_ne!(error, Some(io::ErrorKind::TimedOut), "the line is still open");
}

async fn refusal(line: &mut Line) -> ErrorCode {
    loop {
        match line.hear().await.expect("heard").expect("open") {
            ServerMessage::Refused { error, .. } => return error.code,
            ServerMessage::Presence(_) | ServerMessage::GameJoined(_) => {}
            other => panic!("not refused: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_wrong_game() {
    let scene = Scene::set().await;
    let (_, mut line) = scene.stranger().await;
    line.hello(GameId::from_number(1), 0).await.expect("said");
    assert_eq!(refusal(&mut line).await, ErrorCode::NotFound);
    // Watching is allowed, playing is not.
    line.hello(scene.table.game, 0).await.expect("said");
    line.act(1, Action::Move { ply: 2, mv: "h2-".parse().expect("a move") }).await.expect("said");
    assert_eq!(refusal(&mut line).await, ErrorCode::Forbidden);
    line.act(2, Action::Resign).await.expect("said");
    assert_eq!(refusal(&mut line).await, ErrorCode::Forbidden);
    scene.others_notice_nothing().await;
}

#[tokio::test]
async fn not_its_move() {
    let mut scene = Scene::set().await;
    let refused = scene.red.mv(2, "c7-").await.expect_err("refused");
    assert_eq!(refused.code, ErrorCode::NotYourTurn);
    scene.others_notice_nothing().await;
}

#[tokio::test]
async fn an_illegal_move() {
    let mut scene = Scene::set().await;
    for mv in ["h2h5", "c7+", "e5+", "a1a2"] {
        let refused = scene.silver.mv(2, mv).await.expect_err("refused");
        assert_eq!(refused.code, ErrorCode::IllegalMove, "{mv}");
    }
    scene.others_notice_nothing().await;
}

#[tokio::test]
async fn an_old_number() {
    let mut scene = Scene::set().await;
    for ply in [0, 1, 3, u32::MAX] {
        let refused = scene.silver.mv(ply, "h2-").await.expect_err("refused");
        assert_eq!(refused.code, ErrorCode::Stale);
    }
    scene.others_notice_nothing().await;
}

#[tokio::test]
async fn a_forged_cookie() {
    let scene = Scene::set().await;
    let forged = format!("khet={}", "0".repeat(64));
    let mut line = Line::open(scene.house.at(), Some(&forged)).await.expect("a line");
    line.hello(scene.table.game, 0).await.expect("said");
    let Ok(Some(ServerMessage::GameJoined(welcome))) = line.hear().await else {
        panic!("a welcome")
    };
    assert_eq!(welcome.you, None);
    line.act(1, Action::Resign).await.expect("said");
    assert_eq!(refusal(&mut line).await, ErrorCode::SignedOut);
    // Nobody is let in by a hash that was read from the database either, nor by nonsense.
    for cookie in ["khet=", "khet=%00", "khet=' OR 1=1 --", "other=1"] {
        let mut line = Line::open(scene.house.at(), Some(cookie)).await.expect("a line");
        line.hello(scene.table.game, 0).await.expect("said");
        let Ok(Some(ServerMessage::GameJoined(welcome))) = line.hear().await else {
            panic!("a welcome")
        };
        assert_eq!(welcome.you, None, "{cookie}");
    }
    scene.others_notice_nothing().await;
}

#[tokio::test]
async fn someone_elses_token() {
    let scene = Scene::set().await;
    let (stranger, mut line) = scene.stranger().await;
    // A stranger's token is the stranger's, whatever else the request says.
    line.hello(scene.table.game, 0).await.expect("said");
    let Ok(Some(ServerMessage::GameJoined(welcome))) = line.hear().await else {
        panic!("a welcome")
    };
    assert_eq!(welcome.you, None);
    let token = stranger.cookie.expect("a cookie").replace("khet=", "");
    let headers = format!("Authorization: Bearer {}\r\n", token.replace(&token[..4], "ffff"));
    let answer = request(scene.house.at(), "POST", "/api/guest", &headers, "").await.expect("one");
    assert_eq!(answer.status, 401, "{}", answer.body);
    // A player's cookie sent by another site's page does nothing.
    let cookie = scene.table.people[0].cookie.as_deref();
    let from = Line::open_from(scene.house.at(), cookie, "https://evil.example").await;
    assert!(from.is_err());
    let headers =
        format!("Cookie: {}\r\nOrigin: https://evil.example\r\n", cookie.unwrap_or_default());
    let body = r#"{"start": "classic", "time": "none"}"#;
    let answer = request(scene.house.at(), "POST", "/api/challenges", &headers, body).await;
    assert_eq!(answer.expect("an answer").status, 403);
    scene.others_notice_nothing().await;
}

#[tokio::test]
async fn a_frame_of_a_megabyte() {
    let scene = Scene::set().await;
    let (_, mut line) = scene.stranger().await;
    let _ = line.send(Message::text("x".repeat(1 << 20))).await;
    closed(&mut line).await;
    let (mut stranger, _) = scene.stranger().await;
    let answer = stranger.post("/api/challenges", &"x".repeat(1 << 20)).await;
    // Refused, or cut off while it was still sending.
    assert!(answer.is_err() || answer.is_ok_and(|answer| answer.status == 413));
    scene.others_notice_nothing().await;
}

#[tokio::test]
async fn ten_thousand_frames_a_second() {
    let scene = Scene::set().await;
    for frame in [Message::text("{}"), Message::text("\"unseek\""), Message::Ping(vec![1].into())] {
        let (_, mut line) = scene.stranger().await;
        line.hello(scene.table.game, 0).await.expect("said");
        let flood = async {
            for _ in 0..10_000 {
                if line.send(frame.clone()).await.is_err() {
                    break;
                }
            }
        };
        let _ = tokio::time::timeout(Duration::from_secs(5), flood).await;
        closed(&mut line).await;
    }
    scene.others_notice_nothing().await;
}

#[tokio::test]
async fn half_open_sockets() {
    let scene = Scene::set().await;
    // Some say nothing, some stop in the middle of the request, of the handshake, of a frame; some vanish without goodbye.
    let mut silent = Vec::new();
    for number in 0..60 {
        let mut stream = TcpStream::connect(scene.house.at()).await.expect("connected");
        let beginning: &[u8] = match number % 3 {
            0 => b"",
            1 => b"GET /api/live HTTP/1.1\r\nHost: kh",
            _ => b"POST /api/challenges HTTP/1.1\r\nHost: khet\r\nContent-Length: 100\r\n\r\n{",
        };
        stream.write_all(beginning).await.expect("sent");
        silent.push(stream);
    }
    let (_, mut line) = scene.stranger().await;
    line.hello(scene.table.game, 0).await.expect("said");
    line.stream().write_all(&[0x81, 0xfe, 0x10]).await.expect("sent");
    // The places of one address are not all places, and they are given back.
    let mut more = Vec::new();
    for _ in 0..100 {
        more.push(TcpStream::connect(scene.house.at()).await);
    }
    drop((silent, more, line));
    tokio::time::sleep(Duration::from_millis(200)).await;
    let (_, mut line) = scene.stranger().await;
    line.hello(scene.table.game, 0).await.expect("said");
    assert!(matches!(line.hear().await, Ok(Some(ServerMessage::GameJoined(_)))));
    scene.others_notice_nothing().await;
}

#[tokio::test]
async fn invalid_utf8() {
    let scene = Scene::set().await;
    let (_, mut line) = scene.stranger().await;
    // A text frame, masked with zeros, of two bytes that no text has.
    line.stream().write_all(&[0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28]).await.expect("sent");
    closed(&mut line).await;
    let (_, mut line) = scene.stranger().await;
    line.send(Message::binary(vec![0xff; 10])).await.expect("sent");
    assert_eq!(refusal(&mut line).await, ErrorCode::Malformed);
    scene.others_notice_nothing().await;
}

#[tokio::test]
async fn json_a_thousand_levels_deep() {
    let scene = Scene::set().await;
    let (mut stranger, mut line) = scene.stranger().await;
    for (open, close) in
        [("[", "]"), (r#"{"subscribe":"#, "}"), (r#"{"action":{"key":1,"action":"#, "}}")]
    {
        let deep = format!("{}{}", open.repeat(1000), close.repeat(1000));
        let deep = &deep[..deep.len().min(4000)];
        line.send(Message::text(deep.to_owned())).await.expect("sent");
        assert_eq!(refusal(&mut line).await, ErrorCode::Malformed);
        let answer = stranger.post("/api/challenges", deep).await.expect("an answer");
        assert!((400..500).contains(&answer.status), "{}", answer.status);
    }
    scene.others_notice_nothing().await;
}

#[tokio::test]
async fn nonsense() {
    let scene = Scene::set().await;
    let (_, mut line) = scene.stranger().await;
    for text in [
        "",
        "null",
        "[]",
        "{",
        "\"subscribe\"",
        r#"{"subscribe":{"game":{"id":"../../etc"}}}"#,
        r#"{"action":{"key":-1,"action":"resign"}}"#,
        r#"{"action":{"key":1,"action":{"move":{"ply":1e99,"move":"h2+"}}}}"#,
    ] {
        line.send(Message::text(text)).await.expect("sent");
        assert_eq!(refusal(&mut line).await, ErrorCode::Malformed, "{text}");
    }
    // What makes sense, but not here.
    line.act(1, Action::Resign).await.expect("said");
    assert_eq!(refusal(&mut line).await, ErrorCode::NotNow);
    scene.others_notice_nothing().await;
}
