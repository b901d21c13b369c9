//! Local games in the browser's storage.

use std::time::Duration;

use crate::browser::storage;
use crate::browser::time::date;
use crate::game::save;
use crate::game::session::Session;

/// Ending of the key under which an unreadable game is kept, so that nothing is lost.
const SET_ASIDE: &str = ".set-aside";

/// A saved game, as it was found.
pub(super) enum SavedGame {
    Missing,
    Readable(Box<Session>),
    /// It could not be read, and has been set aside.
    Corrupt,
}

/// Loads the game under `key`. Sets it aside if it is unreadable.
pub(super) fn load(key: &str) -> SavedGame {
    let Some(text) = storage::load(key) else { return SavedGame::Missing };
    match save::read(&text) {
        Ok(session) => SavedGame::Readable(Box::new(session)),
        Err(_) => {
            storage::store(&format!("{key}{SET_ASIDE}"), &text);
            storage::remove(key);
            SavedGame::Corrupt
        }
    }
}

/// Returns the game under `key` if it is readable, and changes nothing.
pub(super) fn peek(key: &str) -> Option<Session> {
    save::read(&storage::load(key)?).ok()
}

/// Saves a game. Returns false if the browser does not allow it.
pub(super) fn save(key: &str, session: &Session, now: Duration) -> bool {
    storage::store(key, &save::write(session, &date(), now))
}
