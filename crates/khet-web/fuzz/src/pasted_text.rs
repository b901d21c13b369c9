//! Fuzz target: any text that someone pastes or opens as a file.

use khet::{Rules, TimeControl};
use khet_web::fuzzing::{GameText, Mode, open_session, parse_game_text};

/// Reads a name, a position or a record. What was read reads the same when it is written.
pub fn read_pasted_text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for rules in Rules::ALL {
        let Ok(game_text) = parse_game_text(text, rules) else { continue };
        let written = match &game_text {
            GameText::Position(position) => position.placement().to_string(),
            GameText::Record(record) => record.to_string(),
        };
        assert_eq!(parse_game_text(&written, rules), Ok(game_text), "{text:?}");
        let mode = Mode::Hotseat { flips_board: false, pauses_when_hidden: true };
        for control in [TimeControl::Unlimited, TimeControl::minutes(5, 3)] {
            let session = open_session(text, rules, mode, control).expect("a game");
            assert_eq!(
                session.times().len(),
                session.clock().map_or(0, |_| session.game().moves().len())
            );
        }
    }
}
