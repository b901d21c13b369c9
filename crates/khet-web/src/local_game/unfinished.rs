//! Unfinished local games.

use super::saved_game;
use super::state::GameKind;
use crate::routing::Page;

/// Returns the pages of the local games that have moves and no result yet.
pub fn unfinished_games() -> Vec<Page> {
    let waits = |place: GameKind| {
        saved_game::peek(&place.game_key()).is_some_and(|session| {
            session.outcome().is_none() && !session.game().moves().is_empty()
        })
    };
    let places = [(GameKind::Computer, Page::Computer), (GameKind::Hotseat, Page::Hotseat)];
    places.into_iter().filter(|&(place, _)| waits(place)).map(|(_, page)| page).collect()
}
