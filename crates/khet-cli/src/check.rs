//! `khet check`: replays every game of record files.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use khet::{GameSplitter, ParseRecordError, Record, Rules};
use serde::Serialize;

use crate::output::{Output, Problem};
use crate::progress;

/// A game may be this long, far longer than any that was played, so that memory is bounded.
const MAX_GAME: usize = 16 << 20;

/// The bar moves on after this many bytes.
const BAR_STEP: u64 = 1 << 20;

/// Replay the games of record files and report the first fault of each
///
/// Example: khet check games.kgn
///
/// Faults are reported with their line and column. With --json an object for each fault,
/// {"file":"…","line":…,"column":…,"fault":"…"}, and at the end
/// {"games":…,"faults":…,"turns":…}.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of game records, or - for standard input
    #[arg(value_name = "FILE.kgn", required = true)]
    files: Vec<PathBuf>,
    /// The edition of the rules for games that name none: standard or czech
    #[arg(long, default_value_t)]
    rules: Rules,
    /// Write JSON, one object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize, Default)]
struct Summary {
    games: u64,
    faults: u64,
    /// Turns of faultless games, variations included.
    turns: u64,
}

#[derive(Serialize)]
struct Fault<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    fault: String,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let mut summary = Summary::default();
    for path in &args.files {
        let name = path.display().to_string();
        let mut checker =
            Checker { args, name: &name, summary: &mut summary, output: &mut *output };
        let unreadable = |error: io::Error| Problem::Input(format!("{name}: {error}"));
        let (input, length): (Box<dyn Read>, u64) = if path == Path::new("-") {
            (Box::new(io::stdin().lock()), 0)
        } else {
            let file = File::open(path).map_err(unreadable)?;
            let about = file.metadata().map_err(unreadable)?;
            if about.is_dir() {
                return Err(Problem::Input(format!("{name}: this is a folder")));
            }
            (Box::new(file), about.len())
        };
        checker.file(BufReader::with_capacity(1 << 16, input), length)?;
    }
    if args.json {
        return output.json(&summary);
    }
    let Summary { games, faults, turns } = summary;
    let (games, turns) = (counted(games, "game"), counted(turns, "turn"));
    output.line(format_args!("{games}, {faults} of them faulty; {turns}"))
}

fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

struct Checker<'a> {
    args: &'a Args,
    name: &'a str,
    summary: &'a mut Summary,
    output: &'a mut Output,
}

impl Checker<'_> {
    /// Reads line by line, and keeps no more than one game.
    fn file(&mut self, mut input: impl BufRead, length: u64) -> Result<(), Problem> {
        let bar = progress::bytes_bar(length);
        let mut splitter = GameSplitter::default();
        let mut game = Vec::new();
        let (mut first_line, mut line) = (1, 1);
        let (mut read, mut shown) = (0, 0);
        loop {
            let start = game.len();
            let limit = (MAX_GAME - start) as u64 + 1;
            let length = input.by_ref().take(limit).read_until(b'\n', &mut game);
            let length = length
                .map_err(|error| Problem::Input(format!("{}: line {line}: {error}", self.name)))?;
            if length == 0 {
                break;
            }
            if game.len() > MAX_GAME {
                let what =
                    format!("a game longer than {} MiB; the rest is not read", MAX_GAME >> 20);
                self.summary.games += 1;
                self.fault(first_line, 1, what)?;
                game.clear();
                break;
            }
            if splitter.starts_game(&game[start..]) {
                self.game(&game[..start], first_line)?;
                game.drain(..start);
                first_line = line;
            }
            line += 1;
            read += length as u64;
            if read - shown >= BAR_STEP {
                bar.set_position(read);
                shown = read;
            }
        }
        self.game(&game, first_line)?;
        bar.finish_and_clear();
        Ok(())
    }

    fn game(&mut self, text: &[u8], first_line: usize) -> Result<(), Problem> {
        if text.trim_ascii().is_empty() {
            return Ok(());
        }
        self.summary.games += 1;
        let text = match std::str::from_utf8(text) {
            Ok(text) => text,
            Err(error) => {
                let before = &text[..error.valid_up_to()];
                let line = first_line + before.iter().filter(|&&byte| byte == b'\n').count();
                let tail = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
                let column = String::from_utf8_lossy(tail).chars().count() + 1;
                return self.fault(line, column, "this is not UTF-8 text".to_string());
            }
        };
        match Record::read_at(text, first_line, self.args.rules) {
            Ok(record) => {
                self.summary.turns += record.line().count_turns();
                Ok(())
            }
            Err(ParseRecordError { line, column, problem }) => {
                self.fault(line, column, problem.to_string())
            }
        }
    }

    fn fault(&mut self, line: usize, column: usize, fault: String) -> Result<(), Problem> {
        self.summary.faults += 1;
        self.output.complain(&format!("{}: line {line}, column {column}: {fault}", self.name));
        if self.args.json {
            return self.output.json(&Fault { file: self.name, line, column, fault });
        }
        Ok(())
    }
}
