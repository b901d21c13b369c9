//! Games that outlive their server.

use std::time::Duration;

use khet_protocol::{Action, EventKind, ServerMessage};
use khet_server::{Assets, Server, Time};

use crate::table::{Client, House, sit_down};

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn games_go_on_and_clocks_are_credited() {
    let mut house = House::patient(Time::standing(1_800_000_000_000)).await;
    let mut table = sit_down(&house, "120+0").await;
    let mut silver = Client::open(&table.people[0], table.game).await;
    let mut red = Client::open(&table.people[1], table.game).await;
    silver.mv(0, "h2+").await.expect("made");
    red.event().await;
    red.mv(1, "c7+").await.expect("made");
    silver.event().await;
    house.skip(MINUTE);
    house.stop().await;
    loop {
        match silver.line.hear().await.expect("heard") {
            Some(ServerMessage::Closing { retry_after }) => break assert!(retry_after > 0),
            Some(ServerMessage::Presence(_)) => {}
            other => panic!("no goodbye: {other:?}"),
        }
    }
    house.skip(60 * MINUTE);
    house.start().await;
    for guest in &mut table.people {
        guest.server = house.at();
    }
    let mut silver = Client::back(&table.people[0], table.game, silver.events).await;
    assert_eq!(silver.welcome.after, 3);
    assert_eq!(
        silver.events.last().map(|event| &event.kind),
        Some(&EventKind::Credited { time: 3_600_000 })
    );
    let clock = *silver.state().clock().expect("a clock");
    let now = Duration::from_millis(house.config.time.now());
    assert_eq!(clock.left(khet::Color::Silver, now), Duration::from_secs(60));
    silver.mv(2, "h2-").await.expect("there is a minute left");
    house.stop().await;
}

/// Started twice by mistake, a server must not touch what the first one plays.
#[tokio::test]
async fn a_second_server_leaves_the_first_alone() {
    let house = House::patient(Time::standing(1_800_000_000_000)).await;
    let table = sit_down(&house, "120+0").await;
    let mut silver = Client::open(&table.people[0], table.game).await;
    let elsewhere = house.config.clone();
    let mut here = elsewhere.clone();
    here.address = house.at();
    for config in [elsewhere, here] {
        assert!(Server::start(config, Assets::new(&[])).await.is_err());
    }
    silver.mv(0, "h2+").await.expect("made");
    let events = silver.refresh().await.events;
    assert_eq!(events.len(), 2, "{events:?}");
}

#[tokio::test]
async fn correspondence_spans_a_restart() {
    let mut house = House::patient(Time::standing(1_800_000_000_000)).await;
    let mut table = sit_down(&house, "1d").await;
    let mut silver = Client::open(&table.people[0], table.game).await;
    silver.mv(0, "h2+").await.expect("made");
    house.skip(20 * 60 * MINUTE);
    house.stop().await;
    house.skip(10 * 60 * MINUTE);
    house.start().await;
    table.people[1].server = house.at();
    let mut red = Client::open(&table.people[1], table.game).await;
    house.skip(3 * 60 * MINUTE);
    red.mv(1, "c7+").await.expect("four hours were left");
    assert_eq!(red.refused(Action::ClaimWin).await, khet_protocol::ErrorCode::NotNow);
    house.skip(25 * 60 * MINUTE);
    let EventKind::Ended(end) = red.event().await else { panic!("the end") };
    assert_eq!(end.winner, Some(khet::Color::Red));
    house.stop().await;
}

#[tokio::test]
async fn challenges_wait_through_a_restart() {
    let mut house = House::patient(Time::standing(1_800_000_000_000)).await;
    let mut anna = khet_crowd::Guest::nobody(house.at());
    let open = r#"{"start": "classic", "time": "none", "open": true}"#;
    let id = anna.challenge(&crate::table::options(open)).await.expect("made");
    house.stop().await;
    house.start().await;
    let game = khet_crowd::Guest::nobody(house.at()).accept(id).await.expect("a game");
    anna.server = house.at();
    assert!(Client::open(&anna, game).await.welcome.you.is_some());
}
