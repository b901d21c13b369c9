//! The worker's side of the messages.

use std::cell::RefCell;
use std::fmt::Display;
use std::time::Duration;

use js_sys::{Atomics, Int32Array};
use khet_engine::uki::{Dialogue, Senses};
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent, Performance};

use crate::bench;

thread_local! {
    static SCOPE: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    static CLOCK: Option<Performance> = SCOPE.with(|scope| scope.performance());
    /// Up to which search the page wants none to go on.
    static STOPPED: RefCell<Option<Int32Array>> = const { RefCell::new(None) };
    static DIALOGUE: RefCell<Dialogue> = RefCell::new(Dialogue::new(Senses { now, is_stopped }));
}

/// Answers messages from now on.
pub(crate) fn listen() {
    let hear = Closure::<dyn FnMut(MessageEvent)>::new(|event: MessageEvent| {
        let message = event.data();
        match message.as_string() {
            Some(line) => obey(&line),
            None => STOPPED.with(|stopped| *stopped.borrow_mut() = message.dyn_into().ok()),
        }
    });
    SCOPE.with(|scope| scope.set_onmessage(Some(hear.as_ref().unchecked_ref())));
    // It listens as long as the worker lives.
    hear.forget();
    say(&"info string ready");
}

fn obey(line: &str) {
    match line.strip_prefix("bench") {
        Some(depth) => say(&bench::run(depth, now)),
        None => DIALOGUE.with(|dialogue| dialogue.borrow_mut().obey(line, &mut |line| say(line))),
    }
}

fn say(line: &dyn Display) {
    let line = JsValue::from(line.to_string());
    // A text can always be sent.
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
