//! The line to the server: a WebSocket that comes back by itself, after a cut, a sleep or a restart of the server.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use khet_protocol::{ClientMessage, ServerMessage};
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{MessageEvent, WebSocket};

use crate::browser::{random::random_u32, time::now};

/// Where the server listens.
const PATH: &str = "/api/live";
/// The first wait before another try; each is twice the one before.
const FIRST_WAIT: Duration = Duration::from_millis(300);
/// The longest wait.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// A line on which nothing is heard for so long after it was asked is dead.
const ANSWER: Duration = Duration::from_secs(5);
/// A page that was hidden for so long asks whether its line still lives.
const NAP: Duration = Duration::from_secs(5);

/// How long to wait before the next try: longer each time, and not all clients at once. `luck` is any number.
fn wait(tries: u32, luck: u32) -> Duration {
    let longest = FIRST_WAIT.saturating_mul(1 << tries.min(10)).min(LONGEST_WAIT);
    // From half of it to the whole.
    longest.mul_f64(0.5 + 0.5 * f64::from(luck) / f64::from(u32::MAX))
}

/// A line that stays open as long as its page.
#[derive(Clone)]
pub(super) struct Line(Rc<Inner>);

struct Inner {
    socket: RefCell<Option<Socket>>,
    tries: Cell<u32>,
    timer: Cell<Option<TimeoutHandle>>,
    /// When something was last heard.
    heard_at: Cell<Duration>,
    hidden_at: Cell<Duration>,
    closed: Cell<bool>,
    /// The line is open and the server has answered.
    open: RwSignal<bool>,
    hello: Box<dyn Fn() -> ClientMessage>,
    on_message: Box<dyn Fn(ServerMessage)>,
}

/// A socket with the closures that it calls.
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
        // It fails only for codes that there are not.
        let _ = self.socket.close();
    }
}

impl Line {
    /// Opens a line. `hello` says what it is about, each time that it is opened; `open` tells whether it is. It is closed with the
    /// page that opened it.
    pub(super) fn open(
        open: RwSignal<bool>,
        hello: impl Fn() -> ClientMessage + 'static,
        on_message: impl Fn(ServerMessage) + 'static,
    ) -> StoredValue<Line, LocalStorage> {
        let line = Line(Rc::new(Inner {
            socket: RefCell::new(None),
            tries: Cell::new(0),
            timer: Cell::new(None),
            heard_at: Cell::new(now()),
            hidden_at: Cell::new(now()),
            closed: Cell::new(false),
            open,
            hello: Box::new(hello),
            on_message: Box::new(on_message),
        }));
        line.connect();
        let line = StoredValue::new_local(line);
        let with = move |act: fn(&Line)| {
            move |_| {
                line.try_with_value(act);
            }
        };
        let listeners = [
            window_event_listener_untyped("online", with(Line::reconnect)),
            window_event_listener_untyped("offline", with(Line::lost)),
            window_event_listener_untyped("visibilitychange", with(Line::seen_or_hidden)),
            // A page that comes out of the browser's memory lost its socket on the way in.
            window_event_listener_untyped("pageshow", with(Line::check)),
        ];
        on_cleanup(move || {
            for listener in listeners {
                listener.remove();
            }
            line.try_with_value(Line::close);
        });
        line
    }

    /// Says something. Whether it went out is seen by the answer alone.
    pub(super) fn say(&self, message: &ClientMessage) -> bool {
        let socket = self.0.socket.borrow();
        let Some(Socket { socket, .. }) = socket.as_ref() else { return false };
        let Ok(text) = serde_json::to_string(message) else { return false };
        socket.ready_state() == WebSocket::OPEN && socket.send_with_str(&text).is_ok()
    }

    /// Something was said that must be answered: if it is not, the line is dead, though it looks open.
    pub(super) fn expect_answer(&self) {
        let (asked, line) = (now(), self.clone());
        set_timeout(
            move || {
                if !line.0.closed.get() && line.0.heard_at.get() < asked {
                    line.reconnect();
                }
            },
            ANSWER,
        );
    }

    /// Ends it for good.
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
        let Ok(socket) = WebSocket::new(&format!("{protocol}://{host}{PATH}")) else {
            return self.lost();
        };
        let opened = Closure::<dyn FnMut()>::new({
            let line = self.clone();
            move || {
                let hello = (line.0.hello)();
                line.say(&hello);
                line.expect_answer();
            }
        });
        let closed = Closure::<dyn FnMut()>::new({
            let line = self.clone();
            move || line.lost()
        });
        let message = Closure::<dyn FnMut(MessageEvent)>::new({
            let line = self.clone();
            move |event: MessageEvent| line.heard(&event)
        });
        socket.set_onopen(Some(opened.as_ref().unchecked_ref()));
        socket.set_onclose(Some(closed.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(message.as_ref().unchecked_ref()));
        // A socket whose closure is running is dropped when that has ended.
        let old = self.0.socket.replace(Some(Socket {
            socket,
            _opened: opened,
            _closed: closed,
            _message: message,
        }));
        drop_later(old);
    }

    fn heard(&self, event: &MessageEvent) {
        self.0.heard_at.set(now());
        self.0.tries.set(0);
        let Some(text) = event.data().as_string() else { return };
        match serde_json::from_str(&text) {
            Ok(ServerMessage::Closing { retry_after }) => {
                self.drop_socket();
                self.retry(Duration::from_millis(retry_after) + wait(1, random_u32()));
            }
            Ok(message) => {
                if self.0.open.try_get_untracked() == Some(false) {
                    self.0.open.set(true);
                }
                (self.0.on_message)(message);
            }
            // A newer server may say more than we know.
            Err(_) => {}
        }
    }

    fn drop_socket(&self) {
        drop_later(self.0.socket.replace(None));
        let _ = self.0.open.try_set(false);
    }

    /// The line is cut: it is tried again after a while.
    fn lost(&self) {
        self.drop_socket();
        let tries = self.0.tries.get();
        self.0.tries.set(tries.saturating_add(1));
        self.retry(wait(tries, random_u32()));
    }

    fn retry(&self, wait: Duration) {
        if self.0.closed.get() {
            return;
        }
        self.stop_timer();
        let line = self.clone();
        self.0.timer.set(set_timeout_with_handle(move || line.connect(), wait).ok());
    }

    /// Opens it anew at once: the network is back, or the person has become somebody.
    pub(super) fn reconnect(&self) {
        self.drop_socket();
        self.connect();
    }

    fn seen_or_hidden(&self) {
        if document().hidden() {
            self.0.hidden_at.set(now());
        } else if now().saturating_sub(self.0.hidden_at.get()) > NAP {
            self.check();
        }
    }

    /// After a sleep a line may look open and be dead: it is asked again what it is about.
    fn check(&self) {
        let waiting = self.0.socket.borrow().is_none();
        if waiting {
            self.connect();
        } else if self.0.open.try_get_untracked() == Some(true) {
            self.say(&(self.0.hello)());
            self.expect_answer();
        }
    }
}

/// Drops something when the closure that runs now, perhaps its own, has ended.
fn drop_later(socket: Option<Socket>) {
    if let Some(socket) = socket {
        // Nothing is heard from it any more.
        socket.socket.set_onclose(None);
        socket.socket.set_onmessage(None);
        set_timeout(move || drop(socket), Duration::ZERO);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_up_to_a_limit_and_differ() {
        assert_eq!(wait(0, u32::MAX), FIRST_WAIT);
        assert_eq!(wait(0, 0), FIRST_WAIT / 2);
        assert_eq!(wait(2, u32::MAX), FIRST_WAIT * 4);
        assert_eq!(wait(u32::MAX, u32::MAX), LONGEST_WAIT);
    }
}
