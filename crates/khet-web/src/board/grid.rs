//! The grid layer of a board: a cell for each square, and the handles of the piece in hand.

use khet::GamePosition;
use leptos::ev;
use leptos::prelude::*;
use leptos::svg;

use super::cells::{self, Cell, displayed_squares, markup};
use super::descriptions::BoardDescriber;
use super::move_input::{AllowedMoves, PieceInHand};
use super::piece_handles::handles_view;
use super::scene::Scene;
use super::state::BoardState;
use super::upper_grid::upper_grid;
use crate::rules::Square;

/// Returns the classes of a cell: whether its piece can move, and whether it is a target.
const fn cell_class(acts: bool, target: bool) -> &'static str {
    match (acts, target) {
        (false, false) => "cell",
        (true, false) => "cell acts",
        (false, true) => "cell target",
        (true, true) => "cell acts target",
    }
}

/// Returns the cells of squares.
pub(super) fn cells(
    squares: impl Iterator<Item = Square>,
    scene: &Scene,
    held: Option<PieceInHand>,
    cursor: Square,
    describer: &BoardDescriber,
) -> Vec<Cell> {
    let allowed = AllowedMoves { position: &scene.position, moves: &scene.moves };
    let targets = held
        .filter(|held| held.rotation.is_none())
        .map(|held| allowed.targets(held))
        .unwrap_or_default();
    let cell = |square: Square| {
        let mut label = if allowed.is_tower(square) {
            describer.column(square)
        } else {
            describer.square(square, scene.position.get(square))
        };
        let picked = held.is_some_and(|held| held.from == square);
        let target = targets.iter().find(|(target, _)| *target == square);
        if picked {
            label += ", ";
            label += describer.words.board_in_hand();
        } else if let Some((_, kind)) = target {
            label += ", ";
            label += describer.target(*kind);
        }
        Cell {
            square,
            label,
            class: cell_class(allowed.has_move(square), target.is_some()),
            picked,
            cursor: square == cursor,
        }
    };
    squares.map(cell).collect()
}

/// Draws the cells of the board, which take the focus.
pub(super) fn grid_layer(state: BoardState) -> impl IntoView {
    let grid = NodeRef::<svg::G>::new();
    let now = move || {
        let (held, cursor) = (state.held.get(), state.cursor.get());
        state.track_orientation();
        let squares = displayed_squares(state.orientation_now());
        state.scene.with(|scene| cells(squares, scene, held, cursor, &state.describer(scene)))
    };
    let displayed = StoredValue::new(untrack(now));
    let upright = Memo::new(move |_| state.orientation().is_upright());
    // Written again only if rows and columns change places.
    let text = move || {
        upright.track();
        let cells = untrack(now);
        let text = markup(&cells, state.orientation_now());
        displayed.set_value(cells);
        text
    };
    Effect::new(move |_| {
        // Skips updates while a shot is animated, so that the animation stays smooth. No input is
        // accepted then.
        if state.animation.with(Option::is_some) {
            return;
        }
        let now = now();
        displayed.update_value(|before| cells::update(grid, before, now));
    });
    let over = Memo::new(move |_| {
        let held = state.held.get()?;
        let square = state.drag_square(held)?;
        state.scene.with(|scene| {
            let allowed = AllowedMoves { position: &scene.position, moves: &scene.moves };
            allowed.targets(held).iter().any(|(target, _)| *target == square).then_some(square)
        })
    });
    Effect::new(move |before: Option<Option<Square>>| {
        let over = over.get();
        for (square, is_over) in [(before.flatten(), false), (over, true)] {
            if let Some(element) =
                square.and_then(|square| cells::element_on_board(state.root, square))
            {
                let _ = element.class_list().toggle_with_force("over", is_over);
            }
        }
        over
    });
    let focused = move |event: ev::FocusEvent| {
        if let Some(square) = cells::square_of(&event) {
            state.cursor.set(square);
        }
    };
    view! {
        <svg class="board-grid" viewBox=move || state.orientation().view_box()>
            <g
                role="grid"
                aria-label=state.words.board_label()
                aria-description=state.words.board_keys()
                node_ref=grid
                inner_html=text
                on:focusin=focused
            ></g>
            {upper_grid(state)}
            {move || handles_view(state)}
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use khet::{Color, Setup};

    use super::super::geometry::Orientation;
    use super::*;
    use crate::languages::Words;

    fn scene() -> Scene {
        let mut scene = Scene::of(Setup::Classic.position().into());
        scene.moves = scene.position.legal_moves().to_vec();
        scene
    }

    fn describer(bottom: Color) -> BoardDescriber {
        BoardDescriber { words: Words::default(), orientation: Orientation::new(bottom), you: None }
    }

    fn ground_cells(held: Option<PieceInHand>, describer: &BoardDescriber) -> Vec<Cell> {
        let squares = displayed_squares(describer.orientation);
        cells(squares, &scene(), held, khet::Square::E1.into(), describer)
    }

    #[test]
    fn cells_are_ordered_from_the_viewers_upper_left() {
        for (bottom, first, last) in [(Color::Silver, "a8", "j1"), (Color::Red, "j1", "a8")] {
            let cells = ground_cells(None, &describer(bottom));
            assert_eq!(cells.len(), 80);
            assert_eq!(cells[0].square.to_string(), first);
            assert_eq!(cells[79].square.to_string(), last);
        }
        let mut upright = describer(Color::Silver);
        upright.orientation = upright.orientation.upright(true);
        let cells = ground_cells(None, &upright);
        let squares = [0, 7, 8, 79].map(|index: usize| cells[index].square.to_string());
        assert_eq!(squares, ["a1", "a8", "b1", "j8"]);
    }

    #[test]
    fn cells_show_the_targets_of_the_piece_in_hand() {
        let held =
            PieceInHand { from: "h2".parse().expect("a square"), top_only: false, rotation: None };
        let cells = ground_cells(Some(held), &describer(Color::Silver));
        let cell = |name: &str| cells.iter().find(|cell| cell.square.to_string() == name);
        let [from, to] = ["h2", "g2"].map(|name| cell(name).expect("a cell"));
        assert!(from.picked && from.class == "cell acts", "{from:?}");
        assert!(
            to.class == "cell target" && !to.picked && to.label.ends_with("can move here"),
            "{to:?}"
        );
    }
}
