//! The places of a tower in a program without towers: nothing is drawn, and nothing happens.

use khet::Rotation;
use khet::tower::TowerColumn;
use leptos::prelude::*;

use super::geometry::Point;
use super::layers::DisplayedPieces;
use super::piece_handles::Handle;
use super::state::BoardState;
use crate::rules::Square;

impl BoardState {
    /// Returns that there is no tower.
    pub(super) fn displayed_column(self) -> Option<TowerColumn> {
        None
    }

    /// Returns that there is no platform to look beneath.
    pub(super) fn peeks(self) -> bool {
        false
    }

    /// Does nothing.
    pub(super) fn toggle_peek(self) {}

    /// Does nothing.
    pub(super) fn show_tower_rotation(self, _: Rotation) {}
}

/// Draws nothing.
pub(super) fn tower_foot(_: BoardState) -> impl IntoView {}

/// Draws nothing.
pub(super) fn upper_grid(_: BoardState) -> impl IntoView {}

/// Draws nothing.
pub(super) fn tower_layers(_: BoardState, _: DisplayedPieces) -> impl IntoView {}

/// Returns that there is no tower in hand.
pub(super) fn tower_handles(_: BoardState) -> Option<(Square, Vec<(Point, Handle)>)> {
    None
}
