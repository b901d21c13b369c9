//! Fuzz target: any text as a local game in the browser's storage.

use std::time::Duration;

use khet_web::fuzzing::{read_session, write_session};

/// The day and the time at which games are written.
const DATE: &str = "2026.11.15";
const NOW: Duration = Duration::from_secs(1_000);

/// Reads a saved game. What is written again reads the same, except for what the first text had
/// beside the game.
pub fn read_saved_game(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(session) = read_session(text) else { return };
    let written = write_session(&session, DATE, NOW);
    let again = read_session(&written).unwrap_or_else(|error| panic!("{error:?}: {written}"));
    assert_eq!(again.game(), session.game());
    assert_eq!(again.mode(), session.mode());
    assert_eq!(again.outcome(), session.outcome());
    assert_eq!(again.is_paused(), session.is_paused());
    assert_eq!(write_session(&again, DATE, NOW), written);
}
