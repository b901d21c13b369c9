//! What stands in braces, and the commands that programs put there.

use std::fmt;
use std::time::Duration;

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

/// A text that can't stand in braces, because it holds the closing one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommentError;

impl fmt::Display for CommentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a comment can't hold the character }")
    }
}

impl std::error::Error for CommentError {}

impl Comment {
    /// A comment with that text.
    pub fn new(text: impl Into<String>) -> Result<Comment, CommentError> {
        let text = text.into();
        if text.contains('}') { Err(CommentError) } else { Ok(Comment(text)) }
    }

    /// For a text that was found between braces.
    pub(super) fn between_braces(text: &str) -> Comment {
        Comment(text.to_string())
    }

    /// A comment that holds the time left on the clock of the player who has just moved.
    pub fn from_clock(left: Duration) -> Comment {
        let seconds = left.as_secs();
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        Comment(format!("[%clk {hours}:{minutes:02}:{:02}]", seconds % 60))
    }

    /// A comment that holds an evaluation.
    pub fn from_eval(eval: SilverEval) -> Comment {
        Comment(format!("[%eval {eval}]"))
    }

    /// What stands between the braces.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The time left, if the comment holds it.
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

    /// The evaluation, if the comment holds one.
    pub fn eval(&self) -> Option<SilverEval> {
        self.command("eval")?.parse().ok()
    }

    /// The value of `[%name value]`.
    fn command(&self, name: &str) -> Option<&str> {
        self.0.split("[%").skip(1).find_map(|rest| {
            let (command, _) = rest.split_once(']')?;
            let value = command.strip_prefix(name)?.strip_prefix(' ')?;
            Some(value.trim())
        })
    }
}

/// A decimal number in units of its last place that counts: `-1.255` with two places is -126. Whole
/// numbers, because they come out the same everywhere.
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
