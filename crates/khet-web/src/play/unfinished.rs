//! Games that wait to be gone on with.

use super::desk::Place;
use super::storage;
use crate::address::Page;

/// The pages on which a game was begun and is not over.
pub fn unfinished() -> Vec<Page> {
    let waits = |place: Place| {
        storage::peek(&place.game_key()).is_some_and(|session| {
            session.outcome().is_none() && !session.game().moves().is_empty()
        })
    };
    let places = [(Place::Computer, Page::Computer), (Place::Table, Page::Table)];
    places.into_iter().filter(|&(place, _)| waits(place)).map(|(_, page)| page).collect()
}
