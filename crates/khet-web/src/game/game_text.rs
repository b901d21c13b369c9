//! Positions and games that people paste or open as files.

use khet::{ParseRecordError, RecordProblem, Rules};

use super::save::{self, GameTextError};
use crate::rules::{self, Move, Position, Record};

/// A parsed text.
#[derive(Clone, PartialEq, Debug)]
pub enum GameText {
    /// A setup's name or a position.
    Position(Box<Position>),
    /// A game.
    Record(Box<Record>),
}

/// Parses a setup's name, a position, or records, of which the first is used. Moves without a start
/// position begin with Classic.
pub fn parse(text: &str, rules: Rules) -> Result<GameText, GameTextError> {
    let parsed = parse_text(text, rules);
    if !rules::HAS_TOWER && parsed.is_err() && rules::text_has_tower(text) {
        return Err(GameTextError::NeedsTower);
    }
    parsed
}

fn parse_text(text: &str, rules: Rules) -> Result<GameText, GameTextError> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Err(GameTextError::Empty);
    }
    if text.starts_with('[') || begins_with_move(text) {
        let record = parse_record(text).map_err(GameTextError::Record)?;
        return Ok(GameText::Record(Box::new(record)));
    }
    save::start(text, rules).map(|position| GameText::Position(Box::new(position)))
}

/// Returns whether the first word after a move number is a move.
fn begins_with_move(text: &str) -> bool {
    let mut words = text.split(|letter: char| letter.is_whitespace() || letter == '.');
    let number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    words.find(|word| !number(word)).is_some_and(|word| word.parse::<Move>().is_ok())
}

/// Parses the first record of a text. Adds what people leave out: the start position Classic, and
/// the result at the end.
fn parse_record(text: &str) -> Result<Record, ParseRecordError> {
    let mut completed = text.to_owned();
    let mut added_lines = 0;
    let mut ended = None;
    loop {
        let error = match rules::records(&completed).next() {
            Some(Ok(record)) => return Ok(record),
            Some(Err(error)) => error,
            None => return completed.parse(),
        };
        match error.problem {
            RecordProblem::MissingStart if added_lines == 0 => {
                completed.insert_str(0, "[Setup \"Classic\"]\n");
                added_lines = 1;
            }
            RecordProblem::MissingResult if ended.is_none() => {
                ended = Some(completed.len());
                completed.push_str("\n*");
            }
            RecordProblem::ResultContradictsBoard { actual } if ended.is_some() => {
                completed.truncate(ended.take().unwrap_or_default());
                completed.push('\n');
                completed.push_str(actual.text());
            }
            problem => {
                let line = error.line.saturating_sub(added_lines);
                return Err(ParseRecordError { line, column: error.column, problem });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    fn record(text: &str) -> Record {
        match parse(text, Rules::Standard) {
            Ok(GameText::Record(record)) => *record,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn moves_without_tags_start_from_classic() {
        for text in ["1. h2+ c7+", "h2+ c7+", "1.h2+ c7+ *", "[Event \"Club\"]\n\n1. h2+ c7+ *"] {
            let record = record(text);
            assert_eq!(*record.start(), Setup::Classic.position().into(), "{text}");
            assert_eq!(record.game().moves().len(), 2, "{text}");
        }
        let other = record("[Setup \"Dynasty\"]\n\n1. e2d2 *\n\n[Setup \"Isis\"]\n\n*");
        assert_eq!(*other.start(), Setup::Dynasty.position().into());
    }

    #[test]
    fn missing_result_is_that_of_the_board() {
        let moves = "c5b5 h5- j5- a5a6 j4i4 a4- f4g5 a4b3 g5f6 f8e7 j5j6 b3a2 j6j7";
        assert_eq!(record(moves).result(), khet::GameResult::SilverWins);
        assert_eq!(record("h2+").result(), khet::GameResult::Unknown);
    }

    #[test]
    fn positions_and_names_are_parsed() {
        let classic = Ok(GameText::Position(Box::new(Setup::Classic.position().into())));
        assert_eq!(parse(" Classic\n", Rules::Standard), classic);
        let text = Setup::Classic.position().to_string();
        assert_eq!(parse(&text, Rules::Standard), classic);
        assert_eq!(parse(" \n", Rules::Standard), Err(GameTextError::Empty));
        let hello = parse("hello", Rules::Standard);
        assert!(matches!(hello, Err(GameTextError::Position(_))), "{hello:?}");
    }

    #[test]
    fn errors_name_the_line_of_the_text() {
        let Err(GameTextError::Record(error)) = parse("1. h2+ c7+\n2. a1a2", Rules::Standard)
        else {
            panic!("a1a2 is illegal");
        };
        assert_eq!(error.line, 2);
        assert!(
            matches!(error.problem, RecordProblem::Illegal(_) | RecordProblem::IllegalWithTower(_)),
            "{error}"
        );
    }
}
