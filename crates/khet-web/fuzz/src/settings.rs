//! Fuzz target: any text as stored settings and options.

use khet_web::fuzzing::NewGameOptions;
use khet_web::settings::Preferences;

/// Reads preferences and the options of the last game. What is written reads the same.
pub fn read_settings(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let preferences = Preferences::read(text);
    assert_eq!(Preferences::read(&preferences.to_string()), preferences);
    // A carriage return within a line is written as a space.
    let options = NewGameOptions::read(&NewGameOptions::read(text).write());
    assert_eq!(NewGameOptions::read(&options.write()), options);
    if let Ok(session) = options.begin(options.hotseat()) {
        assert_eq!(session.mode(), options.hotseat());
    }
}
