//! A panic of the task that writes: the server goes on without a restart, and no game is lost.

use std::time::Duration;

use khet_protocol::EventKind;
use khet_server::{DiskFault, Time};

use crate::full_disk::started;
use crate::test_game::TestServer;

/// A panic ended the task, and nothing could be stored until somebody restarted the server.
#[tokio::test]
async fn games_go_on_after_a_panic() {
    let mut server = TestServer::unlimited(Time::standing(1_800_000_000_000)).await;
    let (_game, mut silver, mut red) = started(&server).await;
    server.config.faults.set(DiskFault::Panic);
    silver.mv(2, "h2-").await.expect_err("refused");
    server.config.faults.set(DiskFault::None);
    server.skip(Duration::from_secs(10));
    assert_eq!(silver.event().await, EventKind::Credited { time: 10_000 });
    assert_eq!(red.event().await, EventKind::Credited { time: 10_000 });
    silver.mv(2, "h2-").await.expect("accepted");
    assert!(matches!(red.event().await, EventKind::Move { left: Some(60_000), .. }));
    server.stop().await;
}
