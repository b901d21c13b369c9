//! A cluster of servers in one process, and clients of its nodes.

use std::net::SocketAddr;
use std::time::Duration;

use khet::GamePosition;
use khet_load::{ClientSocket, Guest};
use khet_protocol::{
    Action, ActionAck, ApiError, ClientMessage, Event, GameId, GameState, NewChallenge,
    ServerMessage, Subscription,
};
use khet_server::{Assets, Config, Server, ServerLimits, testing};
use tempfile::TempDir;

/// Longest time in which something must happen.
const PATIENCE: Duration = Duration::from_secs(30);
/// Pause between two attempts.
const PAUSE: Duration = Duration::from_millis(100);

/// The nodes.
pub(crate) struct TestCluster {
    nodes: Vec<Option<Server>>,
    pub(crate) config: Config,
    _folder: TempDir,
}

impl TestCluster {
    /// Starts nodes. `None` if there is no PostgreSQL or NATS, which is reported.
    pub(crate) async fn start(count: usize) -> Option<TestCluster> {
        let nats = nats_address()?;
        Some(TestCluster::start_with(&vec![nats; count]).await)
    }

    /// Starts a node for each of these addresses of NATS.
    pub(crate) async fn start_with(nats: &[String]) -> TestCluster {
        let folder = TempDir::new().expect("a folder");
        let mut config = Config::new(testing::database(folder.path().join("khet.sqlite")));
        config.address = SocketAddr::from(([127, 0, 0, 1], 0));
        config.limits = ServerLimits {
            requests_per_minute: 1_000_000,
            guests_per_hour: 1_000_000,
            sign_ups_per_hour: 1_000_000,
            challenges_per_minute: 1_000_000,
            messages_per_second: 1_000_000,
            ..ServerLimits::default()
        };
        let mut cluster = TestCluster { nodes: Vec::new(), config, _folder: folder };
        for address in nats {
            cluster.config.nats = vec![address.clone()];
            cluster.start_node().await;
        }
        cluster.wait_until_balanced(nats.len()).await;
        cluster
    }

    /// Starts another node. Returns its number.
    pub(crate) async fn start_node(&mut self) -> usize {
        let mut config = self.config.clone();
        config.node = format!("node-{}", self.nodes.len());
        let server = Server::start(config, Assets::new(&[])).await.expect("a server");
        self.nodes.push(Some(server));
        self.nodes.len() - 1
    }

    /// Waits until this number of nodes have an equal share of all shards.
    pub(crate) async fn wait_until_balanced(&self, count: usize) {
        let share = 258_usize.div_ceil(count);
        let sql = format!(
            "SELECT COUNT(*) FROM (SELECT node FROM leases WHERE node IS NOT NULL AND released IS NULL \
             GROUP BY node HAVING COUNT(*) <= {share}) AS nodes, \
             (SELECT COUNT(node) AS held FROM leases) AS leases WHERE held = 258"
        );
        let database = self.config.database.clone();
        wait_until(async || testing::fetch_number(&database, &sql) == count as i64).await;
    }

    /// Stops a node as SIGTERM does.
    pub(crate) async fn stop_node(&mut self, node: usize) {
        self.nodes[node].take().expect("it runs").stop().await;
    }

    pub(crate) async fn stop(mut self) {
        for node in &mut self.nodes {
            if let Some(server) = node.take() {
                server.stop().await;
            }
        }
    }

    pub(crate) fn address(&self, node: usize) -> SocketAddr {
        self.nodes[node].as_ref().expect("it runs").address()
    }

    /// Returns the same person as a client of another node.
    pub(crate) fn at(&self, node: usize, guest: &Guest) -> Guest {
        Guest { server: self.address(node), cookie: guest.cookie.clone() }
    }

    /// Starts a game of two guests at two nodes. Silver is at the first one.
    pub(crate) async fn start_game(&self, nodes: [usize; 2]) -> (GameId, [Guest; 2]) {
        let mut silver = Guest::without_session(self.address(nodes[0]));
        let mut red = Guest::without_session(self.address(nodes[1]));
        let options = r#"{"start": "classic", "time": "300+3", "color": "silver"}"#;
        let options: NewChallenge = serde_json::from_str(options).expect("options");
        let challenge = silver.challenge(&options).await.expect("a challenge");
        let game = red.accept(challenge).await.expect("a game");
        (game, [silver, red])
    }
}

/// Returns the URL of NATS. `None` if there is no PostgreSQL or NATS, which is reported.
pub(crate) fn nats_address() -> Option<String> {
    let nats = std::env::var("KHET_TEST_NATS").ok().filter(|_| testing::uses_postgres());
    if nats.is_none() {
        eprintln!("skipped: KHET_TEST_POSTGRES and KHET_TEST_NATS are not set");
    }
    nats
}

/// Waits until a condition holds.
pub(crate) async fn wait_until(condition: impl AsyncFn() -> bool) {
    let waiting = async {
        while !condition().await {
            tokio::time::sleep(PAUSE).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("the condition holds in time");
}

/// A connection to a game, which reconnects like a browser.
pub(crate) struct Client {
    guest: Guest,
    game: GameId,
    socket: ClientSocket,
    pub(crate) events: Vec<Event>,
    key: u32,
}

impl Client {
    pub(crate) async fn open(guest: &Guest, game: GameId) -> Client {
        Client::reconnect(guest, game, Vec::new()).await
    }

    /// Connects with the events that are known, as often as it takes.
    pub(crate) async fn reconnect(guest: &Guest, game: GameId, events: Vec<Event>) -> Client {
        let connecting = async {
            loop {
                if let Some(client) = Client::try_open(guest, game, events.clone()).await {
                    return client;
                }
                tokio::time::sleep(PAUSE).await;
            }
        };
        tokio::time::timeout(PATIENCE, connecting).await.expect("the game is available in time")
    }

    async fn try_open(guest: &Guest, game: GameId, mut events: Vec<Event>) -> Option<Client> {
        let mut socket = ClientSocket::open(guest.server, guest.cookie.as_deref()).await.ok()?;
        let seen = events.last().map_or(0, |event| event.number);
        socket.subscribe(game, seen).await.ok()?;
        loop {
            match socket.receive().await.ok()?? {
                ServerMessage::GameJoined(joined) => {
                    events.truncate(joined.after as usize);
                    events.extend(joined.events);
                    break;
                }
                ServerMessage::Refused { .. } | ServerMessage::Closing { .. } => return None,
                _ => {}
            }
        }
        // The server takes a key that it knows for an action that is sent again.
        Some(Client { guest: guest.clone(), game, socket, events, key: fastrand::u32(..) })
    }

    pub(crate) fn state(&self) -> GameState {
        GameState::fold(&self.events).expect("a game")
    }

    /// Returns the next message, after storing it if it is an event. `None` if the connection ended.
    async fn receive(&mut self) -> Option<ServerMessage> {
        let message = self.socket.receive().await.ok()??;
        if let ServerMessage::Event(event) = &message {
            assert_eq!(event.number as usize, self.events.len() + 1, "no event is missing");
            self.events.push(event.clone());
        }
        Some(message)
    }

    /// Receives messages until the client has this number of events.
    pub(crate) async fn wait_for_events(&mut self, count: usize) {
        while self.events.len() < count {
            match self.receive().await {
                Some(ServerMessage::Closing { .. }) | None => {
                    let events = std::mem::take(&mut self.events);
                    *self = Client::reconnect(&self.guest, self.game, events).await;
                }
                Some(_) => {}
            }
        }
    }

    /// Performs an action and returns its result.
    pub(crate) async fn act(&mut self, action: Action) -> Result<ActionAck, ApiError> {
        self.key = self.key.wrapping_add(1);
        let key = self.key;
        self.socket.act(key, action).await.expect("sent");
        loop {
            match self.receive().await.expect("the connection is open") {
                ServerMessage::Done(ack) if ack.key == key => return Ok(ack),
                ServerMessage::Refused { key: refused, error } if refused == key => {
                    return Err(error);
                }
                _ => {}
            }
        }
    }

    /// Plays the first legal move that does not end the game.
    pub(crate) async fn play(&mut self) {
        let state = self.state();
        let position = state.game().position();
        let legal = position.legal_moves();
        let mv = legal.iter().find(|mv| {
            let mut game = state.game().clone();
            game.play(**mv).is_ok() && game.outcome().is_none()
        });
        let ply = state.game().ply() as u32;
        let action = Action::Move { ply, mv: *mv.expect("a move") };
        self.act(action).await.expect("accepted");
    }
}

/// Subscribes a guest to the lobby.
pub(crate) async fn open_lobby(guest: &Guest) -> ClientSocket {
    let socket = ClientSocket::open(guest.server, guest.cookie.as_deref()).await;
    let mut socket = socket.expect("a connection");
    let lobby = ClientMessage::Subscribe(Subscription::Lobby);
    socket.send_message(&lobby).await.expect("sent");
    socket
}

/// Waits for a message of a connection that this function accepts.
pub(crate) async fn wait_for<T>(
    socket: &mut ClientSocket,
    accept: impl Fn(ServerMessage) -> Option<T>,
) -> T {
    loop {
        let message = socket.receive().await.expect("received").expect("open");
        if let Some(found) = accept(message) {
            return found;
        }
    }
}
