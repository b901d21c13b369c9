//! Searches that keep the server busy, while games are played.

use std::time::Duration;

use khet_protocol::{Action, EventKind};
use khet_server::{DiskFault, ServerLimits, Time};

use crate::test_game::{Client, TestServer, start_game};
use crate::test_server;

/// Searches of one visitor without a limit froze the moves of all others for 38 s.
#[test]
fn searches_are_limited_per_visitor() {
    let server = test_server::TestServer::with(ServerLimits {
        searches_per_minute: 3,
        ..test_server::TestServer::high_limits()
    });
    let mut visitor = server.stranger();
    let mut search = || visitor.get("/api/games?result=draw&setup=position").status;
    assert_eq!([search(), search(), search()], [200; 3]);
    assert_eq!(search(), 429);
    server.skip(Duration::from_secs(60));
    assert_eq!(search(), 200);
}

/// A move that arrived in time lost the game on time, because the game was busy when it arrived.
#[tokio::test]
async fn move_counts_from_its_arrival() {
    let mut server = TestServer::unlimited(Time::standing(1_800_000_000_000)).await;
    let test_game = start_game(&server, "60+0").await;
    let mut silver = Client::open(&test_game.people[0], test_game.game).await;
    let mut red = Client::open(&test_game.people[1], test_game.game).await;
    silver.mv(0, "h2+").await.expect("accepted");
    red.event().await;
    red.mv(1, "c7+").await.expect("accepted");
    silver.event().await;
    server.skip(Duration::from_secs(50));
    // The game waits for the disk.
    server.config.faults.set(DiskFault::Stalled);
    red.socket.act(7, Action::Chat { text: "hello".to_owned() }).await.expect("sent");
    red.settle().await;
    silver.settle().await;
    let mv = Action::Move { ply: 2, mv: "h2-".parse().expect("a move") };
    silver.socket.act(8, mv).await.expect("sent");
    silver.settle().await;
    // The flag would fall ten seconds later.
    server.skip(Duration::from_secs(60));
    server.config.faults.set(DiskFault::None);
    assert!(matches!(silver.event().await, EventKind::Chat { .. }));
    let EventKind::Move { left, .. } = silver.event().await else { panic!("a move") };
    assert_eq!(left, Some(10_000));
    server.stop().await;
}
