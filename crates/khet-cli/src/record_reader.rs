//! Reads a file of game records one game at a time, so that memory use does not grow with the file.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use khet::{AnyPosition, AnySetup, GameSplitter, ParseRecordError, Record, Rules};

use crate::output::Problem;

/// The longest game text in bytes. Bounds the memory; real games are far shorter.
const MAX_GAME: usize = 16 << 20;

/// An error in a game record, and its place in the file.
pub(crate) struct RecordFault {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) fault: String,
}

impl fmt::Display for RecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.fault)
    }
}

/// A game of either kind, or its first error.
pub(crate) type ReadGame = Result<Record<AnyPosition>, RecordFault>;

/// Returns whether an argument names a file of game records rather than a position.
pub(crate) fn is_record_input(argument: &str) -> Result<bool, Problem> {
    if argument == "-" {
        // Every record starts with a tag, and no position starts with a bracket.
        let mut input = io::stdin().lock();
        let start = input.fill_buf()?;
        let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
        return Ok(start.trim_ascii_start().starts_with(b"["));
    }
    let is_setup = argument.parse::<AnySetup>().is_ok();
    // No position contains a dot, and nearly every file name does.
    Ok(!is_setup && (argument.contains('.') || Path::new(argument).exists()))
}

/// A reader of the games in a record file or in standard input.
pub(crate) struct RecordReader {
    name: String,
    input: Box<dyn BufRead + Send>,
    length: u64,
    is_regular_file: bool,
    rules: Rules,
    splitter: GameSplitter,
    /// Text of the current game. After a call of `next`, the first line of the following game.
    text: Vec<u8>,
    /// Line number at which `text` starts.
    first_line: usize,
    /// Line number at which the last returned game starts.
    game_line: usize,
    /// Number of the next line to read.
    line: usize,
    bytes_read: u64,
    /// Set after a game longer than [`MAX_GAME`]; the rest of the file is not read.
    stopped: bool,
}

impl RecordReader {
    /// Opens a file, or standard input for `-`. `rules` apply to games without a `Rules` tag.
    pub(crate) fn open(path: &Path, rules: Rules) -> Result<RecordReader, Problem> {
        let name = path.display().to_string();
        let unreadable = |error: io::Error| Problem::Input(format!("{name}: {error}"));
        let (input, length, is_regular_file): (Box<dyn Read + Send>, u64, bool) =
            if path == Path::new("-") {
                (Box::new(io::stdin()), 0, false)
            } else {
                let file = File::open(path).map_err(unreadable)?;
                let metadata = file.metadata().map_err(unreadable)?;
                if metadata.is_dir() {
                    let message = format!("{name}: this is a folder; name a file in it");
                    return Err(Problem::Input(message));
                }
                (Box::new(file), metadata.len(), metadata.is_file())
            };
        Ok(RecordReader {
            name,
            input: Box::new(BufReader::with_capacity(1 << 16, input)),
            length,
            is_regular_file,
            rules,
            splitter: GameSplitter::default(),
            text: Vec::new(),
            first_line: 1,
            game_line: 1,
            line: 1,
            bytes_read: 0,
            stopped: false,
        })
    }

    /// Returns the file name as given by the user.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the length of the file in bytes, or 0 if it is unknown.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    pub(crate) fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    /// Returns the line number at which the last returned game starts.
    pub(crate) fn game_line(&self) -> usize {
        self.game_line
    }

    /// Returns whether the file can be opened and read a second time, unlike a pipe.
    pub(crate) fn can_be_read_again(&self) -> bool {
        self.is_regular_file
    }

    /// Returns the next game or its first error, and `None` after the last game.
    pub(crate) fn next(&mut self) -> Result<Option<ReadGame>, Problem> {
        while !self.stopped {
            let start = self.text.len();
            let limit = (MAX_GAME - start) as u64 + 1;
            let length = self.input.by_ref().take(limit).read_until(b'\n', &mut self.text);
            let length = length.map_err(|error| {
                Problem::Input(format!("{}: line {}: {error}", self.name, self.line))
            })?;
            self.bytes_read += length as u64;
            if self.text.len() > MAX_GAME {
                self.stopped = true;
                self.text.clear();
                let fault =
                    format!("a game longer than {} MiB; the rest is not read", MAX_GAME >> 20);
                return Ok(Some(Err(RecordFault { line: self.first_line, column: 1, fault })));
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

    /// Parses the game in the first `length` bytes of the text, unless they are blank.
    fn game(&self, length: usize) -> Option<ReadGame> {
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
                let fault = "not UTF-8 text".to_string();
                return Some(Err(RecordFault { line, column, fault }));
            }
        };
        let read = Record::read_at(text, self.first_line, self.rules);
        Some(read.map_err(|ParseRecordError { line, column, problem }| RecordFault {
            line,
            column,
            fault: problem.to_string(),
        }))
    }
}
