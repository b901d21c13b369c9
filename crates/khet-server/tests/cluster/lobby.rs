//! People at different nodes meet in one lobby.

use khet_load::Guest;
use khet_protocol::{ClientMessage, LobbyResponse, ServerMessage};
use khet_server::testing;

use crate::test_cluster::{Client, TestCluster, open_lobby, wait_for, wait_until};

fn seek(key: u32) -> ClientMessage {
    let challenge = r#"{"start": "classic", "time": "300+3", "color": "random"}"#;
    let challenge = serde_json::from_str(challenge).expect("options");
    ClientMessage::Seek { key, challenge: Box::new(challenge) }
}

/// Returns the game that a connection was paired for.
fn paired(message: ServerMessage) -> Option<khet_protocol::GameId> {
    match message {
        ServerMessage::Paired { game } => Some(game),
        _ => None,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn seeks_at_different_nodes_are_paired() {
    let Some(cluster) = TestCluster::start(3).await else { return };
    // At most one of the nodes pairs, so each of these pairs has a seek at another one.
    for nodes in [[0, 1], [1, 2], [2, 0]] {
        let mut sockets = Vec::new();
        for node in nodes {
            let (guest, _) = Guest::enter(cluster.address(node)).await.expect("a guest");
            let mut socket = open_lobby(&guest).await;
            socket.send_message(&seek(1)).await.expect("sent");
            sockets.push(socket);
        }
        let mut games = Vec::new();
        for socket in &mut sockets {
            games.push(wait_for(socket, paired).await);
        }
        assert_eq!(games[0], games[1]);
    }
    cluster.stop().await;
}

/// Returns the shard of a game: its FNV-1a hash, of which there are 256.
fn shard(game: khet_protocol::GameId) -> u32 {
    let hash = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    game.as_str().bytes().fold(0x811c_9dc5, hash) % 256
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_of_seeks_are_spread_over_all_nodes() {
    let Some(cluster) = TestCluster::start(2).await else { return };
    let mut shards = Vec::new();
    // One node owns all of them by chance once in 2^15 runs.
    for _ in 0..16 {
        let (silver, _) = Guest::enter(cluster.address(0)).await.expect("a guest");
        let (red, _) = Guest::enter(cluster.address(1)).await.expect("a guest");
        let mut game = None;
        let mut sockets = [open_lobby(&silver).await, open_lobby(&red).await];
        for socket in &mut sockets {
            socket.send_message(&seek(1)).await.expect("sent");
        }
        for socket in &mut sockets {
            game = Some(wait_for(socket, paired).await);
        }
        let game = game.expect("a game");
        let silver = Client::reconnect(&silver, game, Vec::new()).await;
        assert_eq!(silver.events.len(), 1);
        shards.push(shard(game).to_string());
    }
    let shards = shards.join(", ");
    let sql = format!("SELECT COUNT(DISTINCT node) FROM leases WHERE shard IN ({shards})");
    assert_eq!(testing::fetch_number(&cluster.config.database, &sql), 2);
    cluster.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn seek_is_listed_and_accepted_at_any_node() {
    let Some(cluster) = TestCluster::start(2).await else { return };
    for (seeker, other) in [(0, 1), (1, 0)] {
        let (anna, _) = Guest::enter(cluster.address(seeker)).await.expect("a guest");
        let mut socket = open_lobby(&anna).await;
        socket.send_message(&seek(1)).await.expect("sent");
        let (ben, _) = Guest::enter(cluster.address(other)).await.expect("a guest");
        let list = async || -> LobbyResponse {
            let listed = ben.clone().ask("GET", "/api/challenges", "").await;
            listed.expect("an answer").read().expect("a lobby")
        };
        wait_until(async || list().await.seeks.len() == 1).await;
        let id = list().await.seeks[0].id;
        let path = format!("/api/seeks/{id}/accept");
        let accepted = ben.clone().post(&path, "").await.expect("an answer");
        assert_eq!(accepted.status, 200, "{}", accepted.body);
        let game = wait_for(&mut socket, paired).await;
        assert!(accepted.body.contains(game.as_str()), "{}", accepted.body);
        wait_until(async || list().await.seeks.is_empty()).await;
    }
    cluster.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_challenge_is_listed_at_all_nodes() {
    let Some(cluster) = TestCluster::start(2).await else { return };
    let (mut anna, _) = Guest::enter(cluster.address(0)).await.expect("a guest");
    let _connected = open_lobby(&anna).await;
    let challenge = r#"{"start": "imhotep", "time": "300+3", "color": "silver", "open": true}"#;
    let id = anna.challenge(&serde_json::from_str(challenge).unwrap()).await.expect("a challenge");
    let mut visitor = Guest::without_session(cluster.address(1));
    let is_listed = async |visitor: &mut Guest| {
        let listed = visitor.ask("GET", "/api/challenges", "").await.expect("an answer");
        let listed: LobbyResponse = listed.read().expect("a lobby");
        listed.challenges.iter().any(|challenge| challenge.id == id)
    };
    wait_until(async || is_listed(&mut visitor.clone()).await).await;
    visitor.accept(id).await.expect("a game");
    wait_until(async || !is_listed(&mut visitor.clone()).await).await;
    cluster.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn house_bots_stay_signed_in_when_another_node_starts() {
    let Some(mut cluster) = TestCluster::start(1).await else { return };
    cluster.config.house_bots = vec!["Khet-1".parse().expect("a name")];
    cluster.start_node().await;
    cluster.config.house_bots = Vec::new();
    cluster.start_node().await;
    let tokens = testing::fetch_number(&cluster.config.database, "SELECT COUNT(*) FROM tokens");
    assert_eq!(tokens, 1);
    cluster.stop().await;
}
