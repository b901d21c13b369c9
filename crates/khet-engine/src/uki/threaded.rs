//! The protocol with a search thread, so that commands are read during a search.

use std::fmt;
use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::protocol::{BestMoveLine, CommandOutcome, Protocol, ResourceLimits, Search};
use crate::{AnyEngine, Control};

const LIMITS: ResourceLimits = ResourceLimits { hash: 1 << 20, threads: 512 };

/// Runs the protocol until the input ends or `quit` is read.
pub fn run(input: impl BufRead, output: impl Write + Send + 'static) {
    let mut session = ThreadedSession::new(output);
    for line in input.split(b'\n') {
        let Ok(line) = line else { break };
        if session.handle_line(&String::from_utf8_lossy(&line)) == AfterLine::Quit {
            session.stop();
            return;
        }
    }
    // Commands piped from a file still get the answer of a limited search.
    session.finish();
}

#[derive(PartialEq, Eq)]
enum AfterLine {
    Continue,
    Quit,
}

/// The output, locked per line because two threads write to it.
type SharedOutput = Arc<Mutex<dyn Write + Send>>;

/// Writes a line and flushes the output.
fn write_line(out: &SharedOutput, line: &dyn fmt::Display) {
    if let Ok(mut out) = out.lock() {
        // A closed output can't receive an error message either.
        let _ = writeln!(out, "{line}");
        let _ = out.flush();
    }
}

/// A running search.
struct RunningSearch {
    thread: JoinHandle<AnyEngine>,
    signals: Arc<Signals>,
    /// True if the search ends without `stop`, unless it is pondering.
    bounded: bool,
}

/// The state that a search shares with the thread that reads commands.
struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
    /// True if `bestmove` is about to be written or has been.
    answered: AtomicBool,
    started: Instant,
    /// The time of `ponderhit` in microseconds since the start; 0 before it.
    ponderhit_at: AtomicU64,
}

impl Signals {
    /// Returns the time since the start, or since `ponderhit`.
    fn thinking_time(&self) -> Duration {
        let ponderhit_at = Duration::from_micros(self.ponderhit_at.load(Ordering::Relaxed));
        self.started.elapsed().saturating_sub(ponderhit_at)
    }
}

struct ThreadedSession {
    out: SharedOutput,
    protocol: Protocol,
    running: Option<RunningSearch>,
}

impl ThreadedSession {
    fn new(output: impl Write + Send + 'static) -> ThreadedSession {
        let out = Arc::new(Mutex::new(output));
        ThreadedSession { out, protocol: Protocol::new(LIMITS), running: None }
    }

    /// Handles a command.
    fn handle_line(&mut self, line: &str) -> AfterLine {
        // The next command may arrive after `bestmove` but before the thread has ended.
        let answered = |running: &RunningSearch| running.signals.answered.load(Ordering::Acquire);
        if self.running.as_ref().is_some_and(answered) {
            self.stop();
        }
        let out = Arc::clone(&self.out);
        match self.protocol.handle_line(line, &mut |line| write_line(&out, line)) {
            CommandOutcome::Nothing => {}
            CommandOutcome::Search(search) => self.start(search),
            CommandOutcome::Stop => self.stop(),
            CommandOutcome::PonderHit => self.ponder_hit(),
            CommandOutcome::Quit => return AfterLine::Quit,
        }
        AfterLine::Continue
    }

    /// Starts the search thread.
    fn start(&mut self, search: Box<Search>) {
        let signals = Arc::new(Signals {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(search.ponder),
            answered: AtomicBool::new(false),
            started: Instant::now(),
            ponderhit_at: AtomicU64::new(0),
        });
        let bounded = !search.infinite;
        let (thread_signals, out) = (Arc::clone(&signals), Arc::clone(&self.out));
        let thread = thread::Builder::new()
            .name("search".to_string())
            .spawn(move || think(search, &thread_signals, &out));
        match thread {
            Ok(thread) => self.running = Some(RunningSearch { thread, signals, bounded }),
            Err(error) => {
                self.protocol.return_engine(None);
                write_line(&self.out, &format_args!("info string {error}"));
            }
        }
    }

    /// Turns the pondering search into a normal one.
    fn ponder_hit(&mut self) {
        if let Some(running) = &self.running {
            let signals = &running.signals;
            let now = signals.started.elapsed().as_micros() as u64;
            signals.ponderhit_at.store(now, Ordering::Relaxed);
            signals.pondering.store(false, Ordering::Relaxed);
        }
    }

    /// Stops the search, if one runs, and waits for its `bestmove`.
    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.signals.stop.store(true, Ordering::Relaxed);
            self.protocol.return_engine(running.thread.join().ok());
        }
    }

    /// Waits for a limited search and stops any other.
    fn finish(&mut self) {
        let pondering = |running: &RunningSearch| running.signals.pondering.load(Ordering::Relaxed);
        match self.running.take_if(|running| running.bounded && !pondering(running)) {
            Some(running) => self.protocol.return_engine(running.thread.join().ok()),
            None => self.stop(),
        }
    }
}

/// Runs the search, writes `bestmove`, and returns the engine.
fn think(mut search: Box<Search>, signals: &Signals, out: &SharedOutput) -> AnyEngine {
    let elapsed = || signals.thinking_time();
    let control = Control { stop: &signals.stop, pondering: &signals.pondering, elapsed: &elapsed };
    let answer = search.run(control, &mut |line| write_line(out, line));
    // After `go infinite` or `go ponder`, `bestmove` must wait for `stop` or `ponderhit`.
    while (search.infinite || signals.pondering.load(Ordering::Relaxed))
        && !signals.stop.load(Ordering::Relaxed)
    {
        thread::sleep(Duration::from_millis(1));
    }
    signals.answered.store(true, Ordering::Release);
    write_line(out, &BestMoveLine(&answer));
    search.engine
}
