//! The games of a record file, one by one: no more than one is in memory.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use khet::{GameSplitter, ParseRecordError, Record, Rules, Setup};

use crate::output::Problem;

/// A game may be this long, far longer than any that was played, so that memory is bounded.
const MAX_GAME: usize = 16 << 20;

/// What is wrong with a game, and where in its file.
pub(crate) struct Fault {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) fault: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.fault)
    }
}

/// Whether an argument names records, and not a position.
pub(crate) fn are_named_by(argument: &str) -> Result<bool, Problem> {
    if argument == "-" {
        // Every record opens with a tag, and no position does.
        let mut input = io::stdin().lock();
        let start = input.fill_buf()?;
        let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
        return Ok(start.trim_ascii_start().starts_with(b"["));
    }
    let is_setup = argument.parse::<Setup>().is_ok();
    // No position has a dot, and nearly every file has.
    Ok(!is_setup && (argument.contains('.') || Path::new(argument).exists()))
}

/// A file of records that is being read, or standard input.
pub(crate) struct Games {
    name: String,
    input: Box<dyn BufRead>,
    length: u64,
    rewinds: bool,
    rules: Rules,
    splitter: GameSplitter,
    /// The game at hand; behind a call of `next`, the first line of the one that follows.
    text: Vec<u8>,
    first_line: usize,
    /// The first line of the game that was returned last.
    game_line: usize,
    /// The number of the line that is read next.
    line: usize,
    read: u64,
    /// A game is too long, and what follows it is not read.
    given_up: bool,
}

impl Games {
    /// Opens a file, or standard input for `-`. The rules are those of games that name none.
    pub(crate) fn open(path: &Path, rules: Rules) -> Result<Games, Problem> {
        let name = path.display().to_string();
        let unreadable = |error: io::Error| Problem::Input(format!("{name}: {error}"));
        let (input, length, rewinds): (Box<dyn Read>, u64, bool) = if path == Path::new("-") {
            (Box::new(io::stdin().lock()), 0, false)
        } else {
            let file = File::open(path).map_err(unreadable)?;
            let about = file.metadata().map_err(unreadable)?;
            if about.is_dir() {
                return Err(Problem::Input(format!("{name}: this is a folder")));
            }
            (Box::new(file), about.len(), about.is_file())
        };
        Ok(Games {
            name,
            input: Box::new(BufReader::with_capacity(1 << 16, input)),
            length,
            rewinds,
            rules,
            splitter: GameSplitter::default(),
            text: Vec::new(),
            first_line: 1,
            game_line: 1,
            line: 1,
            read: 0,
            given_up: false,
        })
    }

    /// The file's name, as it was given.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// How many bytes the file has; 0 where that is not known.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// How many of them have been read.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.read
    }

    /// On which line the game begins that was returned last.
    pub(crate) fn game_line(&self) -> usize {
        self.game_line
    }

    /// Whether the file can be opened and read a second time: a pipe can't.
    pub(crate) fn can_be_read_again(&self) -> bool {
        self.rewinds
    }

    /// The next game, or what is wrong with it; `None` behind the last.
    pub(crate) fn next(&mut self) -> Result<Option<Result<Record, Fault>>, Problem> {
        while !self.given_up {
            let start = self.text.len();
            let limit = (MAX_GAME - start) as u64 + 1;
            let length = self.input.by_ref().take(limit).read_until(b'\n', &mut self.text);
            let length = length.map_err(|error| {
                Problem::Input(format!("{}: line {}: {error}", self.name, self.line))
            })?;
            self.read += length as u64;
            if self.text.len() > MAX_GAME {
                self.given_up = true;
                self.text.clear();
                let fault =
                    format!("a game longer than {} MiB; the rest is not read", MAX_GAME >> 20);
                return Ok(Some(Err(Fault { line: self.first_line, column: 1, fault })));
            }
            let ended = length == 0;
            if ended || self.splitter.starts_game(&self.text[start..]) {
                let game = self.game(start);
                self.text.drain(..start);
                self.game_line = self.first_line;
                self.first_line = self.line;
                self.line += 1;
                if ended || game.is_some() {
                    return Ok(game);
                }
            } else {
                self.line += 1;
            }
        }
        Ok(None)
    }

    /// Reads the game that the first bytes of the text hold, if they hold anything.
    fn game(&self, length: usize) -> Option<Result<Record, Fault>> {
        let text = &self.text[..length];
        let bare = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
        if bare.trim_ascii().is_empty() {
            return None;
        }
        let text = match std::str::from_utf8(text) {
            Ok(text) => text,
            Err(error) => {
                let before = &text[..error.valid_up_to()];
                let line = self.first_line + before.iter().filter(|&&byte| byte == b'\n').count();
                let tail = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
                let column = String::from_utf8_lossy(tail).chars().count() + 1;
                let fault = "this is not UTF-8 text".to_string();
                return Some(Err(Fault { line, column, fault }));
            }
        };
        let read = Record::read_at(text, self.first_line, self.rules);
        Some(read.map_err(|ParseRecordError { line, column, problem }| Fault {
            line,
            column,
            fault: problem.to_string(),
        }))
    }
}
