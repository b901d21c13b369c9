//! The grid of a board on which turns are made: a cell for each square, and the handles of the piece in the hand.

use khet::{Move, Rotation, Square};
use leptos::ev;
use leptos::prelude::*;
use leptos::svg;

use super::acting::{Act, Choices, Held};
use super::cells::{self, Cell, markup, seen};
use super::geometry::{Point, VIEW_BOX};
use super::handles::{self, Icon};
use super::scene::Scene;
use super::speech::Speaker;
use super::state::State;

const fn class(acts: bool, target: bool) -> &'static str {
    match (acts, target) {
        (false, false) => "cell",
        (true, false) => "cell acts",
        (false, true) => "cell target",
        (true, true) => "cell acts target",
    }
}

/// The cells from the upper left to the lower right.
fn cells(scene: &Scene, held: Option<Held>, cursor: Square, speaker: &Speaker) -> Vec<Cell> {
    let choices = Choices { position: &scene.position, moves: &scene.moves };
    let targets = held
        .filter(|held| held.spun.is_none())
        .map(|held| choices.targets(held))
        .unwrap_or_default();
    let cell = |square: Square| {
        let mut label = speaker.square(square, scene.position.get(square));
        let picked = held.is_some_and(|held| held.from == square);
        let target = targets.iter().find(|(target, _)| *target == square);
        if picked {
            label += ", ";
            label += speaker.words.board_in_hand();
        } else if let Some((_, arrival)) = target {
            label += ", ";
            label += speaker.target(*arrival);
        }
        Cell {
            square,
            label,
            class: class(choices.can_act(square), target.is_some()),
            picked,
            cursor: square == cursor,
        }
    };
    seen(speaker.seat).map(cell).collect()
}

pub(super) fn grid_layer(state: State) -> impl IntoView {
    let grid = NodeRef::<svg::G>::new();
    let now = move || {
        let (held, cursor) = (state.held.get(), state.cursor.get());
        state.scene.with(|scene| cells(scene, held, cursor, &state.speaker(scene)))
    };
    let first = untrack(now);
    let text = markup(&first);
    let shown = StoredValue::new(first);
    Effect::new(move |_| {
        // Nothing can be done while a shot runs: it has the page for itself.
        if state.showing.with(Option::is_some) {
            return;
        }
        let now = now();
        shown.update_value(|before| cells::tell(grid, before, now));
    });
    let over = Memo::new(move |_| {
        let square = state.seat().square_at(state.drag.get()?)?;
        let held = state.held.get()?;
        state.scene.with(|scene| {
            let choices = Choices { position: &scene.position, moves: &scene.moves };
            choices.targets(held).iter().any(|(target, _)| *target == square).then_some(square)
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

/// The handles of the picked piece: two ways to turn it, or both and top of a stack.
fn handles_view(state: State) -> Option<impl IntoView> {
    let held = state.held.get()?;
    if state.drag.with(Option::is_some) {
        return None;
    }
    let radius = state.handle.get();
    let words = state.words;
    let (left, right) = state.scene.with(|scene| {
        let choices = Choices { position: &scene.position, moves: &scene.moves };
        let rotation = |rotation| {
            let mv = choices.rotation(held.from, rotation)?;
            // Where both ways are the same, one handle is enough.
            matches!(mv, Move::Rotate { rotation: listed, .. } if listed == rotation)
                .then_some(rotation)
        };
        let from = held.from;
        if let Some(spun) = held.spun {
            let back = match spun {
                Rotation::Clockwise => Rotation::Counterclockwise,
                Rotation::Counterclockwise => Rotation::Clockwise,
            };
            let drop = (Icon::Drop, words.board_drop(), Act::Tap(from), true);
            let back = (Icon::Back, words.board_rotate_back(), Act::Rotation(back, from), false);
            return match spun {
                Rotation::Clockwise => (Some(back), Some(drop)),
                Rotation::Counterclockwise => (Some(drop), Some(back)),
            };
        }
        if choices.splits(from) {
            let both = (Icon::Both, words.board_whole_stack(), Act::Top(false, from), !held.top);
            let top = (Icon::Top, words.board_top_only(), Act::Top(true, from), held.top);
            return (Some(both), Some(top));
        }
        let mv = |way, icon, name| {
            rotation(way).map(|way| (icon, name, Act::Rotation(way, from), false))
        };
        (
            mv(
                Rotation::Counterclockwise,
                Icon::Counterclockwise,
                words.board_rotate_counterclockwise(),
            ),
            mv(Rotation::Clockwise, Icon::Clockwise, words.board_rotate_clockwise()),
        )
    });
    let center = state.seat().center(held.from);
    let places = handles::places(center, radius);
    let handle = move |place: Point, (icon, name, act, strong): (Icon, &'static str, Act, bool)| {
        let press = move || {
            state.act(act);
            state.walk(held.from);
        };
        handles::handle(place, radius, icon, name, strong, press)
    };
    let [at_left, at_right] = places;
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

    fn speaker(bottom: Color) -> Speaker {
        Speaker { words: Words::default(), seat: Seat::new(bottom), you: None }
    }

    #[test]
    fn cells_lie_as_the_board_is_seen() {
        for (bottom, first, last) in [(Color::Silver, "a8", "j1"), (Color::Red, "j1", "a8")] {
            let cells = cells(&scene(), None, Square::E1, &speaker(bottom));
            assert_eq!(cells.len(), 80);
            assert_eq!(cells[0].square.to_string(), first);
            assert_eq!(cells[79].square.to_string(), last);
        }
    }

    #[test]
    fn a_piece_in_the_hand_shows_where_it_can_go() {
        let held = Held { from: "h2".parse().expect("a square"), top: false, spun: None };
        let cells = cells(&scene(), Some(held), Square::E1, &speaker(Color::Silver));
        let cell = |name: &str| cells.iter().find(|cell| cell.square.to_string() == name);
        let [from, to] = ["h2", "g2"].map(|name| cell(name).expect("a cell"));
        assert!(from.picked && from.class == "cell acts", "{from:?}");
        assert!(
            to.class == "cell target" && !to.picked && to.label.ends_with("free to go to"),
            "{to:?}"
        );
    }
}
