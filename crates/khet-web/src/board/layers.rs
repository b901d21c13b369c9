//! The layers of a board's picture, as they follow its state.

use khet::{Kind, Piece, Position, Square};
use leptos::prelude::*;

use super::acting::{Arrival, Choices, Held};
use super::figures::{self, Figure};
use super::geometry::{Seat, VIEW_BOX};
use super::shot_animation::ShotAnimation;
use super::state::State;
use super::{light, marks, pieces, stone};

pub(super) fn stone_layer(state: State) -> impl IntoView {
    let lasers =
        Memo::new(move |_| state.scene.with(|scene| khet_picture::wall_lasers(&scene.position)));
    view! {
        <svg class="board-stone" viewBox=VIEW_BOX aria-hidden="true">
            <g inner_html=move || stone::markup(state.seat(), lasers.get())></g>
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
    let last = Memo::new(move |_| state.scene.with(|scene| scene.last));
    let hints = Memo::new(move |_| state.scene.with(|scene| scene.hints.clone()));
    let targets = Memo::new(move |_| {
        let Some(held) = state.held.get().filter(|held| held.spun.is_none()) else {
            return Vec::new();
        };
        state
            .scene
            .with(|scene| Choices { position: &scene.position, moves: &scene.moves }.targets(held))
    });
    let target = move |(square, arrival): (Square, Arrival)| {
        marks::target(state.seat().center(square), arrival)
    };
    let targets = move || targets.get().into_iter().map(target).collect::<String>();
    let last = move || {
        last.get().map(|mv| khet_picture::marks::last(mv, state.seat())).unwrap_or_default()
    };
    let hints = move || {
        hints.get().into_iter().map(|hint| marks::hint(hint, state.seat())).collect::<String>()
    };
    let from = Memo::new(move |_| state.held.get().map(|held| held.from));
    view! {
        <svg class="board-pieces" viewBox=VIEW_BOX aria-hidden="true">
            <g inner_html=last></g>
            {move || from.get().map(|from| held_square(state, from))}
            <For each=move || standing.get() key=|(id, _)| *id let((_, figure))>
                {figure_view(state, figure.into())}
            </For>
            <g class="targets" inner_html=targets></g>
            {move || from.get().and_then(|from| in_hand(state, from))}
            <g inner_html=hints></g>
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
            Some(Held { spun: Some(rotation), .. }) => piece.rotated(rotation.quarters()),
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
            Some(before) if before.rotated(1) == piece => "rotates-right",
            Some(before) if before.rotated(3) == piece => "rotates-left",
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
            Some(Held { spun: Some(rotation), .. }) => piece.rotated(rotation.quarters()),
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
            let shot = &scene.shot.as_ref()?.shot;
            Some(light::trail("afterglow", shot, Seat::new(scene.bottom)))
        })
    };
    let previews = move || {
        state.scene.with(|scene| {
            let seat = Seat::new(scene.bottom);
            let trail = |shot| light::trail("preview", shot, seat);
            scene.previews.iter().map(trail).collect_view()
        })
    };
    let shot = |class: &'static str, animation: RwSignal<Option<ShotAnimation>>| {
        move || animation.get().map(|shot| light::shot(class, shot, state.seat_now()))
    };
    view! {
        <svg class="board-light" viewBox=VIEW_BOX aria-hidden="true">
            {faint}
            {previews}
            {shot("rehearsal", state.rehearsal)}
            {shot("shot", state.showing)}
        </svg>
    }
}
