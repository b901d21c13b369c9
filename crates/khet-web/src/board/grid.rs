//! The grid that is pointed at, walked over with keys and read by screen readers: a cell for each square, and the
//! handles of the piece in the hand.
//!
//! The cells are written once, as text; later only what has changed about one is told to it.

use std::fmt::Write as _;

use khet::{Spin, Square, Turn};
use leptos::ev;
use leptos::prelude::*;
use leptos::svg;
use leptos::web_sys::Element;
use wasm_bindgen::JsCast;

use super::acting::{Act, Choices, Held};
use super::geometry::{Point, Seat, VIEW_BOX};
use super::handles::{self, Icon};
use super::scene::Scene;
use super::speech::Speaker;
use super::state::State;

/// What a cell says of itself.
#[derive(Clone, PartialEq, Debug)]
struct Cell {
    square: Square,
    label: String,
    acts: bool,
    target: bool,
    picked: bool,
    /// The keys come in here.
    cursor: bool,
}

impl Cell {
    fn class(&self) -> &'static str {
        match (self.acts, self.target) {
            (false, false) => "cell",
            (true, false) => "cell acts",
            (false, true) => "cell target",
            (true, true) => "cell acts target",
        }
    }

    fn tab_index(&self) -> &'static str {
        if self.cursor { "0" } else { "-1" }
    }

    fn selected(&self) -> &'static str {
        if self.picked { "true" } else { "false" }
    }
}

/// The cells from the upper left to the lower right.
fn cells(scene: &Scene, held: Option<Held>, cursor: Square, speaker: &Speaker) -> Vec<Cell> {
    let choices = Choices { position: &scene.position, turns: &scene.turns };
    let targets = held
        .filter(|held| held.spun.is_none())
        .map(|held| choices.targets(held))
        .unwrap_or_default();
    let cell = |square: Square| {
        let mut label = speaker.square(square, &scene.position);
        let picked = held.is_some_and(|held| held.from == square);
        let target = targets.iter().find(|(target, _)| *target == square);
        if picked {
            label += ", ";
            label += speaker.words.board_held();
        } else if let Some((_, arrival)) = target {
            label += ", ";
            label += speaker.target(*arrival);
        }
        Cell {
            square,
            label,
            acts: choices.can_act(square),
            target: target.is_some(),
            picked,
            cursor: square == cursor,
        }
    };
    seen(speaker.seat).map(cell).collect()
}

/// The squares from the upper left to the lower right.
fn seen(seat: Seat) -> impl Iterator<Item = Square> {
    let places =
        (0..Square::RANKS).flat_map(|row| (0..Square::FILES).map(move |column| (column, row)));
    places.filter_map(move |(column, row)| seat.at(column, row))
}

/// The cells as SVG.
fn markup(cells: &[Cell]) -> String {
    let mut text = String::with_capacity(16_000);
    for (row, cells) in cells.chunks(usize::from(Square::FILES)).enumerate() {
        text += r#"<g role="row">"#;
        for (column, cell) in cells.iter().enumerate() {
            let label = cell.label.replace('&', "&amp;").replace('"', "&quot;");
            // Writing to a string can't fail.
            let _ = write!(
                text,
                r#"<rect role="gridcell" class="{}" x="{column}00" y="{row}00" width="100" height="100" data-square="{}" tabindex="{}" aria-label="{label}" aria-selected="{}"/>"#,
                cell.class(),
                cell.square,
                cell.tab_index(),
                cell.selected(),
            );
        }
        text += "</g>";
    }
    text
}

pub(super) fn grid_layer(state: State) -> impl IntoView {
    let grid = NodeRef::<svg::G>::new();
    let element = move |square: Square| {
        grid.get_untracked()?.query_selector(&format!("[data-square={square}]")).ok().flatten()
    };
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
        shown.update_value(|before| {
            // Found while the names of squares are still the old ones.
            let changed: Vec<(Option<Element>, &Cell)> = before
                .iter()
                .zip(&now)
                .filter(|(before, now)| before != now)
                .map(|(before, now)| (element(before.square), now))
                .collect();
            for (element, cell) in changed {
                let Some(element) = element else { continue };
                for (name, value) in [
                    ("class", cell.class()),
                    ("data-square", &cell.square.to_string()),
                    ("aria-label", &cell.label),
                    ("aria-selected", cell.selected()),
                    ("tabindex", cell.tab_index()),
                ] {
                    // It fails only for names that are no attribute's.
                    let _ = element.set_attribute(name, value);
                }
            }
            *before = now;
        });
    });
    let over = Memo::new(move |_| {
        let square = state.seat().square_at(state.drag.get()?)?;
        let held = state.held.get()?;
        state.scene.with(|scene| {
            let choices = Choices { position: &scene.position, turns: &scene.turns };
            choices.targets(held).iter().any(|(target, _)| *target == square).then_some(square)
        })
    });
    Effect::new(move |before: Option<Option<Square>>| {
        let over = over.get();
        for (square, is_over) in [(before.flatten(), false), (over, true)] {
            if let Some(element) = square.and_then(element) {
                let _ = element.class_list().toggle_with_force("over", is_over);
            }
        }
        over
    });
    let focused = move |event: ev::FocusEvent| {
        let cell = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let square = cell.and_then(|cell| cell.get_attribute("data-square")?.parse().ok());
        if let Some(square) = square {
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
        let choices = Choices { position: &scene.position, turns: &scene.turns };
        let spin = |spin| {
            let turn = choices.rotation(held.from, spin)?;
            // Where both ways are the same, one handle is enough.
            matches!(turn, Turn::Rotate { spin: listed, .. } if listed == spin).then_some(spin)
        };
        let from = held.from;
        if let Some(spun) = held.spun {
            let back = match spun {
                Spin::Clockwise => Spin::Anticlockwise,
                Spin::Anticlockwise => Spin::Clockwise,
            };
            let drop = (Icon::Drop, words.board_drop(), Act::Tap(from), true);
            let back = (Icon::Back, words.board_turn_back(), Act::Spin(back, from), false);
            return match spun {
                Spin::Clockwise => (Some(back), Some(drop)),
                Spin::Anticlockwise => (Some(drop), Some(back)),
            };
        }
        if choices.splits(from) {
            let both = (Icon::Both, words.board_both(), Act::Top(false, from), !held.top);
            let top = (Icon::Top, words.board_top_only(), Act::Top(true, from), held.top);
            return (Some(both), Some(top));
        }
        let turn = |way, icon, name| spin(way).map(|way| (icon, name, Act::Spin(way, from), false));
        (
            turn(Spin::Anticlockwise, Icon::Anticlockwise, words.board_turn_anticlockwise()),
            turn(Spin::Clockwise, Icon::Clockwise, words.board_turn_clockwise()),
        )
    });
    let center = state.seat().center(held.from);
    let places = handles::places(center, radius);
    let handle = move |place: Point, (icon, name, act, strong): (Icon, &'static str, Act, bool)| {
        let at = format!("translate({} {}) scale({})", place.x, place.y, radius / 22.0);
        let press = move |event: &ev::KeyboardEvent| {
            if matches!(event.key().as_str(), "Enter" | " ") {
                event.prevent_default();
                event.stop_propagation();
                state.act(act);
                state.walk(held.from);
            }
        };
        view! {
            <g
                role="button"
                class="handle"
                class:strong=strong
                tabindex="0"
                aria-label=name
                transform=at
                on:pointerdown=|event| event.stop_propagation()
                on:pointerup=|event| event.stop_propagation()
                on:click=move |_| {
                    state.act(act);
                    state.walk(held.from);
                }
                on:keydown=move |event| press(&event)
            >
                <title>{name}</title>
                <circle class="handle-reach" r="22"/>
                <circle class="handle-plate" r="18"/>
                <path class="handle-icon" d=icon.path()/>
            </g>
        }
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

    use super::*;
    use crate::languages::Words;

    fn scene() -> Scene {
        let mut scene = Scene::of(Setup::Classic.position());
        scene.turns = scene.position.turns().to_vec();
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
        assert!(from.picked && from.acts && !from.target, "{from:?}");
        assert!(to.target && !to.picked && to.label.ends_with("free to go to"), "{to:?}");
    }

    #[test]
    fn whatever_a_label_says_stays_in_its_attribute() {
        let mut cells = cells(&scene(), None, Square::E1, &speaker(Color::Silver));
        cells[0].label = r#"a8 "<&"#.to_string();
        assert!(markup(&cells).contains(r#"aria-label="a8 &quot;<&amp;""#));
    }
}
