//! A server with a game, and clients that are connected to it.

use std::net::SocketAddr;
use std::time::Duration;

use khet_load::{ClientSocket, Guest};
use khet_protocol::{
    Action, ActionAck, ApiError, ErrorCode, Event, EventKind, GameId, GameJoined, GameState,
    NewChallenge, ServerMessage,
};
use khet_server::{Assets, Config, Server, ServerLimits, Time, testing};
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::Message;

/// A server that keeps its database over restarts.
pub(crate) struct TestServer {
    pub(crate) config: Config,
    server: Option<Server>,
    _folder: TempDir,
}

impl TestServer {
    /// Starts a server with high limits, for tests with a stopped clock.
    pub(crate) async fn unlimited(time: Time) -> TestServer {
        let limits = ServerLimits {
            requests_per_minute: 1_000_000,
            guests_per_hour: 1_000_000,
            challenges_per_minute: 1_000_000,
            messages_per_second: 1_000_000,
            games_per_person: 1_000_000,
            games_per_minute: 1_000_000,
            subscriptions_per_minute: 1_000_000,
            ..ServerLimits::default()
        };
        TestServer::with(time, limits).await
    }

    /// Starts a server with the default limits.
    pub(crate) async fn open(time: Time) -> TestServer {
        TestServer::with(time, ServerLimits::default()).await
    }

    pub(crate) async fn with(time: Time, limits: ServerLimits) -> TestServer {
        let folder = TempDir::new().expect("a folder");
        let mut config = Config::new(testing::database(folder.path().join("khet.sqlite")));
        config.address = SocketAddr::from(([127, 0, 0, 1], 0));
        config.time = time;
        config.limits = limits;
        let mut server = TestServer { config, server: None, _folder: folder };
        server.start().await;
        server
    }

    pub(crate) async fn start(&mut self) {
        let started = Server::start(self.config.clone(), Assets::new(&[])).await;
        self.server = Some(started.expect("a server"));
    }

    pub(crate) async fn stop(&mut self) {
        if let Some(server) = self.server.take() {
            server.stop().await;
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.server.as_ref().expect("it runs").address()
    }

    pub(crate) fn skip(&self, time: Duration) {
        self.config.time.skip(time);
    }
}

/// Two people, Silver first, and their game.
pub(crate) struct TestGame {
    pub(crate) game: GameId,
    pub(crate) people: [Guest; 2],
}

pub(crate) fn options(text: &str) -> NewChallenge {
    serde_json::from_str(text).expect("options")
}

pub(crate) async fn start_game(server: &TestServer, time: &str) -> TestGame {
    start_game_from(server, "classic", time).await
}

/// Starts a game from the name of a setup or a position.
pub(crate) async fn start_game_from(server: &TestServer, start: &str, time: &str) -> TestGame {
    let text = format!(r#"{{"start": "{start}", "time": "{time}", "color": "silver"}}"#);
    let mut silver = Guest::without_session(server.address());
    let mut red = Guest::without_session(server.address());
    let challenge = silver.challenge(&options(&text)).await.expect("a challenge");
    let game = red.accept(challenge).await.expect("a game");
    TestGame { game, people: [silver, red] }
}

/// A connection to a game with all events received.
pub(crate) struct Client {
    pub(crate) socket: ClientSocket,
    pub(crate) joined: GameJoined,
    pub(crate) events: Vec<Event>,
    key: u32,
}

impl Client {
    pub(crate) async fn open(guest: &Guest, game: GameId) -> Client {
        Client::reconnect(guest, game, Vec::new()).await
    }

    /// Reconnects with the known events.
    pub(crate) async fn reconnect(guest: &Guest, game: GameId, events: Vec<Event>) -> Client {
        let socket =
            ClientSocket::open(guest.server, guest.cookie.as_deref()).await.expect("a connection");
        Client::greet(socket, game, events).await
    }

    async fn greet(mut socket: ClientSocket, game: GameId, mut events: Vec<Event>) -> Client {
        let seen = events.last().map_or(0, |event| event.number);
        socket.subscribe(game, seen).await.expect("sent");
        let joined = loop {
            match socket.receive().await.expect("received").expect("open") {
                ServerMessage::GameJoined(joined) if joined.game == game => break *joined,
                ServerMessage::Refused { error, .. } => panic!("{error}"),
                _ => {}
            }
        };
        if joined.after == 0 {
            events.clear();
        }
        events.extend(joined.events.iter().cloned());
        Client { socket, joined, events, key: fastrand::u32(..) }
    }

    /// Subscribes again to receive all events.
    pub(crate) async fn refresh(self) -> Client {
        let game = self.joined.game;
        Client::greet(self.socket, game, self.events).await
    }

    /// Waits until the server has processed all messages and the pong, so that it knows the round
    /// trip.
    pub(crate) async fn settle(&mut self) {
        self.socket.send(Message::text("?")).await.expect("sent");
        loop {
            match self.receive().await {
                ServerMessage::Refused { key: 0, error } => {
                    break assert_eq!(error.code, ErrorCode::Malformed);
                }
                ServerMessage::Event(_) => {}
                other => panic!("no answer: {other:?}"),
            }
        }
    }

    pub(crate) fn state(&self) -> GameState {
        GameState::fold(&self.events).expect("a game")
    }

    /// Returns the next message about the game other than presence.
    pub(crate) async fn receive(&mut self) -> ServerMessage {
        loop {
            let message =
                self.socket.receive().await.expect("received").expect("the connection is open");
            if let ServerMessage::Event(event) = &message {
                self.events.push(event.clone());
            }
            if !matches!(message, ServerMessage::Presence(_) | ServerMessage::InboxChanged) {
                return message;
            }
        }
    }

    /// Returns the next event.
    pub(crate) async fn event(&mut self) -> EventKind {
        match self.receive().await {
            ServerMessage::Event(event) => event.kind,
            other => panic!("no event: {other:?}"),
        }
    }

    /// Sends an action and waits for the reply.
    pub(crate) async fn act(&mut self, act: Action) -> Result<ActionAck, ApiError> {
        self.key = self.key.wrapping_add(1);
        self.act_as(self.key, act).await
    }

    /// Sends an action with a given key.
    pub(crate) async fn act_as(&mut self, key: u32, act: Action) -> Result<ActionAck, ApiError> {
        self.socket.act(key, act).await.expect("sent");
        loop {
            match self.receive().await {
                ServerMessage::Done(ack) if ack.key == key => return Ok(ack),
                ServerMessage::Refused { key: refused, error } if refused == key => {
                    return Err(error);
                }
                ServerMessage::Event(_) => {}
                other => panic!("no answer: {other:?}"),
            }
        }
    }

    pub(crate) async fn mv(&mut self, ply: u32, mv: &str) -> Result<ActionAck, ApiError> {
        self.act(Action::Move { ply, mv: mv.parse().expect("a move") }).await
    }

    /// Sends an action that must be rejected.
    pub(crate) async fn expect_refusal(&mut self, act: Action) -> ErrorCode {
        self.act(act).await.expect_err("refused").code
    }
}
