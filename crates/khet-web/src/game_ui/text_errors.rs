//! Messages for pasted positions and game records that can't be read.

use khet::{
    ParsePlacementError, ParsePositionError, ParseRecordError, PlacementProblem, RecordProblem,
};

use crate::game::save::GameTextError;
use crate::languages::Words;

/// Returns the message for a text that is not a game.
pub(crate) fn game_text_error(words: Words, error: &GameTextError) -> String {
    let reason = match error {
        GameTextError::Empty | GameTextError::Storage => String::new(),
        GameTextError::NeedsTower => return words.play_needs_tower(words.play_group_tower()),
        #[cfg(feature = "tower")]
        GameTextError::Position(error) => with_tower::any_position_error(words, error),
        #[cfg(not(feature = "tower"))]
        GameTextError::Position(error) => position_error(words, error),
        GameTextError::Record(error) => record_error(words, error),
    };
    words.play_unreadable(reason).trim_end().to_owned()
}

/// Returns the message for an invalid position.
fn position_error(words: Words, error: &ParsePositionError) -> String {
    match error {
        ParsePositionError::Text(error) => placement_error(words, error),
        ParsePositionError::Invalid(_) => words.challenge_form_impossible().to_owned(),
    }
}

/// Returns the message for a placement that can't be read.
fn placement_error(words: Words, error: &ParsePlacementError) -> String {
    let problem = placement_problem(words, &error.problem);
    match error.rank {
        Some(rank) => words.position_error_in_rank(error.character, rank, problem),
        None => words.position_error_after_board(error.character, problem),
    }
}

/// Returns the part of the message that says what is wrong.
fn placement_problem(words: Words, problem: &PlacementProblem) -> String {
    match problem {
        PlacementProblem::UnknownLetter(letter) => words.position_error_unknown_letter(letter),
        PlacementProblem::WrongDigit(role, text) => {
            words.position_error_wrong_digit(text, role.forms())
        }
        PlacementProblem::WrongNumber(text) => words.position_error_wrong_number(text),
        PlacementProblem::RankTooShort(files) => words.position_error_rank_short(files),
        PlacementProblem::RankTooLong => words.position_error_rank_long().to_owned(),
        PlacementProblem::MissingRanks(ranks) => words.position_error_missing_ranks(ranks),
        PlacementProblem::TooManyRanks => words.position_error_too_many_ranks().to_owned(),
        PlacementProblem::WrongSide(_) => words.position_error_wrong_side().to_owned(),
        PlacementProblem::TrailingText(text) => words.position_error_trailing(text),
    }
}

/// Messages for positions with a tower.
#[cfg(feature = "tower")]
mod with_tower {
    use khet::tower::{self, BoardLevel, PlacementProblem};
    use khet::{ParseAnyPlacementError, ParseAnyPositionError};

    use super::{Words, placement_problem};

    /// Returns the message for an invalid position of either game.
    pub(super) fn any_position_error(words: Words, error: &ParseAnyPositionError) -> String {
        match error {
            ParseAnyPositionError::Standard(error) => super::position_error(words, error),
            ParseAnyPositionError::Tower(error) => position_error(words, error),
        }
    }

    /// Returns the message for a placement of either game that can't be read.
    pub(crate) fn any_placement_error(words: Words, error: &ParseAnyPlacementError) -> String {
        match error {
            ParseAnyPlacementError::Standard(error) => super::placement_error(words, error),
            ParseAnyPlacementError::Tower(error) => placement_error(words, error),
        }
    }

    /// Returns the message for an invalid position with a tower.
    pub(super) fn position_error(words: Words, error: &tower::ParsePositionError) -> String {
        match error {
            tower::ParsePositionError::Text(error) => placement_error(words, error),
            tower::ParsePositionError::Invalid(_) => words.challenge_form_impossible().to_owned(),
        }
    }

    fn placement_error(words: Words, error: &tower::ParsePlacementError) -> String {
        let problem = match &error.problem {
            PlacementProblem::Standard(problem) => placement_problem(words, problem),
            PlacementProblem::NoTower(_) => words.tower_error_no_tower().to_owned(),
            PlacementProblem::WrongColumn(text) => words.tower_error_column(text),
            PlacementProblem::WrongNumber(text) => words.tower_error_wrong_number(text),
            PlacementProblem::RankTooShort(files) => words.tower_error_rank_short(files),
            PlacementProblem::RankTooLong => words.tower_error_rank_long().to_owned(),
            PlacementProblem::MissingRanks(ranks) => words.tower_error_missing_ranks(ranks),
            PlacementProblem::TooManyRanks => words.tower_error_too_many_ranks().to_owned(),
        };
        match error.rank {
            Some((BoardLevel::Ground, rank)) => {
                words.position_error_in_rank(error.character, rank, problem)
            }
            Some((BoardLevel::Upper, rank)) => {
                words.tower_error_in_rank(error.character, rank, problem)
            }
            None => words.position_error_after_board(error.character, problem),
        }
    }
}

#[cfg(feature = "tower")]
pub(crate) use with_tower::any_placement_error;

/// Returns the message for a game record that can't be read. Rare errors are only located, because
/// a text for each of them would make the app larger without helping many readers.
fn record_error(words: Words, error: &ParseRecordError) -> String {
    let (line, column) = (error.line, error.column);
    match &error.problem {
        RecordProblem::Illegal(illegal) => words.record_error_illegal_move(line, illegal.mv),
        RecordProblem::IllegalWithTower(illegal) => {
            words.record_error_illegal_move(line, illegal.mv)
        }
        RecordProblem::BadPosition(error) => position_error(words, error),
        #[cfg(feature = "tower")]
        RecordProblem::BadTowerPosition(error) => with_tower::position_error(words, error),
        RecordProblem::MissingResult => words.record_error_missing_result().to_owned(),
        RecordProblem::MalformedTag(text)
        | RecordProblem::UnknownSetup(text)
        | RecordProblem::UnknownRules(text)
        | RecordProblem::UnknownResult(text)
        | RecordProblem::UnknownToken(text)
        | RecordProblem::NoMoveBefore(text)
        | RecordProblem::TrailingText(text) => words.record_error_unreadable(line, column, text),
        _ => words.record_error_other(line, column),
    }
}

#[cfg(test)]
mod tests {
    use khet::{Rules, TimeControl};

    use super::*;
    use crate::game::save;
    use crate::game::session::Mode;
    use crate::languages::{Language, Words};

    fn message(words: Words, text: &str) -> String {
        let mode = Mode::Hotseat { flips_board: false, pauses_when_hidden: false };
        let error = save::open(text, Rules::Standard, mode, TimeControl::Unlimited).unwrap_err();
        game_text_error(words, &error)
    }

    #[test]
    fn messages_say_what_is_wrong_and_where() {
        let message = |text: &str| message(Words::default(), text);
        let unreadable = "This is not a position or a game record.";
        assert_eq!(message(" "), unreadable);
        assert_eq!(
            message("4o2ko2p22/2p37 s"),
            format!("{unreadable} Character 15, in rank 7: the board has only 2 of 8 ranks.")
        );
        assert!(message("10/10/10/10/10/10/10/10 s").contains("can’t start from this position"));
        let record = |moves: &str| message(&format!("[Setup \"Classic\"]\n\n{moves}"));
        assert!(record("1. h2h5 *").ends_with("Line 3: h2h5 is not a legal move here."));
        assert!(record("1. hello *").ends_with("“hello” can’t be read."));
        #[cfg(feature = "tower")]
        assert_eq!(
            message("4k5/10/10/10/10/10/10/4K5+e4:6/6/7/6/6/6 s"),
            format!(
                "{unreadable} Character 34, on the upper level, in rank 5: “7”: \
                 on the upper level the number of empty squares must be 1 to 6."
            )
        );
    }

    #[test]
    fn messages_are_in_the_readers_language() {
        let texts = ["", "x", "10/10 s", "[Setup \"Classic\"]\n\n1. h2h5 *", "[Setup \"x\"]\n\n*"];
        for text in texts {
            let english = message(Words::default(), text);
            for language in Language::ALL.into_iter().skip(1) {
                let translated = message(Words::new(language), text);
                let shared = english.split(". ").find(|part| translated.contains(*part));
                assert_eq!(shared, None, "{language:?}: {translated}");
            }
        }
    }
}
