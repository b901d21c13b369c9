//! The WebSocket at `/api/live`: one task per connection, which has one person and one subscription
//! at a time.
//!
//! Messages are small, rate-limited and parsed once. Connections that send too much or are silent
//! too long are closed, without effect on others.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{
    CloseFrame, Message as Frame, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code,
};
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use futures_util::SinkExt;
use khet_protocol::{
    Action, ActionAck, ApiError, ChallengeId, ChallengeResponse, ClientMessage, ErrorCode,
    FRAME_SIZE, GameId, NewChallenge, PersonId, ServerMessage, Subscription,
};
use tokio::sync::{mpsc, watch};

use crate::connections::{Peer, Permit};
use crate::error_response::{ErrorResponse, storage_error};
use crate::games::{Message, Reply, Subscriber, text};
use crate::notices::Notice;
use crate::people::OptionalPerson;
use crate::rate_limits::{self, Bucket, Rate};
use crate::server_state::{self, ServerState};
use crate::{challenges, random, session_revocation};

/// Number of messages that may wait for a slow client.
const OUTBOX_CAPACITY: usize = 64;
/// Interval of pings, which measure the round trip.
const PING_INTERVAL: Duration = Duration::from_secs(15);
/// A connection without any frame for this time, not even a pong, is closed.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(45);
/// Longest time before the first message.
const HELLO_TIMEOUT: Duration = Duration::from_secs(20);
/// Longest time for sending a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// Shortest interval between two lists of the lobby.
const LOBBY_INTERVAL: Duration = Duration::from_millis(500);
/// Milliseconds after which a client with too many sockets may try again.
const TOO_MANY_SOCKETS_RETRY: u64 = 10_000;
/// Milliseconds after which clients reconnect when the server stops.
const RECONNECT_AFTER: u64 = 2000;
/// Size of the read and write buffers. Small, because there are thousands of sockets.
const BUFFER_SIZE: usize = 2048;
/// Largest message to a client, in bytes: a game with thousands of moves.
const MAX_MESSAGE_SIZE: usize = 8 * 1024 * 1024;

/// A WebSocket for playing and watching games. The client sends `ClientMessage` and receives
/// `ServerMessage`, each as JSON text; the first message chooses the subject.
#[utoipa::path(
    get, path = "/api/live", operation_id = "live", tag = "live",
    responses(
        (status = 101, description = "The WebSocket is open"),
        (status = 400, description = "This is not a WebSocket"),
        (status = 403, description = "The request comes from another site", body = ApiError),
    ),
)]
pub(crate) async fn open(
    State(server): State<ServerState>,
    OptionalPerson(person): OptionalPerson,
    connection_permit: Option<Extension<Arc<Permit>>>,
    peer: Option<Extension<Peer>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    if server.is_stopping() {
        let error = ApiError::new(ErrorCode::Unavailable, "the server is stopping").retry_after(2);
        return ErrorResponse(error).into_response();
    }
    let by_peer = server.config.limits.connections_per_address;
    let socket_permit =
        peer.map(|Extension(peer)| server.open_sockets.acquire(peer, usize::MAX, by_peer));
    if let Some(None) = socket_permit {
        return ErrorResponse(rate_limits::too_many(TOO_MANY_SOCKETS_RETRY)).into_response();
    }
    upgrade
        .max_message_size(FRAME_SIZE)
        .max_frame_size(FRAME_SIZE)
        .read_buffer_size(BUFFER_SIZE)
        .write_buffer_size(BUFFER_SIZE)
        .max_write_buffer_size(MAX_MESSAGE_SIZE)
        .on_upgrade(move |socket| async move {
            let Some(open) = server.sockets.upgrade() else { return };
            metrics::gauge!("khet_sockets").increment(1);
            Box::pin(Connection::new(&server, person, socket).run()).await;
            metrics::gauge!("khet_sockets").decrement(1);
            drop((open, connection_permit, socket_permit));
        })
}

/// The subject whose messages a connection receives.
enum ActiveSubscription {
    None,
    /// A game, whose messages come through the inbox.
    Game(GameId),
    /// The open challenges, and the time when they were last sent.
    Lobby {
        changes: watch::Receiver<u64>,
        sent: Instant,
    },
    /// One challenge.
    Challenge(ChallengeId),
}

/// A connection with a client.
struct Connection<'a> {
    server: &'a ServerState,
    person: Option<PersonId>,
    socket: WebSocket,
    /// The id by which games and the lobby know this connection.
    id: u64,
    subscription: ActiveSubscription,
    /// Messages of the game.
    inbox: Option<mpsc::Receiver<Utf8Bytes>>,
    /// Notices to the person.
    notices: Option<mpsc::Receiver<Notice>>,
    round_trip: Arc<AtomicU32>,
    /// The payload and time of the last ping without a pong.
    ping: Option<([u8; 8], u64)>,
    last_received: Instant,
    bucket: Bucket,
    /// Number of messages beyond the rate limit, since the last one within it.
    excess_messages: u32,
}

/// Reason why a connection is closed.
enum CloseReason {
    /// The client has disconnected.
    Disconnected,
    /// The client broke a rule: the close code and its text.
    Violation(u16, &'static str),
    /// The client has to reconnect.
    Reconnect,
}

/// An event that a connection reacts to.
enum Wakeup {
    Frame(Option<Result<Frame, axum::Error>>),
    GameMessage(Option<Utf8Bytes>),
    Notice(Option<Notice>),
    SessionRevoked,
    LobbyChanged,
    Tick,
    Stop,
}

impl Drop for Connection<'_> {
    fn drop(&mut self) {
        self.unsubscribe();
    }
}

impl<'a> Connection<'a> {
    fn new(server: &'a ServerState, person: Option<PersonId>, socket: WebSocket) -> Connection<'a> {
        Connection {
            server,
            person,
            socket,
            id: server.games.next_subscriber_id(),
            subscription: ActiveSubscription::None,
            inbox: None,
            notices: None,
            round_trip: Arc::new(AtomicU32::new(0)),
            ping: None,
            last_received: Instant::now(),
            bucket: Bucket::default(),
            excess_messages: 0,
        }
    }

    async fn run(mut self) {
        let reason = match self.handle_wakeups().await {
            Err(reason) => reason,
            Ok(never) => match never {},
        };
        match reason {
            CloseReason::Disconnected => {}
            CloseReason::Reconnect => {
                let _ = self
                    .send_text(text(&ServerMessage::Closing { retry_after: RECONNECT_AFTER }))
                    .await;
                self.close(close_code::AWAY, "reconnect later").await;
            }
            CloseReason::Violation(code, text) => {
                metrics::counter!("khet_messages_rejected_total").increment(1);
                self.close(code, text).await;
            }
        }
    }

    async fn close(&mut self, code: u16, reason: &'static str) {
        let frame = Frame::Close(Some(CloseFrame { code, reason: Utf8Bytes::from_static(reason) }));
        let _ = tokio::time::timeout(SEND_TIMEOUT, self.socket.send(frame)).await;
    }

    async fn handle_wakeups(&mut self) -> Result<std::convert::Infallible, CloseReason> {
        let server = self.server;
        let _presence = server.lobby.enter();
        let mut stopping = server.stopping.subscribe();
        let mut revocations = server.session_revocations.subscribe();
        let opened = Instant::now();
        let mut ticks = tokio::time::interval_at((opened + PING_INTERVAL).into(), PING_INTERVAL);
        loop {
            let lobby_due = match &self.subscription {
                ActiveSubscription::Lobby { sent, .. } => Some(*sent + LOBBY_INTERVAL),
                _ => None,
            };
            let changes = match &mut self.subscription {
                ActiveSubscription::Lobby { changes, .. } => Some(changes),
                _ => None,
            };
            let wakeup = tokio::select! {
                frame = self.socket.recv() => Wakeup::Frame(frame),
                message = receive(&mut self.inbox) => Wakeup::GameMessage(message),
                notice = receive(&mut self.notices) => Wakeup::Notice(notice),
                () = lobby_changed(changes, lobby_due) => Wakeup::LobbyChanged,
                _ = ticks.tick() => Wakeup::Tick,
                () = session_revocation::wait_for(self.person, &mut revocations) => Wakeup::SessionRevoked,
                () = server_state::stop_requested(&mut stopping) => Wakeup::Stop,
            };
            match wakeup {
                Wakeup::Frame(frame) => {
                    self.last_received = Instant::now();
                    self.handle_frame(frame).await?;
                }
                Wakeup::GameMessage(Some(message)) => self.send_batch(message).await?,
                // The game has dropped a slow client, or is being reloaded after an error.
                Wakeup::GameMessage(None) => return Err(CloseReason::Reconnect),
                Wakeup::Notice(Some(notice)) => self.handle_notice(notice).await?,
                Wakeup::Notice(None) => self.notices = None,
                Wakeup::LobbyChanged => self.send_lobby().await?,
                Wakeup::Tick => {
                    if self.last_received.elapsed() > SILENCE_TIMEOUT {
                        return Err(CloseReason::Violation(close_code::POLICY, "no pong"));
                    }
                    if matches!(self.subscription, ActiveSubscription::None)
                        && opened.elapsed() > HELLO_TIMEOUT
                    {
                        return Err(CloseReason::Violation(close_code::POLICY, "no subscription"));
                    }
                    self.send_ping().await?;
                }
                // The client reconnects with its current session.
                Wakeup::Stop | Wakeup::SessionRevoked => return Err(CloseReason::Reconnect),
            }
        }
    }

    /// Sends a message and all others that are waiting.
    async fn send_batch(&mut self, first: Utf8Bytes) -> Result<(), CloseReason> {
        let (socket, inbox) = (&mut self.socket, &mut self.inbox);
        let sending = async {
            socket.feed(Frame::Text(first)).await?;
            while let Some(Ok(more)) = inbox.as_mut().map(mpsc::Receiver::try_recv) {
                socket.feed(Frame::Text(more)).await?;
            }
            socket.flush().await
        };
        match tokio::time::timeout(SEND_TIMEOUT, sending).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(CloseReason::Disconnected),
        }
    }

    async fn send_text(&mut self, message: Utf8Bytes) -> Result<(), CloseReason> {
        self.send(Frame::Text(message)).await
    }

    async fn send(&mut self, frame: Frame) -> Result<(), CloseReason> {
        match tokio::time::timeout(SEND_TIMEOUT, self.socket.send(frame)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(CloseReason::Disconnected),
        }
    }

    async fn reject(&mut self, key: u32, error: ApiError) -> Result<(), CloseReason> {
        metrics::counter!("khet_messages_rejected_total").increment(1);
        self.send_text(text(&ServerMessage::Refused { key, error })).await
    }

    async fn send_ping(&mut self) -> Result<(), CloseReason> {
        let mark = random::bytes::<8>();
        self.ping = Some((mark, self.server.time.now()));
        self.send(Frame::Ping(Bytes::copy_from_slice(&mark))).await
    }

    /// Stores the round trip if this is the pong to the last ping. Returns whether it is.
    fn record_pong(&mut self, mark: &[u8]) -> bool {
        let Some((_, sent)) = self.ping.take_if(|(expected, _)| expected == mark) else {
            return false;
        };
        let elapsed = self.server.time.now().saturating_sub(sent);
        self.round_trip.store(u32::try_from(elapsed).unwrap_or(u32::MAX), Ordering::Relaxed);
        true
    }

    async fn handle_frame(
        &mut self,
        frame: Option<Result<Frame, axum::Error>>,
    ) -> Result<(), CloseReason> {
        let frame = match frame {
            None | Some(Ok(Frame::Close(_))) => return Err(CloseReason::Disconnected),
            Some(Err(error)) => return Err(frame_error(&error)),
            Some(Ok(frame)) => frame,
        };
        if let Frame::Pong(mark) = &frame
            && self.record_pong(mark)
        {
            return Ok(());
        }
        if let Err(wait) = self.take_message_token() {
            self.excess_messages += 1;
            if self.excess_messages > self.server.config.limits.messages_per_second {
                return Err(CloseReason::Violation(close_code::POLICY, "too many messages"));
            }
            // Reported once, not for each message of a flood.
            return match self.excess_messages {
                1 => self.reject(0, rate_limits::too_many(wait)).await,
                _ => Ok(()),
            };
        }
        match frame {
            Frame::Text(message) => match serde_json::from_str(&message) {
                Ok(message) => self.handle_message(message).await,
                Err(error) => {
                    self.reject(0, ApiError::new(ErrorCode::Malformed, error.to_string())).await
                }
            },
            Frame::Binary(_) => {
                let error = ApiError::new(ErrorCode::Malformed, "messages are JSON text");
                self.reject(0, error).await
            }
            _ => Ok(()),
        }
    }

    /// Counts a message against the rate limit.
    fn take_message_token(&mut self) -> Result<(), u64> {
        let limit = self.server.config.limits.messages_per_second;
        let rate = Rate { times: limit.saturating_mul(2), within: 2000 };
        self.bucket.take(rate, self.server.time.now())?;
        self.excess_messages = 0;
        Ok(())
    }

    async fn handle_message(&mut self, message: ClientMessage) -> Result<(), CloseReason> {
        match message {
            ClientMessage::Subscribe(subject) => {
                self.unsubscribe();
                match self.subscribe(subject).await? {
                    Ok(()) => Ok(()),
                    Err(error) => self.reject(0, error).await,
                }
            }
            ClientMessage::Action { key, action } => match self.act(key, action).await {
                Ok(()) => Ok(()),
                Err(error) => self.reject(key, error).await,
            },
            ClientMessage::Seek { key, challenge } => match self.seek(*challenge).await {
                Ok(()) => {
                    self.send_text(text(&ServerMessage::Done(ActionAck { key, number: 0 }))).await
                }
                Err(error) => self.reject(key, error).await,
            },
            ClientMessage::Unseek => {
                self.server.lobby.unseek(self.id);
                Ok(())
            }
        }
    }

    /// Ends the subscription.
    fn unsubscribe(&mut self) {
        self.inbox = None;
        if let (Some(_), Some(person)) = (self.notices.take(), self.person) {
            self.server.lobby.presence_changed(person);
        }
        match std::mem::replace(&mut self.subscription, ActiveSubscription::None) {
            ActiveSubscription::None | ActiveSubscription::Challenge(_) => {}
            ActiveSubscription::Lobby { .. } => self.server.lobby.unseek(self.id),
            ActiveSubscription::Game(game) => {
                let (server, id) = (self.server.clone(), self.id);
                // The game may be busy, so this does not wait.
                tokio::spawn(async move {
                    let _ = server.games.send(&server, game, Message::Leave { id }).await;
                });
            }
        }
    }

    /// Changes the subscription.
    async fn subscribe(
        &mut self,
        subject: Subscription,
    ) -> Result<Result<(), ApiError>, CloseReason> {
        // A new id per subscription, so that a late message of the last one is not mixed up.
        self.id = self.server.games.next_subscriber_id();
        match subject {
            Subscription::Game { id, seen } => {
                let (outbox, inbox) = mpsc::channel(OUTBOX_CAPACITY);
                let round_trip = Arc::clone(&self.round_trip);
                let subscriber = Subscriber { id: self.id, color: None, outbox, round_trip };
                let join = Message::Join { person: self.person, seen, subscriber };
                if let Err(error) = self.server.games.send(self.server, id, join).await {
                    return Ok(Err(error));
                }
                self.subscription = ActiveSubscription::Game(id);
                self.inbox = Some(inbox);
                self.send_ping().await?;
            }
            Subscription::Lobby => {
                let changes = self.server.lobby.changes();
                self.subscription = ActiveSubscription::Lobby { changes, sent: Instant::now() };
                self.listen_for_notices();
                self.send_lobby().await?;
            }
            Subscription::Challenge { id } => return self.subscribe_to_challenge(id).await,
        }
        Ok(Ok(()))
    }

    /// Subscribes to the person's notices. Others see the person as connected.
    fn listen_for_notices(&mut self) {
        if let Some(person) = self.person {
            self.notices = Some(self.server.notices.subscribe(person));
            self.server.lobby.presence_changed(person);
        }
    }

    async fn subscribe_to_challenge(
        &mut self,
        id: ChallengeId,
    ) -> Result<Result<(), ApiError>, CloseReason> {
        // Subscribes before reading, so that no notice is missed.
        self.listen_for_notices();
        let lookup = async {
            let stored = self.server.store.challenge(id).await?;
            match stored {
                None => Ok(None),
                Some(stored) => {
                    Ok(Some((challenges::to_challenge(self.server, &stored).await?, stored)))
                }
            }
        };
        let (challenge, stored) = match lookup.await {
            Ok(Some(lookup)) => lookup,
            Ok(None) => {
                return Ok(Err(ApiError::new(ErrorCode::NotFound, "there is no such challenge")));
            }
            Err(error) => return Ok(Err(storage_error(&error))),
        };
        let own = self.person == Some(stored.person);
        let game = stored.game;
        let answer = ChallengeResponse { challenge, own, game };
        self.subscription = ActiveSubscription::Challenge(id);
        self.send_text(text(&ServerMessage::Challenge(Box::new(answer)))).await?;
        if let Some(game) = game.filter(|_| own) {
            self.send_text(text(&ServerMessage::Paired { game })).await?;
        }
        Ok(Ok(()))
    }

    async fn send_lobby(&mut self) -> Result<(), CloseReason> {
        if let ActiveSubscription::Lobby { sent, changes } = &mut self.subscription {
            *sent = Instant::now();
            changes.mark_unchanged();
        }
        self.send_text(text(&ServerMessage::Lobby(self.server.lobby.list(self.server)))).await
    }

    async fn handle_notice(&mut self, notice: Notice) -> Result<(), CloseReason> {
        match (notice, &self.subscription) {
            (Notice::GameStarted { game, .. }, ActiveSubscription::Lobby { .. }) => {
                self.send_text(text(&ServerMessage::Paired { game })).await
            }
            (
                Notice::GameStarted { game, challenge: Some(challenge) },
                ActiveSubscription::Challenge(own),
            ) if challenge == *own => self.send_text(text(&ServerMessage::Paired { game })).await,
            _ => Ok(()),
        }
    }

    async fn act(&mut self, key: u32, action: Action) -> Result<(), ApiError> {
        let ActiveSubscription::Game(game) = self.subscription else {
            return Err(ApiError::new(ErrorCode::NotNow, "subscribe to a game first"));
        };
        let Some(person) = self.person else {
            return Err(ApiError::new(ErrorCode::SignedOut, "only players can do this"));
        };
        let reply = Reply::Subscriber(self.id);
        self.server
            .games
            .send(self.server, game, Message::Action { person, key, action, reply })
            .await
    }

    async fn seek(&mut self, challenge: NewChallenge) -> Result<(), ApiError> {
        if !matches!(self.subscription, ActiveSubscription::Lobby { .. }) {
            return Err(ApiError::new(ErrorCode::NotNow, "subscribe to the lobby first"));
        }
        let Some(person) = self.person else {
            return Err(ApiError::new(ErrorCode::SignedOut, "become a guest or sign in first"));
        };
        // If this starts a game, both players learn it from a notice.
        self.server.lobby.seek(self.server, self.id, person, challenge).await.map(drop)
    }
}

/// Receives the next message, or waits forever if there is no inbox.
async fn receive<T>(inbox: &mut Option<mpsc::Receiver<T>>) -> Option<T> {
    match inbox {
        Some(inbox) => inbox.recv().await,
        None => std::future::pending().await,
    }
}

/// Waits until the lobby has changed and its interval has passed.
async fn lobby_changed(changes: Option<&mut watch::Receiver<u64>>, due: Option<Instant>) {
    let (Some(changes), Some(due)) = (changes, due) else {
        return std::future::pending().await;
    };
    if changes.changed().await.is_err() {
        return std::future::pending().await;
    }
    // `changed` marks the change as seen; if the sleep is cancelled, it must count again.
    changes.mark_changed();
    tokio::time::sleep_until(due.into()).await;
}

/// Returns the reason for closing a connection after an unreadable frame.
fn frame_error(error: &axum::Error) -> CloseReason {
    match error.source().and_then(|source| source.downcast_ref()) {
        Some(tungstenite::Error::Capacity(_)) => {
            CloseReason::Violation(close_code::SIZE, "the message is too large")
        }
        Some(tungstenite::Error::Utf8(_)) => {
            CloseReason::Violation(close_code::INVALID, "messages are UTF-8 text")
        }
        _ => CloseReason::Disconnected,
    }
}
