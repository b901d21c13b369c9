//! The engine in its worker, as the page sees it: loaded with the first question, stopped at once.

mod report;

use std::collections::VecDeque;
use std::rc::Rc;

use js_sys::{Atomics, Int32Array, Reflect, SharedArrayBuffer};
use khet::{Game, MoverEval};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

use self::report::Heard;
pub use self::report::{Info, Reply};

/// Where the page says which script the worker runs.
const SCRIPT: &str = "meta[name=engine-worker]";

/// What is done with an answer; `None` if the worker was lost.
type Answer = Box<dyn FnOnce(Option<Reply>)>;

/// The engine, started when it is asked for the first time.
#[derive(Clone, Copy)]
pub(crate) struct Engine(StoredValue<State, LocalStorage>);

#[derive(Default)]
struct State {
    line: Option<Line>,
    questions: VecDeque<Question>,
}

/// A question that has not been answered.
struct Question {
    /// What the engine thinks so far.
    score: Option<MoverEval>,
    hear: Rc<dyn Fn(Info)>,
    /// `None` if nobody waits for it any more.
    answer: Option<Answer>,
}

/// What somebody waits for.
enum Said {
    Info(Rc<dyn Fn(Info)>, Info),
    Reply(Answer, Reply),
}

/// The way to a worker that runs.
struct Line {
    worker: Worker,
    /// What is said before it listens.
    unsaid: Option<Vec<String>>,
    /// Up to which question it is to stop; `None` where pages share no memory.
    stopped: Option<Int32Array>,
    asked: i32,
    /// What hears it; lives as long as the worker.
    _hears: Closure<dyn FnMut(MessageEvent)>,
    _fails: Closure<dyn FnMut()>,
}

impl Drop for Line {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// Returns the `position` command of the engine protocol for a game.
pub(crate) fn position_command(game: &Game) -> String {
    let mut text = format!("position fen {}", game.start().placement());
    for (index, mv) in game.moves().iter().enumerate() {
        text += if index == 0 { " moves " } else { " " };
        text += &mv.to_string();
    }
    text
}

impl Engine {
    /// An engine that is not loaded yet. It ends with the component that made it.
    pub(crate) fn new() -> Engine {
        let engine = Engine(StoredValue::new_local(State::default()));
        on_cleanup(move || {
            engine.0.try_update_value(|state| *state = State::default());
        });
        engine
    }

    /// Asks a question, in lines of which the last one is `go`. What was asked before is given up. On the way to the
    /// answer it is heard what the engine thinks.
    pub(crate) fn ask(
        self,
        lines: Vec<String>,
        hear: impl Fn(Info) + 'static,
        answer: impl FnOnce(Option<Reply>) + 'static,
    ) {
        self.stop();
        let asked = self.0.try_update_value(|state| {
            if state.line.is_none() {
                state.line = Line::open(self);
            }
            let Some(line) = &mut state.line else { return Some(answer) };
            lines.iter().for_each(|text| line.say(text));
            line.asked += 1;
            let answer: Option<Answer> = Some(Box::new(answer));
            state.questions.push_back(Question { score: None, hear: Rc::new(hear), answer });
            None
        });
        if let Some(Some(answer)) = asked {
            answer(None);
        }
    }

    /// Gives up what was asked, at once.
    pub(crate) fn stop(self) {
        self.0.try_update_value(|state| {
            if state.questions.is_empty() {
                return;
            }
            state.questions.iter_mut().for_each(|question| question.answer = None);
            match &mut state.line {
                Some(Line { unsaid: Some(unsaid), asked, .. }) => {
                    unsaid.clear();
                    *asked = 0;
                    state.questions.clear();
                }
                Some(line) if line.stop() => {}
                // Nothing else reaches it while it thinks.
                line => {
                    *line = None;
                    state.questions.clear();
                }
            }
        });
    }

    fn hear(self, text: &str) {
        let answered = self.0.try_update_value(|state| {
            let line = state.line.as_mut()?;
            if let Some(unsaid) = line.unsaid.take() {
                // The first thing that it says is that it listens.
                unsaid.iter().for_each(|text| line.say(text));
                return None;
            }
            let question = state.questions.front_mut()?;
            let (mv, score) = match Heard::read(text)? {
                Heard::Info(info) => {
                    if info.line == 1 {
                        question.score = Some(info.score);
                    }
                    let hear = question.answer.is_some().then(|| question.hear.clone())?;
                    return Some(Said::Info(hear, info));
                }
                // It complains, and no answer will come.
                Heard::Complaint => (None, None),
                Heard::Best(mv) => (mv, question.score),
            };
            let answer = state.questions.pop_front()?.answer?;
            Some(Said::Reply(answer, Reply { mv, score }))
        });
        match answered.flatten() {
            Some(Said::Info(hear, info)) => hear(info),
            Some(Said::Reply(answer, reply)) => answer(Some(reply)),
            None => {}
        }
    }

    /// The worker could not be loaded, or broke down.
    fn lose(self) {
        let answers = self.0.try_update_value(|state| {
            state.line = None;
            std::mem::take(&mut state.questions)
        });
        let answers = answers.into_iter().flatten().filter_map(|question| question.answer);
        answers.for_each(|answer| answer(None));
    }
}

impl Line {
    fn open(engine: Engine) -> Option<Line> {
        let script = document().query_selector(SCRIPT).ok()??.get_attribute("content")?;
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(&script, &options).ok()?;
        let message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(text) = event.data().as_string() {
                engine.hear(&text);
            }
        });
        // A closure must not be dropped while it runs: the loss is seen to a moment later.
        let error = Closure::<dyn FnMut()>::new(move || {
            set_timeout(move || engine.lose(), std::time::Duration::ZERO);
        });
        worker.set_onmessage(Some(message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(error.as_ref().unchecked_ref()));
        let unsaid = Some(Vec::new());
        Some(Line { worker, unsaid, stopped: None, asked: 0, _hears: message, _fails: error })
    }

    fn say(&mut self, text: &str) {
        if let Some(unsaid) = &mut self.unsaid {
            unsaid.push(text.to_string());
            return;
        }
        if self.stopped.is_none()
            && let Some(stopped) = shared_number()
            && self.worker.post_message(&stopped).is_ok()
        {
            self.stopped = Some(stopped);
        }
        // A text can always be sent.
        let _ = self.worker.post_message(&JsValue::from_str(text));
    }

    /// Tells the worker to end all that was asked, if it can be told.
    fn stop(&self) -> bool {
        let told = |stopped| Atomics::store(stopped, 0, self.asked).is_ok();
        self.stopped.as_ref().is_some_and(told)
    }
}

/// A number that the page and the worker share, where the browser lets them.
fn shared_number() -> Option<Int32Array> {
    let global = js_sys::global();
    let isolated = Reflect::get(&global, &JsValue::from_str("crossOriginIsolated")).ok()?;
    let known = Reflect::has(&global, &JsValue::from_str("SharedArrayBuffer")).ok()?;
    (isolated.is_truthy() && known).then(|| Int32Array::new(&SharedArrayBuffer::new(4)))
}
