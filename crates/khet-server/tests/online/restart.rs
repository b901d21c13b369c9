//! Games continue after a restart of the server.

use std::time::Duration;

use khet_protocol::{Action, EventKind, ServerMessage};
use khet_server::{Assets, Server, Time};

use crate::test_game::{Client, TestServer, start_game};

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn games_resume_and_clocks_are_credited() {
    let mut server = TestServer::unlimited(Time::standing(1_800_000_000_000)).await;
    let mut table = start_game(&server, "120+0").await;
    let mut silver = Client::open(&table.people[0], table.game).await;
    let mut red = Client::open(&table.people[1], table.game).await;
    silver.mv(0, "h2+").await.expect("made");
    red.event().await;
    red.mv(1, "c7+").await.expect("made");
    silver.event().await;
    server.skip(MINUTE);
    server.stop().await;
    loop {
        match silver.line.hear().await.expect("heard") {
            Some(ServerMessage::Closing { retry_after }) => break assert!(retry_after > 0),
            Some(ServerMessage::Presence(_)) => {}
            other => panic!("no goodbye: {other:?}"),
        }
    }
    server.skip(60 * MINUTE);
    server.start().await;
    for guest in &mut table.people {
        guest.server = server.at();
    }
    let mut silver = Client::back(&table.people[0], table.game, silver.events).await;
    assert_eq!(silver.joined.after, 3);
    assert_eq!(
        silver.events.last().map(|event| &event.kind),
        Some(&EventKind::Credited { time: 3_600_000 })
    );
    let clock = *silver.state().clock().expect("a clock");
    let now = Duration::from_millis(server.config.time.now());
    assert_eq!(clock.left(khet::Color::Silver, now), Duration::from_secs(60));
    silver.mv(2, "h2-").await.expect("there is a minute left");
    server.stop().await;
}

/// A second server on the same database must not touch the first one's games.
#[tokio::test]
async fn second_server_on_the_same_database_fails() {
    let server = TestServer::unlimited(Time::standing(1_800_000_000_000)).await;
    let table = start_game(&server, "120+0").await;
    let mut silver = Client::open(&table.people[0], table.game).await;
    let elsewhere = server.config.clone();
    let mut here = elsewhere.clone();
    here.address = server.at();
    for config in [elsewhere, here] {
        assert!(Server::start(config, Assets::new(&[])).await.is_err());
    }
    silver.mv(0, "h2+").await.expect("made");
    let events = silver.refresh().await.events;
    assert_eq!(events.len(), 2, "{events:?}");
}

#[tokio::test]
async fn correspondence_game_survives_a_restart() {
    let mut server = TestServer::unlimited(Time::standing(1_800_000_000_000)).await;
    let mut table = start_game(&server, "1d").await;
    let mut silver = Client::open(&table.people[0], table.game).await;
    silver.mv(0, "h2+").await.expect("made");
    server.skip(20 * 60 * MINUTE);
    server.stop().await;
    server.skip(10 * 60 * MINUTE);
    server.start().await;
    table.people[1].server = server.at();
    let mut red = Client::open(&table.people[1], table.game).await;
    server.skip(3 * 60 * MINUTE);
    red.mv(1, "c7+").await.expect("four hours were left");
    assert_eq!(red.refused(Action::ClaimWin).await, khet_protocol::ErrorCode::NotNow);
    server.skip(25 * 60 * MINUTE);
    let EventKind::Ended(end) = red.event().await else { panic!("the end") };
    assert_eq!(end.winner, Some(khet::Color::Red));
    server.stop().await;
}

#[tokio::test]
async fn open_challenges_survive_a_restart() {
    let mut server = TestServer::unlimited(Time::standing(1_800_000_000_000)).await;
    let mut anna = khet_load::Guest::nobody(server.at());
    let open = r#"{"start": "classic", "time": "none", "open": true}"#;
    let id = anna.challenge(&crate::test_game::options(open)).await.expect("made");
    server.stop().await;
    server.start().await;
    let game = khet_load::Guest::nobody(server.at()).accept(id).await.expect("a game");
    anna.server = server.at();
    assert!(Client::open(&anna, game).await.joined.you.is_some());
}
