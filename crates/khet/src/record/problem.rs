//! Errors in the text of a record.

use std::fmt;

use super::{GameResult, MAX_NESTING, MAX_TAGS};
use crate::{IllegalMove, ParsePositionError, tower};

/// The first error in a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseRecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// The character in that line, counted from 1.
    pub column: usize,
    /// The error.
    pub problem: RecordProblem,
}

/// An error in a record.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum RecordProblem {
    /// A tag is not of the form `[Name "value"]`.
    MalformedTag(String),
    /// A tag occurs twice.
    DuplicateTag(String),
    /// There are more than [`MAX_TAGS`] tags.
    TooManyTags,
    /// No tag gives the starting position.
    MissingStart,
    /// Both `Setup` and `Position` give the starting position.
    TwoStarts,
    /// `Setup` names no setup.
    UnknownSetup(String),
    /// `Position` holds no playable position.
    BadPosition(ParsePositionError),
    /// `Position` holds no playable position with a tower.
    BadTowerPosition(tower::ParsePositionError),
    /// `Rules` names no edition.
    UnknownRules(String),
    /// `Result` holds no result.
    UnknownResult(String),
    /// A token is neither a move nor anything else that a game consists of.
    UnknownToken(String),
    /// A move is illegal.
    Illegal(IllegalMove),
    /// A move is illegal in a game that has a tower, or was read as one that may have one.
    IllegalWithTower(IllegalMove<tower::Square>),
    /// The shot hit something else.
    WrongShot { written: String, actual: String },
    /// A shot, a mark or a variation has no move before it.
    NoMoveBefore(String),
    /// The number before a move is not the number of the move, or its dots are those of the other
    /// side.
    WrongNumber { written: String, expected: String },
    /// A comment has no closing brace before the next game.
    UnclosedComment,
    /// A variation has no closing parenthesis.
    UnclosedVariation,
    /// A result occurs inside a variation.
    ResultInVariation,
    /// A closing parenthesis ends no variation.
    UnmatchedParenthesis,
    /// A variation has no move.
    EmptyVariation,
    /// Variations are nested deeper than [`MAX_NESTING`].
    NestedTooDeep,
    /// The text ends without a result.
    MissingResult,
    /// The result after the moves differs from that of the tag.
    ResultsDiffer { tag: GameResult, end: GameResult },
    /// The last position is decided, and the result differs.
    ResultContradictsBoard { actual: GameResult },
    /// Something follows the result.
    TrailingText(String),
}

impl fmt::Display for ParseRecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.problem)
    }
}

impl fmt::Display for RecordProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use RecordProblem as P;
        match self {
            P::MalformedTag(text) => write!(f, "{text:?}: a tag is written like [Name \"value\"]"),
            P::DuplicateTag(name) => write!(f, "the tag {name} occurs twice"),
            P::TooManyTags => write!(f, "the game has more than {MAX_TAGS} tags"),
            P::MissingStart => f.write_str("no tag Setup or Position gives the starting position"),
            P::TwoStarts => f.write_str("Setup and Position both give the starting position"),
            P::UnknownSetup(name) => write!(f, "there is no setup {name:?}"),
            P::BadPosition(error) => write!(f, "the position: {error}"),
            P::BadTowerPosition(error) => write!(f, "the position: {error}"),
            P::UnknownRules(name) => write!(f, "{name:?}: the rules are standard or czech"),
            P::UnknownResult(text) => write!(f, "{text:?}: a result is 1-0, 0-1, 1/2-1/2 or *"),
            P::UnknownToken(word) => {
                write!(f, "{word:?}: a move is written like h2g2, d1^d2, h2+ or h2-")
            }
            P::Illegal(error) => error.fmt(f),
            P::IllegalWithTower(error) => error.fmt(f),
            P::WrongShot { written, actual } if actual.is_empty() => {
                write!(f, "{written:?}: the shot hit nothing")
            }
            P::WrongShot { written, actual } => write!(f, "{written:?}: the shot did {actual}"),
            P::NoMoveBefore(word) => write!(f, "{word:?}: there is no move before it"),
            P::WrongNumber { written, expected } => {
                write!(f, "{written:?}: the number of this move is {expected}")
            }
            P::UnclosedComment => f.write_str("this comment is never closed"),
            P::UnclosedVariation => f.write_str("this variation is never closed"),
            P::ResultInVariation => f.write_str("a result is allowed only at the end of the game"),
            P::UnmatchedParenthesis => f.write_str("no variation is open here"),
            P::EmptyVariation => f.write_str("a variation needs a move"),
            P::NestedTooDeep => write!(f, "variations are nested more than {MAX_NESTING} deep"),
            P::MissingResult => {
                f.write_str("the game ends without a result: 1-0, 0-1, 1/2-1/2 or *")
            }
            P::ResultsDiffer { tag, end } => {
                write!(f, "the result is {end}, and the tag Result says {tag}")
            }
            P::ResultContradictsBoard { actual } => {
                write!(f, "on the board the game has ended {actual}")
            }
            P::TrailingText(text) => write!(f, "{text:?}: nothing may follow the result"),
        }
    }
}

impl std::error::Error for ParseRecordError {}
