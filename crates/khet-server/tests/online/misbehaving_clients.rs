//! Clients that cheat, flood or disappear get an error or are disconnected, without effect on
//! others.

use std::io;
use std::time::Duration;

use khet_load::{ClientSocket, Guest, request};
use khet_protocol::{Action, ErrorCode, EventKind, GameId, ServerMessage};
use khet_server::Time;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::test_game::{Client, TestGame, TestServer, start_game};

/// A game before the third move, with both players connected.
struct GameInProgress {
    server: TestServer,
    test_game: TestGame,
    silver: Client,
    red: Client,
}

impl GameInProgress {
    async fn start() -> GameInProgress {
        let server = TestServer::open(Time::default()).await;
        let test_game = start_game(&server, "300+3").await;
        let mut silver = Client::open(&test_game.people[0], test_game.game).await;
        let mut red = Client::open(&test_game.people[1], test_game.game).await;
        silver.mv(0, "h2+").await.expect("accepted");
        red.event().await;
        red.mv(1, "c7+").await.expect("accepted");
        silver.event().await;
        GameInProgress { server, test_game, silver, red }
    }

    /// Returns a guest who does not play in the game.
    async fn stranger(&self) -> (Guest, ClientSocket) {
        let (guest, _) = Guest::enter(self.server.address()).await.expect("a guest");
        let socket = ClientSocket::open(self.server.address(), guest.cookie.as_deref())
            .await
            .expect("a connection");
        (guest, socket)
    }

    /// Checks that the game continues normally.
    async fn check_game_continues(mut self) {
        self.silver.mv(2, "h2-").await.expect("accepted");
        assert!(matches!(self.red.event().await, EventKind::Move { .. }));
        assert_eq!(self.silver.events, self.red.events);
        assert_eq!(self.silver.state().game().ply(), 3);
        self.server.stop().await;
    }
}

/// Waits until the server has closed a connection and ignores its messages.
async fn closed(socket: &mut ClientSocket) {
    while let Ok(Some(_)) = socket.receive().await {}
    let error = socket.receive().await.err().map(|error| error.kind());
    assert_ne!(error, Some(io::ErrorKind::TimedOut), "the connection is still open");
}

async fn refusal(socket: &mut ClientSocket) -> ErrorCode {
    loop {
        match socket.receive().await.expect("received").expect("open") {
            ServerMessage::Refused { error, .. } => return error.code,
            ServerMessage::Presence(_) | ServerMessage::GameJoined(_) => {}
            other => panic!("not refused: {other:?}"),
        }
    }
}

#[tokio::test]
async fn unknown_game() {
    let in_progress = GameInProgress::start().await;
    let (_, mut socket) = in_progress.stranger().await;
    socket.subscribe(GameId::from_number(1), 0).await.expect("sent");
    assert_eq!(refusal(&mut socket).await, ErrorCode::NotFound);
    // Watching is allowed, playing is not.
    socket.subscribe(in_progress.test_game.game, 0).await.expect("sent");
    socket.act(1, Action::Move { ply: 2, mv: "h2-".parse().expect("a move") }).await.expect("sent");
    assert_eq!(refusal(&mut socket).await, ErrorCode::Forbidden);
    socket.act(2, Action::Resign).await.expect("sent");
    assert_eq!(refusal(&mut socket).await, ErrorCode::Forbidden);
    in_progress.check_game_continues().await;
}

#[tokio::test]
async fn move_out_of_turn() {
    let mut in_progress = GameInProgress::start().await;
    let refused = in_progress.red.mv(2, "c7-").await.expect_err("refused");
    assert_eq!(refused.code, ErrorCode::NotYourTurn);
    in_progress.check_game_continues().await;
}

#[tokio::test]
async fn illegal_move() {
    let mut in_progress = GameInProgress::start().await;
    for mv in ["h2h5", "c7+", "e5+", "a1a2"] {
        let refused = in_progress.silver.mv(2, mv).await.expect_err("refused");
        assert_eq!(refused.code, ErrorCode::IllegalMove, "{mv}");
    }
    for mv in ["Te5", "T+", "h2H2", "H2+"] {
        let refused = in_progress.silver.mv(2, mv).await.expect_err("refused");
        assert_eq!(refused.code, ErrorCode::IllegalMove);
        assert_eq!(refused.message, format!("{mv}: this game has no tower"));
    }
    in_progress.check_game_continues().await;
}

#[tokio::test]
async fn stale_ply() {
    let mut in_progress = GameInProgress::start().await;
    for ply in [0, 1, 3, u32::MAX] {
        let refused = in_progress.silver.mv(ply, "h2-").await.expect_err("refused");
        assert_eq!(refused.code, ErrorCode::Stale);
    }
    in_progress.check_game_continues().await;
}

#[tokio::test]
async fn forged_cookie() {
    let in_progress = GameInProgress::start().await;
    let forged = format!("khet={}", "0".repeat(64));
    let mut socket = ClientSocket::open(in_progress.server.address(), Some(&forged))
        .await
        .expect("a connection");
    socket.subscribe(in_progress.test_game.game, 0).await.expect("sent");
    let Ok(Some(ServerMessage::GameJoined(joined))) = socket.receive().await else {
        panic!("a joined")
    };
    assert_eq!(joined.you, None);
    socket.act(1, Action::Resign).await.expect("sent");
    assert_eq!(refusal(&mut socket).await, ErrorCode::SignedOut);
    // Neither a hash from the database nor an invalid cookie is accepted.
    for cookie in ["khet=", "khet=%00", "khet=' OR 1=1 --", "other=1"] {
        let mut socket = ClientSocket::open(in_progress.server.address(), Some(cookie))
            .await
            .expect("a connection");
        socket.subscribe(in_progress.test_game.game, 0).await.expect("sent");
        let Ok(Some(ServerMessage::GameJoined(joined))) = socket.receive().await else {
            panic!("a joined")
        };
        assert_eq!(joined.you, None, "{cookie}");
    }
    in_progress.check_game_continues().await;
}

#[tokio::test]
async fn another_persons_token() {
    let in_progress = GameInProgress::start().await;
    let (stranger, mut socket) = in_progress.stranger().await;
    // The cookie decides who acts, whatever else the request contains.
    socket.subscribe(in_progress.test_game.game, 0).await.expect("sent");
    let Ok(Some(ServerMessage::GameJoined(joined))) = socket.receive().await else {
        panic!("a joined")
    };
    assert_eq!(joined.you, None);
    let token = stranger.cookie.expect("a cookie").replace("khet=", "");
    let headers = format!("Authorization: Bearer {}\r\n", token.replace(&token[..4], "ffff"));
    let answer = request(in_progress.server.address(), "POST", "/api/guest", &headers, "")
        .await
        .expect("one");
    assert_eq!(answer.status, 401, "{}", answer.body);
    // A player's cookie has no effect in a request from another site.
    let cookie = in_progress.test_game.people[0].cookie.as_deref();
    let from =
        ClientSocket::open_from(in_progress.server.address(), cookie, "https://evil.example").await;
    assert!(from.is_err());
    let headers =
        format!("Cookie: {}\r\nOrigin: https://evil.example\r\n", cookie.unwrap_or_default());
    let body = r#"{"start": "classic", "time": "none"}"#;
    let answer =
        request(in_progress.server.address(), "POST", "/api/challenges", &headers, body).await;
    assert_eq!(answer.expect("an answer").status, 403);
    in_progress.check_game_continues().await;
}

#[tokio::test]
async fn oversized_frame() {
    let in_progress = GameInProgress::start().await;
    let (_, mut socket) = in_progress.stranger().await;
    let _ = socket.send(Message::text("x".repeat(1 << 20))).await;
    closed(&mut socket).await;
    let (mut stranger, _) = in_progress.stranger().await;
    let answer = stranger.post("/api/challenges", &"x".repeat(1 << 20)).await;
    // Rejected, or disconnected while it was sending.
    assert!(answer.is_err() || answer.is_ok_and(|answer| answer.status == 413));
    in_progress.check_game_continues().await;
}

#[tokio::test]
async fn flood_of_frames() {
    let in_progress = GameInProgress::start().await;
    for frame in [Message::text("{}"), Message::text("\"unseek\""), Message::Ping(vec![1].into())] {
        let (_, mut socket) = in_progress.stranger().await;
        socket.subscribe(in_progress.test_game.game, 0).await.expect("sent");
        let flood = async {
            for _ in 0..10_000 {
                if socket.send(frame.clone()).await.is_err() {
                    break;
                }
            }
        };
        let _ = tokio::time::timeout(Duration::from_secs(5), flood).await;
        closed(&mut socket).await;
    }
    in_progress.check_game_continues().await;
}

#[tokio::test]
async fn half_open_sockets() {
    let in_progress = GameInProgress::start().await;
    // Some send nothing, some stop in the middle of the request, the handshake or a frame; some
    // disconnect without closing.
    let mut silent = Vec::new();
    for number in 0..60 {
        let mut stream = TcpStream::connect(in_progress.server.address()).await.expect("connected");
        let beginning: &[u8] = match number % 3 {
            0 => b"",
            1 => b"GET /api/live HTTP/1.1\r\nHost: kh",
            _ => b"POST /api/challenges HTTP/1.1\r\nHost: khet\r\nContent-Length: 100\r\n\r\n{",
        };
        stream.write_all(beginning).await.expect("sent");
        silent.push(stream);
    }
    let (_, mut socket) = in_progress.stranger().await;
    socket.subscribe(in_progress.test_game.game, 0).await.expect("sent");
    socket.stream().write_all(&[0x81, 0xfe, 0x10]).await.expect("sent");
    // One address can't use up all connections, and closed ones are released.
    let mut more = Vec::new();
    for _ in 0..100 {
        more.push(TcpStream::connect(in_progress.server.address()).await);
    }
    drop((silent, more, socket));
    tokio::time::sleep(Duration::from_millis(200)).await;
    let (_, mut socket) = in_progress.stranger().await;
    socket.subscribe(in_progress.test_game.game, 0).await.expect("sent");
    assert!(matches!(socket.receive().await, Ok(Some(ServerMessage::GameJoined(_)))));
    in_progress.check_game_continues().await;
}

#[tokio::test]
async fn invalid_utf8() {
    let in_progress = GameInProgress::start().await;
    let (_, mut socket) = in_progress.stranger().await;
    // A text frame, masked with zeros, with two bytes that are not UTF-8.
    socket.stream().write_all(&[0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28]).await.expect("sent");
    closed(&mut socket).await;
    let (_, mut socket) = in_progress.stranger().await;
    socket.send(Message::binary(vec![0xff; 10])).await.expect("sent");
    assert_eq!(refusal(&mut socket).await, ErrorCode::Malformed);
    in_progress.check_game_continues().await;
}

#[tokio::test]
async fn json_a_thousand_levels_deep() {
    let in_progress = GameInProgress::start().await;
    let (mut stranger, mut socket) = in_progress.stranger().await;
    for (open, close) in
        [("[", "]"), (r#"{"subscribe":"#, "}"), (r#"{"action":{"key":1,"action":"#, "}}")]
    {
        let deep = format!("{}{}", open.repeat(1000), close.repeat(1000));
        let deep = &deep[..deep.len().min(4000)];
        socket.send(Message::text(deep.to_owned())).await.expect("sent");
        assert_eq!(refusal(&mut socket).await, ErrorCode::Malformed);
        let answer = stranger.post("/api/challenges", deep).await.expect("an answer");
        assert!((400..500).contains(&answer.status), "{}", answer.status);
    }
    in_progress.check_game_continues().await;
}

#[tokio::test]
async fn invalid_messages() {
    let in_progress = GameInProgress::start().await;
    let (_, mut socket) = in_progress.stranger().await;
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
        socket.send(Message::text(text)).await.expect("sent");
        assert_eq!(refusal(&mut socket).await, ErrorCode::Malformed, "{text}");
    }
    // Valid messages in the wrong state.
    socket.act(1, Action::Resign).await.expect("sent");
    assert_eq!(refusal(&mut socket).await, ErrorCode::NotNow);
    in_progress.check_game_continues().await;
}
