//! The layers of a tower: its foot on the ground, the platform with the pieces on it, and the beams
//! above them.
//!
//! The platform and its pieces glide when the tower is shifted. When it is rotated, they are drawn
//! at their new places, and the whole group is rotated back and released, so that it is seen as one
//! body.

use khet::tower::BoardLevel;
use khet_picture::tower;
use leptos::prelude::*;

use super::geometry::{LIFT, Point};
use super::layers::{
    DisplayedPieces, beam_layer, marks_behind, pieces_of_level, style_translation,
};
use super::state::BoardState;
use crate::browser::key_press::on_key_press;

/// Returns the center of the column in the displayed position, on a level.
fn column_center(state: BoardState, level: BoardLevel) -> Option<Point> {
    let center = state.orientation().column_center(state.displayed_column()?);
    Some(match level {
        BoardLevel::Ground => center,
        BoardLevel::Upper => center.plus(LIFT.0, LIFT.1),
    })
}

/// Returns a memo that says whether the board has a tower.
fn has_tower(state: BoardState) -> Memo<bool> {
    Memo::new(move |_| state.highest_level() == BoardLevel::Upper)
}

/// Draws a part of the tower where the column is.
fn placed(
    state: BoardState,
    level: BoardLevel,
    class: &'static str,
    content: String,
) -> impl IntoView {
    let at = move || column_center(state, level).map(style_translation).unwrap_or_default();
    view! { <g class=class style:transform=at inner_html=content></g> }
}

/// Draws the foot of the tower, if there is one.
pub(super) fn tower_foot(state: BoardState) -> impl IntoView {
    let has_tower = has_tower(state);
    move || {
        has_tower
            .get()
            .then(|| placed(state, BoardLevel::Ground, "tower-foot glides", tower::foot_content()))
    }
}

/// Draws the layers above the ground, if the board has a tower, and marks the board as one.
pub(super) fn tower_layers(state: BoardState, displayed: DisplayedPieces) -> impl IntoView {
    let has_tower = has_tower(state);
    Effect::new(move |_| {
        let classes = [("tower", has_tower.get()), ("peeking", state.peeks())];
        let Some(root) = state.root.get() else { return };
        for (class, is_on) in classes {
            // Toggling a class with a valid name does not fail.
            let _ = root.class_list().toggle_with_force(class, is_on);
        }
    });
    on_key_press(move |press| {
        let is_typed = press.has_control() || press.is_within("input, textarea, select, dialog");
        let looks = matches!(press.key().as_str(), "v" | "V") && !is_typed;
        let looks = looks && !state.quiet && has_tower.get_untracked();
        if looks {
            state.toggle_peek();
        }
        looks
    });
    move || {
        has_tower.get().then(|| {
            view! {
                <svg
                    class="board-upper"
                    viewBox=move || state.orientation().view_box()
                    aria-hidden="true"
                >
                    {move || rotating_top(state, displayed)}
                </svg>
                {beam_layer(state, BoardLevel::Upper)}
            }
        })
    }
}

/// Draws the platform with its pieces. They are drawn again when the tower is rotated, so that the
/// animation starts.
fn rotating_top(state: BoardState, displayed: DisplayedPieces) -> impl IntoView {
    let class = state.tower.rotation.get().0;
    let center = untrack(|| column_center(state, BoardLevel::Upper)).unwrap_or_default();
    let [there, back] = [center, Point::new(-center.x, -center.y)].map(super::geometry::translate);
    view! {
        <g transform=there>
            <g class=class>
                <g transform=back>
                    {placed(
                        state,
                        BoardLevel::Upper,
                        "tower-platform glides",
                        tower::platform_content(),
                    )}
                    {marks_behind(state, BoardLevel::Upper)}
                    {pieces_of_level(state, displayed, BoardLevel::Upper)}
                </g>
            </g>
        </g>
    }
}
