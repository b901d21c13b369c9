//! The tag pairs of a record.

use std::fmt;

use super::{GameResult, Record};
use crate::{GamePosition, Outcome, Termination};

/// The tags that are written first, in this order.
const ROSTER: [&str; 11] = [
    "Event",
    "Site",
    "Date",
    "Silver",
    "Red",
    "Result",
    "Setup",
    "Position",
    "Rules",
    "TimeControl",
    TERMINATION,
];

const TERMINATION: &str = "Termination";

/// Tags that are derived from the record: start, rules and result.
const DERIVED: [&str; 4] = ["Result", "Setup", "Position", "Rules"];

/// A tag that can't be set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TagError {
    /// The tag is derived from the start, the rules or the result of the record.
    Derived(String),
    /// The name has other characters than letters, digits and underscores.
    WrongName(String),
    /// The value is not one line of text.
    WrongValue(String),
}

impl fmt::Display for TagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TagError::Derived(name) => write!(f, "the tag {name} is derived from the record"),
            TagError::WrongName(name) => {
                write!(f, "{name:?}: the name of a tag consists of letters, digits and underscores")
            }
            TagError::WrongValue(name) => write!(f, "the value of {name} must be one line of text"),
        }
    }
}

impl std::error::Error for TagError {}

impl<P: GamePosition> Record<P> {
    /// All tag pairs, in the order of the text.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The tag pairs that can be set: all but those derived from start, rules and result.
    pub fn free_tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags().filter(|(name, _)| !DERIVED.contains(name))
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags().find(|&(known, _)| known == name).map(|(_, value)| value)
    }

    /// Sets a tag such as `Silver` or `Date`.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        if DERIVED.contains(&name) {
            return Err(TagError::Derived(name.to_string()));
        }
        if name.is_empty() || !name.bytes().all(is_name) {
            return Err(TagError::WrongName(name.to_string()));
        }
        if value.chars().any(char::is_control) {
            return Err(TagError::WrongValue(name.to_string()));
        }
        self.put_tag(name, value);
        Ok(())
    }

    /// Sets the result and its tag. A reader refuses a result that contradicts the last position.
    pub fn set_result(&mut self, result: GameResult) {
        self.result = result;
        self.put_tag("Result", result.text());
    }

    /// Sets the result and the tag `Termination`.
    pub fn set_outcome(&mut self, outcome: Outcome) {
        self.set_result(outcome.result());
        match outcome.termination {
            Termination::Unspecified => self.remove_tag(TERMINATION),
            termination => self.put_tag(TERMINATION, termination.name()),
        }
    }

    /// The termination that the tag names, if there is one that is known.
    pub(super) fn tagged_termination(&self) -> Option<Termination> {
        self.tag(TERMINATION)?.parse().ok()
    }

    /// Makes result and tag agree with the last position after the moves have changed. A missing
    /// tag stays missing: [`Record::outcome`] prefers the position anyway.
    pub(super) fn follow_board(&mut self, on_board: Option<Outcome>) {
        match on_board {
            Some(outcome) if self.tag(TERMINATION).is_some() => self.set_outcome(outcome),
            Some(outcome) => self.set_result(outcome.result()),
            None if self.tagged_termination().is_some_and(Termination::is_on_board) => {
                self.remove_tag(TERMINATION);
            }
            None => {}
        }
    }

    fn remove_tag(&mut self, name: &str) {
        self.tags.retain(|(known, _)| known != name);
    }

    /// Sets the tags that are derived from the start.
    pub(super) fn tag_start(&mut self) {
        self.put_tag("Result", self.result.text());
        match self.start.setup_name() {
            Some(name) => self.put_tag("Setup", &title(name)),
            None => self.put_tag("Position", &self.start.to_string()),
        }
        self.put_tag("Rules", self.start.rules().name());
    }

    /// Sets a tag without checking it.
    pub(crate) fn put_tag(&mut self, name: &str, value: &str) {
        if let Some((_, known)) = self.tags.iter_mut().find(|(known, _)| known == name) {
            *known = value.to_string();
            return;
        }
        let rank = |name: &str| ROSTER.iter().position(|&known| known == name);
        let before = |known: &str| match (rank(known), rank(name)) {
            (Some(known), Some(new)) => known > new,
            (None, Some(_)) => true,
            (_, None) => false,
        };
        let at = self.tags.iter().position(|(known, _)| before(known));
        let at = at.unwrap_or(self.tags.len());
        self.tags.insert(at, (name.to_string(), value.to_string()));
    }
}

/// Returns whether the name of a tag may have this character.
pub(super) const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the name of a setup as records write it: `Khet2-Imhotep-Eye`.
fn title(setup: &str) -> String {
    let mut start = true;
    let capital = |letter: char| {
        let letter = if start { letter.to_ascii_uppercase() } else { letter };
        start = letter == '-';
        letter
    };
    setup.chars().map(capital).collect()
}
