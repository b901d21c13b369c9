//! The layers of a board's picture, as they follow its state.

use khet::{Kind, Piece, Position, Spin, Square, Turn};
use leptos::ev;
use leptos::prelude::*;

use super::acting::{Act, Arrival, Choices, Held};
use super::figures::{self, Figure};
use super::geometry::{Point, Seat, VIEW_BOX};
use super::handles::{self, Icon};
use super::state::State;
use super::{light, marks, picture, pieces, stone};

pub(super) fn stone_layer(state: State) -> impl IntoView {
    let look = Memo::new(move |_| {
        state.scene.with(|scene| (Seat::new(scene.bottom), picture::wall_lasers(&scene.position)))
    });
    view! {
        <svg class="board-stone" viewBox=VIEW_BOX aria-hidden="true">
            <g inner_html=move || {
                let (seat, lasers) = look.get();
                stone::markup(seat, lasers)
            }></g>
        </svg>
    }
}

/// A figure on the board, and whether it glides to where it goes.
#[derive(Clone, Copy, PartialEq)]
struct Standing {
    figure: Figure,
    glides: bool,
}

pub(super) fn piece_layer(state: State) -> impl IntoView {
    // Counted, not owned: figures outlive the effect that brings them.
    let standing: RwSignal<Vec<(u32, ArcRwSignal<Standing>)>> = RwSignal::new(Vec::new());
    let position = Memo::new(move |_| state.scene.with(|scene| scene.position));
    let place = move |position: &Position| {
        let before = standing.get_untracked();
        let old: Vec<Figure> =
            before.iter().map(|(_, figure)| figure.get_untracked().figure).collect();
        let glides = !state.dropped.get_value();
        let now = figures::follow(&old, position).into_iter().map(|figure| {
            match before.iter().find(|(id, _)| *id == figure.id) {
                Some((id, signal)) => {
                    signal.set(Standing { figure, glides });
                    (*id, signal.clone())
                }
                None => (figure.id, ArcRwSignal::new(Standing { figure, glides })),
            }
        });
        standing.set(now.collect());
    };
    place(&state.scene.with_untracked(|scene| scene.position));
    Effect::new(move |_| place(&position.get()));
    let last = move || {
        state.scene.with(|scene| scene.last.map(|turn| marks::last(turn, Seat::new(scene.bottom))))
    };
    let hint = move || {
        state.scene.with(|scene| scene.hint.map(|turn| marks::hint(turn, Seat::new(scene.bottom))))
    };
    let targets = move || {
        let held = state.held.get().filter(|held| held.spun.is_none())?;
        state.scene.with(|scene| {
            let seat = Seat::new(scene.bottom);
            let choices = Choices { position: &scene.position, turns: &scene.turns };
            let mark =
                |(square, arrival): (Square, Arrival)| marks::target(seat.center(square), arrival);
            Some(choices.targets(held).into_iter().map(mark).collect::<String>())
        })
    };
    let from = Memo::new(move |_| state.held.get().map(|held| held.from));
    view! {
        <svg class="board-pieces" viewBox=VIEW_BOX aria-hidden="true">
            <g inner_html=move || last().unwrap_or_default()></g>
            {move || from.get().map(|from| held_square(state, from))}
            <For each=move || standing.get() key=|(id, _)| *id let((_, figure))>
                {figure_view(state, figure.into())}
            </For>
            <g class="targets" inner_html=move || targets().unwrap_or_default()></g>
            {move || from.get().and_then(|from| in_hand(state, from))}
            <g inner_html=move || hint().unwrap_or_default()></g>
        </svg>
    }
}

/// The square from which a piece is picked.
fn held_square(state: State, from: Square) -> impl IntoView {
    let at = state.seat().center(from).plus(-47.5, -47.5);
    view! { <rect class="picked" x=at.x y=at.y width="95" height="95" rx="4"/> }
}

fn figure_view(state: State, standing: RwSignal<Standing>) -> impl IntoView {
    let at = move || {
        let center = state.seat().center(standing.get().figure.square);
        format!("translate({}px, {}px)", center.x, center.y)
    };
    // In the hand it is drawn above all others; of a split stack the lower half stays.
    let held = Memo::new(move |_| {
        state.held.get().filter(|held| held.from == standing.get().figure.square)
    });
    let looks = Memo::new(move |_| {
        let piece = standing.get().figure.piece;
        match held.get() {
            Some(held) if held.top => piece.remains().unwrap_or(piece),
            Some(Held { spun: Some(spin), .. }) => piece.rotated(spin.quarters()),
            _ => piece,
        }
    });
    let hidden = move || held.get().is_some_and(|held| !held.top);
    let color = standing.get_untracked().figure.piece.color();
    view! {
        <g
            class=format!("figure {}", pieces::class(color))
            class:glides=move || standing.get().glides
            class:in-hand=hidden
            style:transform=at
        >
            {picture_of(state, looks)}
        </g>
    }
}

/// A piece as it is seen, which turns when it is rotated.
fn picture_of(state: State, looks: Memo<Piece>) -> impl Fn() -> AnyView {
    let before = StoredValue::new(None::<Piece>);
    move || {
        let piece = looks.get();
        let turned = before.get_value().filter(|before| before.kind() != piece.kind());
        before.set_value(Some(piece));
        let class = match turned {
            Some(before) if before.rotated(1) == piece => "turns-right",
            Some(before) if before.rotated(3) == piece => "turns-left",
            _ => "",
        };
        let markup = pieces::markup(state.seat().piece(piece));
        view! { <g class=class inner_html=markup></g> }.into_any()
    }
}

/// The piece in the hand: lifted over its square, or dragged.
fn in_hand(state: State, from: Square) -> Option<impl IntoView> {
    let color = state.scene.with_untracked(|scene| scene.position.get(from))?.color();
    let looks = Memo::new(move |_| {
        let piece = state.scene.with(|scene| scene.position.get(from));
        let piece = piece.unwrap_or(Piece::new(color, Kind::Pharaoh));
        match state.held.get() {
            Some(held) if held.top => piece.remains().unwrap_or(piece),
            Some(Held { spun: Some(spin), .. }) => piece.rotated(spin.quarters()),
            _ => piece,
        }
    });
    let at = move || {
        let top = state.held.with(|held| held.is_some_and(|held| held.top));
        let center = state.seat().center(from);
        let at = state.drag.get().unwrap_or(if top { center.plus(-7.0, -16.0) } else { center });
        format!("translate({}px, {}px)", at.x, at.y)
    };
    Some(view! {
        <g class=format!("hand {}", pieces::class(color)) style:transform=at>
            <g class="lifted">{picture_of(state, looks)}</g>
        </g>
    })
}

pub(super) fn light_layer(state: State) -> impl IntoView {
    let faint = move || {
        if state.showing.with(Option::is_some) {
            return None;
        }
        state.scene.with(|scene| {
            let fired = scene.shot.as_ref()?;
            Some(light::afterglow(&fired.shot, &fired.before_shot, Seat::new(scene.bottom)))
        })
    };
    let preview = move || {
        state.scene.with(|scene| {
            let shot = scene.preview.as_ref()?;
            Some(light::preview(shot, &scene.position, Seat::new(scene.bottom)))
        })
    };
    let shot = move || state.showing.get().map(|showing| light::shot(showing, state.seat_now()));
    view! {
        <svg class="board-light" viewBox=VIEW_BOX aria-hidden="true">
            {faint}
            {preview}
            {shot}
        </svg>
    }
}

pub(super) fn grid_layer(state: State) -> impl IntoView {
    let rows = (0..Square::RANKS).map(|row| {
        let cells = (0..Square::FILES).map(|column| cell(state, column, row)).collect_view();
        view! { <g role="row">{cells}</g> }
    });
    view! {
        <svg class="board-grid" viewBox=VIEW_BOX>
            <g role="grid" aria-label=state.words.board_label() aria-description=state.words.board_keys()>
                {rows.collect_view()}
            </g>
            {move || handles_view(state)}
        </svg>
    }
}

fn cell(state: State, column: u8, row: u8) -> impl IntoView {
    // The seat changes who is where, not where the squares of the picture are.
    let square = move || state.seat().at(column, row).unwrap_or(Square::A1);
    let arrival = Memo::new(move |_| {
        let square = square();
        let held = state.held.get().filter(|held| held.spun.is_none())?;
        state.scene.with(|scene| {
            let choices = Choices { position: &scene.position, turns: &scene.turns };
            choices
                .targets(held)
                .into_iter()
                .find(|(target, _)| *target == square)
                .map(|(_, arrival)| arrival)
        })
    });
    let picked = move || state.held.with(|held| held.is_some_and(|held| held.from == square()));
    let acts = Memo::new(move |_| {
        let square = square();
        state.scene.with(|scene| scene.turns.iter().any(|turn| turn.from() == square))
    });
    let label = move || {
        state.scene.with(|scene| {
            let speaker = state.speaker(scene);
            let mut label = speaker.square(square(), &scene.position);
            if picked() {
                label += ", ";
                label += state.words.board_held();
            } else if let Some(arrival) = arrival.get() {
                label += ", ";
                label += speaker.target(arrival);
            }
            label
        })
    };
    let over = move || {
        arrival.get().is_some()
            && state.drag.with(|drag| {
                drag.is_some_and(|point| state.seat().square_at(point) == Some(square()))
            })
    };
    view! {
        <rect
            role="gridcell"
            class="cell"
            class:acts=acts
            class:target=move || arrival.get().is_some()
            class:over=over
            x=f64::from(column) * 100.0
            y=f64::from(row) * 100.0
            width="100"
            height="100"
            data-square=move || square().to_string()
            tabindex=move || if state.cursor.get() == square() { "0" } else { "-1" }
            aria-label=label
            aria-selected=move || if picked() { "true" } else { "false" }
            on:focus=move |_| state.cursor.set(square())
        />
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
