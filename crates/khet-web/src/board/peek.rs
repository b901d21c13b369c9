//! The state of a board with a tower: whether the player looks beneath the platform, and the last
//! rotation of the tower.
//!
//! The platform fades while the player looks beneath it: by a key, by a tap on the column, while a
//! piece is in hand that stands beneath it or can go there, and while the keys walk there.

use khet::tower::{BoardLevel, TowerColumn};
use khet::{BoardSquare, GamePosition, Rotation};
use leptos::prelude::*;

use super::levels::{is_column, is_covered};
use super::move_input::{AllowedMoves, PieceInHand};
use super::scene::Scene;
use super::state::BoardState;
use crate::rules::Square;

/// The signals of a board with a tower.
#[derive(Clone, Copy)]
pub(super) struct TowerSignals {
    /// True if the player has chosen to look beneath the platform.
    looks_beneath: RwSignal<bool>,
    /// True if the platform fades.
    peeks: Memo<bool>,
    /// The class of the last rotation of the tower, and the number of rotations.
    pub(super) rotation: RwSignal<(&'static str, u32)>,
}

impl TowerSignals {
    /// Creates the signals. `cursor` is the square with the keyboard focus, if keys are used.
    pub(super) fn new(
        scene: Signal<Scene>,
        held: RwSignal<Option<PieceInHand>>,
        cursor: impl Fn() -> Option<Square> + Send + Sync + 'static,
    ) -> TowerSignals {
        let looks_beneath = RwSignal::new(false);
        let peeks = Memo::new(move |_| {
            let (held, cursor) = (held.get(), cursor());
            let looks = looks_beneath.get();
            scene.with(|scene| looks || is_beneath(scene, held, cursor))
        });
        TowerSignals { looks_beneath, peeks, rotation: RwSignal::new(("", 0)) }
    }
}

/// Returns whether the piece in hand or the cursor of the keys is beneath the platform.
fn is_beneath(scene: &Scene, held: Option<PieceInHand>, cursor: Option<Square>) -> bool {
    let column = scene.position.tower_column();
    let beneath = |square: Square| {
        square.board_level() == BoardLevel::Ground
            && is_covered(column, square.ground())
            && !is_column(column, square)
    };
    match held {
        Some(held) => {
            let allowed = AllowedMoves { position: &scene.position, moves: &scene.moves };
            let goes_beneath = || allowed.targets(held).iter().any(|(to, _)| beneath(*to));
            held.from.board_level() == BoardLevel::Ground && (beneath(held.from) || goes_beneath())
        }
        None => cursor.is_some_and(beneath),
    }
}

impl BoardState {
    /// Returns the place of the tower in the displayed position.
    pub(super) fn displayed_column(self) -> Option<TowerColumn> {
        self.displayed_position().tower_column()
    }

    /// Returns whether the platform fades.
    pub(super) fn peeks(self) -> bool {
        self.tower.peeks.get()
    }

    /// Returns whether the player has chosen to look beneath the platform.
    pub(super) fn looks_beneath(self) -> bool {
        self.tower.looks_beneath.get()
    }

    /// Begins or ends to look beneath the platform.
    pub(super) fn toggle_peek(self) {
        self.tower.looks_beneath.update(|looks| *looks = !*looks);
    }

    /// Shows a rotation of the tower.
    pub(super) fn show_tower_rotation(self, rotation: Rotation) {
        let class = match rotation {
            Rotation::Clockwise => "tower-rotates right",
            Rotation::Counterclockwise => "tower-rotates left",
        };
        self.tower.rotation.update(|(before, number)| (*before, *number) = (class, *number + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Silver's pyramid on c5 is beneath the platform, the one on b6 can go there.
    const POSITION: &str = "4k5/10/1P18/2P17/10/10/10/9K+e4:6/P15/6/6/6/6 s";

    fn beneath(held: Option<&str>, cursor: Option<&str>) -> bool {
        let position: crate::rules::Position = POSITION.parse().expect("a position");
        let mut scene = Scene::of(position);
        scene.moves = scene.position.legal_moves().to_vec();
        let square = |name: &str| name.parse::<Square>().expect("a square");
        let held =
            held.map(|from| PieceInHand { from: square(from), top_only: false, rotation: None });
        is_beneath(&scene, held, cursor.map(square))
    }

    #[test]
    fn platform_fades_for_a_piece_in_hand_beneath_it() {
        assert!(beneath(Some("c5"), None));
        assert!(beneath(Some("b6"), None), "it can go there");
        assert!(!beneath(Some("C6"), None));
        assert!(!beneath(Some("j1"), None));
    }

    #[test]
    fn platform_fades_for_keys_beneath_it() {
        assert!(beneath(None, Some("d5")));
        assert!(!beneath(None, Some("D5")) && !beneath(None, Some("a1")));
        assert!(!beneath(None, Some("e4")), "the column");
        assert!(!beneath(None, None));
    }
}
