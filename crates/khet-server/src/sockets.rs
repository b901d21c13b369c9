//! The WebSocket at `/api/live`: one task a connection, which speaks for one person about one thing at a time.
//!
//! Whatever a client sends costs it something: messages are small, counted, and read once. Who sends too much, too fast, or nothing at
//! all is let go; others notice nothing.

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

use crate::app::{self, App};
use crate::connections::{Peer, Place};
use crate::games::{Member, Message, Reply, text};
use crate::limits::{self, Bucket, Rate};
use crate::notices::Notice;
use crate::people::Visitor;
use crate::refusal::{Refusal, from_storage};
use crate::{challenges, departures, random};

/// How many messages may wait for a client.
const OUTBOX: usize = 64;
/// How often round trips are measured.
const PING: Duration = Duration::from_secs(15);
/// Who has said nothing for so long, not even to a ping, is gone.
const SILENCE: Duration = Duration::from_secs(45);
/// How long a client may take to say what it wants.
const HELLO: Duration = Duration::from_secs(20);
/// How long a client may take to accept what it is sent.
const SENDING: Duration = Duration::from_secs(10);
/// How often the lobby is sent at most.
const LOBBY_PAUSE: Duration = Duration::from_millis(500);
/// In how many milliseconds a client may try again that has too many sockets.
const FULL: u64 = 10_000;
/// In how many milliseconds clients come back when the server stops.
const COME_BACK: u64 = 2000;
/// Bytes that are read and written at once. Thousands of sockets have such buffers.
const BUFFER: usize = 2048;
/// The longest message to a client, in bytes: a game with thousands of moves.
const LARGEST_MESSAGE: usize = 8 * 1024 * 1024;

/// A WebSocket, over which games are played and watched. The client sends `ClientMessage` and hears `ServerMessage`, each as JSON text; the
/// first message says what it is about.
#[utoipa::path(
    get, path = "/api/live", operation_id = "live", tag = "live",
    responses(
        (status = 101, description = "The WebSocket is open"),
        (status = 400, description = "This is not a WebSocket"),
        (status = 403, description = "The request comes from another site", body = ApiError),
    ),
)]
pub(crate) async fn open(
    State(app): State<App>,
    Visitor(person): Visitor,
    place: Option<Extension<Arc<Place>>>,
    peer: Option<Extension<Peer>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    if app.is_stopping() {
        let error = ApiError::new(ErrorCode::Unavailable, "the server is stopping").retry_after(2);
        return Refusal(error).into_response();
    }
    let by_peer = app.config.limits.connections_per_address;
    let seat = peer.map(|Extension(peer)| app.open_sockets.take(peer, usize::MAX, by_peer));
    if let Some(None) = seat {
        return Refusal(limits::too_many(FULL)).into_response();
    }
    upgrade
        .max_message_size(FRAME_SIZE)
        .max_frame_size(FRAME_SIZE)
        .read_buffer_size(BUFFER)
        .write_buffer_size(BUFFER)
        .max_write_buffer_size(LARGEST_MESSAGE)
        .on_upgrade(move |socket| async move {
            let Some(open) = app.sockets.upgrade() else { return };
            metrics::gauge!("khet_sockets").increment(1);
            Box::pin(Talk::new(&app, person, socket).run()).await;
            metrics::gauge!("khet_sockets").decrement(1);
            drop((open, place, seat));
        })
}

/// What a socket is about now.
enum Topic {
    /// Nothing yet.
    None,
    /// A game, which speaks through the inbox.
    Game(GameId),
    /// The open challenges, and when they were sent last.
    Lobby { changes: watch::Receiver<u64>, sent: Instant },
    /// A challenge of the person's own.
    Challenge(ChallengeId),
}

/// A connection with a client.
struct Talk<'a> {
    app: &'a App,
    person: Option<PersonId>,
    socket: WebSocket,
    /// By this number games and the lobby know the connection.
    id: u64,
    topic: Topic,
    /// What the game says.
    inbox: Option<mpsc::Receiver<Utf8Bytes>>,
    /// What the person is told.
    notices: Option<mpsc::Receiver<Notice>>,
    round_trip: Arc<AtomicU32>,
    /// The ping that is not answered yet.
    ping: Option<([u8; 8], u64)>,
    heard: Instant,
    bucket: Bucket,
    /// Messages that came too fast.
    strikes: u32,
}

/// Why a talk ends.
enum Goodbye {
    /// The connection is gone.
    Gone,
    /// The client did something that it must not.
    Close(u16, &'static str),
    /// It is to come back later.
    Later,
}

/// What happens next in a talk.
enum Next {
    Heard(Option<Result<Frame, axum::Error>>),
    Said(Option<Utf8Bytes>),
    StreamMessage(Option<Notice>),
    Departed,
    LobbyChanged,
    Tick,
    Stop,
}

impl Drop for Talk<'_> {
    fn drop(&mut self) {
        self.leave();
    }
}

impl<'a> Talk<'a> {
    fn new(app: &'a App, person: Option<PersonId>, socket: WebSocket) -> Talk<'a> {
        Talk {
            app,
            person,
            socket,
            id: app.games.member_id(),
            topic: Topic::None,
            inbox: None,
            notices: None,
            round_trip: Arc::new(AtomicU32::new(0)),
            ping: None,
            heard: Instant::now(),
            bucket: Bucket::default(),
            strikes: 0,
        }
    }

    async fn run(mut self) {
        let goodbye = match self.talk().await {
            Err(goodbye) => goodbye,
            Ok(never) => match never {},
        };
        match goodbye {
            Goodbye::Gone => {}
            Goodbye::Later => {
                let _ = self.say(text(&ServerMessage::Closing { retry_after: COME_BACK })).await;
                self.close(close_code::AWAY, "come back later").await;
            }
            Goodbye::Close(code, reason) => {
                metrics::counter!("khet_messages_refused_total").increment(1);
                self.close(code, reason).await;
            }
        }
    }

    async fn close(&mut self, code: u16, reason: &'static str) {
        let frame = Frame::Close(Some(CloseFrame { code, reason: Utf8Bytes::from_static(reason) }));
        let _ = tokio::time::timeout(SENDING, self.socket.send(frame)).await;
    }

    async fn talk(&mut self) -> Result<std::convert::Infallible, Goodbye> {
        let shared = self.app;
        let _seat = shared.lobby.enter();
        let mut stopping = shared.stopping.subscribe();
        let mut departures = shared.departures.listen();
        let opened = Instant::now();
        let mut ticks = tokio::time::interval_at((opened + PING).into(), PING);
        loop {
            let lobby_due = match &self.topic {
                Topic::Lobby { sent, .. } => Some(*sent + LOBBY_PAUSE),
                _ => None,
            };
            let changes = match &mut self.topic {
                Topic::Lobby { changes, .. } => Some(changes),
                _ => None,
            };
            let next = tokio::select! {
                heard = self.socket.recv() => Next::Heard(heard),
                said = receive(&mut self.inbox) => Next::Said(said),
                told = receive(&mut self.notices) => Next::StreamMessage(told),
                () = lobby_changed(changes, lobby_due) => Next::LobbyChanged,
                _ = ticks.tick() => Next::Tick,
                () = departures::of(self.person, &mut departures) => Next::Departed,
                () = app::stop_asked(&mut stopping) => Next::Stop,
            };
            match next {
                Next::Heard(frame) => {
                    self.heard = Instant::now();
                    self.hear(frame).await?;
                }
                Next::Said(Some(message)) => self.say_all(message).await?,
                // The game has let go of a client that does not keep up, or is read anew.
                Next::Said(None) => return Err(Goodbye::Later),
                Next::StreamMessage(Some(notice)) => self.tell(notice).await?,
                Next::StreamMessage(None) => self.notices = None,
                Next::LobbyChanged => self.say_lobby().await?,
                Next::Tick => {
                    if self.heard.elapsed() > SILENCE {
                        return Err(Goodbye::Close(close_code::POLICY, "no answer to pings"));
                    }
                    if matches!(self.topic, Topic::None) && opened.elapsed() > HELLO {
                        return Err(Goodbye::Close(close_code::POLICY, "no subscription"));
                    }
                    self.send_ping().await?;
                }
                // To come back as whoever the client is now.
                Next::Stop | Next::Departed => return Err(Goodbye::Later),
            }
        }
    }

    /// Sends a message, and all that wait behind it, at once.
    async fn say_all(&mut self, first: Utf8Bytes) -> Result<(), Goodbye> {
        let (socket, inbox) = (&mut self.socket, &mut self.inbox);
        let sending = async {
            socket.feed(Frame::Text(first)).await?;
            while let Some(Ok(more)) = inbox.as_mut().map(mpsc::Receiver::try_recv) {
                socket.feed(Frame::Text(more)).await?;
            }
            socket.flush().await
        };
        match tokio::time::timeout(SENDING, sending).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Goodbye::Gone),
        }
    }

    async fn say(&mut self, message: Utf8Bytes) -> Result<(), Goodbye> {
        self.send(Frame::Text(message)).await
    }

    async fn send(&mut self, frame: Frame) -> Result<(), Goodbye> {
        match tokio::time::timeout(SENDING, self.socket.send(frame)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Goodbye::Gone),
        }
    }

    async fn refuse(&mut self, key: u32, error: ApiError) -> Result<(), Goodbye> {
        metrics::counter!("khet_messages_refused_total").increment(1);
        self.say(text(&ServerMessage::Refused { key, error })).await
    }

    async fn send_ping(&mut self) -> Result<(), Goodbye> {
        let mark = random::bytes::<8>();
        self.ping = Some((mark, self.app.time.now()));
        self.send(Frame::Ping(Bytes::copy_from_slice(&mark))).await
    }

    /// Measures the way of a ping that comes back. Says whether it was one.
    fn measure(&mut self, mark: &[u8]) -> bool {
        let Some((_, sent)) = self.ping.take_if(|(expected, _)| expected == mark) else {
            return false;
        };
        let passed = self.app.time.now().saturating_sub(sent);
        self.round_trip.store(u32::try_from(passed).unwrap_or(u32::MAX), Ordering::Relaxed);
        true
    }

    async fn hear(&mut self, frame: Option<Result<Frame, axum::Error>>) -> Result<(), Goodbye> {
        let frame = match frame {
            None | Some(Ok(Frame::Close(_))) => return Err(Goodbye::Gone),
            Some(Err(error)) => return Err(wrong_frame(&error)),
            Some(Ok(frame)) => frame,
        };
        if let Frame::Pong(mark) = &frame
            && self.measure(mark)
        {
            return Ok(());
        }
        if let Err(wait) = self.count() {
            self.strikes += 1;
            if self.strikes > self.app.config.limits.messages_per_second {
                return Err(Goodbye::Close(close_code::POLICY, "too many messages"));
            }
            // Said once, not to each message of a flood.
            return match self.strikes {
                1 => self.refuse(0, limits::too_many(wait)).await,
                _ => Ok(()),
            };
        }
        match frame {
            Frame::Text(message) => match serde_json::from_str(&message) {
                Ok(message) => self.understand(message).await,
                Err(error) => {
                    self.refuse(0, ApiError::new(ErrorCode::Malformed, error.to_string())).await
                }
            },
            Frame::Binary(_) => {
                let error = ApiError::new(ErrorCode::Malformed, "messages are JSON text");
                self.refuse(0, error).await
            }
            _ => Ok(()),
        }
    }

    /// Counts a message.
    fn count(&mut self) -> Result<(), u64> {
        let limit = self.app.config.limits.messages_per_second;
        let rate = Rate { times: limit.saturating_mul(2), within: 2000 };
        self.bucket.take(rate, self.app.time.now())?;
        self.strikes = 0;
        Ok(())
    }

    async fn understand(&mut self, message: ClientMessage) -> Result<(), Goodbye> {
        match message {
            ClientMessage::Subscribe(subject) => {
                self.leave();
                match self.enter(subject).await? {
                    Ok(()) => Ok(()),
                    Err(error) => self.refuse(0, error).await,
                }
            }
            ClientMessage::Action { key, action } => match self.act(key, action).await {
                Ok(()) => Ok(()),
                Err(error) => self.refuse(key, error).await,
            },
            ClientMessage::Seek { key, challenge } => match self.seek(*challenge).await {
                Ok(()) => self.say(text(&ServerMessage::Done(ActionAck { key, number: 0 }))).await,
                Err(error) => self.refuse(key, error).await,
            },
            ClientMessage::Unseek => {
                self.app.lobby.unseek(self.id);
                Ok(())
            }
        }
    }

    /// Is about nothing from now on.
    fn leave(&mut self) {
        self.inbox = None;
        if let (Some(_), Some(person)) = (self.notices.take(), self.person) {
            self.app.lobby.attendance_changed(person);
        }
        match std::mem::replace(&mut self.topic, Topic::None) {
            Topic::None | Topic::Challenge(_) => {}
            Topic::Lobby { .. } => self.app.lobby.unseek(self.id),
            Topic::Game(game) => {
                let (app, id) = (self.app.clone(), self.id);
                // The game may be busy; nobody waits for it here.
                tokio::spawn(async move {
                    let _ = app.games.send(&app, game, Message::Leave { id }).await;
                });
            }
        }
    }

    /// Is about something from now on.
    async fn enter(&mut self, subject: Subscription) -> Result<Result<(), ApiError>, Goodbye> {
        // A number for each visit: what was said behind a leave is not taken for the next visit's.
        self.id = self.app.games.member_id();
        match subject {
            Subscription::Game { id, seen } => {
                let (outbox, inbox) = mpsc::channel(OUTBOX);
                let round_trip = Arc::clone(&self.round_trip);
                let member = Member { id: self.id, color: None, outbox, round_trip };
                let join = Message::Join { person: self.person, seen, member };
                if let Err(error) = self.app.games.send(self.app, id, join).await {
                    return Ok(Err(error));
                }
                self.topic = Topic::Game(id);
                self.inbox = Some(inbox);
                self.send_ping().await?;
            }
            Subscription::Lobby => {
                let changes = self.app.lobby.changes();
                self.topic = Topic::Lobby { changes, sent: Instant::now() };
                self.listen();
                self.say_lobby().await?;
            }
            Subscription::Challenge { id } => return self.enter_challenge(id).await,
        }
        Ok(Ok(()))
    }

    /// Hears what concerns the person. Others see that they are there.
    fn listen(&mut self) {
        if let Some(person) = self.person {
            self.notices = Some(self.app.notices.listen(person));
            self.app.lobby.attendance_changed(person);
        }
    }

    async fn enter_challenge(&mut self, id: ChallengeId) -> Result<Result<(), ApiError>, Goodbye> {
        // Listened to before it is looked at, so that nothing falls between.
        self.listen();
        let found = async {
            let stored = self.app.store.challenge(id).await?;
            match stored {
                None => Ok(None),
                Some(stored) => Ok(Some((challenges::shown(self.app, &stored).await?, stored))),
            }
        };
        let (challenge, stored) = match found.await {
            Ok(Some(found)) => found,
            Ok(None) => {
                return Ok(Err(ApiError::new(ErrorCode::NotFound, "there is no such challenge")));
            }
            Err(error) => return Ok(Err(from_storage(&error))),
        };
        let own = self.person == Some(stored.person);
        let game = stored.game;
        let answer = ChallengeResponse { challenge, own, game };
        self.topic = Topic::Challenge(id);
        self.say(text(&ServerMessage::Challenge(Box::new(answer)))).await?;
        if let Some(game) = game.filter(|_| own) {
            self.say(text(&ServerMessage::Paired { game })).await?;
        }
        Ok(Ok(()))
    }

    async fn say_lobby(&mut self) -> Result<(), Goodbye> {
        if let Topic::Lobby { sent, changes } = &mut self.topic {
            *sent = Instant::now();
            changes.mark_unchanged();
        }
        self.say(text(&ServerMessage::Lobby(self.app.lobby.answer(self.app)))).await
    }

    async fn tell(&mut self, notice: Notice) -> Result<(), Goodbye> {
        match (notice, &self.topic) {
            (Notice::GameStarted { game, .. }, Topic::Lobby { .. }) => {
                self.say(text(&ServerMessage::Paired { game })).await
            }
            (Notice::GameStarted { game, challenge: Some(challenge) }, Topic::Challenge(own))
                if challenge == *own =>
            {
                self.say(text(&ServerMessage::Paired { game })).await
            }
            _ => Ok(()),
        }
    }

    async fn act(&mut self, key: u32, act: Action) -> Result<(), ApiError> {
        let Topic::Game(game) = self.topic else {
            return Err(ApiError::new(ErrorCode::NotNow, "subscribe to a game first"));
        };
        let Some(person) = self.person else {
            return Err(ApiError::new(ErrorCode::SignedOut, "you only watch"));
        };
        let reply = Reply::Member(self.id);
        self.app.games.send(self.app, game, Message::Action { person, key, act, reply }).await
    }

    async fn seek(&mut self, challenge: NewChallenge) -> Result<(), ApiError> {
        if !matches!(self.topic, Topic::Lobby { .. }) {
            return Err(ApiError::new(ErrorCode::NotNow, "subscribe to the lobby first"));
        }
        let Some(person) = self.person else {
            return Err(ApiError::new(ErrorCode::SignedOut, "who are you? become a guest first"));
        };
        // If there is a game, it is told as a notice, to both in the same way.
        self.app.lobby.seek(self.app, self.id, person, challenge).await.map(drop)
    }
}

/// The next message of someone who may speak; nothing, forever, if there is nobody.
async fn receive<T>(inbox: &mut Option<mpsc::Receiver<T>>) -> Option<T> {
    match inbox {
        Some(inbox) => inbox.recv().await,
        None => std::future::pending().await,
    }
}

/// Waits until the lobby has changed and may be sent again.
async fn lobby_changed(changes: Option<&mut watch::Receiver<u64>>, due: Option<Instant>) {
    let (Some(changes), Some(due)) = (changes, due) else {
        return std::future::pending().await;
    };
    if changes.changed().await.is_err() {
        return std::future::pending().await;
    }
    // The change is marked as seen; should the wait be cut short, it must not be forgotten.
    changes.mark_changed();
    tokio::time::sleep_until(due.into()).await;
}

/// What a client is told whose frame can't be read.
fn wrong_frame(error: &axum::Error) -> Goodbye {
    let text = error.to_string();
    if text.contains("too long") || text.contains("too big") || text.contains("Space limit") {
        Goodbye::Close(close_code::SIZE, "the message is too large")
    } else if text.to_ascii_lowercase().contains("utf") {
        Goodbye::Close(close_code::INVALID, "messages are UTF-8 text")
    } else {
        Goodbye::Gone
    }
}
