//! Games are played and watched at any node, wherever their owner is.

use khet_load::Guest;
use khet_protocol::{Action, GameId, GameJoined, WatchResponse};

use crate::test_cluster::{Client, TestCluster, wait_until};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn players_and_spectators_at_any_node_share_a_game() {
    let Some(cluster) = TestCluster::start(3).await else { return };
    // Enough games that each node owns some, so that each pair of nodes is linked.
    for first in 0..3 {
        let (game, [silver, red]) = cluster.start_game([first, (first + 1) % 3]).await;
        let mut silver = Client::open(&silver, game).await;
        let mut red = Client::open(&red, game).await;
        let mut spectators = Vec::new();
        for node in 0..3 {
            let spectator = Guest::without_session(cluster.address(node));
            spectators.push(Client::open(&spectator, game).await);
        }
        for _ in 0..5 {
            silver.play().await;
            red.wait_for_events(silver.events.len()).await;
            red.play().await;
            silver.wait_for_events(red.events.len()).await;
        }
        silver.act(Action::Resign).await.expect("accepted");
        // The start, ten moves, and the end.
        for client in [&mut red].into_iter().chain(&mut spectators) {
            client.wait_for_events(12).await;
            assert_eq!(client.events, silver.events);
        }
        for node in 0..3 {
            let mut reader = Guest::without_session(cluster.address(node));
            let shown = reader.ask("GET", &format!("/api/games/{game}"), "").await;
            let shown: GameJoined = shown.expect("an answer").read().expect("a game");
            assert_eq!(shown.events, silver.events);
        }
    }
    cluster.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn actions_over_http_reach_the_owner() {
    let Some(cluster) = TestCluster::start(2).await else { return };
    for creator in 0..2 {
        let (game, [silver, red]) = cluster.start_game([0, creator]).await;
        let act = |guest: &Guest, node: usize, body: &'static str| {
            let mut guest = cluster.at(node, guest);
            async move {
                let path = format!("/api/games/{game}/action");
                guest.post(&path, body).await.expect("an answer").status
            }
        };
        let first = r#"{"key": 1, "action": {"move": {"ply": 0, "move": "h2+"}}}"#;
        let second = r#"{"key": 1, "action": {"move": {"ply": 1, "move": "c7+"}}}"#;
        assert_eq!(act(&red, 0, first).await, 409, "it is not the red player's turn");
        assert_eq!(act(&silver, 1, first).await, 200);
        assert_eq!(act(&silver, 0, first).await, 200, "the same key again is no second move");
        assert_eq!(act(&red, 0, second).await, 200);
        let client = Client::open(&cluster.at(1, &silver), game).await;
        assert_eq!(client.events.len(), 3);
    }
    cluster.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn review_is_requested_and_polled_at_any_node() {
    let Some(cluster) = TestCluster::start(2).await else { return };
    for creator in 0..2 {
        let (game, [silver, red]) = cluster.start_game([0, creator]).await;
        let mut silver = Client::open(&silver, game).await;
        silver.play().await;
        let mut red = Client::open(&red, game).await;
        red.play().await;
        red.act(Action::Resign).await.expect("accepted");
        let path = format!("/api/games/{game}/review");
        for node in [1, 0] {
            let mut visitor = Guest::without_session(cluster.address(node));
            let unknown = visitor.ask("GET", &path, "").await.expect("an answer");
            assert_eq!(unknown.status, 404, "{}", unknown.body);
        }
        let mut visitor = Guest::without_session(cluster.address(0));
        let requested = visitor.post(&path, "").await.expect("an answer");
        assert_eq!(requested.status, 202, "{}", requested.body);
        for node in [1, 0] {
            let mut visitor = Guest::without_session(cluster.address(node));
            let polled = visitor.ask("GET", &path, "").await.expect("an answer");
            assert!([200, 202].contains(&polled.status), "{} {}", polled.status, polled.body);
        }
    }
    cluster.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_have_the_games_of_all_nodes() {
    let Some(cluster) = TestCluster::start(2).await else { return };
    let mut games: Vec<GameId> = Vec::new();
    for creator in 0..2 {
        let (game, [silver, _]) = cluster.start_game([0, creator]).await;
        Client::open(&silver, game).await.play().await;
        games.push(game);
        // The list of a player's own games.
        for node in 0..2 {
            let mine = cluster.at(node, &silver).ask("GET", "/api/me/games", "").await;
            let mine = mine.expect("an answer").body;
            assert!(mine.contains(game.as_str()), "node {node}: {mine}");
        }
    }
    games.sort_unstable();
    for node in 0..2 {
        wait_until(async || {
            let mut visitor = Guest::without_session(cluster.address(node));
            let listed = visitor.ask("GET", "/api/watch", "").await.expect("an answer");
            let listed: WatchResponse = listed.read().expect("a list");
            let mut listed: Vec<_> = listed.games.iter().map(|live| live.game.id).collect();
            listed.sort_unstable();
            listed == games
        })
        .await;
    }
    cluster.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deleting_an_account_ends_its_sessions_and_games_at_all_nodes() {
    let Some(cluster) = TestCluster::start(2).await else { return };
    let mut anna = Guest::without_session(cluster.address(0));
    let credentials = r#"{"name": "Anna", "password": "correct horse battery"}"#;
    let signed_up = anna.post("/api/sign-up", credentials).await.expect("an answer");
    assert_eq!(signed_up.status, 201, "{}", signed_up.body);
    let challenge = r#"{"start": "classic", "time": "300+3", "color": "silver"}"#;
    let challenge = anna.challenge(&serde_json::from_str(challenge).unwrap()).await;
    let mut ben = Guest::without_session(cluster.address(1));
    let game = ben.accept(challenge.expect("a challenge")).await.expect("a game");
    let mut at_other_node = crate::test_cluster::open_lobby(&cluster.at(1, &anna)).await;
    let mut watching = Client::open(&ben, game).await;

    let deleted = anna
        .ask("DELETE", "/api/me", r#"{"password": "correct horse battery"}"#)
        .await
        .expect("an answer");
    assert_eq!(deleted.status, 204, "{}", deleted.body);
    watching.wait_for_events(2).await;
    assert!(watching.state().outcome().is_some());
    crate::test_cluster::wait_for(&mut at_other_node, |message| {
        matches!(message, khet_protocol::ServerMessage::Closing { .. }).then_some(())
    })
    .await;
    cluster.stop().await;
}
