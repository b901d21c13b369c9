//! Games continue after a restart of the server.

use std::time::Duration;

use khet_protocol::{Action, EventKind, ServerMessage};
use khet_server::{Assets, Server, Time, testing};

use crate::test_game::{Client, TestServer, start_game, start_game_from};

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn games_resume_and_clocks_are_credited() {
    resume("classic", ["h2+", "c7+", "h2-"]).await;
    resume("4k5/10/10/10/10/10/10/4K5+e4:6/1p34/6/6/4P11/6 s", ["Te5", "T+", "D4d4"]).await;
}

/// Plays two moves before a restart of the server and one after it.
async fn resume(start: &str, moves: [&str; 3]) {
    let mut server = TestServer::unlimited(Time::standing(1_800_000_000_000)).await;
    let mut test_game = start_game_from(&server, start, "120+0").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let mut red = Client::open(&test_game.people[1], test_game.game).await;
    silver.mv(0, moves[0]).await.expect("accepted");
    red.event().await;
    red.mv(1, moves[1]).await.expect("accepted");
    silver.event().await;
    let position = silver.state().game().position();
    server.skip(MINUTE);
    server.stop().await;
    loop {
        match silver.socket.receive().await.expect("received") {
            Some(ServerMessage::Closing { retry_after }) => break assert!(retry_after > 0),
            Some(ServerMessage::Presence(_)) => {}
            other => panic!("not closed: {other:?}"),
        }
    }
    server.skip(60 * MINUTE);
    server.start().await;
    for guest in &mut test_game.people {
        guest.server = server.address();
    }
    let mut silver = Client::reconnect(&test_game.people[0], test_game.game, silver.events).await;
    assert_eq!(silver.joined.after, 3);
    let replayed = Client::open(&test_game.people[1], test_game.game).await.state();
    assert_eq!(replayed.game().position(), position);
    assert_eq!(
        silver.events.last().map(|event| &event.kind),
        Some(&EventKind::Credited { time: 3_600_000 })
    );
    let clock = *silver.state().clock().expect("a clock");
    let now = Duration::from_millis(server.config.time.now());
    assert_eq!(clock.left(khet::Color::Silver, now), Duration::from_secs(60));
    silver.mv(2, moves[2]).await.expect("there is a minute left");
    server.stop().await;
}

/// A second server on the same database must not touch the first one's games.
#[tokio::test]
async fn second_server_on_the_same_database_fails() {
    if testing::skip_on_postgres("several servers may use a database") {
        return;
    }
    let server = TestServer::unlimited(Time::standing(1_800_000_000_000)).await;
    let test_game = start_game(&server, "120+0").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let elsewhere = server.config.clone();
    let mut here = elsewhere.clone();
    here.address = server.address();
    for config in [elsewhere, here] {
        assert!(Server::start(config, Assets::new(&[])).await.is_err());
    }
    silver.mv(0, "h2+").await.expect("accepted");
    let events = silver.refresh().await.events;
    assert_eq!(events.len(), 2, "{events:?}");
}

#[tokio::test]
async fn correspondence_game_survives_a_restart() {
    let mut server = TestServer::unlimited(Time::standing(1_800_000_000_000)).await;
    let mut test_game = start_game(&server, "1d").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    silver.mv(0, "h2+").await.expect("accepted");
    server.skip(20 * 60 * MINUTE);
    server.stop().await;
    server.skip(10 * 60 * MINUTE);
    server.start().await;
    test_game.people[1].server = server.address();
    let mut red = Client::open(&test_game.people[1], test_game.game).await;
    server.skip(3 * 60 * MINUTE);
    red.mv(1, "c7+").await.expect("four hours were left");
    assert_eq!(red.expect_refusal(Action::ClaimWin).await, khet_protocol::ErrorCode::NotNow);
    server.skip(25 * 60 * MINUTE);
    let EventKind::Ended(end) = red.event().await else { panic!("the end") };
    assert_eq!(end.winner, Some(khet::Color::Red));
    server.stop().await;
}

#[tokio::test]
async fn open_challenges_survive_a_restart() {
    let mut server = TestServer::unlimited(Time::standing(1_800_000_000_000)).await;
    let mut anna = khet_load::Guest::without_session(server.address());
    let open = r#"{"start": "classic", "time": "none", "open": true}"#;
    let id = anna.challenge(&crate::test_game::options(open)).await.expect("accepted");
    server.stop().await;
    server.start().await;
    let game =
        khet_load::Guest::without_session(server.address()).accept(id).await.expect("a game");
    anna.server = server.address();
    assert!(Client::open(&anna, game).await.joined.you.is_some());
}
