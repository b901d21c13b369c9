//! Message handling of the worker.

use std::cell::RefCell;
use std::fmt::Display;
use std::time::Duration;

use js_sys::{Atomics, Int32Array};
use khet_engine::uki::{BlockingSession, HostCallbacks};
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent, Performance};

use crate::bench;

thread_local! {
    static SCOPE: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    static CLOCK: Option<Performance> = SCOPE.with(|scope| scope.performance());
    /// Holds the number of the last search to stop, written by the page.
    static STOPPED: RefCell<Option<Int32Array>> = const { RefCell::new(None) };
    static SESSION: RefCell<BlockingSession> = RefCell::new(BlockingSession::new(HostCallbacks { now, is_stopped }));
}

/// Installs the message handler.
pub(crate) fn listen() {
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(|event: MessageEvent| {
        let message = event.data();
        match message.as_string() {
            Some(line) => handle_line(&line),
            None => STOPPED.with(|stopped| *stopped.borrow_mut() = message.dyn_into().ok()),
        }
    });
    SCOPE.with(|scope| scope.set_onmessage(Some(on_message.as_ref().unchecked_ref())));
    // The handler lives as long as the worker.
    on_message.forget();
    say(&"info string ready");
}

fn handle_line(line: &str) {
    match line.strip_prefix("bench") {
        Some(depth) => say(&bench::run(depth, now)),
        None => {
            SESSION.with(|session| session.borrow_mut().handle_line(line, &mut |line| say(line)))
        }
    }
}

fn say(line: &dyn Display) {
    let line = JsValue::from(line.to_string());
    // Posting a string can't fail.
    SCOPE.with(|scope| drop(scope.post_message(&line)));
}

fn now() -> Duration {
    let milliseconds = CLOCK.with(|clock| clock.as_ref().map_or(0.0, Performance::now));
    Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0)
}

fn is_stopped(search: u32) -> bool {
    STOPPED.with(|stopped| {
        let stopped = stopped.borrow();
        let up_to = stopped.as_ref().and_then(|up_to| Atomics::load(up_to, 0).ok());
        up_to.is_some_and(|up_to| search <= up_to as u32)
    })
}
