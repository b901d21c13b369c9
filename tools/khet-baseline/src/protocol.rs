//! The engine's side of UKI: commands in, answers out.

use std::fmt;
use std::io::{BufRead, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use khet::{Game, Move, Placement, Position, Rules, Setup};

use crate::limits::Limits;
use crate::search::{Report, Score, Search};
use crate::table::Table;

/// Longest accepted line, far longer than any game.
const MAX_LINE: u64 = 1 << 20;

const DEFAULT_HASH_MIB: usize = 16;
const MAX_HASH_MIB: usize = 4096;

/// Speaks UKI until `quit`, or until the input ends; a search with a limit is finished first.
///
/// The input is read on a thread of its own, so that `stop` is read during a search.
pub fn run(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) {
    let shared = Arc::new(Shared {
        output: Mutex::new(output),
        stop: AtomicBool::new(false),
        searching: AtomicBool::new(false),
        infinite_search: AtomicBool::new(false),
        input_ended: AtomicBool::new(false),
    });
    let (sender, receiver) = mpsc::channel();
    let listener = Arc::clone(&shared);
    thread::spawn(move || read_commands(input, sender, &listener));
    Engine::new(&shared).handle_commands(receiver);
}

/// State shared by both threads.
struct Shared<W> {
    output: Mutex<W>,
    /// Stops the search.
    stop: AtomicBool,
    /// A search was started and has not written `bestmove` yet.
    searching: AtomicBool,
    /// That search ends only after `stop`.
    infinite_search: AtomicBool,
    /// The input has ended, so no `stop` can come.
    input_ended: AtomicBool,
}

impl<W: Write> Shared<W> {
    /// Writes a line. Errors are ignored: if the output is closed, the input ends soon as well.
    fn write_line(&self, line: impl fmt::Display) {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = output.write_all(format!("{line}\n").as_bytes());
        let _ = output.flush();
    }

    /// Writes an error as `info string`.
    fn write_error(&self, error: impl fmt::Display) {
        self.write_line(format_args!("info string {error}"));
    }

    /// Stops an infinite search after the end of the input, because no `stop` can come.
    fn stop_if_input_has_ended(&self) {
        if self.input_ended.load(Ordering::SeqCst) && self.infinite_search.load(Ordering::SeqCst) {
            self.stop.store(true, Ordering::SeqCst);
        }
    }
}

/// Reads commands, handles the urgent ones, and passes on the others.
fn read_commands<W: Write>(mut input: impl BufRead, commands: Sender<String>, shared: &Shared<W>) {
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            Ok(0) | Err(_) => break,
        }
        let line = String::from_utf8_lossy(line.trim_ascii()).into_owned();
        let command = line.split_whitespace().next();
        match command {
            None => continue,
            Some("quit") => {
                shared.stop.store(true, Ordering::SeqCst);
                return;
            }
            Some("stop") => shared.stop.store(true, Ordering::SeqCst),
            Some("isready") if shared.searching.load(Ordering::SeqCst) => {
                shared.write_line("readyok")
            }
            Some("go") if shared.searching.swap(true, Ordering::SeqCst) => {
                shared.write_error("go: a search is running");
            }
            Some(command) => {
                if command == "go" {
                    shared.stop.store(false, Ordering::SeqCst);
                }
                if commands.send(line).is_err() {
                    break;
                }
            }
        }
    }
    shared.input_ended.store(true, Ordering::SeqCst);
    shared.stop_if_input_has_ended();
}

struct Engine<'a, W> {
    shared: &'a Shared<W>,
    game: Game,
    rules: Rules,
    table: Table,
}

impl<'a, W: Write> Engine<'a, W> {
    fn new(shared: &'a Shared<W>) -> Engine<'a, W> {
        Engine {
            shared,
            game: Game::new(Setup::Classic.position()),
            rules: Rules::default(),
            table: Table::new(DEFAULT_HASH_MIB),
        }
    }

    /// Handles the commands until `quit`.
    fn handle_commands(&mut self, commands: Receiver<String>) {
        for line in commands {
            let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            let done = match command {
                "uki" => {
                    self.identify();
                    Ok(())
                }
                "isready" => {
                    self.shared.write_line("readyok");
                    Ok(())
                }
                "setoption" => self.set_option(rest),
                "ukinewgame" => {
                    self.table.clear();
                    Ok(())
                }
                "position" => self.set_position(rest),
                "go" => {
                    self.search(rest);
                    Ok(())
                }
                // Pondering is not supported.
                "ponderhit" => Ok(()),
                _ => Err("unknown command".to_string()),
            };
            if let Err(problem) = done {
                self.shared.write_error(format_args!("{command:.20}: {problem}"));
            }
        }
    }

    /// Handles `uki`: writes the name and the options.
    fn identify(&self) {
        self.shared.write_line(concat!("id name khet-baseline ", env!("CARGO_PKG_VERSION")));
        self.shared.write_line("id author the authors of Khet");
        self.shared.write_line(format_args!(
            "option name Hash type spin default {DEFAULT_HASH_MIB} min 1 max {MAX_HASH_MIB}"
        ));
        self.shared
            .write_line("option name Rules type combo default standard var standard var czech");
        self.shared.write_line("ukiok");
    }

    /// `name N value V`
    fn set_option(&mut self, rest: &str) -> Result<(), String> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let ["name", name, "value", value] = words[..] else {
            return Err("it is written: setoption name NAME value VALUE".to_string());
        };
        if name.eq_ignore_ascii_case("Hash") {
            match value.parse() {
                Ok(mebibytes @ 1..=MAX_HASH_MIB) => self.table = Table::new(mebibytes),
                _ => return Err(format!("Hash is 1 to {MAX_HASH_MIB}")),
            }
        } else if name.eq_ignore_ascii_case("Rules") {
            self.rules = value.parse().map_err(|error: khet::ParseRulesError| error.to_string())?;
        } else {
            return Err(format!("there is no option {name:.20}"));
        }
        Ok(())
    }

    /// `setup NAME [moves …]` or `fen PLACEMENT SIDE [moves …]`. An invalid command changes
    /// nothing.
    fn set_position(&mut self, rest: &str) -> Result<(), String> {
        let mut words = rest.split_whitespace();
        let placement: Placement = match words.next() {
            Some("setup") => {
                let name = words.next().unwrap_or_default();
                name.parse::<Setup>().map_err(|error| error.to_string())?.placement()
            }
            Some("fen") => {
                let text: Vec<&str> = words.by_ref().take(2).collect();
                text.join(" ")
                    .parse()
                    .map_err(|error: khet::ParsePlacementError| error.to_string())?
            }
            _ => return Err("it is written: position setup NAME, or position fen …".to_string()),
        };
        let start = Position::new(&placement, self.rules).map_err(|error| error.to_string())?;
        let mut game = Game::new(start);
        match words.next() {
            None => {}
            Some("moves") => {
                for word in words {
                    let mv: Move =
                        word.parse().map_err(|error: khet::ParseMoveError| error.to_string())?;
                    game.play(mv).map_err(|error| error.to_string())?;
                }
            }
            Some(word) => return Err(format!("{word:.20}: moves was expected")),
        }
        self.game = game;
        Ok(())
    }

    /// Handles `go`: searches and writes the best move.
    fn search(&mut self, rest: &str) {
        let started = Instant::now();
        let (limits, unknown) = Limits::read(rest);
        for word in unknown {
            self.shared.write_error(format_args!("go: {word:.20}: not understood"));
        }
        let shared = self.shared;
        shared.infinite_search.store(limits.infinite, Ordering::SeqCst);
        shared.stop_if_input_has_ended();
        let search = Search::new(limits, started, &mut self.table, &shared.stop);
        let (line, nodes) = search.run(&self.game, |report| shared.write_line(Info(report)));
        let effort = Effort(nodes, started.elapsed());
        while limits.infinite && !shared.stop.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(1));
        }
        // Counts the nodes of the unfinished iteration, too.
        shared.write_line(format_args!("info {effort}"));
        // The next `go` may come as soon as `bestmove` is written.
        shared.searching.store(false, Ordering::SeqCst);
        match line[..] {
            [best, reply, ..] => shared.write_line(format_args!("bestmove {best} ponder {reply}")),
            [best] => shared.write_line(format_args!("bestmove {best}")),
            [] => shared.write_line("bestmove (none)"),
        }
    }
}

/// A report as an `info` line.
struct Info<'a>(&'a Report);

impl fmt::Display for Info<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { depth, longest, score, nodes, time, hash_per_mille, line } = self.0;
        write!(f, "info depth {depth} seldepth {longest} multipv 1 score ")?;
        match score {
            Score::Cents(cents) => write!(f, "cp {cents}")?,
            Score::Mate(moves) => write!(f, "mate {moves}")?,
        }
        write!(f, " {} hashfull {hash_per_mille} pv", Effort(*nodes, *time))?;
        line.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

/// Nodes, time, and nodes per second.
struct Effort(u64, Duration);

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Effort(nodes, time) = self;
        let per_second = (*nodes as f64 / time.as_secs_f64().max(1e-6)) as u64;
        write!(f, "nodes {nodes} nps {per_second} time {}", time.as_millis())
    }
}
