//! What the lines of the protocol mean, whoever searches.

use std::fmt;
use std::str::{FromStr, SplitWhitespace};
use std::time::Duration;

use khet::{Game, Move, Placement, Position, Rules, Setup};

use super::request::Request;
use crate::{Answer, Control, Engine, Info, Level, Limits, Options, Task};

const MAX_LINES: usize = 138;
const MAX_OVERHEAD: u64 = 5_000;

/// A line of the answer goes there.
pub(super) type Say<'a> = &'a mut dyn FnMut(&dyn fmt::Display);

/// What the machine can give.
#[derive(Clone, Copy)]
pub(super) struct Means {
    /// Largest transposition table, in mebibytes.
    pub(super) hash: usize,
    /// Most threads.
    pub(super) threads: usize,
}

/// What whoever searches has to do after a line.
pub(super) enum Order {
    Nothing,
    /// Search, answer, and give the engine back to [`Protocol::engine`].
    Search(Box<Search>),
    Stop,
    PonderHit,
    Quit,
}

/// What a line asks that can't be done.
pub(super) struct Complaint(String);

pub(super) fn complain<T>(text: impl fmt::Display) -> Result<T, Complaint> {
    Err(Complaint(text.to_string()))
}

/// All that earlier lines have set.
pub(super) struct Protocol {
    means: Means,
    /// `None` before it is needed.
    pub(super) engine: Option<Engine>,
    /// The engine is with whoever searches.
    pub(super) thinking: bool,
    options: Options,
    rules: Rules,
    level: Option<Level>,
    seed: u64,
    game: Game,
}

impl Protocol {
    pub(super) fn new(means: Means) -> Protocol {
        Protocol {
            means,
            engine: None,
            thinking: false,
            options: Options::default(),
            rules: Rules::Standard,
            level: None,
            seed: 0,
            game: Game::new(Setup::Classic.position()),
        }
    }

    /// Does what the line says, as far as no search is needed for it.
    pub(super) fn obey(&mut self, line: &str, say: Say<'_>) -> Order {
        let mut words = line.split_whitespace();
        let done = match words.next() {
            None => Ok(()),
            Some("quit") => return Order::Quit,
            Some("stop") => return Order::Stop,
            Some("ponderhit") => return Order::PonderHit,
            Some("uki") => {
                self.introduce(say);
                Ok(())
            }
            Some("isready") => {
                say(&"readyok");
                Ok(())
            }
            Some("setoption") => self.set_option(words),
            Some("ukinewgame") => self.new_game(),
            Some("position") => self.set_position(words),
            Some("go") => match self.go(words, say) {
                Ok(order) => return order,
                Err(complaint) => Err(complaint),
            },
            Some(word) => complain(format_args!("unknown command {word:?}")),
        };
        if let Err(Complaint(text)) = done {
            // One line, whatever the input was made of.
            let text: String = text.chars().filter(|c| !c.is_control()).take(200).collect();
            say(&format_args!("info string {text}"));
        }
        Order::Nothing
    }

    fn introduce(&self, say: Say<'_>) {
        let Options { hash, threads, multi_pv, overhead } = Options::default();
        let Means { hash: max_hash, threads: max_threads } = self.means;
        say(&format_args!("id name Khet {}", env!("CARGO_PKG_VERSION")));
        say(&"id author the Khet developers");
        let overhead = overhead.as_millis();
        for option in [
            format!("Hash type spin default {hash} min 1 max {max_hash}"),
            format!("Threads type spin default {threads} min 1 max {max_threads}"),
            format!("MultiPV type spin default {multi_pv} min 1 max {MAX_LINES}"),
            format!("Overhead type spin default {overhead} min 0 max {MAX_OVERHEAD}"),
            "Ponder type check default false".to_string(),
            "Rules type combo default standard var standard var czech".to_string(),
            "Level type spin default 10 min 1 max 10".to_string(),
            format!("Seed type spin default 0 min 0 max {}", u32::MAX),
            "Clear Hash type button".to_string(),
        ] {
            say(&format_args!("option name {option}"));
        }
        say(&"ukiok");
    }

    fn check_idle(&self) -> Result<(), Complaint> {
        if self.thinking { complain("still thinking: stop first") } else { Ok(()) }
    }

    /// The engine, if it is not thinking.
    fn idle_engine(&mut self) -> Result<&mut Engine, Complaint> {
        self.check_idle()?;
        Ok(self.engine.get_or_insert_with(|| Engine::new(self.options)))
    }

    fn set_option(&mut self, words: SplitWhitespace<'_>) -> Result<(), Complaint> {
        self.check_idle()?;
        let words: Vec<&str> = words.collect();
        let value_at = words.iter().position(|&word| word == "value").unwrap_or(words.len());
        let (name, value) = words.split_at(value_at);
        let name = name.strip_prefix(&["name"]).unwrap_or_default().join(" ");
        let value = value.get(1).copied().unwrap_or_default();
        let Means { hash, threads } = self.means;
        let mut options = self.options;
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                options.hash = number(&name, value, 1, hash as u64)? as usize;
                if Vec::<u8>::new().try_reserve_exact(options.hash << 20).is_err() {
                    return complain(format_args!("{name}: there is not that much memory"));
                }
            }
            "threads" => options.threads = number(&name, value, 1, threads as u64)? as usize,
            "multipv" => options.multi_pv = number(&name, value, 1, MAX_LINES as u64)? as usize,
            "overhead" => {
                options.overhead = Duration::from_millis(number(&name, value, 0, MAX_OVERHEAD)?);
            }
            "ponder" => {}
            "level" => self.level = level(number(&name, value, 1, 10)?),
            "seed" => self.seed = number(&name, value, 0, u64::from(u32::MAX))?,
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
        // Without an engine yet, the first table is of the right size.
        if let Some(engine) = &mut self.engine {
            engine.set_options(options);
        }
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
                    let mv: Move = read(word)?;
                    if let Err(error) = game.play(mv) {
                        return complain(error);
                    }
                }
            }
            Some(word) => return complain(format_args!("{word:?}: only moves can follow")),
        }
        self.game = game;
        Ok(())
    }

    fn go(&mut self, words: SplitWhitespace<'_>, say: Say<'_>) -> Result<Order, Complaint> {
        self.idle_engine()?;
        let request = Request::read(words)?;
        if let Some(depth) = request.perft {
            self.perft(depth, say);
            return Ok(Order::Nothing);
        }
        let mut task = Task::new(&self.game);
        if let Some(moves) = &request.moves {
            let legal: Vec<Move> =
                moves.iter().filter_map(|&mv| self.game.position().check(mv).ok()).collect();
            if legal.is_empty() {
                return complain("none of the searchmoves is legal");
            }
            task = task.only(&legal);
        }
        let Some(engine) = self.engine.take() else { return complain("no engine") };
        self.thinking = true;
        // Another position, other oversights; the same one in a game, the same.
        let seed = task.position().key() ^ self.seed;
        let Request { limits, infinite, ponder, .. } = request;
        let search = Search { engine, task, limits, infinite, ponder, level: self.level, seed };
        Ok(Order::Search(Box::new(search)))
    }

    fn perft(&mut self, depth: u32, say: Say<'_>) {
        let branches = match depth {
            0 => Vec::new(),
            _ => khet::divide(self.game.position(), depth),
        };
        for (mv, nodes) in &branches {
            say(&format_args!("{mv}: {nodes}"));
        }
        let total: u64 = branches.iter().map(|(_, nodes)| nodes).sum();
        say(&format_args!("\nNodes searched: {}", total.max(u64::from(depth == 0))));
    }

    /// The search is over; `None` if its thread was lost.
    pub(super) fn take_back_engine(&mut self, engine: Option<Engine>) {
        self.engine = engine;
        self.thinking = false;
    }
}

/// A search with all it needs to run on its own.
pub(super) struct Search {
    pub(super) engine: Engine,
    task: Task,
    pub(super) limits: Limits,
    /// The answer waits until it is asked for.
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    level: Option<Level>,
    seed: u64,
}

impl Search {
    /// Thinks, and tells the lines that it finds.
    pub(super) fn think(&mut self, control: Control<'_>, say: Say<'_>) -> Answer {
        match self.level {
            Some(level) => {
                let Search { engine, task, limits, seed, .. } = self;
                let answer = level.answer(engine, task, *limits, *seed, control);
                say(&format_args!("info score {} nodes {}", answer.score, answer.nodes));
                answer
            }
            None => {
                let mut report = |info: &Info| say(&InfoLine(info));
                self.engine.search(&self.task, self.limits, control, &mut report)
            }
        }
    }
}

/// `bestmove h2+ ponder c7c6`
pub(super) struct BestMove<'a>(pub(super) &'a Answer);

impl fmt::Display for BestMove<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0.mv, self.0.ponder) {
            (Some(mv), Some(ponder)) => write!(f, "bestmove {mv} ponder {ponder}"),
            (Some(mv), None) => write!(f, "bestmove {mv}"),
            (None, _) => f.write_str("bestmove (none)"),
        }
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
        pv.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

fn read<T: FromStr<Err: fmt::Display>>(text: &str) -> Result<T, Complaint> {
    text.parse().map_err(|error: T::Err| Complaint(error.to_string()))
}

/// Level 10 is the engine itself.
fn level(number: u64) -> Option<Level> {
    u8::try_from(number).ok().and_then(Level::new).filter(|level| level.number() < 10)
}

pub(super) fn number(name: &str, text: &str, least: u64, most: u64) -> Result<u64, Complaint> {
    match text.parse::<u64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => complain(format_args!("{name}: {text:?} is not a number from {least} to {most}")),
    }
}
