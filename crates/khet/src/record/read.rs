//! Reading records. Every move is replayed, so a record that was read holds only legal moves.

use std::marker::PhantomData;
use std::str::FromStr;

use super::tags::is_name;
use super::{Comment, GameResult, ParseRecordError, Ply, Record, RecordProblem, Variation};
use crate::board_square::LevelSquare;
use crate::excerpt::excerpt;
use crate::{AnyPosition, BoardSquare, GamePosition, Hit, Move, Position, Rules};

/// Some editors write it before the first line of a file.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The maximum number of tags in a record.
pub const MAX_TAGS: usize = 256;

/// The maximum depth of nested variations.
pub const MAX_NESTING: usize = 64;

impl<P: GamePosition> FromStr for Record<P> {
    type Err = ParseRecordError;

    /// Reads one game. [`Records`] reads a text of several.
    fn from_str(text: &str) -> Result<Record<P>, ParseRecordError> {
        Record::read_at(text, 1, Rules::Standard)
    }
}

/// Finds the lines on which the games of a text begin.
///
/// A tag after the moves of a game, or after a blank line and other tags, begins the next game.
/// Tags inside a comment do not, except after a blank line: there the comment counts as unclosed,
/// so that one missing brace does not hide all games that follow.
///
/// Feed all lines in order; a text of any size can be read with only one game in memory.
#[derive(Clone, Debug, Default)]
pub struct GameSplitter {
    in_tags: bool,
    in_moves: bool,
    in_comment: bool,
    after_blank: bool,
}

impl GameSplitter {
    /// Returns whether this line is the first of a new game.
    pub fn starts_game(&mut self, line: &[u8]) -> bool {
        let line = trim_line(line);
        let after_blank = std::mem::replace(&mut self.after_blank, line.is_empty());
        if line.is_empty() {
            return false;
        }
        let opens_tag = if self.in_comment {
            after_blank && begins_tag_pair(line)
        } else {
            matches!(line, [b'[', name, ..] if is_name(*name))
        };
        if opens_tag {
            let starts = self.in_moves || (self.in_tags && after_blank);
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

/// Removes the byte order mark and surrounding space.
fn trim_line(line: &[u8]) -> &[u8] {
    line.strip_prefix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(line).trim_ascii()
}

/// Returns whether a trimmed line begins with `[Name "`.
fn begins_tag_pair(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"[") else { return false };
    let name = rest.iter().take_while(|&&byte| is_name(byte)).count();
    name > 0 && rest[name..].trim_ascii_start().starts_with(b"\"")
}

/// Returns whether a text contains a tag on the line after a blank one. The text begins inside a
/// line, after a brace.
pub(super) fn has_tag_after_blank_line(text: &str) -> bool {
    let mut after_blank = false;
    text.split('\n').skip(1).any(|line| {
        let line = trim_line(line.as_bytes());
        std::mem::replace(&mut after_blank, line.is_empty()) && begins_tag_pair(line)
    })
}

/// An iterator over the games of a text. It continues after a faulty game.
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
pub struct Records<'a, P = Position> {
    rest: &'a str,
    /// The number of the first line of the rest.
    line: usize,
    positions: PhantomData<P>,
}

impl<'a> Records<'a> {
    /// The games of this text, all without a tower.
    pub fn new(text: &'a str) -> Records<'a> {
        Records { rest: text, line: 1, positions: PhantomData }
    }
}

impl<'a> Records<'a, AnyPosition> {
    /// The games of this text, with and without a tower.
    ///
    /// ```
    /// use khet::Records;
    ///
    /// let text = "[Setup \"Classic\"]\n\n1. h2+ *\n\n[Setup \"Orontes\"]\n\n1. Te5 *\n";
    /// let records: Vec<_> = Records::any(text).collect::<Result<_, _>>()?;
    /// assert_eq!(records[1].main_line().plies[0].mv.to_string(), "Te5");
    /// # Ok::<_, khet::ParseRecordError>(())
    /// ```
    pub fn any(text: &'a str) -> Records<'a, AnyPosition> {
        Records { rest: text, line: 1, positions: PhantomData }
    }
}

impl<P: GamePosition> Iterator for Records<'_, P> {
    type Item = Result<Record<P>, ParseRecordError>;

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

impl<P: GamePosition> Record<P> {
    /// Reads one game of a larger text. `line` is the number of its first line, and `rules` apply
    /// unless the record names others.
    pub fn read_at(text: &str, line: usize, rules: Rules) -> Result<Record<P>, ParseRecordError> {
        RecordParser::new(text, line, rules).record()
    }
}

type Read<T> = Result<T, ParseRecordError>;

/// A recursive-descent parser for one record.
struct RecordParser<'a> {
    text: &'a str,
    first_line: usize,
    rules: Rules,
    /// The number of bytes read.
    at: usize,
}

/// The tags of a record while it is read.
struct TagPairs(Vec<(String, String)>);

impl TagPairs {
    /// Returns the value of a tag.
    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The end of a sequence of moves.
enum MovesEnd {
    Result(GameResult),
    Parenthesis,
    EndOfText,
}

impl<'a> RecordParser<'a> {
    fn new(text: &'a str, first_line: usize, rules: Rules) -> RecordParser<'a> {
        let at = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        RecordParser { text, first_line, rules, at }
    }

    /// Returns the next byte.
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Returns an error at a byte of the text.
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

    /// Reads the text up to the next white space, brace or parenthesis.
    fn word(&mut self) -> &'a str {
        let rest = &self.text.as_bytes()[self.at..];
        let ends =
            |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | b'(' | b')');
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        let word = &self.text[self.at..self.at + length];
        self.at += length;
        word
    }

    /// Reads a whole record.
    fn record<P: GamePosition>(mut self) -> Read<Record<P>> {
        let (tags, start_at) = self.tags()?;
        let start = self.start::<P>(&tags, start_at)?;
        let mut position = start;
        let (main_line, end) = self.moves(&mut position, start.side_to_move() as usize, 0)?;
        let mut record = Record { tags: tags.0, start, main_line, result: GameResult::Unknown };
        let end_at = self.at;
        match end {
            MovesEnd::Result(result) => record.result = result,
            MovesEnd::Parenthesis => {
                return self.fail(end_at - 1, RecordProblem::UnmatchedParenthesis);
            }
            MovesEnd::EndOfText => return self.fail(end_at, RecordProblem::MissingResult),
        }
        let result_at = end_at - record.result.text().len();
        if let Some(outcome) = position.outcome() {
            let actual = outcome.result();
            if actual != record.result {
                return self.fail(result_at, RecordProblem::ResultContradictsBoard { actual });
            }
        }
        if let Some(text) = record.tag("Result") {
            match GameResult::from_text(text) {
                Some(tag) if tag != record.result => {
                    let problem = RecordProblem::ResultsDiffer { tag, end: record.result };
                    return self.fail(result_at, problem);
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

    /// Reads all tags. Also returns the place of the tag that gives the starting position, or the
    /// place where it is missing.
    fn tags(&mut self) -> Read<(TagPairs, usize)> {
        let mut tags = TagPairs(Vec::new());
        let mut start_at = None;
        loop {
            self.skip_space();
            let at = self.at;
            if self.peek() != Some(b'[') {
                if tags.get("Rules").is_none() && self.rules != Rules::default() {
                    tags.0.push(("Rules".to_string(), self.rules.to_string()));
                }
                return Ok((tags, start_at.unwrap_or(at)));
            }
            let Some((name, value)) = self.tag() else {
                let line = self.text[at..].lines().next().unwrap_or_default();
                return self.fail(at, RecordProblem::MalformedTag(excerpt(line)));
            };
            if tags.0.len() == MAX_TAGS {
                return self.fail(at, RecordProblem::TooManyTags);
            }
            if tags.get(name).is_some() {
                return self.fail(at, RecordProblem::DuplicateTag(excerpt(name)));
            }
            match name {
                "Setup" | "Position" if start_at.is_some() => {
                    return self.fail(at, RecordProblem::TwoStarts);
                }
                "Setup" | "Position" => start_at = Some(at),
                "Result" if GameResult::from_text(&value).is_none() => {
                    return self.fail(at, RecordProblem::UnknownResult(excerpt(&value)));
                }
                "Rules" if value.parse::<Rules>().is_err() => {
                    return self.fail(at, RecordProblem::UnknownRules(excerpt(&value)));
                }
                _ => {}
            }
            tags.0.push((name.to_string(), value));
        }
    }

    /// Reads `[Name "value"]`, in which `\"` and `\\` stand for a quote and a backslash.
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

    /// Returns the starting position that the tags give.
    fn start<P: GamePosition>(&self, tags: &TagPairs, at: usize) -> Read<P> {
        let rules = tags.get("Rules").and_then(|name| name.parse().ok()).unwrap_or_default();
        if let Some(name) = tags.get("Setup") {
            let Some(position) = P::from_setup(name) else {
                return self.fail(at, RecordProblem::UnknownSetup(excerpt(name)));
            };
            return Ok(position.with_rules(rules));
        }
        let Some(text) = tags.get("Position") else {
            return self.fail(at, RecordProblem::MissingStart);
        };
        P::read(text, rules).map_err(|problem| self.error(at, problem))
    }

    /// Reads moves until the result or the parenthesis that ends them. `count` is the number of
    /// moves before them; if Red begins the game, it includes a missing first move of Silver.
    fn moves<P: GamePosition>(
        &mut self,
        position: &mut P,
        mut count: usize,
        depth: usize,
    ) -> Read<(Variation<P::Square>, MovesEnd)> {
        let mut variation = Variation::default();
        let mut before = *position;
        let end = loop {
            self.skip_space();
            let at = self.at;
            let Some(byte) = self.peek() else { break MovesEnd::EndOfText };
            match byte {
                b'{' => {
                    let comment = self.comment()?;
                    match variation.plies.last_mut() {
                        Some(ply) => ply.comments.push(comment),
                        None => variation.comments.push(comment),
                    }
                }
                b'(' => {
                    let Some(ply) = variation.plies.last_mut() else {
                        return self.fail(at, RecordProblem::NoMoveBefore("(".to_string()));
                    };
                    ply.variations.push(self.variation(before, count - 1, depth + 1)?);
                }
                b')' => {
                    self.at += 1;
                    break MovesEnd::Parenthesis;
                }
                b'}' => return self.fail(at, RecordProblem::UnknownToken("}".to_string())),
                b'$' => {
                    let word = self.word();
                    let Some(ply) = variation.plies.last_mut() else {
                        return self.fail(at, RecordProblem::NoMoveBefore(excerpt(word)));
                    };
                    match word[1..].parse() {
                        Ok(mark) if !word.starts_with("$+") => ply.marks.push(mark),
                        _ => return self.fail(at, RecordProblem::UnknownToken(excerpt(word))),
                    }
                }
                b'0'..=b'9' | b'*' => {
                    let word = self.word();
                    if let Some(result) = GameResult::from_text(word) {
                        break MovesEnd::Result(result);
                    }
                    self.at = at;
                    self.number(count, word)?;
                }
                _ => {
                    before = *position;
                    self.mv(position, &before, &mut variation.plies)?;
                    count += 1;
                }
            }
        };
        Ok((variation, end))
    }

    /// Reads a comment in braces.
    fn comment(&mut self) -> Read<Comment> {
        let inside = &self.text[self.at + 1..];
        let length = inside.find('}');
        // A tag after a blank line begins the next game, as in `GameSplitter`.
        let Some(length) = length.filter(|&length| !has_tag_after_blank_line(&inside[..length]))
        else {
            return self.fail(self.at, RecordProblem::UnclosedComment);
        };
        self.at += length + 2;
        Ok(Comment::between_braces(&inside[..length]))
    }

    /// Reads a variation in parentheses.
    fn variation<P: GamePosition>(
        &mut self,
        mut start: P,
        count: usize,
        depth: usize,
    ) -> Read<Variation<P::Square>> {
        let at = self.at;
        if depth > MAX_NESTING {
            return self.fail(at, RecordProblem::NestedTooDeep);
        }
        self.at += 1;
        match self.moves(&mut start, count, depth)? {
            (variation, MovesEnd::Parenthesis) if !variation.plies.is_empty() => Ok(variation),
            (_, MovesEnd::Parenthesis) => self.fail(at, RecordProblem::EmptyVariation),
            (_, MovesEnd::Result(result)) => {
                self.fail(self.at - result.text().len(), RecordProblem::ResultInVariation)
            }
            (_, MovesEnd::EndOfText) => self.fail(at, RecordProblem::UnclosedVariation),
        }
    }

    /// Reads `12.` or `12...` before a move, and compares it with the number of the move. Three
    /// dots stand only before a move of Red.
    fn number(&mut self, count: usize, word: &str) -> Read<()> {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let dots = word[digits..].bytes().take_while(|&byte| byte == b'.').count();
        if digits == 0 || (dots == 0 && digits < word.len()) {
            return self.fail(self.at, RecordProblem::UnknownToken(excerpt(word)));
        }
        let number = count / 2 + 1;
        let wrong =
            |expected: String| RecordProblem::WrongNumber { written: excerpt(word), expected };
        if word[..digits].parse() != Ok(number) {
            return self.fail(self.at, wrong(number.to_string()));
        }
        let silver_moves = count.is_multiple_of(2);
        if silver_moves && dots > 1 {
            return self.fail(self.at, wrong(format!("{number}.")));
        }
        self.at += digits + dots;
        Ok(())
    }

    /// Reads a move, its shot, and the marks after either.
    fn mv<P: GamePosition>(
        &mut self,
        position: &mut P,
        before: &P,
        plies: &mut Vec<Ply<P::Square>>,
    ) -> Read<()> {
        let at = self.at;
        let word = self.word();
        let (core, mark) = self.split_mark(at, word)?;
        let Some(mv) = Move::from_bytes(core.as_bytes()) else {
            let is_shot = core.starts_with('x') && core.len() > 2;
            let problem =
                if is_shot { RecordProblem::NoMoveBefore } else { RecordProblem::UnknownToken };
            return self.fail(at, problem(excerpt(word)));
        };
        let mv = match position.check(mv) {
            Ok(mv) => mv,
            Err(error) => return self.fail(at, P::Square::illegal_in_record(error)),
        };
        let removed = position.play_unchecked(mv);
        let shot_mark = self.shot(before, mv, removed)?;
        let mut ply = Ply::new(mv);
        ply.marks.extend(mark.into_iter().chain(shot_mark));
        plies.push(ply);
        Ok(())
    }

    /// Splits a word into the part before its mark, and the number of the mark.
    fn split_mark(&self, at: usize, word: &'a str) -> Read<(&'a str, Option<u8>)> {
        let (core, mark) = word.split_at(word.trim_end_matches(['!', '?']).len());
        if mark.is_empty() || core.is_empty() {
            return Ok((word, None));
        }
        match MARKS.iter().position(|&known| known == mark) {
            Some(index) => Ok((core, Some(index as u8 + 1))),
            None => self.fail(at, RecordProblem::UnknownToken(excerpt(word))),
        }
    }

    /// Reads the hits that are written after a move, if any, and compares them with those of its
    /// shot. Returns the mark after them.
    fn shot<P: GamePosition>(
        &mut self,
        before: &P,
        mv: Move<P::Square>,
        removed: <P::Square as BoardSquare>::Set,
    ) -> Read<Option<u8>> {
        self.skip_space();
        if self.peek() != Some(b'x') {
            return Ok(None);
        }
        let at = self.at;
        let fired = before.before_shot(mv);
        let (mut end, mut mark) = (at, None);
        let mut written = <P::Square as BoardSquare>::Set::default();
        let mut correct = true;
        while self.peek() == Some(b'x') && mark.is_none() {
            let word_at = self.at;
            let word = self.word();
            let (core, mark_after) = self.split_mark(word_at, word)?;
            (end, mark) = (self.at, mark_after);
            let square = match *core.as_bytes() {
                [_, file, rank, ..] => P::Square::from_name(file, rank),
                _ => None,
            };
            match square.and_then(|square| Some(Hit::new(square, fired.get(square)?))) {
                Some(hit) if hit.sign() == &core[3..] && !hit.square.is_in(written) => {
                    written |= hit.square.to_set();
                }
                _ => correct = false,
            }
            self.skip_space();
        }
        if written != removed || !correct {
            let problem = RecordProblem::WrongShot {
                written: excerpt(&self.text[at..end]),
                actual: fired.fire(before.side_to_move()).to_string(),
            };
            return self.fail(at, problem);
        }
        Ok(mark)
    }
}

/// The marks that can follow a move directly, in the order of their PGN numbers from 1.
const MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];
