//! The grid layer of a board: a cell for each square, and the handles of the piece in hand.

use khet::{Move, Rotation, Square};
use leptos::ev;
use leptos::prelude::*;
use leptos::svg;

use super::cells::{self, Cell, displayed_squares, markup};
use super::descriptions::BoardDescriber;
use super::geometry::{Point, VIEW_BOX};
use super::handles::{self, HandleIcon};
use super::move_input::{AllowedMoves, MoveInput, PieceInHand};
use super::scene::Scene;
use super::state::BoardState;

/// Returns the classes of a cell: whether its piece can move, and whether it is a target.
const fn cell_class(acts: bool, target: bool) -> &'static str {
    match (acts, target) {
        (false, false) => "cell",
        (true, false) => "cell acts",
        (false, true) => "cell target",
        (true, true) => "cell acts target",
    }
}

/// Returns the cells from the upper left to the lower right.
fn cells(
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
        let mut label = describer.square(square, scene.position.get(square));
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
    displayed_squares(describer.seat).map(cell).collect()
}

/// Draws the cells of the board, which take the focus.
pub(super) fn grid_layer(state: BoardState) -> impl IntoView {
    let grid = NodeRef::<svg::G>::new();
    let now = move || {
        let (held, cursor) = (state.held.get(), state.cursor.get());
        state.scene.with(|scene| cells(scene, held, cursor, &state.describer(scene)))
    };
    let first = untrack(now);
    let text = markup(&first);
    let displayed = StoredValue::new(first);
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
        let square = state.seat().square_at(state.drag.get()?)?;
        let held = state.held.get()?;
        state.scene.with(|scene| {
            let allowed = AllowedMoves { position: &scene.position, moves: &scene.moves };
            allowed.targets(held).iter().any(|(target, _)| *target == square).then_some(square)
        })
    });
    Effect::new(move |before: Option<Option<Square>>| {
        let over = over.get();
        for (square, is_over) in [(before.flatten(), false), (over, true)] {
            if let Some(element) = square.and_then(|square| cells::element(grid, square)) {
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
        <svg class="board-grid" viewBox=VIEW_BOX>
            <g
                role="grid"
                aria-label=state.words.board_label()
                aria-description=state.words.board_keys()
                node_ref=grid
                inner_html=text
                on:focusin=focused
            ></g>
            {move || handles_view(state)}
        </svg>
    }
}

/// Returns the handles of the piece in hand: two to rotate it, or two to choose between the whole
/// stack and its top.
fn handles_view(state: BoardState) -> Option<impl IntoView> {
    let held = state.held.get()?;
    if state.drag.with(Option::is_some) {
        return None;
    }
    let radius = state.handle_radius.get();
    let words = state.words;
    let (left, right) = state.scene.with(|scene| {
        let allowed = AllowedMoves { position: &scene.position, moves: &scene.moves };
        let rotation = |rotation| {
            let mv = allowed.rotation(held.from, rotation)?;
            // If both directions give the same result, one handle is enough.
            matches!(mv, Move::Rotate { rotation: found, .. } if found == rotation)
                .then_some(rotation)
        };
        let from = held.from;
        if let Some(rotation) = held.rotation {
            let back = match rotation {
                Rotation::Clockwise => Rotation::Counterclockwise,
                Rotation::Counterclockwise => Rotation::Clockwise,
            };
            let drop = (HandleIcon::Drop, words.board_drop(), MoveInput::Tap(from), true);
            let back =
                (HandleIcon::Back, words.board_rotate_back(), MoveInput::Rotate(back, from), false);
            return match rotation {
                Rotation::Clockwise => (Some(back), Some(drop)),
                Rotation::Counterclockwise => (Some(drop), Some(back)),
            };
        }
        if allowed.can_unstack(from) {
            let both = (
                HandleIcon::Both,
                words.board_whole_stack(),
                MoveInput::TakeTop { top_only: false, square: from },
                !held.top_only,
            );
            let top = (
                HandleIcon::Top,
                words.board_top_only(),
                MoveInput::TakeTop { top_only: true, square: from },
                held.top_only,
            );
            return (Some(both), Some(top));
        }
        let mv = |direction, icon, name| {
            rotation(direction)
                .map(|direction| (icon, name, MoveInput::Rotate(direction, from), false))
        };
        (
            mv(
                Rotation::Counterclockwise,
                HandleIcon::Counterclockwise,
                words.board_rotate_counterclockwise(),
            ),
            mv(Rotation::Clockwise, HandleIcon::Clockwise, words.board_rotate_clockwise()),
        )
    });
    let center = state.seat().center(held.from);
    let centers = handles::centers(center, radius);
    let handle =
        move |center: Point,
              (icon, name, input, strong): (HandleIcon, &'static str, MoveInput, bool)| {
            let press = move || {
                state.handle_input(input);
                state.move_focus(held.from);
            };
            handles::handle(center, radius, icon, name, strong, press)
        };
    let [at_left, at_right] = centers;
    Some(view! {
        {left.map(|left| handle(at_left, left))}
        {right.map(|right| handle(at_right, right))}
    })
}

#[cfg(test)]
mod tests {
    use khet::{Color, Setup};

    use super::super::geometry::Seat;
    use super::*;
    use crate::languages::Words;

    fn scene() -> Scene {
        let mut scene = Scene::of(Setup::Classic.position());
        scene.moves = scene.position.legal_moves().to_vec();
        scene
    }

    fn describer(bottom: Color) -> BoardDescriber {
        BoardDescriber { words: Words::default(), seat: Seat::new(bottom), you: None }
    }

    #[test]
    fn cells_are_ordered_from_the_viewers_upper_left() {
        for (bottom, first, last) in [(Color::Silver, "a8", "j1"), (Color::Red, "j1", "a8")] {
            let cells = cells(&scene(), None, Square::E1, &describer(bottom));
            assert_eq!(cells.len(), 80);
            assert_eq!(cells[0].square.to_string(), first);
            assert_eq!(cells[79].square.to_string(), last);
        }
    }

    #[test]
    fn cells_show_the_targets_of_the_piece_in_hand() {
        let held =
            PieceInHand { from: "h2".parse().expect("a square"), top_only: false, rotation: None };
        let cells = cells(&scene(), Some(held), Square::E1, &describer(Color::Silver));
        let cell = |name: &str| cells.iter().find(|cell| cell.square.to_string() == name);
        let [from, to] = ["h2", "g2"].map(|name| cell(name).expect("a cell"));
        assert!(from.picked && from.class == "cell acts", "{from:?}");
        assert!(
            to.class == "cell target" && !to.picked && to.label.ends_with("free to go to"),
            "{to:?}"
        );
    }
}
