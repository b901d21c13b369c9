//! Games that wait to be gone on with.

use super::saved_game;
use super::state::GameKind;
use crate::routing::Page;

/// The pages on which a game was begun and is not over.
pub fn unfinished_games() -> Vec<Page> {
    let waits = |place: GameKind| {
        saved_game::peek(&place.game_key()).is_some_and(|session| {
            session.outcome().is_none() && !session.game().moves().is_empty()
        })
    };
    let places = [(GameKind::Computer, Page::Computer), (GameKind::Hotseat, Page::Hotseat)];
    places.into_iter().filter(|&(place, _)| waits(place)).map(|(_, page)| page).collect()
}
