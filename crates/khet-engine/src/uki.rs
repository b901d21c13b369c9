//! The engine protocol: UCI's commands in Khet's notation.

use std::fmt;
use std::io::{BufRead, Write};
use std::str::{FromStr, SplitWhitespace};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use khet::{Game, Placement, Position, Rules, Setup, Turn};

use crate::{Clock, Control, Engine, Info, Level, Limits, Options, Task};

/// Largest transposition table, in mebibytes.
const MAX_HASH: usize = 1 << 20;
const MAX_THREADS: usize = 512;
const MAX_LINES: usize = 138;
const MAX_OVERHEAD: u64 = 5_000;

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

/// What a line asks that can't be done.
struct Complaint(String);

fn complain<T>(text: impl fmt::Display) -> Result<T, Complaint> {
    Err(Complaint(text.to_string()))
}

/// Lines from both threads go out whole.
type Out = Arc<Mutex<dyn Write + Send>>;

fn say(out: &Out, line: impl fmt::Display) {
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
    /// It ends by itself.
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
    /// `None` while it thinks.
    engine: Option<Engine>,
    thinking: Option<Thinking>,
    options: Options,
    rules: Rules,
    level: Option<Level>,
    game: Game,
}

impl Session {
    fn new(output: impl Write + Send + 'static) -> Session {
        let options = Options::default();
        Session {
            out: Arc::new(Mutex::new(output)),
            engine: None,
            thinking: None,
            options,
            rules: Rules::Standard,
            level: None,
            game: Game::new(Setup::Classic.position()),
        }
    }

    fn obey(&mut self, line: &str) -> Next {
        let mut words = line.split_whitespace();
        let done = match words.next() {
            None => Ok(()),
            Some("quit") => return Next::Quit,
            Some("uki") => {
                self.introduce();
                Ok(())
            }
            Some("isready") => {
                say(&self.out, "readyok");
                Ok(())
            }
            Some("stop") => {
                self.stop();
                Ok(())
            }
            Some("ponderhit") => {
                self.ponder_hit();
                Ok(())
            }
            Some("setoption") => self.set_option(words),
            Some("ukinewgame") => self.new_game(),
            Some("position") => self.set_position(words),
            Some("go") => self.go(words),
            Some(word) => complain(format_args!("unknown command {word:?}")),
        };
        if let Err(Complaint(text)) = done {
            // One line, whatever the input was made of.
            let text: String = text.chars().filter(|c| !c.is_control()).take(200).collect();
            say(&self.out, format_args!("info string {text}"));
        }
        Next::Continue
    }

    fn introduce(&self) {
        let Options { hash, threads, multi_pv, overhead } = Options::default();
        say(&self.out, format_args!("id name Khet {}", env!("CARGO_PKG_VERSION")));
        say(&self.out, "id author the Khet developers");
        let overhead = overhead.as_millis();
        for option in [
            format!("Hash type spin default {hash} min 1 max {MAX_HASH}"),
            format!("Threads type spin default {threads} min 1 max {MAX_THREADS}"),
            format!("MultiPV type spin default {multi_pv} min 1 max {MAX_LINES}"),
            format!("Overhead type spin default {overhead} min 0 max {MAX_OVERHEAD}"),
            "Ponder type check default false".to_string(),
            "Rules type combo default standard var standard var czech".to_string(),
            "Level type spin default 10 min 1 max 10".to_string(),
            "Clear Hash type button".to_string(),
        ] {
            say(&self.out, format_args!("option name {option}"));
        }
        say(&self.out, "ukiok");
    }

    /// The engine, if it is not thinking.
    fn idle_engine(&mut self) -> Result<&mut Engine, Complaint> {
        // Whoever has heard the answer may ask on at once, though the thread has not quite ended.
        let answered = |thinking: &Thinking| thinking.signals.answered.load(Ordering::Acquire);
        if self.thinking.as_ref().is_some_and(answered) {
            self.stop();
        }
        if self.thinking.is_some() {
            return complain("still thinking: stop first");
        }
        Ok(self.engine.get_or_insert_with(|| Engine::new(self.options)))
    }

    fn set_option(&mut self, words: SplitWhitespace<'_>) -> Result<(), Complaint> {
        self.idle_engine()?;
        let words: Vec<&str> = words.collect();
        let value_at = words.iter().position(|&word| word == "value").unwrap_or(words.len());
        let (name, value) = words.split_at(value_at);
        let name = name.strip_prefix(&["name"]).unwrap_or_default().join(" ");
        let value = value.get(1).copied().unwrap_or_default();
        let mut options = self.options;
        match name.to_ascii_lowercase().as_str() {
            "hash" => options.hash = number(&name, value, 1, MAX_HASH as u64)? as usize,
            "threads" => options.threads = number(&name, value, 1, MAX_THREADS as u64)? as usize,
            "multipv" => options.multi_pv = number(&name, value, 1, MAX_LINES as u64)? as usize,
            "overhead" => {
                options.overhead = Duration::from_millis(number(&name, value, 0, MAX_OVERHEAD)?);
            }
            "ponder" => {}
            "level" => self.level = level(number(&name, value, 1, 10)?),
            "rules" => match value.parse() {
                Ok(rules) => {
                    self.rules = rules;
                    self.game = Game::new(self.game.start().with_rules(rules));
                }
                Err(error) => return complain(error),
            },
            "clear hash" => self.idle_engine()?.clear(),
            _ => return complain(format_args!("unknown option {name:?}")),
        }
        self.options = options;
        self.idle_engine()?.set_options(options);
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), Complaint> {
        self.idle_engine()?.clear();
        Ok(())
    }

    fn set_position(&mut self, mut words: SplitWhitespace<'_>) -> Result<(), Complaint> {
        let start = match words.next() {
            Some("setup") => {
                let name = words.next().unwrap_or_default();
                let setup: Setup = read(name)?;
                setup.position()
            }
            Some("fen") => {
                let text = format!(
                    "{} {}",
                    words.next().unwrap_or_default(),
                    words.next().unwrap_or_default()
                );
                let placement: Placement = read(&text)?;
                match Position::new(&placement, self.rules) {
                    Ok(position) => position,
                    Err(error) => return complain(error),
                }
            }
            _ => return complain("position setup NAME or position fen PLACEMENT SIDE"),
        };
        let mut game = Game::new(start.with_rules(self.rules));
        match words.next() {
            None => {}
            Some("moves") => {
                for word in words {
                    let turn: Turn = read(word)?;
                    if let Err(error) = game.play(turn) {
                        return complain(error);
                    }
                }
            }
            Some(word) => return complain(format_args!("{word:?}: only moves can follow")),
        }
        self.game = game;
        Ok(())
    }

    fn go(&mut self, words: SplitWhitespace<'_>) -> Result<(), Complaint> {
        self.idle_engine()?;
        let request = Request::read(words)?;
        if let Some(depth) = request.perft {
            return self.perft(depth);
        }
        let mut task = Task::new(&self.game);
        if let Some(turns) = &request.turns {
            let legal: Vec<Turn> =
                turns.iter().filter_map(|&turn| self.game.position().check(turn).ok()).collect();
            if legal.is_empty() {
                return complain("none of the searchmoves is legal");
            }
            task = task.only(&legal);
        }
        let Some(engine) = self.engine.take() else { return complain("no engine") };
        let signals = Arc::new(Signals {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(request.ponder),
            answered: AtomicBool::new(false),
            started: Instant::now(),
            hit: AtomicU64::new(0),
        });
        let waits = request.infinite || request.ponder;
        let search = Search {
            engine,
            task,
            limits: request.limits,
            infinite: request.infinite,
            level: self.level,
        };
        let (thread_signals, out) = (Arc::clone(&signals), Arc::clone(&self.out));
        let thread = thread::Builder::new()
            .name("search".to_string())
            .spawn(move || search.run(&thread_signals, &out));
        match thread {
            Ok(thread) => {
                let bounded = !waits && request.limits != Limits::default();
                self.thinking = Some(Thinking { thread, signals, bounded });
                Ok(())
            }
            Err(error) => complain(error),
        }
    }

    fn perft(&mut self, depth: u32) -> Result<(), Complaint> {
        let branches = match depth {
            0 => Vec::new(),
            _ => khet::divide(self.game.position(), depth),
        };
        for (turn, nodes) in &branches {
            say(&self.out, format_args!("{turn}: {nodes}"));
        }
        let total: u64 = branches.iter().map(|(_, nodes)| nodes).sum();
        say(&self.out, format_args!("\nNodes searched: {}", total.max(u64::from(depth == 0))));
        Ok(())
    }

    fn ponder_hit(&mut self) {
        if let Some(thinking) = &mut self.thinking {
            let signals = &thinking.signals;
            let now = signals.started.elapsed().as_micros() as u64;
            signals.hit.store(now, Ordering::Relaxed);
            signals.pondering.store(false, Ordering::Relaxed);
            thinking.bounded = true;
        }
    }

    fn stop(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.signals.stop.store(true, Ordering::Relaxed);
            self.engine = thinking.thread.join().ok();
        }
    }

    /// Waits for a search that ends by itself, and stops any other.
    fn finish(&mut self) {
        match self.thinking.take_if(|thinking| thinking.bounded) {
            Some(thinking) => self.engine = thinking.thread.join().ok(),
            None => self.stop(),
        }
    }
}

/// A search with all it needs to run on its own thread.
struct Search {
    engine: Engine,
    task: Task,
    limits: Limits,
    infinite: bool,
    level: Option<Level>,
}

impl Search {
    /// Thinks, answers, and hands the engine back.
    fn run(mut self, signals: &Signals, out: &Out) -> Engine {
        let elapsed = || signals.elapsed();
        let control =
            Control { stop: &signals.stop, pondering: &signals.pondering, elapsed: &elapsed };
        let answer = match self.level {
            Some(level) => {
                // Another game, other oversights; the same position in a game, the same ones.
                let seed = self.task.position().key();
                level.answer(&mut self.engine, &self.task, self.limits, seed, control)
            }
            None => self.engine.search(&self.task, self.limits, control, &mut |info| {
                say(out, InfoLine(info));
            }),
        };
        // The answer to an open question waits until it is asked for.
        while (self.infinite || signals.pondering.load(Ordering::Relaxed))
            && !signals.stop.load(Ordering::Relaxed)
        {
            thread::sleep(Duration::from_millis(1));
        }
        signals.answered.store(true, Ordering::Release);
        match (answer.turn, answer.ponder) {
            (Some(turn), Some(ponder)) => {
                say(out, format_args!("bestmove {turn} ponder {ponder}"));
            }
            (Some(turn), None) => say(out, format_args!("bestmove {turn}")),
            (None, _) => say(out, "bestmove (none)"),
        }
        self.engine
    }
}

struct InfoLine<'a>(&'a Info);

impl fmt::Display for InfoLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Info { depth, seldepth, multi_pv, score, nodes, hash_full, time, pv } = self.0;
        let per_second = (*nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
        write!(f, "info depth {depth} seldepth {seldepth} multipv {multi_pv} score {score} ")?;
        write!(f, "nodes {nodes} nps {per_second} hashfull {hash_full} ")?;
        write!(f, "time {} pv", time.as_millis())?;
        pv.iter().try_for_each(|turn| write!(f, " {turn}"))
    }
}

/// What `go` asks for.
#[derive(Default)]
struct Request {
    limits: Limits,
    infinite: bool,
    ponder: bool,
    turns: Option<Vec<Turn>>,
    perft: Option<u32>,
}

impl Request {
    fn read(words: SplitWhitespace<'_>) -> Result<Request, Complaint> {
        let mut request = Request::default();
        let mut times: [Option<u64>; 4] = [None; 4];
        let mut words = words.peekable();
        while let Some(word) = words.next() {
            let mut value = || number(word, words.next().unwrap_or_default(), 0, u64::MAX >> 1);
            let limits = &mut request.limits;
            match word {
                "infinite" => request.infinite = true,
                "ponder" => request.ponder = true,
                "depth" => limits.depth = Some(value()?.clamp(1, 10_000) as u32),
                "nodes" => limits.nodes = Some(value()?.max(1)),
                "mate" => limits.mate = Some(value()?.clamp(1, 10_000) as u32),
                "movetime" => limits.movetime = Some(Duration::from_millis(value()?)),
                "stime" => times[0] = Some(value()?),
                "rtime" => times[1] = Some(value()?),
                "sinc" => times[2] = Some(value()?),
                "rinc" => times[3] = Some(value()?),
                "movestogo" => drop(value()?),
                "perft" => request.perft = Some(value()?.min(9) as u32),
                "searchmoves" => {
                    let turns = request.turns.get_or_insert_default();
                    while let Some(turn) = words.peek().and_then(|word| word.parse().ok()) {
                        turns.push(turn);
                        words.next();
                    }
                }
                _ => return complain(format_args!("go: {word:?} is not known")),
            }
        }
        for side in 0..2 {
            request.limits.clocks[side] = times[side].map(|left| Clock {
                left: Duration::from_millis(left),
                increment: Duration::from_millis(times[side + 2].unwrap_or(0)),
            });
        }
        // Nothing at all is asked for: think until told to stop.
        request.infinite |= request.limits == Limits::default() && request.perft.is_none();
        Ok(request)
    }
}

fn read<T: FromStr<Err: fmt::Display>>(text: &str) -> Result<T, Complaint> {
    text.parse().map_err(|error: T::Err| Complaint(error.to_string()))
}

/// Level 10 is the engine itself.
fn level(number: u64) -> Option<Level> {
    u8::try_from(number).ok().and_then(Level::new).filter(|level| level.number() < 10)
}

fn number(name: &str, text: &str, least: u64, most: u64) -> Result<u64, Complaint> {
    match text.parse::<u64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => complain(format_args!("{name}: {text:?} is not a number from {least} to {most}")),
    }
}
