//! Local games in the browser's storage.

use std::time::Duration;

use crate::browser::storage;
use crate::browser::time::date;
use crate::game::save;
use crate::game::session::GameSession;

/// Suffix of the key under which an unreadable game is kept.
const UNREADABLE_SUFFIX: &str = ".set-aside";

/// The result of loading a saved game.
pub(super) enum SavedGame {
    Missing,
    Readable(Box<GameSession>),
    /// The game could not be read. It was moved to another key.
    Unreadable,
}

/// Loads the game under `key`. Moves it to another key if it is unreadable.
pub(super) fn load(key: &str) -> SavedGame {
    let Some(text) = storage::load(key) else { return SavedGame::Missing };
    match save::read(&text) {
        Ok(session) => SavedGame::Readable(Box::new(session)),
        Err(_) => {
            storage::store(&format!("{key}{UNREADABLE_SUFFIX}"), &text);
            storage::remove(key);
            SavedGame::Unreadable
        }
    }
}

/// Returns the game under `key` if it is readable, without changing the storage.
pub(super) fn peek(key: &str) -> Option<GameSession> {
    save::read(&storage::load(key)?).ok()
}

/// Saves a game. Returns false if the browser does not allow it.
pub(super) fn save(key: &str, session: &GameSession, now: Duration) -> bool {
    storage::store(key, &save::write(session, &date(), now))
}
