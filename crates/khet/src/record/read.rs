//! Reading records. Every move is replayed, so that a record that was read is known to be right.

use std::str::FromStr;

use super::tags::is_name;
use super::{Comment, GameResult, Line, ParseRecordError, Ply, Record, RecordProblem};
use crate::excerpt::excerpt;
use crate::{Bitboard, Move, ParsePositionError, Placement, Position, Rules, Setup, Square};

/// Some editors put it before the first line of a file.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// How many tags a record may have.
pub const MAX_TAGS: usize = 256;

/// How deep variations may be nested.
pub const MAX_NESTING: usize = 64;

impl FromStr for Record {
    type Err = ParseRecordError;

    /// Reads one game. For a text of several, see [`Records`].
    fn from_str(text: &str) -> Result<Record, ParseRecordError> {
        Record::read_at(text, 1, Rules::Standard)
    }
}

/// Finds where the games of a text begin, line by line.
///
/// A tag behind the moves of a game, or behind a blank line and other tags, is the first of the next
/// game; what stands in a comment is none. Feed all lines in order; a text of any size can be read
/// with no more than one game in memory.
#[derive(Clone, Debug, Default)]
pub struct GameSplitter {
    in_tags: bool,
    in_moves: bool,
    in_comment: bool,
    behind_blank: bool,
}

impl GameSplitter {
    /// Whether this line is the first of a new game.
    pub fn starts_game(&mut self, line: &[u8]) -> bool {
        let line = line.strip_prefix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(line).trim_ascii();
        let behind_blank = std::mem::replace(&mut self.behind_blank, line.is_empty());
        if line.is_empty() {
            return false;
        }
        let opens_tag = matches!(line, [b'[', name, ..] if is_name(*name));
        if opens_tag && !self.in_comment {
            let starts = self.in_moves || (self.in_tags && behind_blank);
            // Moves may follow on the same line.
            let in_moves = !line.ends_with(b"]");
            *self = GameSplitter { in_tags: true, in_moves, ..GameSplitter::default() };
            return starts;
        }
        self.in_moves = true;
        for byte in line {
            match byte {
                b'{' => self.in_comment = true,
                b'}' => self.in_comment = false,
                _ => {}
            }
        }
        false
    }
}

/// The games of a text, one by one. After a faulty one it goes on with the next.
///
/// ```
/// use khet::Records;
///
/// let text = "[Setup \"Classic\"]\n\n1. h2+ *\n\n[Setup \"Isis\"]\n\n1. a1a2 *\n";
/// let results: Vec<_> = Records::new(text).collect();
/// assert!(results[0].is_ok());
/// let error = results[1].as_ref().unwrap_err();
/// assert_eq!(error.to_string(), "line 7, column 4: a1a2: there is no piece on a1");
/// ```
#[derive(Clone, Debug)]
pub struct Records<'a> {
    rest: &'a str,
    /// The number of the first line of the rest.
    line: usize,
}

impl<'a> Records<'a> {
    /// The games of this text.
    pub fn new(text: &'a str) -> Records<'a> {
        Records { rest: text, line: 1 }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, ParseRecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.trim_start().is_empty() {
            return None;
        }
        let mut splitter = GameSplitter::default();
        let (mut end, mut lines) = (0, 0);
        for line in self.rest.split_inclusive('\n') {
            if splitter.starts_game(line.as_bytes()) {
                break;
            }
            end += line.len();
            lines += 1;
        }
        let (text, rest) = self.rest.split_at(end);
        let result = Record::read_at(text, self.line, Rules::Standard);
        self.rest = rest;
        self.line += lines;
        Some(result)
    }
}

impl Record {
    /// Reads one game of a larger text, in which it begins on that line. The rules are those that
    /// hold where the record names none.
    pub fn read_at(text: &str, line: usize, rules: Rules) -> Result<Record, ParseRecordError> {
        let at = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        Reader { text, first_line: line, rules, at }.record()
    }
}

type Read<T> = Result<T, ParseRecordError>;

/// Reads a record from left to right.
struct Reader<'a> {
    text: &'a str,
    first_line: usize,
    rules: Rules,
    /// Bytes read.
    at: usize,
}

/// How a line of moves ended.
enum LineEnd {
    GameResult(GameResult),
    Parenthesis,
    Text,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    #[cold]
    fn error(&self, at: usize, problem: RecordProblem) -> ParseRecordError {
        let before = &self.text[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        ParseRecordError {
            line: self.first_line + before.bytes().filter(|&byte| byte == b'\n').count(),
            column: before[line_start..].chars().count() + 1,
            problem,
        }
    }

    fn fail<T>(&self, at: usize, problem: RecordProblem) -> Read<T> {
        Err(self.error(at, problem))
    }

    /// The text up to the next white space, brace or parenthesis.
    fn word(&mut self) -> &'a str {
        let rest = &self.text.as_bytes()[self.at..];
        let ends =
            |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | b'(' | b')');
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        let word = &self.text[self.at..self.at + length];
        self.at += length;
        word
    }

    fn record(mut self) -> Read<Record> {
        let mut record = Record {
            tags: Vec::new(),
            start: Setup::Classic.position(),
            line: Line::default(),
            result: GameResult::Unknown,
        };
        let start_at = self.tags(&mut record)?;
        if record.tag("Rules").is_none() && self.rules != Rules::default() {
            record.tags.push(("Rules".to_string(), self.rules.to_string()));
        }
        record.start = self.start(&record, start_at)?;

        let mut position = record.start;
        let (line, end) = self.line(&mut position, record.start.side_to_move() as usize, 0)?;
        record.line = line;
        let end_at = self.at;
        match end {
            LineEnd::GameResult(score) => record.result = score,
            LineEnd::Parenthesis => return self.fail(end_at - 1, RecordProblem::LooseParenthesis),
            LineEnd::Text => return self.fail(end_at, RecordProblem::NoScore),
        }
        let score_at = end_at - record.result.text().len();
        if let Some(outcome) = position.outcome() {
            let actual = GameResult::from_winner(outcome.winner);
            if actual != record.result {
                return self.fail(score_at, RecordProblem::ScoreContradictsBoard { actual });
            }
        }
        if let Some(text) = record.tag("Result") {
            match GameResult::from_text(text) {
                Some(tag) if tag != record.result => {
                    let problem = RecordProblem::ScoresDiffer { tag, end: record.result };
                    return self.fail(score_at, problem);
                }
                _ => {}
            }
        }
        self.skip_space();
        if self.at < self.text.len() {
            let rest = excerpt(self.text[self.at..].trim_end());
            return self.fail(self.at, RecordProblem::TrailingText(rest));
        }
        Ok(record)
    }

    /// Reads all tags. Returns where the tag that says the start is, or where it is missing.
    fn tags(&mut self, record: &mut Record) -> Read<usize> {
        let mut start_at = None;
        loop {
            self.skip_space();
            let at = self.at;
            if self.peek() != Some(b'[') {
                return Ok(start_at.unwrap_or(at));
            }
            let Some((name, value)) = self.tag() else {
                let line = self.text[at..].lines().next().unwrap_or_default();
                return self.fail(at, RecordProblem::BadTag(excerpt(line)));
            };
            if record.tags.len() == MAX_TAGS {
                return self.fail(at, RecordProblem::TooManyTags);
            }
            if record.tag(name).is_some() {
                return self.fail(at, RecordProblem::RepeatedTag(excerpt(name)));
            }
            match name {
                "Setup" | "Position" if start_at.is_some() => {
                    return self.fail(at, RecordProblem::TwoStarts);
                }
                "Setup" | "Position" => start_at = Some(at),
                "Result" if GameResult::from_text(&value).is_none() => {
                    return self.fail(at, RecordProblem::UnknownScore(excerpt(&value)));
                }
                _ => {}
            }
            record.tags.push((name.to_string(), value));
            if let Err(name) = record.tagged_rules() {
                return self.fail(at, RecordProblem::UnknownRules(excerpt(name)));
            }
        }
    }

    /// `[Name "value"]`, in which `\"` and `\\` stand for a quote and a backslash.
    fn tag(&mut self) -> Option<(&'a str, String)> {
        let rest = self.text[self.at..].strip_prefix('[')?;
        let length = rest.bytes().take_while(|&byte| is_name(byte)).count();
        let (name, rest) = rest.split_at(length);
        let rest = rest.trim_start_matches(' ').strip_prefix('"')?;
        if name.is_empty() {
            return None;
        }
        let mut value = String::new();
        let mut chars = rest.char_indices();
        let end = loop {
            match chars.next()? {
                (at, '"') => break at + 1,
                (_, '\\') => match chars.next()? {
                    (_, escaped @ ('"' | '\\')) => value.push(escaped),
                    _ => return None,
                },
                (_, control) if control.is_control() => return None,
                (_, plain) => value.push(plain),
            }
        };
        let rest = rest[end..].trim_start_matches(' ').strip_prefix(']')?;
        self.at = self.text.len() - rest.len();
        Some((name, value))
    }

    /// The starting position that the tags give.
    fn start(&self, record: &Record, at: usize) -> Read<Position> {
        let rules = record.tagged_rules().unwrap_or_default();
        if let Some(name) = record.tag("Setup") {
            let Ok(setup) = name.parse::<Setup>() else {
                return self.fail(at, RecordProblem::UnknownSetup(excerpt(name)));
            };
            return Ok(setup.position().with_rules(rules));
        }
        let Some(text) = record.tag("Position") else {
            return self.fail(at, RecordProblem::NoStart);
        };
        let position =
            text.parse::<Placement>().map_err(ParsePositionError::Text).and_then(|placement| {
                Position::new(&placement, rules).map_err(ParsePositionError::Invalid)
            });
        position.map_err(|error| self.error(at, RecordProblem::BadPosition(error)))
    }

    /// Reads moves until the score or the parenthesis that ends them. `count` is the number of
    /// moves before them, a missing first one of Silver's included.
    fn line(
        &mut self,
        position: &mut Position,
        mut count: usize,
        depth: usize,
    ) -> Read<(Line, LineEnd)> {
        let mut line = Line::default();
        let mut before = *position;
        let end = loop {
            self.skip_space();
            let at = self.at;
            let Some(byte) = self.peek() else { break LineEnd::Text };
            match byte {
                b'{' => {
                    let comment = self.comment()?;
                    match line.plies.last_mut() {
                        Some(ply) => ply.comments.push(comment),
                        None => line.comments.push(comment),
                    }
                }
                b'(' => {
                    let Some(ply) = line.plies.last_mut() else {
                        return self.fail(at, RecordProblem::NothingBefore("(".to_string()));
                    };
                    ply.variations.push(self.variation(before, count - 1, depth + 1)?);
                }
                b')' => {
                    self.at += 1;
                    break LineEnd::Parenthesis;
                }
                b'}' => return self.fail(at, RecordProblem::UnknownWord("}".to_string())),
                b'$' => {
                    let word = self.word();
                    let Some(ply) = line.plies.last_mut() else {
                        return self.fail(at, RecordProblem::NothingBefore(excerpt(word)));
                    };
                    match word[1..].parse() {
                        Ok(mark) if !word.starts_with("$+") => ply.marks.push(mark),
                        _ => return self.fail(at, RecordProblem::UnknownWord(excerpt(word))),
                    }
                }
                b'0'..=b'9' | b'*' => {
                    let word = self.word();
                    if let Some(score) = GameResult::from_text(word) {
                        break LineEnd::GameResult(score);
                    }
                    self.at = at;
                    self.number(count, word)?;
                }
                _ => {
                    before = *position;
                    self.mv(position, &before, &mut line.plies)?;
                    count += 1;
                }
            }
        };
        Ok((line, end))
    }

    fn comment(&mut self) -> Read<Comment> {
        let inside = &self.text[self.at + 1..];
        let Some(length) = inside.find('}') else {
            return self.fail(self.at, RecordProblem::OpenComment);
        };
        self.at += length + 2;
        Ok(Comment::between_braces(&inside[..length]))
    }

    fn variation(&mut self, mut start: Position, count: usize, depth: usize) -> Read<Line> {
        let at = self.at;
        if depth > MAX_NESTING {
            return self.fail(at, RecordProblem::TooDeep);
        }
        self.at += 1;
        match self.line(&mut start, count, depth)? {
            (line, LineEnd::Parenthesis) if !line.plies.is_empty() => Ok(line),
            (_, LineEnd::Parenthesis) => self.fail(at, RecordProblem::EmptyVariation),
            (_, LineEnd::GameResult(score)) => {
                self.fail(self.at - score.text().len(), RecordProblem::ScoreInVariation)
            }
            (_, LineEnd::Text) => self.fail(at, RecordProblem::OpenVariation),
        }
    }

    /// `12.` or `12...` before a move: the number may be left out, but not be wrong.
    fn number(&mut self, count: usize, word: &str) -> Read<()> {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let dots = word[digits..].bytes().take_while(|&byte| byte == b'.').count();
        if digits == 0 || (dots == 0 && digits < word.len()) {
            return self.fail(self.at, RecordProblem::UnknownWord(excerpt(word)));
        }
        let expected = count / 2 + 1;
        if word[..digits].parse() != Ok(expected) {
            let (written, expected) = (excerpt(word), expected.to_string());
            return self.fail(self.at, RecordProblem::WrongNumber { written, expected });
        }
        self.at += digits + dots;
        Ok(())
    }

    /// A move, what its shot did, and the marks on either.
    fn mv(&mut self, position: &mut Position, before: &Position, plies: &mut Vec<Ply>) -> Read<()> {
        let at = self.at;
        let word = self.word();
        let (core, mark) = self.split_mark(at, word)?;
        let Some(mv) = Move::from_bytes(core.as_bytes()) else {
            let loose = core.starts_with('x') && core.len() > 2;
            let problem = if loose { RecordProblem::LooseShot } else { RecordProblem::UnknownWord };
            return self.fail(at, problem(excerpt(word)));
        };
        let mv = match position.check(mv) {
            Ok(mv) => mv,
            Err(error) => return self.fail(at, RecordProblem::Illegal(error)),
        };
        let removed = position.play_unchecked(mv);
        let shot_mark = self.shot(before, mv, removed)?;
        let mut ply = Ply::new(mv);
        ply.marks.extend(mark.into_iter().chain(shot_mark));
        plies.push(ply);
        Ok(())
    }

    /// A word without the mark behind it, and the mark's number.
    fn split_mark(&self, at: usize, word: &'a str) -> Read<(&'a str, Option<u8>)> {
        let (core, mark) = word.split_at(word.trim_end_matches(['!', '?']).len());
        if mark.is_empty() || core.is_empty() {
            return Ok((word, None));
        }
        match MARKS.iter().position(|&known| known == mark) {
            Some(index) => Ok((core, Some(index as u8 + 1))),
            None => self.fail(at, RecordProblem::UnknownWord(excerpt(word))),
        }
    }

    /// Compares what is written of a shot, if anything is, with what it did. Returns the mark behind
    /// it.
    fn shot(&mut self, before: &Position, mv: Move, removed: Bitboard) -> Read<Option<u8>> {
        self.skip_space();
        if self.peek() != Some(b'x') {
            return Ok(None);
        }
        let at = self.at;
        let fired = before.before_shot(mv);
        let (mut end, mut mark) = (at, None);
        let mut written = Bitboard::EMPTY;
        let mut right = true;
        while self.peek() == Some(b'x') && mark.is_none() {
            let word_at = self.at;
            let word = self.word();
            let (core, behind) = self.split_mark(word_at, word)?;
            (end, mark) = (self.at, behind);
            let square = match *core.as_bytes() {
                [_, file, rank, ..] => Square::from_name(file, rank),
                _ => None,
            };
            match square.and_then(|square| fired.hit(square)) {
                Some(hit) if hit.sign() == &core[3..] && !written.has(hit.square) => {
                    written |= Bitboard::of(hit.square);
                }
                _ => right = false,
            }
            self.skip_space();
        }
        if written != removed || !right {
            let problem = RecordProblem::WrongShot {
                written: excerpt(&self.text[at..end]),
                actual: fired.fire(before.side_to_move()).to_string(),
            };
            return self.fail(at, problem);
        }
        Ok(mark)
    }
}

/// The marks that can stand right behind a move, by their PGN numbers from 1 on.
const MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];
