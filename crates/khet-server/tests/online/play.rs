//! Games from start to end, with every action of players.

use std::time::Duration;

use khet::{Color, Game, Move, Setup, Termination};
use khet_load::{ClientSocket, Guest, request};
use khet_protocol::{
    Action, ActionAck, ClientMessage, ErrorCode, EventKind, LobbyResponse, ServerMessage,
    Subscription,
};
use khet_server::Time;
use tokio_tungstenite::tungstenite::Message;

use crate::test_game::{Client, TestServer, options, start_game};

const SECOND: Duration = Duration::from_secs(1);

fn now() -> Time {
    Time::standing(1_800_000_000_000)
}

/// Both players move, so that the game counts and the clocks run.
async fn begin(silver: &mut Client, red: &mut Client) {
    silver.mv(0, "h2+").await.expect("accepted");
    assert!(matches!(red.event().await, EventKind::Move { .. }));
    red.mv(1, "c7+").await.expect("accepted");
    assert!(matches!(silver.event().await, EventKind::Move { .. }));
}

#[tokio::test]
async fn players_and_spectators_receive_every_move() {
    let server = TestServer::unlimited(now()).await;
    let test_game = start_game(&server, "300+3").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let mut red = Client::open(&test_game.people[1], test_game.game).await;
    let mut spectator =
        Client::open(&Guest::without_session(server.address()), test_game.game).await;
    assert_eq!(silver.joined.you, Some(Color::Silver));
    assert_eq!(red.joined.you, Some(Color::Red));
    assert_eq!(spectator.joined.you, None);
    begin(&mut silver, &mut red).await;
    assert!(matches!(spectator.event().await, EventKind::Move { .. }));
    assert!(matches!(spectator.event().await, EventKind::Move { .. }));
    red.act(Action::Resign).await.expect("done");
    for client in [&mut silver, &mut spectator] {
        let EventKind::Ended(end) = client.event().await else { panic!("the end") };
        assert_eq!((end.winner, end.termination), (Some(Color::Silver), Termination::Resignation));
    }
    assert_eq!(silver.events, red.events);
    assert_eq!(silver.events, spectator.events);
    assert_eq!(silver.expect_refusal(Action::Resign).await, ErrorCode::Over);
}

/// A random game that ends with a hit on a pharaoh.
fn short_game() -> Vec<Move> {
    (0..)
        .find_map(|seed| {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut game = Game::new(Setup::Classic.position());
            while game.outcome().is_none() && game.moves().len() < 60 {
                let moves = game.position().legal_moves();
                game.play(moves[rng.usize(..moves.len())]).expect("legal");
            }
            game.outcome().map(|_| game.moves().to_vec())
        })
        .expect("some game is short")
}

#[tokio::test]
async fn hit_pharaoh_ends_the_game() {
    let server = TestServer::unlimited(now()).await;
    let test_game = start_game(&server, "none").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let mut red = Client::open(&test_game.people[1], test_game.game).await;
    for (mv, ply) in short_game().into_iter().zip(0..) {
        let (mover, other) =
            if ply % 2 == 0 { (&mut silver, &mut red) } else { (&mut red, &mut silver) };
        mover.act(Action::Move { ply, mv: mv.into() }).await.expect("accepted");
        other.event().await;
    }
    silver = silver.refresh().await;
    red = red.refresh().await;
    let end = silver.state().outcome().expect("over");
    assert_eq!(end.termination, Termination::PharaohHit);
    assert_eq!(end, red.state().outcome().expect("over"));
    assert_eq!(Some(end), silver.state().game().outcome());
}

#[tokio::test]
async fn repeated_move_message_counts_once() {
    let server = TestServer::unlimited(now()).await;
    let test_game = start_game(&server, "300+3").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let mv = Action::Move { ply: 0, mv: "h2+".parse().expect("a move") };
    let first = silver.act_as(77, mv.clone()).await.expect("accepted");
    assert_eq!(first, ActionAck { key: 77, number: 2 });
    assert_eq!(silver.act_as(77, mv.clone()).await, Ok(first));
    // Also over another connection.
    let mut again = Client::open(&test_game.people[0], test_game.game).await;
    assert_eq!(again.act_as(77, mv).await, Ok(first));
    assert_eq!(again.refresh().await.state().game().ply(), 1);
}

/// A page of version 0.1.0 may still be open in a browser when the server is updated.
#[tokio::test]
async fn messages_of_version_0_1_are_accepted() {
    let server = TestServer::unlimited(now()).await;
    let test_game = start_game(&server, "300+3").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let message = r#"{"act":{"key":5,"act":{"turn":{"ply":0,"turn":"h2+"}}}}"#;
    silver.socket.send(Message::text(message)).await.expect("sent");
    assert!(matches!(silver.event().await, EventKind::Move { key: 5, .. }));
}

/// Clients that number their actions from one must not interfere with each other.
#[tokio::test]
async fn action_keys_are_per_player() {
    let server = TestServer::unlimited(now()).await;
    let test_game = start_game(&server, "300+3").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let mut red = Client::open(&test_game.people[1], test_game.game).await;
    let mv = |ply, text: &str| Action::Move { ply, mv: text.parse().expect("a move") };
    assert_eq!(silver.act_as(1, mv(0, "h2+")).await, Ok(ActionAck { key: 1, number: 2 }));
    red.event().await;
    assert_eq!(red.act_as(1, mv(1, "c7+")).await, Ok(ActionAck { key: 1, number: 3 }));
}

#[tokio::test]
async fn signing_out_closes_connections() {
    let server = TestServer::unlimited(now()).await;
    let mut test_game = start_game(&server, "300+3").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let answer = test_game.people[0].post("/api/sign-out", "").await.expect("an answer");
    assert_eq!(answer.status, 204, "{}", answer.body);
    loop {
        match silver.socket.receive().await {
            Ok(Some(ServerMessage::Presence(_) | ServerMessage::Closing { .. })) => {}
            Ok(Some(message)) => panic!("{message:?}"),
            Ok(None) => break,
            Err(error) => break assert_ne!(error.kind(), std::io::ErrorKind::TimedOut),
        }
    }
}

#[tokio::test]
async fn two_tabs_receive_the_same_events() {
    let server = TestServer::unlimited(now()).await;
    let test_game = start_game(&server, "300+3").await;
    let mut one = Client::open(&test_game.people[0], test_game.game).await;
    let mut other = Client::open(&test_game.people[0], test_game.game).await;
    one.mv(0, "h2+").await.expect("accepted");
    assert!(matches!(other.event().await, EventKind::Move { .. }));
    assert_eq!(one.events, other.events);
}

#[tokio::test]
async fn reconnecting_client_receives_missed_events() {
    let server = TestServer::unlimited(now()).await;
    let test_game = start_game(&server, "300+3").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let red = Client::open(&test_game.people[1], test_game.game).await;
    let known = red.events.clone();
    drop(red);
    silver.mv(0, "h2+").await.expect("accepted");
    let red = Client::reconnect(&test_game.people[1], test_game.game, known).await;
    assert_eq!((red.joined.after, red.joined.events.len()), (1, 1));
    assert_eq!(red.events, silver.events);
    // A client that claims to have more events than exist receives all of them.
    let mut socket = ClientSocket::open(server.address(), None).await.expect("a connection");
    socket.subscribe(test_game.game, 1000).await.expect("sent");
    let Ok(Some(ServerMessage::GameJoined(joined))) = socket.receive().await else {
        panic!("a joined")
    };
    assert_eq!((joined.after, joined.events), (0, silver.events));
}

#[tokio::test]
async fn game_ends_when_a_flag_falls() {
    let server = TestServer::unlimited(now()).await;
    let test_game = start_game(&server, "60+0").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let mut red = Client::open(&test_game.people[1], test_game.game).await;
    begin(&mut silver, &mut red).await;
    server.skip(59 * SECOND);
    silver.mv(2, "h2-").await.expect("a second is left");
    assert!(matches!(red.event().await, EventKind::Move { left: Some(1000), .. }));
    server.skip(60 * SECOND);
    let EventKind::Ended(end) = silver.event().await else { panic!("the end") };
    assert_eq!((end.winner, end.termination), (Some(Color::Silver), Termination::Time));
}

#[tokio::test]
async fn game_without_first_move_is_aborted() {
    let server = TestServer::unlimited(now()).await;
    let test_game = start_game(&server, "60+0").await;
    let mut red = Client::open(&test_game.people[1], test_game.game).await;
    server.skip(61 * SECOND);
    let EventKind::Ended(end) = red.event().await else { panic!("the end") };
    assert_eq!(end.termination, Termination::Aborted);
}

#[tokio::test]
async fn win_can_be_claimed_when_the_opponent_is_gone() {
    let server = TestServer::unlimited(now()).await;
    let test_game = start_game(&server, "1800+0").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let mut red = Client::open(&test_game.people[1], test_game.game).await;
    begin(&mut silver, &mut red).await;
    assert_eq!(silver.expect_refusal(Action::ClaimWin).await, ErrorCode::NotNow);
    drop(red);
    let gone = loop {
        if let Ok(Some(ServerMessage::Presence(presence))) = silver.socket.receive().await
            && !presence.connected.red
        {
            break presence;
        }
    };
    assert!(gone.connected.silver);
    assert_eq!(gone.claim_at, Some(server.config.time.now() + 60_000));
    server.skip(59 * SECOND);
    assert_eq!(silver.expect_refusal(Action::ClaimWin).await, ErrorCode::NotNow);
    server.skip(SECOND);
    silver.act(Action::ClaimWin).await.expect("claimed");
    let end = silver.state().outcome().expect("over");
    assert_eq!((end.winner, end.termination), (Some(Color::Silver), Termination::Abandonment));
}

#[tokio::test]
async fn draw_takeback_and_rematch_offers() {
    let server = TestServer::unlimited(now()).await;
    let test_game = start_game(&server, "300+3").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let mut red = Client::open(&test_game.people[1], test_game.game).await;
    begin(&mut silver, &mut red).await;
    silver.act(Action::Takeback).await.expect("asked");
    assert_eq!(red.event().await, EventKind::TakebackAsked { by: Color::Silver });
    red.act(Action::Takeback).await.expect("granted");
    assert_eq!(red.state().game().ply(), 0);
    assert_eq!(silver.event().await, EventKind::TakenBack { moves: 2 });
    begin(&mut silver, &mut red).await;
    silver.act(Action::AddTime).await.expect("given");
    assert!(matches!(red.event().await, EventKind::TimeAdded { by: Color::Silver, .. }));
    red.act(Action::Draw).await.expect("offered");
    assert_eq!(silver.event().await, EventKind::DrawOffered { by: Color::Red });
    silver.act(Action::DeclineDraw).await.expect("declined");
    assert_eq!(red.event().await, EventKind::DrawDeclined { by: Color::Silver });
    assert_eq!(red.expect_refusal(Action::Draw).await, ErrorCode::NotNow);
    silver.act(Action::Draw).await.expect("offered");
    assert_eq!(red.event().await, EventKind::DrawOffered { by: Color::Silver });
    red.act(Action::Draw).await.expect("accepted");
    let EventKind::Ended(end) = silver.event().await else { panic!("the end") };
    assert_eq!((end.winner, end.termination), (None, Termination::Agreement));
    // Another rematch, with colours exchanged.
    red.act(Action::Rematch).await.expect("offered");
    assert_eq!(silver.event().await, EventKind::RematchOffered { by: Color::Red });
    silver.act(Action::Rematch).await.expect("accepted");
    let EventKind::Rematched { game } = red.event().await else { panic!("the next game") };
    let next = Client::open(&test_game.people[0], game).await;
    assert_eq!(next.joined.you, Some(Color::Red));
}

#[tokio::test]
async fn chat_is_only_for_players() {
    let server = TestServer::unlimited(now()).await;
    let test_game = start_game(&server, "300+3").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let mut red = Client::open(&test_game.people[1], test_game.game).await;
    let mut spectator =
        Client::open(&Guest::without_session(server.address()), test_game.game).await;
    let text = "good luck".to_owned();
    silver.act(Action::Chat { text: text.clone() }).await.expect("sent");
    assert_eq!(red.event().await, EventKind::Chat { by: Color::Silver, text });
    assert_eq!(spectator.event().await, EventKind::ChatHidden);
    let late = Client::open(&Guest::without_session(server.address()), test_game.game).await;
    assert_eq!(late.events[1].kind, EventKind::ChatHidden);
    assert_eq!(
        red.expect_refusal(Action::Chat { text: "x".repeat(201) }).await,
        ErrorCode::Invalid
    );
    assert_eq!(
        red.expect_refusal(Action::Chat { text: " \n ".to_owned() }).await,
        ErrorCode::Invalid
    );
    for _ in 0..3 {
        red.act(Action::Chat { text: "ha".to_owned() }).await.expect("sent");
    }
    let refused = red.act(Action::Chat { text: "ha".to_owned() }).await.expect_err("too much");
    assert_eq!((refused.code, refused.retry_after), (ErrorCode::TooMany, Some(3)));
}

#[tokio::test]
async fn compatible_seeks_are_paired() {
    let server = TestServer::unlimited(now()).await;
    let mut lines = Vec::new();
    for _ in 0..2 {
        let (guest, _) = Guest::enter(server.address()).await.expect("a guest");
        let mut socket = ClientSocket::open(server.address(), guest.cookie.as_deref())
            .await
            .expect("a connection");
        socket.send_message(&ClientMessage::Subscribe(Subscription::Lobby)).await.expect("sent");
        assert!(matches!(socket.receive().await, Ok(Some(ServerMessage::Lobby(_)))));
        let challenge = Box::new(options(r#"{"start": "imhotep", "time": "300+3"}"#));
        socket.send_message(&ClientMessage::Seek { key: 5, challenge }).await.expect("sent");
        lines.push((guest, socket));
    }
    let mut games = Vec::new();
    for (guest, socket) in &mut lines {
        let game = loop {
            match socket.receive().await.expect("received").expect("open") {
                ServerMessage::Paired { game } => break game,
                ServerMessage::Done(made) => assert_eq!(made, ActionAck { key: 5, number: 0 }),
                ServerMessage::Lobby(_) | ServerMessage::LobbyCounts(_) => {}
                other => panic!("{other:?}"),
            }
        };
        games.push((game, Client::open(guest, game).await.joined.you));
    }
    assert_eq!(games[0].0, games[1].0);
    assert!(games[0].1.is_some() && games[1].1.is_some() && games[0].1 != games[1].1);
}

/// Returns the next list of the lobby.
async fn next_list(lobby: &mut ClientSocket) -> LobbyResponse {
    loop {
        match lobby.receive().await.expect("received").expect("open") {
            ServerMessage::Lobby(list) => return list,
            ServerMessage::LobbyCounts(_) => {}
            other => panic!("no list: {other:?}"),
        }
    }
}

#[tokio::test]
async fn first_person_to_accept_a_challenge_gets_it() {
    let server = TestServer::unlimited(now()).await;
    let challenge = options(r#"{"start": "classic", "time": "3d", "color": "red", "open": true}"#);
    let mut anna = Guest::without_session(server.address());
    let id = anna.challenge(&challenge).await.expect("accepted");
    let mut socket =
        ClientSocket::open(server.address(), anna.cookie.as_deref()).await.expect("a connection");
    socket
        .send_message(&ClientMessage::Subscribe(Subscription::Challenge { id }))
        .await
        .expect("sent");
    let Ok(Some(ServerMessage::Challenge(answer))) = socket.receive().await else { panic!("it") };
    assert!(answer.own && answer.game.is_none());
    let mut lobby = ClientSocket::open(server.address(), None).await.expect("a connection");
    lobby.send_message(&ClientMessage::Subscribe(Subscription::Lobby)).await.expect("sent");
    assert_eq!(
        next_list(&mut lobby).await.challenges.iter().map(|one| one.id).collect::<Vec<_>>(),
        [id]
    );
    assert!(anna.accept(id).await.is_err(), "a player can't accept their own challenge");
    let mut ben = Guest::without_session(server.address());
    let game = ben.accept(id).await.expect("a game");
    let Ok(Some(ServerMessage::Paired { game: paired })) = socket.receive().await else {
        panic!("a game")
    };
    assert_eq!(paired, game);
    assert_eq!(ben.accept(id).await.expect("twice counts once"), game);
    let answer = Guest::without_session(server.address())
        .post(&format!("/api/challenges/{id}/accept"), "")
        .await;
    assert_eq!(answer.expect("an answer").status, 409);
    assert!(next_list(&mut lobby).await.challenges.is_empty());
    assert_eq!(Client::open(&anna, game).await.joined.you, Some(Color::Red));
}

/// A real-time challenge needs its author to be connected; a correspondence challenge does not.
#[tokio::test]
async fn real_time_challenge_is_listed_while_its_author_is_connected() {
    let server = TestServer::unlimited(now()).await;
    let mut anna = Guest::without_session(server.address());
    let mut ids = Vec::new();
    for time in ["300+3", "3d"] {
        let text = format!(r#"{{"start": "classic", "time": "{time}", "open": true}}"#);
        ids.push(anna.challenge(&options(&text)).await.expect("accepted"));
    }
    let mut lobby = ClientSocket::open(server.address(), None).await.expect("a connection");
    lobby.send_message(&ClientMessage::Subscribe(Subscription::Lobby)).await.expect("sent");
    let mut shown = async || {
        next_list(&mut lobby).await.challenges.iter().map(|one| one.id).collect::<Vec<_>>()
    };
    assert_eq!(shown().await, [ids[1]]);
    let mut socket =
        ClientSocket::open(server.address(), anna.cookie.as_deref()).await.expect("a connection");
    socket.send_message(&ClientMessage::Subscribe(Subscription::Lobby)).await.expect("sent");
    // The newest comes first.
    assert_eq!(shown().await, [ids[1], ids[0]]);
    drop(socket);
    assert_eq!(shown().await, [ids[1]]);
}

#[tokio::test]
async fn invalid_challenges_are_rejected() {
    let server = TestServer::unlimited(now()).await;
    let mut anna = Guest::without_session(server.address());
    for (body, status) in [
        (r#"{"start": "classic", "time": "5+0"}"#, 422),
        (r#"{"start": "10/10/10/10/10/10/10/10 s", "time": "none"}"#, 422),
        (r#"{"start": "classic", "time": "none", "rated": true}"#, 422),
        (r#"{"start": "classic", "time": "300+0", "rated": true}"#, 403),
        (r#"{"start": "classic", "time": "300+0", "to": "Nobody"}"#, 404),
        (r#"{"start": "#, 400),
    ] {
        let answer = anna.post("/api/challenges", body).await.expect("an answer");
        assert_eq!(answer.status, status, "{body}: {}", answer.body);
        let error: khet_protocol::ApiError =
            serde_json::from_str(&answer.body).expect("an error that programs can read");
        assert!(!error.message.is_empty());
    }
}

#[tokio::test]
async fn metrics_and_health_checks() {
    let server = TestServer::unlimited(now()).await;
    for (path, found) in
        [("/healthz", "ok"), ("/readyz", "ready"), ("/metrics", "khet_commit_seconds")]
    {
        start_game(&server, "none").await;
        let answer = request(server.address(), "GET", path, "", "").await.expect("an answer");
        assert_eq!(answer.status, 200);
        assert!(answer.body.contains(found), "{path}: {}", answer.body);
    }
}
