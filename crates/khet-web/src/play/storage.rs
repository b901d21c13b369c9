//! What the browser keeps for us between visits.

use std::time::Duration;

use leptos::prelude::*;

use super::moment::date;
use super::save;
use super::session::Session;

/// Where a saved game is put that can't be read, so that nothing is lost.
const ASIDE: &str = ".set-aside";

fn read(key: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(key).ok()?
}

/// Whether it could be kept: storage may be full or forbidden.
fn write(key: &str, text: &str) -> bool {
    let storage = window().local_storage().ok().flatten();
    storage.is_some_and(|storage| storage.set_item(key, text).is_ok())
}

/// What was saved under a key.
pub(super) enum Found {
    Nothing,
    Game(Box<Session>),
    /// It could not be read, and has been set aside.
    Corrupt,
}

/// Looks for a saved game.
pub(super) fn load(key: &str) -> Found {
    let Some(text) = read(key) else { return Found::Nothing };
    match save::read(&text) {
        Ok(session) => Found::Game(Box::new(session)),
        Err(_) => {
            write(&format!("{key}{ASIDE}"), &text);
            if let Ok(Some(storage)) = window().local_storage() {
                // If it can't be removed, the next visit sets it aside again.
                let _ = storage.remove_item(key);
            }
            Found::Corrupt
        }
    }
}

/// A saved game, if it is there and can be read. Nothing is changed.
pub(super) fn peek(key: &str) -> Option<Session> {
    save::read(&read(key)?).ok()
}

/// Saves a game.
pub(super) fn save(key: &str, session: &Session, now: Duration) -> bool {
    write(key, &save::write(session, &date(), now))
}

/// What was remembered under a key.
pub(crate) fn remembered(key: &str) -> String {
    read(key).unwrap_or_default()
}

/// Remembers a text. Says whether the browser lets us.
pub(crate) fn remember(key: &str, text: &str) -> bool {
    write(key, text)
}
