//! What can be wrong with the text of a record, and where.

use std::fmt;

use super::{GameResult, MAX_NESTING, MAX_TAGS};
use crate::{IllegalMove, ParsePositionError};

/// The first fault of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseRecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// The character in that line, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: RecordProblem,
}

/// What can be wrong with a record.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum RecordProblem {
    /// A tag is not of the form `[Name "value"]`.
    BadTag(String),
    /// A tag stands twice.
    RepeatedTag(String),
    /// There are more than [`MAX_TAGS`] tags.
    TooManyTags,
    /// No tag says where the game starts.
    NoStart,
    /// Both `Setup` and `Position` say it.
    TwoStarts,
    /// `Setup` names no setup.
    UnknownSetup(String),
    /// `Position` holds none that can be played.
    BadPosition(ParsePositionError),
    /// `Rules` names no edition.
    UnknownRules(String),
    /// `Result` holds no score.
    UnknownScore(String),
    /// Neither a move nor anything else that a game is made of.
    UnknownWord(String),
    /// A move that the rules forbid.
    Illegal(IllegalMove),
    /// The shot did something else.
    WrongShot { written: String, actual: String },
    /// What a shot did, without a move before it.
    LooseShot(String),
    /// A mark or a variation without a move before it.
    NothingBefore(String),
    /// The number before a move is not the move's.
    WrongNumber { written: String, expected: String },
    /// A comment without its closing brace.
    OpenComment,
    /// A variation without its closing parenthesis.
    OpenVariation,
    /// A score before the parenthesis is closed.
    ScoreInVariation,
    /// A closing parenthesis without a variation.
    LooseParenthesis,
    /// A variation without a move.
    EmptyVariation,
    /// Variations within variations, deeper than [`MAX_NESTING`].
    TooDeep,
    /// The text ends without a score.
    NoScore,
    /// The score behind the moves is another than that of the tag.
    ScoresDiffer { tag: GameResult, end: GameResult },
    /// The last position is decided, and the score says otherwise.
    ScoreContradictsBoard { actual: GameResult },
    /// Something follows the score.
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
            P::BadTag(text) => write!(f, "{text:?}: a tag is written like [Name \"value\"]"),
            P::RepeatedTag(name) => write!(f, "the tag {name} stands twice"),
            P::TooManyTags => write!(f, "the game has more than {MAX_TAGS} tags"),
            P::NoStart => f.write_str("no tag Setup or Position says where the game starts"),
            P::TwoStarts => f.write_str("Setup and Position both say where the game starts"),
            P::UnknownSetup(name) => write!(f, "there is no setup {name:?}"),
            P::BadPosition(error) => write!(f, "the position: {error}"),
            P::UnknownRules(name) => write!(f, "{name:?}: the rules are standard or czech"),
            P::UnknownScore(text) => write!(f, "{text:?}: a score is 1-0, 0-1, 1/2-1/2 or *"),
            P::UnknownWord(word) => {
                write!(f, "{word:?}: a move is written like h2g2, d1^d2, h2+ or h2-")
            }
            P::Illegal(error) => error.fmt(f),
            P::WrongShot { written, actual } if actual.is_empty() => {
                write!(f, "{written:?}: the shot hit nothing")
            }
            P::WrongShot { written, actual } => write!(f, "{written:?}: the shot did {actual}"),
            P::LooseShot(word) => write!(f, "{word:?}: no move stands before it"),
            P::NothingBefore(word) => write!(f, "{word:?}: no move stands before it"),
            P::WrongNumber { written, expected } => {
                write!(f, "{written:?}: the number of this move is {expected}")
            }
            P::OpenComment => f.write_str("this comment is never closed"),
            P::OpenVariation => f.write_str("this variation is never closed"),
            P::ScoreInVariation => f.write_str("a score stands only at the end of the game"),
            P::LooseParenthesis => f.write_str("no variation is open here"),
            P::EmptyVariation => f.write_str("a variation needs a move"),
            P::TooDeep => {
                write!(f, "variations within variations, more than {MAX_NESTING} levels deep")
            }
            P::NoScore => f.write_str("the game ends without a score: 1-0, 0-1, 1/2-1/2 or *"),
            P::ScoresDiffer { tag, end } => {
                write!(f, "the score is {}, and the tag Result says {}", end.text(), tag.text())
            }
            P::ScoreContradictsBoard { actual } => {
                write!(f, "on the board the game has ended {}", actual.text())
            }
            P::TrailingText(text) => write!(f, "{text:?}: nothing may follow the score"),
        }
    }
}

impl std::error::Error for ParseRecordError {}
