//! A full disk: nobody loses on time while nobody can move, and the server recovers by itself.

use std::time::Duration;

use khet::Color;
use khet_load::request;
use khet_protocol::{Action, ErrorCode, EventKind};
use khet_server::{DiskFault, Time};

use crate::test_game::{Client, TestGame, TestServer, start_game};

/// Returns the status of `/readyz`.
pub(crate) async fn readiness(server: &TestServer) -> u16 {
    request(server.address(), "GET", "/readyz", "", "").await.expect("an answer").status
}

/// Waits until `/readyz` has a status.
pub(crate) async fn until_readiness(server: &TestServer, status: u16) {
    for _ in 0..2000 {
        if readiness(server).await == status {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("never {status}");
}

/// Starts a game of one minute per player, in which it is Silver's turn.
pub(crate) async fn started(server: &TestServer) -> (TestGame, Client, Client) {
    let test_game = start_game(server, "60+0").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let mut red = Client::open(&test_game.people[1], test_game.game).await;
    silver.mv(0, "h2+").await.expect("accepted");
    red.event().await;
    red.mv(1, "c7+").await.expect("accepted");
    silver.event().await;
    (test_game, silver, red)
}

/// The flags of all games fell while nobody could move, broken games were reloaded thousands of
/// times a second, and the server reported that it was ready.
#[tokio::test]
async fn clocks_stop_while_nothing_can_be_stored() {
    let mut server = TestServer::unlimited(Time::standing(1_800_000_000_000)).await;
    let (_game, mut silver, mut red) = started(&server).await;
    // A game in which nobody tries to move meanwhile.
    let (_idle_game, mut idle, _idle_red) = started(&server).await;
    server.skip(Duration::from_secs(20));
    server.config.faults.set(DiskFault::Full);
    let refused = silver.mv(2, "h2-").await.expect_err("refused");
    assert_eq!(refused.code, ErrorCode::Unavailable);
    assert!(refused.retry_after.is_some());
    until_readiness(&server, 503).await;
    // New games and accounts are refused, too.
    let mut stranger = khet_load::Guest::without_session(server.address());
    assert_eq!(stranger.post("/api/guest", "").await.expect("an answer").status, 503);
    server.skip(Duration::from_secs(3600));
    let refused = silver.mv(2, "h2-").await.expect_err("refused");
    assert_eq!(refused.code, ErrorCode::Unavailable, "the flag has not fallen");
    assert_eq!(red.expect_refusal(Action::Resign).await, ErrorCode::Unavailable);
    server.config.faults.set(DiskFault::None);
    until_readiness(&server, 200).await;
    assert_eq!(silver.event().await, EventKind::Credited { time: 3_600_000 });
    assert_eq!(red.event().await, EventKind::Credited { time: 3_600_000 });
    assert_eq!(idle.event().await, EventKind::Credited { time: 3_600_000 });
    let now = Duration::from_millis(server.config.time.now());
    let clock = *silver.state().clock().expect("a clock");
    assert_eq!(clock.left(Color::Silver, now), Duration::from_secs(40));
    silver.mv(2, "h2-").await.expect("accepted");
    assert!(matches!(red.event().await, EventKind::Move { left: Some(40_000), .. }));
    idle.mv(2, "h2-").await.expect("accepted");
    // The clocks run again.
    server.skip(Duration::from_secs(61));
    assert!(matches!(silver.event().await, EventKind::Ended(_)));
    server.stop().await;
}

/// Time that the server needed to start was not credited, and games were lost on time.
#[tokio::test]
async fn slow_start_is_credited() {
    let mut server = TestServer::unlimited(Time::standing(1_800_000_000_000)).await;
    let (mut test_game, silver, _red) = started(&server).await;
    server.skip(Duration::from_secs(20));
    server.stop().await;
    server.skip(Duration::from_secs(3600));
    let (faults, time) = (server.config.faults.clone(), server.config.time.clone());
    faults.set(DiskFault::Stalled);
    tokio::join!(server.start(), async {
        while !faults.has_waiting_write() {
            tokio::task::yield_now().await;
        }
        time.skip(Duration::from_secs(600));
        faults.set(DiskFault::None);
    });
    test_game.people[0].server = server.address();
    let silver = Client::reconnect(&test_game.people[0], test_game.game, silver.events).await;
    let credited = EventKind::Credited { time: 4_200_000 };
    assert_eq!(silver.events.last().map(|event| &event.kind), Some(&credited));
    server.stop().await;
}
