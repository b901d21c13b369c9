//! Unfinished local games.

use super::saved_game;
use super::state::GameKind;
use crate::browser::storage;
use crate::routing::Page;

/// Returns the pages of the local games that have moves and no result yet.
pub fn unfinished_games() -> Vec<Page> {
    let mut pages = Vec::new();
    for kind in [GameKind::Computer, GameKind::Hotseat] {
        let saved = saved_game::peek(&kind.game_key(false));
        if saved.is_some_and(|session| session.is_unfinished()) {
            pages.push(kind.page(false));
        }
        if has_moves_and_no_result(&storage::load_or_empty(&kind.game_key(true))) {
            pages.push(kind.page(true));
        }
    }
    pages
}

/// Returns whether a saved game has moves and no result yet, as far as its text shows: the home
/// program can't read games with a tower.
fn has_moves_and_no_result(saved: &str) -> bool {
    let moves = saved.split_once("\n\n").map_or("", |(_, moves)| moves.trim());
    moves.ends_with('*') && moves.len() > 1
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use khet::{Color, Setup, TimeControl};

    use super::*;
    use crate::game::save;
    use crate::game::session::{GameSession, Mode};

    #[test]
    fn text_of_a_saved_game_shows_if_it_is_unfinished() {
        let mode = Mode::Computer { level: 1, person: Color::Silver, practice: false };
        let mut session = GameSession::new(Setup::Classic.position(), mode, TimeControl::Unlimited);
        let is_unfinished = |session: &GameSession| {
            has_moves_and_no_result(&save::write(session, "2026.11.18", Duration::ZERO))
        };
        assert!(!is_unfinished(&session));
        session.play("h2+".parse().expect("a move"), Duration::ZERO).expect("legal");
        assert!(is_unfinished(&session));
        session.resign(Color::Silver, Duration::ZERO);
        assert!(!is_unfinished(&session));
        assert!(!has_moves_and_no_result(""));
    }
}
