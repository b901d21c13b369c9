//! The list of finished local games, which this device keeps in local storage.

use std::time::Duration;

use super::save;
use super::session::GameSession;
use crate::browser::storage;

/// The storage key of the list: saved games, the newest first.
const FINISHED_KEY: &str = "khet.finished";
/// The character between two games. Control characters do not occur in game records.
const SEPARATOR: &str = "\u{1e}";
/// The largest number of games that are kept.
const MAX_GAMES: usize = 50;

/// Returns the list with a game as its newest one.
fn with_game(list: &str, game: &str) -> String {
    let known = games(list).filter(|known| *known != game);
    std::iter::once(game).chain(known).take(MAX_GAMES).collect::<Vec<&str>>().join(SEPARATOR)
}

/// Returns the list without a game.
fn without_game(list: &str, game: &str) -> String {
    games(list).filter(|known| *known != game).collect::<Vec<&str>>().join(SEPARATOR)
}

/// Returns the list with a deleted game at its former place. `before` is the list before games were
/// deleted from it.
fn with_restored(list: &str, before: &str, game: &str) -> String {
    let newer = games(list).filter(|known| games(before).all(|old| old != *known));
    let kept = games(before).filter(|old| *old == game || games(list).any(|known| known == *old));
    newer.chain(kept).collect::<Vec<&str>>().join(SEPARATOR)
}

/// Returns the games of a list, the newest first, as `save::read` reads them.
pub(crate) fn games(list: &str) -> impl Iterator<Item = &str> {
    list.split(SEPARATOR).filter(|game| !game.is_empty())
}

/// Loads the list.
pub(crate) fn load() -> String {
    storage::load_or_empty(FINISHED_KEY)
}

/// Returns the number of finished games.
pub(crate) fn count() -> usize {
    games(&load()).count()
}

/// Adds a finished game.
pub(crate) fn add(session: &GameSession, date: &str, now: Duration) {
    let game = save::write(session, date, now);
    // If the browser refuses to store it, the game is still on the page.
    storage::store(FINISHED_KEY, &with_game(&load(), &game));
}

/// Removes a game that goes on, if it is in the list.
pub(crate) fn remove(session: &GameSession, date: &str, now: Duration) {
    delete(&save::write(session, date, now));
}

/// Deletes a game.
pub(crate) fn delete(game: &str) {
    storage::store(FINISHED_KEY, &without_game(&load(), game));
}

/// Puts a deleted game back to its place in the list `before`.
pub(crate) fn restore(before: &str, game: &str) {
    storage::store(FINISHED_KEY, &with_restored(&load(), before, game));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_fifty_games_are_kept() {
        let mut list = String::new();
        for number in 0..MAX_GAMES + 5 {
            list = with_game(&list, &format!("game {number}"));
        }
        let kept: Vec<&str> = games(&list).collect();
        assert_eq!((kept.len(), kept[0], kept[49]), (50, "game 54", "game 5"));
        assert_eq!(with_game("b\u{1e}a", "a"), "a\u{1e}b", "a game is listed once");
        assert_eq!(without_game("c\u{1e}b\u{1e}a", "b"), "c\u{1e}a");
        assert_eq!(with_game(&without_game("a", "a"), "b"), "b");
        assert_eq!(games("").count(), 0);
    }

    #[test]
    fn deleted_games_come_back_to_their_place() {
        let before = "c\u{1e}b\u{1e}a";
        assert_eq!(with_restored("c\u{1e}a", before, "b"), before);
        assert_eq!(with_restored("", before, "b"), "b", "the others stay deleted");
        assert_eq!(with_restored("d\u{1e}c", before, "a"), "d\u{1e}c\u{1e}a", "a newer game");
        assert_eq!(with_restored(before, before, "b"), before, "nothing was deleted");
    }
}
