//! Short texts over the edge of the board that teach how a piece is rotated.

use leptos::prelude::*;

use super::move_input::AllowedMoves;
use super::state::BoardState;
use crate::browser::pointer::is_touch_screen;
use crate::browser::storage;

/// The storage key of the number of rotations by wheel or key.
const USES_KEY: &str = "khet.rotations-by-key";
/// The number of such rotations after which the player knows them.
const KNOWN_AFTER: u32 = 3;

/// Returns the number of rotations by wheel or key, up to [`KNOWN_AFTER`].
fn uses() -> u32 {
    storage::load(USES_KEY).and_then(|uses| uses.parse().ok()).unwrap_or(0)
}

impl BoardState {
    /// Tells how to rotate a piece that was just picked up, unless the player knows. Touch screens
    /// have neither wheel nor keys.
    pub(super) fn note_rotation_keys(self) {
        let rotates = self.scene.with_untracked(|scene| {
            let allowed = AllowedMoves { position: &scene.position, moves: &scene.moves };
            self.held.get_untracked().is_some_and(|held| allowed.can_rotate(held.from))
        });
        let unknown = rotates && !is_touch_screen() && uses() < KNOWN_AFTER;
        self.set_note(if unknown { self.words.board_rotation_keys() } else { "" });
    }

    /// Tells that a half turn is not a move.
    pub(super) fn note_quarter_turn(self) {
        self.set_note(self.words.board_quarter_turn_only());
    }

    /// Sets the text over the edge of the board. It is not read out: screen readers know the keys
    /// from the description of the board, and announcements tell the rest.
    pub(super) fn set_note(self, text: &'static str) {
        if self.note.get_untracked() != text {
            self.note.set(text);
        }
    }

    /// Returns the edge for the note: the one that is farther from the piece in hand.
    pub(super) fn note_edge(self) -> &'static str {
        let orientation = self.orientation();
        let middle = orientation.squares_size().1 / 2.0;
        let held = self.held.get().map(|held| orientation.center(held.from).y);
        if held.is_some_and(|y| y > middle) { "top" } else { "bottom" }
    }

    /// Counts a rotation by wheel or key.
    pub(super) fn count_rotation_by_key(self) {
        let uses = uses();
        if uses < KNOWN_AFTER {
            // Without storage the text is shown again, which does no harm.
            let _ = storage::store(USES_KEY, &(uses + 1).to_string());
        }
    }
}
