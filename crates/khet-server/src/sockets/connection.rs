//! The task of one connection: reads and sends frames, measures the round trip, and closes
//! connections that break the rules.

use std::error::Error;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message as Frame, Utf8Bytes, WebSocket, close_code};
use futures_util::SinkExt;
use khet_protocol::{ActionAck, ApiError, ClientMessage, ErrorCode, PersonId, ServerMessage};
use tokio::sync::mpsc;

use super::subscription::{ActiveSubscription, LobbyUpdate, lobby_changed};
use crate::connections::Peer;
use crate::games::to_json;
use crate::notices::Notice;
use crate::random;
use crate::server_state::{self, ServerState};

/// Interval of pings, which measure the round trip.
const PING_INTERVAL: Duration = Duration::from_secs(15);
/// A connection without any frame for this time, not even a pong, is closed.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(45);
/// Longest time before the first subscription.
const SUBSCRIBE_TIMEOUT: Duration = Duration::from_secs(20);
/// Longest time for sending a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// Milliseconds after which clients reconnect to a server without others, which needs time to start again.
const RECONNECT_AFTER: u64 = 2000;
/// Milliseconds after which clients reconnect if there are several nodes: the others take the games over
/// at once. Clients add jitter.
const RECONNECT_TO_OTHER_NODE_AFTER: u64 = 300;

/// A connection with a client.
pub(super) struct Connection<'a> {
    pub(super) server: &'a ServerState,
    pub(super) person: Option<PersonId>,
    /// When the person's session expires. API tokens do not.
    session_expiry: Option<u64>,
    pub(super) address: Option<IpAddr>,
    socket: WebSocket,
    /// The id by which games and the lobby know this connection.
    pub(super) id: u64,
    pub(super) subscription: ActiveSubscription,
    /// Messages of the game.
    pub(super) inbox: Option<mpsc::Receiver<Utf8Bytes>>,
    /// Notices to the person.
    pub(super) notices: Option<mpsc::Receiver<Notice>>,
    pub(super) round_trip: Arc<AtomicU32>,
    /// The payload and time of the last ping without a pong.
    ping: Option<([u8; 8], u64)>,
    last_received: Instant,
    /// Number of messages beyond the rate limit, since the last one within it.
    excess_messages: u32,
}

/// Reason why a connection is closed.
pub(super) enum CloseReason {
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
    LobbyChanged(LobbyUpdate),
    Tick,
    Stop,
}

impl Drop for Connection<'_> {
    fn drop(&mut self) {
        self.unsubscribe();
    }
}

impl<'a> Connection<'a> {
    pub(super) fn new(
        server: &'a ServerState,
        person: Option<PersonId>,
        session_expiry: Option<u64>,
        peer: Option<Peer>,
        socket: WebSocket,
    ) -> Connection<'a> {
        Connection {
            server,
            person,
            session_expiry,
            address: peer.map(|Peer(address)| address),
            socket,
            id: server.games.next_subscriber_id(),
            subscription: ActiveSubscription::None,
            inbox: None,
            notices: None,
            round_trip: Arc::new(AtomicU32::new(0)),
            ping: None,
            last_received: Instant::now(),
            excess_messages: 0,
        }
    }

    /// Runs until the connection is closed.
    pub(super) async fn run(&mut self) {
        let reason = match self.handle_wakeups().await {
            Err(reason) => reason,
            Ok(never) => match never {},
        };
        match reason {
            CloseReason::Disconnected => {}
            CloseReason::Reconnect => {
                let retry_after = match self.server.cluster {
                    None => RECONNECT_AFTER,
                    Some(_) => RECONNECT_TO_OTHER_NODE_AFTER,
                };
                let _ = self.send_text(to_json(&ServerMessage::Closing { retry_after })).await;
                self.close(close_code::AWAY, "reconnect later").await;
            }
            CloseReason::Violation(code, text) => {
                metrics::counter!("khet_messages_rejected_total").increment(1);
                self.close(code, text).await;
            }
        }
    }

    /// Sends a close frame.
    async fn close(&mut self, code: u16, reason: &'static str) {
        let frame = Frame::Close(Some(CloseFrame { code, reason: Utf8Bytes::from_static(reason) }));
        let _ = tokio::time::timeout(SEND_TIMEOUT, self.socket.send(frame)).await;
    }

    /// Handles frames, messages and timers until the connection is closed.
    async fn handle_wakeups(&mut self) -> Result<std::convert::Infallible, CloseReason> {
        let server = self.server;
        let _connection = server.lobby.count_connection(self.person);
        let mut stopping = server.stopping.subscribe();
        let mut revocations = server.session_revocations.subscribe(self.person);
        // They wait as long as the connection is open, so that a message does not register them again
        // in lists that all connections share.
        let mut stopped = std::pin::pin!(server_state::stop_requested(&mut stopping));
        let mut revoked = std::pin::pin!(revocations.revoked());
        let mut expired = std::pin::pin!(server.time.sleep_until(self.session_expiry));
        let opened = Instant::now();
        let mut ticks = tokio::time::interval_at((opened + PING_INTERVAL).into(), PING_INTERVAL);
        loop {
            let lobby = match &mut self.subscription {
                ActiveSubscription::Lobby(lobby) => Some(lobby),
                _ => None,
            };
            let wakeup = tokio::select! {
                frame = self.socket.recv() => Wakeup::Frame(frame),
                message = receive(&mut self.inbox) => Wakeup::GameMessage(message),
                notice = receive(&mut self.notices) => Wakeup::Notice(notice),
                update = lobby_changed(lobby) => Wakeup::LobbyChanged(update),
                _ = ticks.tick() => Wakeup::Tick,
                () = revoked.as_mut() => Wakeup::SessionRevoked,
                () = expired.as_mut() => Wakeup::SessionRevoked,
                () = stopped.as_mut() => Wakeup::Stop,
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
                Wakeup::LobbyChanged(LobbyUpdate::List) => self.send_lobby().await?,
                Wakeup::LobbyChanged(LobbyUpdate::Counts) => self.send_lobby_counts().await?,
                Wakeup::Tick => {
                    if self.last_received.elapsed() > SILENCE_TIMEOUT {
                        return Err(CloseReason::Violation(close_code::POLICY, "no pong"));
                    }
                    if matches!(self.subscription, ActiveSubscription::None)
                        && opened.elapsed() > SUBSCRIBE_TIMEOUT
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

    pub(super) async fn send_text(&mut self, message: Utf8Bytes) -> Result<(), CloseReason> {
        self.send(Frame::Text(message)).await
    }

    /// Sends a frame, or closes the connection if that takes too long.
    async fn send(&mut self, frame: Frame) -> Result<(), CloseReason> {
        match tokio::time::timeout(SEND_TIMEOUT, self.socket.send(frame)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(CloseReason::Disconnected),
        }
    }

    /// Sends the error of an action.
    async fn reject(&mut self, key: u32, error: ApiError) -> Result<(), CloseReason> {
        metrics::counter!("khet_messages_rejected_total").increment(1);
        self.send_text(to_json(&ServerMessage::Refused { key, error })).await
    }

    pub(super) async fn send_ping(&mut self) -> Result<(), CloseReason> {
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
        if let Err(error) = self.take_message_token() {
            self.excess_messages += 1;
            if self.excess_messages > self.server.config.limits.messages_per_second {
                return Err(CloseReason::Violation(close_code::POLICY, "too many messages"));
            }
            // Reported once, not for each message of a flood.
            return match self.excess_messages {
                1 => self.reject(0, error).await,
                _ => Ok(()),
            };
        }
        match frame {
            Frame::Text(message) => match serde_json::from_str(&message) {
                // Its state is large, and a connection that waits should not carry it.
                Ok(message) => Box::pin(self.handle_message(message)).await,
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

    /// Counts a message against the rate limits of the person and the address, which all their
    /// connections share.
    fn take_message_token(&mut self) -> Result<(), ApiError> {
        let now = self.server.time.now();
        self.server.rate_limits.messages.take(self.person, self.address, now)?;
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
                    self.send_text(to_json(&ServerMessage::Done(ActionAck { key, number: 0 })))
                        .await
                }
                Err(error) => self.reject(key, error).await,
            },
            ClientMessage::Unseek => {
                self.server.lobby.unseek(self.id);
                Ok(())
            }
        }
    }
}

/// Receives the next message, or waits forever if there is no inbox.
async fn receive<T>(inbox: &mut Option<mpsc::Receiver<T>>) -> Option<T> {
    match inbox {
        Some(inbox) => inbox.recv().await,
        None => std::future::pending().await,
    }
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
