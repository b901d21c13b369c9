//! The engine in a web worker, as the page uses it. The worker is loaded with the first search.
//!
//! Page and worker exchange lines of the engine protocol, one per message. A worker receives no
//! messages while it searches, so `stop` is a number in shared memory: the number of the last
//! search to stop. In browsers without shared memory the worker is terminated and started again.

mod output;

use std::collections::VecDeque;
use std::rc::Rc;

use js_sys::{Atomics, Int32Array, Reflect, SharedArrayBuffer};
use khet::{Game, GamePosition, MoverEval};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

use self::output::EngineOutput;
pub use self::output::{SearchInfo, WorkerResult};

/// The element that names the worker's script.
const SCRIPT_SELECTOR: &str = "meta[name=engine-worker]";

/// Called with the result of a search; `None` if the worker failed.
type OnResult = Box<dyn FnOnce(Option<WorkerResult>)>;

/// A handle to the engine. Its worker starts with the first search.
#[derive(Clone, Copy)]
pub(crate) struct Engine(StoredValue<EngineState, LocalStorage>);

#[derive(Default)]
struct EngineState {
    connection: Option<WorkerConnection>,
    searches: VecDeque<QueuedSearch>,
}

/// A search without a result yet.
struct QueuedSearch {
    /// The latest evaluation of the best line.
    score: Option<MoverEval>,
    on_info: Rc<dyn Fn(SearchInfo)>,
    /// `None` if the search was stopped.
    on_result: Option<OnResult>,
}

/// A callback with its argument, to be called after the state is released.
enum Delivery {
    Info(Rc<dyn Fn(SearchInfo)>, SearchInfo),
    Result(OnResult, WorkerResult),
}

/// A running worker.
struct WorkerConnection {
    worker: Worker,
    /// Messages for the worker until it is ready.
    queued: Option<Vec<String>>,
    /// Shared memory with the number of the last search to stop; `None` if the page has no shared
    /// memory.
    stop_up_to: Option<Int32Array>,
    started: i32,
    /// The event handlers, kept alive as long as the worker.
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut()>,
}

impl Drop for WorkerConnection {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// Returns the `position` command of the engine protocol for a game.
pub(crate) fn position_command<P: GamePosition>(game: &Game<P>) -> String {
    let mut text = format!("position fen {}", game.start());
    for (index, mv) in game.moves().iter().enumerate() {
        text += if index == 0 { " moves " } else { " " };
        text += &mv.to_string();
    }
    text
}

impl Engine {
    /// Creates an engine whose worker is not loaded yet. It ends with the component that created
    /// it.
    pub(crate) fn new() -> Engine {
        let engine = Engine(StoredValue::new_local(EngineState::default()));
        on_cleanup(move || {
            engine.0.try_update_value(|state| *state = EngineState::default());
        });
        engine
    }

    /// Starts a search with lines of the engine protocol, the last of which is `go`. Stops the
    /// previous search. `on_info` is called with every report before the result.
    pub(crate) fn search(
        self,
        lines: Vec<String>,
        on_info: impl Fn(SearchInfo) + 'static,
        on_result: impl FnOnce(Option<WorkerResult>) + 'static,
    ) {
        self.stop();
        let started = self.0.try_update_value(|state| {
            if state.connection.is_none() {
                state.connection = WorkerConnection::open(self);
            }
            let Some(connection) = &mut state.connection else { return Some(on_result) };
            lines.iter().for_each(|text| connection.send_command(text));
            connection.started += 1;
            let on_result: Option<OnResult> = Some(Box::new(on_result));
            state.searches.push_back(QueuedSearch {
                score: None,
                on_info: Rc::new(on_info),
                on_result,
            });
            None
        });
        if let Some(Some(on_result)) = started {
            on_result(None);
        }
    }

    /// Stops the current search at once.
    pub(crate) fn stop(self) {
        self.0.try_update_value(|state| {
            if state.searches.is_empty() {
                return;
            }
            state.searches.iter_mut().for_each(|search| search.on_result = None);
            match &mut state.connection {
                Some(WorkerConnection { queued: Some(queued), started, .. }) => {
                    queued.clear();
                    *started = 0;
                    state.searches.clear();
                }
                Some(connection) if connection.stop() => {}
                // Without shared memory a searching worker receives nothing and must be terminated.
                connection => {
                    *connection = None;
                    state.searches.clear();
                }
            }
        });
    }

    /// Handles a line of the engine's output.
    fn handle_line(self, text: &str) {
        let delivery = self.0.try_update_value(|state| {
            let connection = state.connection.as_mut()?;
            if let Some(queued) = connection.queued.take() {
                // The first message reports that the worker is ready.
                queued.iter().for_each(|text| connection.send_command(text));
                return None;
            }
            let search = state.searches.front_mut()?;
            let (mv, score) = match EngineOutput::parse(text)? {
                EngineOutput::Info(info) => {
                    if info.multipv == 1 {
                        search.score = Some(info.score);
                    }
                    let on_info = search.on_result.is_some().then(|| search.on_info.clone())?;
                    return Some(Delivery::Info(on_info, info));
                }
                // The engine reports an error instead of a result.
                EngineOutput::Error => (None, None),
                EngineOutput::BestMove(mv) => (mv, search.score),
            };
            let on_result = state.searches.pop_front()?.on_result?;
            Some(Delivery::Result(on_result, WorkerResult { mv, score }))
        });
        match delivery.flatten() {
            Some(Delivery::Info(on_info, info)) => on_info(info),
            Some(Delivery::Result(on_result, result)) => on_result(Some(result)),
            None => {}
        }
    }

    /// Handles a worker that could not be loaded or crashed.
    fn handle_loss(self) {
        let callbacks = self.0.try_update_value(|state| {
            state.connection = None;
            std::mem::take(&mut state.searches)
        });
        let callbacks = callbacks.into_iter().flatten().filter_map(|search| search.on_result);
        callbacks.for_each(|on_result| on_result(None));
    }
}

impl WorkerConnection {
    /// Starts the worker.
    fn open(engine: Engine) -> Option<WorkerConnection> {
        let script = document().query_selector(SCRIPT_SELECTOR).ok()??.get_attribute("content")?;
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(&script, &options).ok()?;
        let message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(text) = event.data().as_string() {
                engine.handle_line(&text);
            }
        });
        // Deferred, because a closure must not be dropped while it runs.
        let error = Closure::<dyn FnMut()>::new(move || {
            set_timeout(move || engine.handle_loss(), std::time::Duration::ZERO);
        });
        worker.set_onmessage(Some(message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(error.as_ref().unchecked_ref()));
        let queued = Some(Vec::new());
        Some(WorkerConnection {
            worker,
            queued,
            stop_up_to: None,
            started: 0,
            _on_message: message,
            _on_error: error,
        })
    }

    /// Sends a command to the worker, or queues it until the worker is ready.
    fn send_command(&mut self, text: &str) {
        if let Some(queued) = &mut self.queued {
            queued.push(text.to_string());
            return;
        }
        if self.stop_up_to.is_none()
            && let Some(stop_up_to) = shared_stop_number()
            && self.worker.post_message(&stop_up_to).is_ok()
        {
            self.stop_up_to = Some(stop_up_to);
        }
        // Posting a string does not fail.
        let _ = self.worker.post_message(&JsValue::from_str(text));
    }

    /// Stops all searches through shared memory. Returns false if there is none.
    fn stop(&self) -> bool {
        let store = |stop_up_to| Atomics::store(stop_up_to, 0, self.started).is_ok();
        self.stop_up_to.as_ref().is_some_and(store)
    }
}

/// Creates the shared integer for `stop_up_to`; `None` if the browser does not allow shared memory.
fn shared_stop_number() -> Option<Int32Array> {
    let global = js_sys::global();
    let isolated = Reflect::get(&global, &JsValue::from_str("crossOriginIsolated")).ok()?;
    let known = Reflect::has(&global, &JsValue::from_str("SharedArrayBuffer")).ok()?;
    (isolated.is_truthy() && known).then(|| Int32Array::new(&SharedArrayBuffer::new(4)))
}
