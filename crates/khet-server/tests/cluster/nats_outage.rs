//! Games go on while nodes have no connection to NATS.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use khet_load::Guest;
use khet_server::testing;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

use crate::test_cluster::{Client, TestCluster, nats_address};

/// Time after which a node that was wrong about an outage would have handed its games over.
const LONG_ENOUGH: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(250);

/// Passes connections on to NATS until it is cut.
struct NatsProxy {
    address: SocketAddr,
    nats: String,
    task: Option<JoinHandle<()>>,
}

impl NatsProxy {
    async fn start(nats: &str) -> NatsProxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let nats = nats.trim_start_matches("nats://").to_owned();
        let task = Some(tokio::spawn(pass_on(listener, nats.clone())));
        NatsProxy { address, nats, task }
    }

    fn url(&self) -> String {
        format!("nats://{}", self.address)
    }

    /// Closes all connections and accepts no more.
    async fn cut(&mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
            let _ = task.await;
        }
    }

    async fn mend(&mut self) {
        let listener = TcpListener::bind(self.address).await.expect("the port is free");
        self.task = Some(tokio::spawn(pass_on(listener, self.nats.clone())));
    }
}

async fn pass_on(listener: TcpListener, nats: String) {
    // Its tasks end with this one.
    let mut connections = JoinSet::new();
    while let Ok((mut client, _)) = listener.accept().await {
        let nats = nats.clone();
        connections.spawn(async move {
            let mut server = TcpStream::connect(nats).await.expect("NATS");
            let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
        });
    }
}

/// Returns the status of a node's health check.
async fn ready(cluster: &TestCluster, node: usize) -> u16 {
    let mut balancer = Guest::without_session(cluster.address(node));
    balancer.ask("GET", "/readyz", "").await.expect("an answer").status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_stay_at_their_nodes_while_nats_is_down_for_all() {
    let Some(nats) = nats_address() else { return };
    let mut proxy = NatsProxy::start(&nats).await;
    let cluster = TestCluster::start_with(&[proxy.url(), proxy.url()]).await;
    let mut games = Vec::new();
    for node in 0..2 {
        let (game, [silver, red]) = cluster.start_game([node, node]).await;
        games.push([Client::open(&silver, game).await, Client::open(&red, game).await]);
    }
    let database = &cluster.config.database;
    let owners = || testing::fetch_number(database, "SELECT SUM(epoch)::BIGINT FROM leases");
    let before = owners();

    proxy.cut().await;
    let mut since = Instant::now();
    let mut is_down = true;
    while is_down || since.elapsed() < LONG_ENOUGH {
        for [silver, red] in &mut games {
            // Their connections stay open, otherwise this fails.
            silver.play().await;
            red.wait_for_events(silver.events.len()).await;
            red.play().await;
            silver.wait_for_events(red.events.len()).await;
        }
        tokio::time::sleep(PAUSE).await;
        if is_down && since.elapsed() > LONG_ENOUGH {
            assert_eq!([ready(&cluster, 0).await, ready(&cluster, 1).await], [200, 200]);
            proxy.mend().await;
            (is_down, since) = (false, Instant::now());
        }
    }
    assert_eq!(owners(), before, "no lease has changed its owner");
    cluster.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn node_that_alone_loses_nats_hands_its_games_over() {
    let Some(nats) = nats_address() else { return };
    let mut proxy = NatsProxy::start(&nats).await;
    let cluster = TestCluster::start_with(&[proxy.url(), nats]).await;
    let (game, [silver, _]) = cluster.start_game([0, 0]).await;
    Client::open(&silver, game).await.play().await;
    proxy.cut().await;
    cluster.wait_until_balanced(1).await;
    let mut client = Client::open(&cluster.at(1, &silver), game).await;
    client.wait_for_events(2).await;
    assert_eq!([ready(&cluster, 0).await, ready(&cluster, 1).await], [503, 200]);
    proxy.mend().await;
    cluster.wait_until_balanced(2).await;
    assert_eq!(ready(&cluster, 0).await, 200);
    cluster.stop().await;
}
