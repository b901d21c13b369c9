//! Unfinished local games.

use super::saved_game;
use super::state::GameKind;
use crate::routing::Page;

/// Returns the pages of the local games that have moves and no result yet.
pub fn unfinished_games() -> Vec<Page> {
    let is_unfinished = |kind: GameKind| {
        saved_game::peek(&kind.game_key()).is_some_and(|session| session.is_unfinished())
    };
    let pages = [(GameKind::Computer, Page::Computer), (GameKind::Hotseat, Page::Hotseat)];
    pages.into_iter().filter(|&(kind, _)| is_unfinished(kind)).map(|(_, page)| page).collect()
}
