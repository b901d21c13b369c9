//! Parses and handles the commands of the protocol, except for running searches.

use std::fmt;
use std::str::{FromStr, SplitWhitespace};
use std::sync::Arc;
use std::time::Duration;

use khet::tower::{self, Square};
use khet::{AnyPlacement, AnyPosition, AnySetup, Game, GamePosition, Move, Rules, Setup};

use super::go_command::GoCommand;
use crate::{AnyEngine, BestMove, Control, Info, Level, Limits, Network, Options, SearchRoot};

/// The largest number of legal moves.
const MAX_MULTI_PV: usize = tower::MAX_MOVES;
const MAX_OVERHEAD: u64 = 5_000;
/// The value of a string option that is not set.
const EMPTY: &str = "<empty>";
/// Number of characters of a path that an error message shows.
const MAX_SHOWN_PATH: usize = 100;

/// Receives the lines of the answer.
pub(super) type Say<'a> = &'a mut dyn FnMut(&dyn fmt::Display);

/// The resources that options may request.
#[derive(Clone, Copy)]
pub(super) struct ResourceLimits {
    /// Largest transposition table, in mebibytes.
    pub(super) hash: usize,
    /// Most threads.
    pub(super) threads: usize,
}

/// The action that a command requires from the session.
pub(super) enum CommandOutcome {
    Nothing,
    /// Search, answer, and give the engine back to [`Protocol::engine`].
    Search(Box<Search>),
    Stop,
    PonderHit,
    Quit,
}

/// The error of an invalid command, reported as `info string`.
pub(super) struct CommandError(String);

/// Returns an error with this text.
pub(super) fn command_error<T>(text: impl fmt::Display) -> Result<T, CommandError> {
    Err(CommandError(text.to_string()))
}

/// The protocol state.
pub(super) struct Protocol {
    limits: ResourceLimits,
    /// `None` before its first use and while a search has it.
    pub(super) engine: Option<AnyEngine>,
    /// A search is running and has the engine.
    pub(super) searching: bool,
    options: Options,
    network: Arc<Network>,
    rules: Rules,
    level: Option<Level>,
    seed: u64,
    game: Game<AnyPosition>,
}

impl Protocol {
    pub(super) fn new(limits: ResourceLimits) -> Protocol {
        Protocol {
            limits,
            engine: None,
            searching: false,
            options: Options::default(),
            network: Network::built_in(),
            rules: Rules::Standard,
            level: None,
            seed: 0,
            game: Game::new(Setup::Classic.position().into()),
        }
    }

    /// Handles a line, except for running a search.
    pub(super) fn handle_line(&mut self, line: &str, say: Say<'_>) -> CommandOutcome {
        let mut words = line.split_whitespace();
        let done = match words.next() {
            None => Ok(()),
            Some("quit") => return CommandOutcome::Quit,
            Some("stop") => return CommandOutcome::Stop,
            Some("ponderhit") => return CommandOutcome::PonderHit,
            Some("uki") => {
                self.write_options(say);
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
            Some(word) => command_error(format_args!("unknown command {word:?}")),
        };
        if let Err(CommandError(text)) = done {
            // The input may contain control characters, but the message must be one line.
            let text: String = text.chars().filter(|c| !c.is_control()).take(200).collect();
            say(&format_args!("info string {text}"));
        }
        CommandOutcome::Nothing
    }

    /// Handles `uki`: writes the name and the options.
    fn write_options(&self, say: Say<'_>) {
        let Options { hash, threads, multi_pv, overhead } = Options::default();
        let ResourceLimits { hash: max_hash, threads: max_threads } = self.limits;
        say(&format_args!("id name Khet {}", env!("CARGO_PKG_VERSION")));
        say(&"id author the Khet developers");
        let overhead = overhead.as_millis();
        for option in [
            format!("Hash type spin default {hash} min 1 max {max_hash}"),
            format!("Threads type spin default {threads} min 1 max {max_threads}"),
            format!("MultiPV type spin default {multi_pv} min 1 max {MAX_MULTI_PV}"),
            format!("Overhead type spin default {overhead} min 0 max {MAX_OVERHEAD}"),
            "Ponder type check default false".to_string(),
            "Rules type combo default standard var standard var czech".to_string(),
            "Level type spin default 10 min 1 max 10".to_string(),
            format!("Seed type spin default 0 min 0 max {}", u32::MAX),
            format!("Network type string default {EMPTY}"),
            "Clear Hash type button".to_string(),
        ] {
            say(&format_args!("option name {option}"));
        }
        say(&"ukiok");
    }

    /// Returns an error if a search is running.
    fn check_idle(&self) -> Result<(), CommandError> {
        if self.searching { command_error("still searching: stop first") } else { Ok(()) }
    }

    /// Returns the engine if no search is running.
    fn idle_engine(&mut self) -> Result<&mut AnyEngine, CommandError> {
        self.check_idle()?;
        let (options, network) = (self.options, &self.network);
        Ok(self.engine.get_or_insert_with(|| AnyEngine::with_network(options, Arc::clone(network))))
    }

    /// Handles `setoption`.
    fn set_option(&mut self, words: SplitWhitespace<'_>) -> Result<(), CommandError> {
        self.check_idle()?;
        let words: Vec<&str> = words.collect();
        let value_at = words.iter().position(|&word| word == "value").unwrap_or(words.len());
        let (name, value) = words.split_at(value_at);
        let name = name.strip_prefix(&["name"]).unwrap_or_default().join(" ");
        let whole_value = value.get(1..).unwrap_or_default().join(" ");
        let value = value.get(1).copied().unwrap_or_default();
        let ResourceLimits { hash, threads } = self.limits;
        let mut options = self.options;
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                options.hash = number(&name, value, 1, hash as u64)? as usize;
                if Vec::<u8>::new().try_reserve_exact(options.hash << 20).is_err() {
                    return command_error(format_args!("{name}: there is not that much memory"));
                }
            }
            "threads" => options.threads = number(&name, value, 1, threads as u64)? as usize,
            "multipv" => options.multi_pv = number(&name, value, 1, MAX_MULTI_PV as u64)? as usize,
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
                Err(error) => return command_error(error),
            },
            "network" => {
                self.network = load_network(&whole_value)?;
                if let Some(engine) = &mut self.engine {
                    engine.set_network(Arc::clone(&self.network));
                }
            }
            "clear hash" => self.idle_engine()?.clear(),
            _ => return command_error(format_args!("unknown option {name:?}")),
        }
        self.options = options;
        // An engine created later starts with these options.
        if let Some(engine) = &mut self.engine {
            engine.set_options(options);
        }
        Ok(())
    }

    /// Handles `ukinewgame`.
    fn new_game(&mut self) -> Result<(), CommandError> {
        self.idle_engine()?.clear();
        self.load_engine();
        Ok(())
    }

    /// Allocates the memory for the current game, if the engine exists, so that no search has to do
    /// it while its clock runs.
    fn load_engine(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.load(self.game.position());
        }
    }

    /// Handles `position`.
    fn set_position(&mut self, mut words: SplitWhitespace<'_>) -> Result<(), CommandError> {
        let start = match words.next() {
            Some("setup") => {
                let name = words.next().unwrap_or_default();
                read::<AnySetup>(name)?.position()
            }
            Some("fen") => {
                let text = format!(
                    "{} {}",
                    words.next().unwrap_or_default(),
                    words.next().unwrap_or_default()
                );
                let placement: AnyPlacement = read(&text)?;
                match AnyPosition::new(&placement, self.rules) {
                    Ok(position) => position,
                    Err(error) => return command_error(error),
                }
            }
            _ => return command_error("position setup NAME or position fen PLACEMENT SIDE"),
        };
        let mut game = Game::new(start.with_rules(self.rules));
        match words.next() {
            None => {}
            Some("moves") => {
                for word in words {
                    let mv: Move<Square> = read(word)?;
                    if let Err(error) = game.play(mv) {
                        return command_error(error);
                    }
                }
            }
            Some(word) => return command_error(format_args!("{word:?}: only moves can follow")),
        }
        self.game = game;
        self.load_engine();
        Ok(())
    }

    /// Handles `go`: runs perft, or returns the search to start.
    fn go(
        &mut self,
        words: SplitWhitespace<'_>,
        say: Say<'_>,
    ) -> Result<CommandOutcome, CommandError> {
        self.idle_engine()?;
        let request = GoCommand::read(words)?;
        if let Some(depth) = request.perft {
            self.perft(depth, say);
            return Ok(CommandOutcome::Nothing);
        }
        let mut search_root = SearchRoot::new(&self.game);
        if let Some(moves) = &request.moves {
            let legal: Vec<Move<Square>> =
                moves.iter().filter_map(|&mv| self.game.position().check(mv).ok()).collect();
            if legal.is_empty() {
                return command_error("none of the searchmoves is legal");
            }
            search_root = search_root.only(&legal);
        }
        let Some(mut engine) = self.engine.take() else { return command_error("no engine") };
        // Before the time of the search begins.
        engine.load(search_root.position());
        self.searching = true;
        // Weak levels overlook other things in other positions, but the same things in the same
        // one.
        let seed = search_root.position().key() ^ self.seed;
        let GoCommand { limits, infinite, ponder, .. } = request;
        let search =
            Search { engine, search_root, limits, infinite, ponder, level: self.level, seed };
        Ok(CommandOutcome::Search(Box::new(search)))
    }

    /// Writes the perft count below each move, and their sum.
    fn perft(&mut self, depth: u32, say: Say<'_>) {
        let branches: Vec<(Move<Square>, u64)> = match (depth, self.game.position()) {
            (0, _) => Vec::new(),
            (_, AnyPosition::Standard(position)) => {
                let branches = khet::divide(position, depth).into_iter();
                branches.map(|(mv, nodes)| (mv.into(), nodes)).collect()
            }
            (_, AnyPosition::Tower(position)) => tower::divide(position, depth),
        };
        for (mv, nodes) in &branches {
            say(&format_args!("{mv}: {nodes}"));
        }
        let total: u64 = branches.iter().map(|(_, nodes)| nodes).sum();
        say(&format_args!("\nNodes searched: {}", total.max(u64::from(depth == 0))));
    }

    /// Takes the engine back after a search; `None` if its thread panicked.
    pub(super) fn return_engine(&mut self, engine: Option<AnyEngine>) {
        self.engine = engine;
        self.searching = false;
    }
}

/// A search with everything it needs to run on another thread.
pub(super) struct Search {
    pub(super) engine: AnyEngine,
    search_root: SearchRoot<AnyPosition>,
    pub(super) limits: Limits,
    /// The best move is held back until `stop`.
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    level: Option<Level>,
    seed: u64,
}

impl Search {
    /// Runs the search and reports its lines.
    pub(super) fn run(&mut self, control: Control<'_>, say: Say<'_>) -> BestMove<Square> {
        match self.level {
            Some(level) => {
                let Search { engine, search_root, limits, seed, .. } = self;
                let answer = level.choose_any_move(engine, search_root, *limits, *seed, control);
                say(&format_args!("info score {} nodes {}", answer.score, answer.nodes));
                answer
            }
            None => {
                let mut report = |info: &Info<Square>| say(&InfoLine(info));
                self.engine.search(&self.search_root, self.limits, control, &mut report)
            }
        }
    }
}

/// `bestmove h2+ ponder c7c6`
pub(super) struct BestMoveLine<'a>(pub(super) &'a BestMove<Square>);

impl fmt::Display for BestMoveLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0.mv, self.0.ponder) {
            (Some(mv), Some(ponder)) => write!(f, "bestmove {mv} ponder {ponder}"),
            (Some(mv), None) => write!(f, "bestmove {mv}"),
            (None, _) => f.write_str("bestmove (none)"),
        }
    }
}

struct InfoLine<'a>(&'a Info<Square>);

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

/// Reads a file with a network. Without a file name it is the network that is part of the engine.
fn load_network(path: &str) -> Result<Arc<Network>, CommandError> {
    if path.is_empty() || path == EMPTY {
        return Ok(Network::built_in());
    }
    // The end of a long path names the file; all of it would push the reason out of the message.
    let excess = path.chars().count().saturating_sub(MAX_SHOWN_PATH);
    let shown: String = path.chars().skip(excess).collect();
    let failed = |error: &dyn fmt::Display| CommandError(format!("Network: {shown}: {error}"));
    // Devices and pipes can be endless.
    if !std::fs::metadata(path).map_err(|error| failed(&error))?.is_file() {
        return Err(failed(&"not a file"));
    }
    let bytes = std::fs::read(path).map_err(|error| failed(&error))?;
    Network::from_bytes(&bytes).map(Arc::new).map_err(|error| failed(&error))
}

/// Parses a value.
fn read<T: FromStr<Err: fmt::Display>>(text: &str) -> Result<T, CommandError> {
    text.parse().map_err(|error: T::Err| CommandError(error.to_string()))
}

/// Level 10 is the engine itself.
fn level(number: u64) -> Option<Level> {
    u8::try_from(number).ok().and_then(Level::new).filter(|level| level.number() < 10)
}

/// Parses a number from `least` to `most`.
pub(super) fn number(name: &str, text: &str, least: u64, most: u64) -> Result<u64, CommandError> {
    match text.parse::<u64>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => command_error(format_args!("{name}: {text:?} is not a number from {least} to {most}")),
    }
}
