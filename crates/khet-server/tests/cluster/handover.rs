//! Games go on when nodes join, stop, or lose their leases.

use khet_protocol::{ErrorCode, EventKind};
use khet_server::testing;

use crate::test_cluster::{Client, TestCluster};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_go_on_while_nodes_stop_and_join() {
    let Some(mut cluster) = TestCluster::start(2).await else { return };
    let mut games = Vec::new();
    for creator in [0, 1, 0, 1] {
        let (game, [silver, red]) = cluster.start_game([creator, creator]).await;
        let mut first = Client::open(&silver, game).await;
        first.play().await;
        games.push((game, [silver, red], first.events));
    }
    let third = cluster.start_node().await;
    cluster.wait_until_balanced(3).await;
    cluster.stop_node(0).await;
    cluster.stop_node(1).await;
    for (game, [silver, red], events) in games {
        let mut second = Client::reconnect(&cluster.at(third, &red), game, events).await;
        second.play().await;
        let mut first = Client::open(&cluster.at(third, &silver), game).await;
        first.play().await;
        second.wait_for_events(first.events.len()).await;
        let moves =
            first.events.iter().filter(|event| matches!(event.kind, EventKind::Move { .. }));
        assert_eq!(moves.count(), 3, "{:?}", first.events);
    }
    cluster.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn node_that_has_lost_a_lease_cannot_write() {
    let Some(cluster) = TestCluster::start(1).await else { return };
    let (game, [silver, _]) = cluster.start_game([0, 0]).await;
    let mut client = Client::open(&silver, game).await;
    // What another node does that takes all leases. The server learns of it later.
    let database = &cluster.config.database;
    testing::execute(database, "UPDATE leases SET epoch = epoch + 1, node = 'another'");
    testing::execute(
        database,
        "INSERT INTO nodes (id, renewed, expires) VALUES ('another', 0, 9000000000000000)",
    );
    let mv = khet_protocol::Action::Move { ply: 0, mv: "h2+".parse().expect("a move") };
    // The connection may be closed before there is an answer.
    let result = tokio::spawn(async move { client.act(mv).await }).await;
    if let Ok(result) = result {
        assert_eq!(result.expect_err("refused").code, ErrorCode::Unavailable);
    }
    let moves = testing::fetch_number(database, "SELECT COUNT(*) FROM events WHERE number > 1");
    assert_eq!(moves, 0);
    cluster.stop().await;
}
