//! The protocol with a thread that searches, while the next lines are heard.

use std::fmt;
use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::protocol::{BestMove, Means, Order, Protocol, Search};
use crate::{Control, Engine};

const MEANS: Means = Means { hash: 1 << 20, threads: 512 };

/// Speaks the protocol until the input ends or says `quit`.
pub fn run(input: impl BufRead, output: impl Write + Send + 'static) {
    let mut session = Session::new(output);
    for line in input.split(b'\n') {
        let Ok(line) = line else { break };
        if session.obey(&String::from_utf8_lossy(&line)) == Next::Quit {
            session.stop();
            return;
        }
    }
    // Whoever writes commands into a pipe and leaves wants the answer of a bounded search.
    session.finish();
}

#[derive(PartialEq, Eq)]
enum Next {
    Continue,
    Quit,
}

/// Lines from both threads go out whole.
type Out = Arc<Mutex<dyn Write + Send>>;

fn say(out: &Out, line: &dyn fmt::Display) {
    if let Ok(mut out) = out.lock() {
        // Whoever does not listen any more has no use for an error either.
        let _ = writeln!(out, "{line}");
        let _ = out.flush();
    }
}

/// A search under way.
struct Thinking {
    thread: JoinHandle<Engine>,
    signals: Arc<Signals>,
    /// It ends by itself, if it is not pondering.
    bounded: bool,
}

struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// The answer is on its way.
    answered: AtomicBool,
    started: Instant,
    /// When pondering ended, in microseconds since the start.
    hit: AtomicU64,
}

impl Signals {
    fn elapsed(&self) -> Duration {
        let hit = Duration::from_micros(self.hit.load(Ordering::Relaxed));
        self.started.elapsed().saturating_sub(hit)
    }
}

struct Session {
    out: Out,
    protocol: Protocol,
    thinking: Option<Thinking>,
}

impl Session {
    fn new(output: impl Write + Send + 'static) -> Session {
        let out = Arc::new(Mutex::new(output));
        Session { out, protocol: Protocol::new(MEANS), thinking: None }
    }

    fn obey(&mut self, line: &str) -> Next {
        // Whoever has heard the answer may ask on at once, though the thread has not quite ended.
        let answered = |thinking: &Thinking| thinking.signals.answered.load(Ordering::Acquire);
        if self.thinking.as_ref().is_some_and(answered) {
            self.stop();
        }
        let out = Arc::clone(&self.out);
        match self.protocol.obey(line, &mut |line| say(&out, line)) {
            Order::Nothing => {}
            Order::Search(search) => self.start(search),
            Order::Stop => self.stop(),
            Order::PonderHit => self.ponder_hit(),
            Order::Quit => return Next::Quit,
        }
        Next::Continue
    }

    fn start(&mut self, search: Box<Search>) {
        let signals = Arc::new(Signals {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(search.ponder),
            answered: AtomicBool::new(false),
            started: Instant::now(),
            hit: AtomicU64::new(0),
        });
        let bounded = !search.infinite;
        let (thread_signals, out) = (Arc::clone(&signals), Arc::clone(&self.out));
        let thread = thread::Builder::new()
            .name("search".to_string())
            .spawn(move || think(search, &thread_signals, &out));
        match thread {
            Ok(thread) => self.thinking = Some(Thinking { thread, signals, bounded }),
            Err(error) => {
                self.protocol.take_back_engine(None);
                say(&self.out, &format_args!("info string {error}"));
            }
        }
    }

    fn ponder_hit(&mut self) {
        if let Some(thinking) = &self.thinking {
            let signals = &thinking.signals;
            let now = signals.started.elapsed().as_micros() as u64;
            signals.hit.store(now, Ordering::Relaxed);
            signals.pondering.store(false, Ordering::Relaxed);
        }
    }

    fn stop(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.signals.stop.store(true, Ordering::Relaxed);
            self.protocol.take_back_engine(thinking.thread.join().ok());
        }
    }

    /// Waits for a search that ends by itself, and stops any other.
    fn finish(&mut self) {
        let pondering = |thinking: &Thinking| thinking.signals.pondering.load(Ordering::Relaxed);
        match self.thinking.take_if(|thinking| thinking.bounded && !pondering(thinking)) {
            Some(thinking) => self.protocol.take_back_engine(thinking.thread.join().ok()),
            None => self.stop(),
        }
    }
}

/// Thinks, answers, and hands the engine back.
fn think(mut search: Box<Search>, signals: &Signals, out: &Out) -> Engine {
    let elapsed = || signals.elapsed();
    let control = Control { stop: &signals.stop, pondering: &signals.pondering, elapsed: &elapsed };
    let answer = search.think(control, &mut |line| say(out, line));
    // The answer to an open question waits until it is asked for.
    while (search.infinite || signals.pondering.load(Ordering::Relaxed))
        && !signals.stop.load(Ordering::Relaxed)
    {
        thread::sleep(Duration::from_millis(1));
    }
    signals.answered.store(true, Ordering::Release);
    say(out, &BestMove(&answer));
    search.engine
}
