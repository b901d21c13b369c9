//! Comments of records, and the commands that programs write into them.

use std::fmt;
use std::time::Duration;

use super::read::has_tag_after_blank_line;
use crate::SilverEval;

/// A comment of a record. It may hold the clock, `[%clk 0:04:51]`, and an evaluation,
/// `[%eval 1.35]`.
///
/// ```
/// use std::time::Duration;
/// use khet::{Comment, SilverEval};
///
/// let comment = Comment::new("[%clk 0:04:51] a quiet move")?;
/// assert_eq!(comment.clock(), Some(Duration::from_secs(4 * 60 + 51)));
/// assert_eq!(comment.eval(), None);
///
/// let comment = Comment::from_eval(SilverEval::Cp(-135));
/// assert_eq!(comment.text(), "[%eval -1.35]");
/// assert!(Comment::new("}").is_err());
/// # Ok::<_, khet::CommentError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Comment(String);

/// A text that can't be a comment: it contains a closing brace, or a tag after a blank line, where
/// readers expect the next game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommentError;

impl fmt::Display for CommentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a comment can't contain the character }, nor a tag after an empty line")
    }
}

impl std::error::Error for CommentError {}

impl Comment {
    /// A comment with that text.
    pub fn new(text: impl Into<String>) -> Result<Comment, CommentError> {
        let text = text.into();
        if text.contains('}') || has_tag_after_blank_line(&text) {
            return Err(CommentError);
        }
        Ok(Comment(text))
    }

    /// A comment with that text, changed where it can't be a comment: `)` replaces closing braces,
    /// and blank lines are removed if a tag follows one.
    pub fn new_lossy(text: &str) -> Comment {
        let text = text.replace('}', ")");
        if !has_tag_after_blank_line(&text) {
            return Comment(text);
        }
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        Comment(lines.join("\n"))
    }

    /// A comment whose text the reader found between braces.
    pub(super) fn between_braces(text: &str) -> Comment {
        Comment(text.to_string())
    }

    /// A comment with the time left on the clock of the player who has just moved.
    pub fn from_clock(left: Duration) -> Comment {
        let seconds = left.as_secs();
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        Comment(format!("[%clk {hours}:{minutes:02}:{:02}]", seconds % 60))
    }

    /// A comment with an evaluation.
    pub fn from_eval(eval: SilverEval) -> Comment {
        Comment(format!("[%eval {eval}]"))
    }

    /// The text between the braces.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The time left, if the comment has it.
    pub fn clock(&self) -> Option<Duration> {
        let mut parts = self.command("clk")?.split(':');
        let mut next = || parts.next()?.parse().ok();
        let (hours, minutes): (u64, u64) = (next()?, next()?);
        let millis = u64::try_from(decimal(parts.next()?, 3)?).ok()?;
        if parts.next().is_some() || minutes >= 60 || millis >= 60_000 {
            return None;
        }
        let whole = hours.checked_mul(3600)?.checked_add(minutes * 60)?;
        Duration::from_secs(whole).checked_add(Duration::from_millis(millis))
    }

    /// The evaluation, if the comment has one.
    pub fn eval(&self) -> Option<SilverEval> {
        self.command("eval")?.parse().ok()
    }

    /// Returns the value of `[%name value]`.
    fn command(&self, name: &str) -> Option<&str> {
        self.0.split("[%").skip(1).find_map(|rest| {
            let (command, _) = rest.split_once(']')?;
            let value = command.strip_prefix(name)?.strip_prefix(' ')?;
            Some(value.trim())
        })
    }
}

/// Reads a decimal number as an integer, rounded to `places` decimals: `-1.255` with two places is
/// -126. Integers give the same result on every platform.
pub(crate) fn decimal(text: &str, places: u32) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let written = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    if !written(whole) || !written(fraction) || whole.len() + fraction.len() == 0 {
        return None;
    }
    let mut units: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let mut digits = fraction.bytes().map(|digit| i64::from(digit - b'0'));
    for _ in 0..places {
        units = units.checked_mul(10)?.checked_add(digits.next().unwrap_or(0))?;
    }
    let round = i64::from(digits.next().is_some_and(|digit| digit >= 5));
    Some(sign * units.checked_add(round)?)
}
