//! The cells of a tower's upper level, as a second grid.

use khet::GamePosition;
use khet::tower::{BoardLevel, TowerColumn};
use leptos::ev;
use leptos::prelude::*;
use leptos::svg;

use super::cells::{self, displayed_squares, rows_markup};
use super::geometry::{LIFT, Orientation, translate};
use super::grid;
use super::levels::{is_covered, upper_square};
use super::state::BoardState;
use crate::rules::Square;

/// Returns the squares of the upper level, including the top of the column, from the upper left to
/// the lower right of the picture.
pub(super) fn upper_squares(
    orientation: Orientation,
    column: TowerColumn,
) -> impl Iterator<Item = Square> {
    displayed_squares(orientation)
        .map(Square::ground)
        .filter(move |square| is_covered(Some(column), *square))
        .filter_map(upper_square)
}

/// Draws the cells of the upper level, if there is one.
pub(super) fn upper_grid(state: BoardState) -> impl IntoView {
    let has_tower = Memo::new(move |_| state.highest_level() == BoardLevel::Upper);
    move || has_tower.get().then(|| grid_of_tower(state))
}

fn grid_of_tower(state: BoardState) -> impl IntoView {
    let grid = NodeRef::<svg::G>::new();
    let now = move || {
        let (held, cursor, orientation) =
            (state.held.get(), state.cursor.get(), state.orientation());
        state.scene.with(|scene| {
            let column = scene.position.tower_column();
            let squares = column.into_iter().flat_map(|it| upper_squares(orientation, it));
            grid::cells(squares, scene, held, cursor, &state.describer(scene))
        })
    };
    let first = untrack(now);
    let text = rows_markup(&first, TowerColumn::UPPER_FILES);
    let displayed = StoredValue::new(first);
    Effect::new(move |_| {
        if state.animation.with(Option::is_some) {
            return;
        }
        let now = now();
        displayed.update_value(|before| cells::update(grid, before, now));
        keep_focus(state, grid);
    });
    let at = move || {
        let column = state.scene.with(|scene| scene.position.tower_column());
        let center = column.map(|column| state.orientation().column_center(column));
        center.map(|center| translate(center.plus(LIFT.0 - 300.0, LIFT.1 - 300.0)))
    };
    let focused = move |event: ev::FocusEvent| {
        if let Some(square) = cells::square_of(&event) {
            state.cursor.set(square);
        }
    };
    view! {
        <g
            role="grid"
            class="upper-cells"
            aria-label=state.words.tower_upper_level()
            aria-description=state.words.tower_keys()
            transform=at
            node_ref=grid
            inner_html=text
            on:focusin=focused
        ></g>
    }
}

/// Keeps keyboard focus on its square after the cells have moved with the tower.
fn keep_focus(state: BoardState, grid: NodeRef<svg::G>) {
    let (Some(grid), Some(focused)) = (grid.get_untracked(), document().active_element()) else {
        return;
    };
    let cursor = state.cursor.get_untracked();
    let is_elsewhere = focused.get_attribute("data-square") != Some(cursor.to_string());
    if grid.contains(Some(&focused)) && is_elsewhere {
        cells::focus(state.root, cursor);
    }
}

#[cfg(test)]
mod tests {
    use khet::Color;

    use super::*;

    #[test]
    fn upper_squares_are_ordered_from_the_viewers_upper_left() {
        let column = TowerColumn::new(khet::Square::E4).expect("a column");
        let ends = |orientation| {
            let squares: Vec<String> =
                upper_squares(orientation, column).map(|square| square.to_string()).collect();
            assert_eq!(squares.len(), 36);
            [squares[0].clone(), squares[1].clone(), squares[35].clone()]
        };
        assert_eq!(ends(Orientation::new(Color::Silver)), ["C7", "D7", "H2"]);
        assert_eq!(ends(Orientation::new(Color::Red)), ["H2", "G2", "C7"]);
        assert_eq!(ends(Orientation::new(Color::Silver).upright(true)), ["C2", "C3", "H7"]);
    }
}
