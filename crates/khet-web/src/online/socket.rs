//! The connection to the server: a WebSocket that reconnects after network failures, after the
//! device slept, and after a restart of the server.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use khet_protocol::{ApiError, ClientMessage, ServerMessage};
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{MessageEvent, WebSocket};

use crate::api::{inbox, is_temporary};
use crate::browser::{random::random_u32, time::now};

/// Path of the WebSocket endpoint.
const SOCKET_PATH: &str = "/api/live";
/// Delay before the first reconnection. Each further delay is twice as long.
const MIN_DELAY: Duration = Duration::from_millis(300);
/// Longest delay before a reconnection.
const MAX_DELAY: Duration = Duration::from_secs(10);
/// Time for an answer after which a connection counts as dead.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);
/// Time for a socket to open after which the attempt counts as failed.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Delay before a refused subscription is sent again, unless the server names one.
const SUBSCRIBE_DELAY: Duration = Duration::from_secs(1);
/// Time after which a page that was hidden checks its connection.
const HIDDEN_TIMEOUT: Duration = Duration::from_secs(5);

/// Returns the delay before the next attempt: exponential backoff with jitter, so that clients do
/// not reconnect all at once. `random` is any number.
pub(super) fn retry_delay(attempts: u32, random: u32) -> Duration {
    let longest = MIN_DELAY.saturating_mul(1 << attempts.min(10)).min(MAX_DELAY);
    longest.mul_f64(0.5 + 0.5 * f64::from(random) / f64::from(u32::MAX))
}

/// Returns the delay after which a refused subscription is sent again: the one that the server names,
/// with jitter. `random` is any number.
fn subscribe_delay(error: &ApiError, random: u32) -> Duration {
    let named = error.retry_after.map(|seconds| Duration::from_secs(seconds.into()));
    named.unwrap_or(SUBSCRIBE_DELAY).min(MAX_DELAY) + retry_delay(0, random)
}

/// A connection that stays open as long as its page.
#[derive(Clone)]
pub(super) struct LiveConnection(Rc<Inner>);

struct Inner {
    socket: RefCell<Option<Socket>>,
    attempts: Cell<u32>,
    timer: Cell<Option<TimeoutHandle>>,
    /// Time of the last message from the server.
    received_at: Cell<Duration>,
    hidden_at: Cell<Duration>,
    closed: Cell<bool>,
    /// The socket is open and the server has answered the subscription.
    connected: RwSignal<bool>,
    /// The last attempt to connect has failed.
    unreachable: RwSignal<bool>,
    /// Returns the message that is sent first on every new socket.
    subscribe: Box<dyn Fn() -> ClientMessage>,
    on_message: Box<dyn Fn(ServerMessage)>,
}

/// A socket and its event handlers.
struct Socket {
    socket: WebSocket,
    _opened: Closure<dyn FnMut()>,
    _closed: Closure<dyn FnMut()>,
    _message: Closure<dyn FnMut(MessageEvent)>,
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.socket.set_onopen(None);
        self.socket.set_onclose(None);
        self.socket.set_onmessage(None);
        // This fails only for invalid close codes.
        let _ = self.socket.close();
    }
}

impl LiveConnection {
    /// Opens a connection that is closed with the current page. `subscribe` returns the first
    /// message of each socket; `connected` is true while the socket is open.
    pub(super) fn open(
        connected: RwSignal<bool>,
        subscribe: impl Fn() -> ClientMessage + 'static,
        on_message: impl Fn(ServerMessage) + 'static,
    ) -> StoredValue<LiveConnection, LocalStorage> {
        let connection = LiveConnection(Rc::new(Inner {
            socket: RefCell::new(None),
            attempts: Cell::new(0),
            timer: Cell::new(None),
            received_at: Cell::new(now()),
            hidden_at: Cell::new(now()),
            closed: Cell::new(false),
            connected,
            unreachable: RwSignal::new(false),
            subscribe: Box::new(subscribe),
            on_message: Box::new(on_message),
        }));
        connection.connect();
        let connection = StoredValue::new_local(connection);
        let with = move |act: fn(&LiveConnection)| {
            move |_| {
                connection.try_with_value(act);
            }
        };
        let listeners = [
            window_event_listener_untyped("online", with(LiveConnection::reconnect)),
            window_event_listener_untyped("offline", with(LiveConnection::handle_loss)),
            window_event_listener_untyped(
                "visibilitychange",
                with(LiveConnection::handle_visibility),
            ),
            // A page that is restored from the back/forward cache has lost its socket.
            window_event_listener_untyped("pageshow", with(LiveConnection::check)),
        ];
        on_cleanup(move || {
            for listener in listeners {
                listener.remove();
            }
            connection.try_with_value(LiveConnection::close);
        });
        connection
    }

    /// Returns whether the last attempt to connect has failed.
    pub(super) fn unreachable(&self) -> ReadSignal<bool> {
        self.0.unreachable.read_only()
    }

    /// Sends a message. Returns false if the socket has no subscription; true does not guarantee
    /// delivery.
    pub(super) fn send(&self, message: &ClientMessage) -> bool {
        self.0.connected.try_get_untracked() == Some(true) && self.send_on_socket(message)
    }

    /// Sends a message if the socket is open, even before the server has answered the subscription.
    fn send_on_socket(&self, message: &ClientMessage) -> bool {
        let socket = self.0.socket.borrow();
        let Some(Socket { socket, .. }) = socket.as_ref() else { return false };
        let Ok(text) = serde_json::to_string(message) else { return false };
        socket.ready_state() == WebSocket::OPEN && socket.send_with_str(&text).is_ok()
    }

    /// Reconnects unless the server sends a message soon: a dead connection may look open.
    pub(super) fn expect_answer(&self) {
        let (sent_at, connection) = (now(), self.clone());
        set_timeout(
            move || {
                if !connection.0.closed.get() && connection.0.received_at.get() < sent_at {
                    connection.reconnect();
                }
            },
            ANSWER_TIMEOUT,
        );
    }

    /// Closes the connection for good.
    fn close(&self) {
        self.0.closed.set(true);
        self.stop_timer();
        self.0.socket.replace(None);
    }

    fn stop_timer(&self) {
        if let Some(timer) = self.0.timer.take() {
            timer.clear();
        }
    }

    /// Opens a socket.
    fn connect(&self) {
        if self.0.closed.get() {
            return;
        }
        self.stop_timer();
        let location = window().location();
        let protocol = match location.protocol().as_deref() {
            Ok("https:") => "wss",
            _ => "ws",
        };
        let host = location.host().unwrap_or_default();
        let Ok(socket) = WebSocket::new(&format!("{protocol}://{host}{SOCKET_PATH}")) else {
            return self.handle_loss();
        };
        let opened = Closure::<dyn FnMut()>::new({
            let connection = self.clone();
            move || {
                connection.stop_timer();
                connection.subscribe();
            }
        });
        let closed = Closure::<dyn FnMut()>::new({
            let connection = self.clone();
            move || connection.handle_loss()
        });
        let message = Closure::<dyn FnMut(MessageEvent)>::new({
            let connection = self.clone();
            move |event: MessageEvent| connection.receive(&event)
        });
        socket.set_onopen(Some(opened.as_ref().unchecked_ref()));
        socket.set_onclose(Some(closed.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(message.as_ref().unchecked_ref()));
        // The old socket may be the caller: it is dropped after its event handler has returned.
        let old = self.0.socket.replace(Some(Socket {
            socket,
            _opened: opened,
            _closed: closed,
            _message: message,
        }));
        drop_later(old);
        let connection = self.clone();
        let give_up = move || connection.handle_loss();
        self.0.timer.set(set_timeout_with_handle(give_up, CONNECT_TIMEOUT).ok());
    }

    /// Handles a message of the socket.
    fn receive(&self, event: &MessageEvent) {
        self.0.received_at.set(now());
        self.0.attempts.set(0);
        if self.0.unreachable.try_get_untracked() == Some(true) {
            self.0.unreachable.set(false);
        }
        let Some(text) = event.data().as_string() else { return };
        match serde_json::from_str(&text) {
            Ok(ServerMessage::Closing { retry_after }) => {
                self.drop_socket();
                self.retry(Duration::from_millis(retry_after) + retry_delay(1, random_u32()));
            }
            Ok(ServerMessage::InboxChanged) => inbox::refresh(),
            // With several servers, a game has no owner for some seconds after its server has failed.
            Ok(ServerMessage::Refused { key: 0, error }) if is_temporary(&error) => {
                let _ = self.0.connected.try_set(false);
                self.subscribe_later(&error);
            }
            Ok(message) => {
                if self.0.connected.try_get_untracked() == Some(false) {
                    self.0.connected.set(true);
                }
                (self.0.on_message)(message);
            }
            // A newer server may send messages that this version does not know.
            Err(_) => {}
        }
    }

    /// Subscribes on the open socket.
    fn subscribe(&self) {
        self.send_on_socket(&(self.0.subscribe)());
        self.expect_answer();
    }

    /// Subscribes again some time after this error, unless the connection is lost before.
    pub(super) fn subscribe_later(&self, error: &ApiError) {
        self.stop_timer();
        let delay = subscribe_delay(error, random_u32());
        let connection = self.clone();
        let subscribe = move || connection.subscribe();
        self.0.timer.set(set_timeout_with_handle(subscribe, delay).ok());
    }

    /// Drops the socket, if there is one.
    fn drop_socket(&self) {
        drop_later(self.0.socket.replace(None));
        let _ = self.0.connected.try_set(false);
    }

    /// Reconnects after a delay when the connection is lost.
    fn handle_loss(&self) {
        self.drop_socket();
        let _ = self.0.unreachable.try_set(true);
        let attempts = self.0.attempts.get();
        self.0.attempts.set(attempts.saturating_add(1));
        self.retry(retry_delay(attempts, random_u32()));
    }

    /// Connects again after a delay.
    fn retry(&self, delay: Duration) {
        if self.0.closed.get() {
            return;
        }
        self.stop_timer();
        let connection = self.clone();
        self.0.timer.set(set_timeout_with_handle(move || connection.connect(), delay).ok());
    }

    /// Opens a new socket at once, because the network is back or the person has signed in.
    pub(super) fn reconnect(&self) {
        self.drop_socket();
        self.connect();
    }

    /// Checks the connection when the page was hidden for long.
    fn handle_visibility(&self) {
        if document().hidden() {
            self.0.hidden_at.set(now());
        } else if now().saturating_sub(self.0.hidden_at.get()) > HIDDEN_TIMEOUT {
            self.check();
        }
    }

    /// Subscribes again to find out whether the connection is alive: after the device slept, a dead
    /// connection may look open.
    fn check(&self) {
        let waiting_for_retry = self.0.socket.borrow().is_none();
        if waiting_for_retry {
            self.connect();
        } else if self.0.connected.try_get_untracked() == Some(true) {
            self.subscribe();
        }
    }
}

/// Drops a socket after the current event handler, which may be its own, has returned.
fn drop_later(socket: Option<Socket>) {
    if let Some(socket) = socket {
        socket.socket.set_onclose(None);
        socket.socket.set_onmessage(None);
        set_timeout(move || drop(socket), Duration::ZERO);
    }
}

#[cfg(test)]
mod tests {
    use khet_protocol::ErrorCode;

    use super::*;

    #[test]
    fn refused_subscription_is_sent_again_when_the_server_allows_it() {
        let error = |code| ApiError::new(code, "refused");
        assert!(is_temporary(&error(ErrorCode::Unavailable)));
        assert!(!is_temporary(&error(ErrorCode::NotFound)));
        let delay = |error: &ApiError| subscribe_delay(error, u32::MAX).as_millis();
        assert_eq!(delay(&error(ErrorCode::Unavailable)), 1300);
        assert_eq!(delay(&error(ErrorCode::Unavailable).retry_after(5)), 5300);
        assert_eq!(delay(&error(ErrorCode::TooMany).retry_after(3600)), 10_300);
    }

    #[test]
    fn retry_delays_grow_up_to_a_limit() {
        assert_eq!(retry_delay(0, u32::MAX), MIN_DELAY);
        assert_eq!(retry_delay(0, 0), MIN_DELAY / 2);
        assert_eq!(retry_delay(2, u32::MAX), MIN_DELAY * 4);
        assert_eq!(retry_delay(u32::MAX, u32::MAX), MAX_DELAY);
    }
}
