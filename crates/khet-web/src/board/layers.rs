//! The background, piece and beam layers of a board.

use khet::tower::BoardLevel;
use khet::{GamePosition, Kind, Piece};
use leptos::prelude::*;

use super::geometry::{Point, short};
use super::move_input::{AllowedMoves, PieceInHand, TargetKind};
use super::piece_tracking::{self, TrackedPiece};
use super::shot_animation::ShotAnimation;
use super::state::BoardState;
use super::{move_marks, pieces, shot_drawing, stone};
use crate::rules::{Position, Square};

pub(super) fn background_layer(state: BoardState) -> impl IntoView {
    let lasers =
        Memo::new(move |_| state.scene.with(|scene| khet_picture::wall_lasers(&scene.position)));
    view! {
        <svg class="board-background" viewBox=move || state.orientation().view_box() aria-hidden="true">
            <g inner_html=move || stone::markup(state.orientation(), lasers.get())></g>
        </svg>
    }
}

/// A piece on the board, with its current motion.
#[derive(Clone, Copy, PartialEq)]
struct DisplayedPiece {
    piece: TrackedPiece,
    glides: bool,
}

pub(super) fn piece_layer(state: BoardState) -> impl IntoView {
    // Reference-counted signals, because pieces outlive the effect that creates them.
    let displayed: RwSignal<Vec<(u32, ArcRwSignal<DisplayedPiece>)>> = RwSignal::new(Vec::new());
    let position = Memo::new(move |_| {
        let position = state.scene.with(|scene| scene.position);
        let proposed = state.proposal.current.get();
        proposed.map_or(position, |proposed| position.before_shot(proposed.mv))
    });
    let update = move |position: &Position| {
        let before = displayed.get_untracked();
        let old: Vec<TrackedPiece> =
            before.iter().map(|(_, piece)| piece.get_untracked().piece).collect();
        let glides = !state.dropped.get_value();
        let now = piece_tracking::track(&old, position).into_iter().map(|piece| {
            match before.iter().find(|(id, _)| *id == piece.id) {
                Some((id, signal)) => {
                    signal.set(DisplayedPiece { piece, glides });
                    (*id, signal.clone())
                }
                None => (piece.id, ArcRwSignal::new(DisplayedPiece { piece, glides })),
            }
        });
        displayed.set(now.collect());
    };
    update(&state.scene.with_untracked(|scene| scene.position));
    Effect::new(move |_| update(&position.get()));
    let last = Memo::new(move |_| {
        let proposed = state.proposal.current.get().map(|proposed| proposed.mv);
        proposed.or_else(|| state.scene.with(|scene| scene.last))
    });
    let hints = Memo::new(move |_| state.scene.with(|scene| scene.hints.clone()));
    let targets = Memo::new(move |_| {
        let Some(held) = state.held.get().filter(|held| held.rotation.is_none()) else {
            return Vec::new();
        };
        state.scene.with(|scene| {
            AllowedMoves { position: &scene.position, moves: &scene.moves }.targets(held)
        })
    });
    let target = move |(square, kind): (Square, TargetKind)| {
        move_marks::target(state.orientation().center(square), kind)
    };
    let targets = move || targets.get().into_iter().map(target).collect::<String>();
    let last = move || {
        let mark =
            |mv| khet_picture::marks::last(mv, None, BoardLevel::Ground, state.orientation());
        last.get().map(mark).unwrap_or_default()
    };
    let hints = move || {
        let orientation = state.orientation();
        let hints = hints.get().into_iter().map(|hint| move_marks::hint(hint, orientation));
        hints.collect::<String>() + &state.drawn.with(|drawn| drawn.markup(orientation))
    };
    let from = Memo::new(move |_| state.held.get().map(|held| held.from));
    view! {
        <svg class="board-pieces" viewBox=move || state.orientation().view_box() aria-hidden="true">
            <g inner_html=last></g>
            {move || from.get().map(|from| picked_frame(state.orientation().center(from)))}
            <For each=move || displayed.get() key=|(id, _)| *id let((_, piece))>
                {tracked_piece_view(state, piece.into())}
            </For>
            <g class="targets" inner_html=targets></g>
            {move || from.get().and_then(|from| in_hand(state, from))}
            <g inner_html=hints></g>
        </svg>
    }
}

/// Draws a frame around the square at a center, from which a piece is picked up.
pub(super) fn picked_frame(center: Point) -> impl IntoView {
    let at = center.plus(-47.5, -47.5);
    let (x, y) = (short(at.x).to_string(), short(at.y).to_string());
    view! { <rect class="picked" x=x y=y width="95" height="95" rx="4"/> }
}

/// Formats a translation for a style, where lengths need a unit.
fn style_translation(at: Point) -> String {
    format!("translate({}px, {}px)", short(at.x), short(at.y))
}

fn tracked_piece_view(state: BoardState, displayed: RwSignal<DisplayedPiece>) -> impl IntoView {
    let at = move || style_translation(state.orientation().center(displayed.get().piece.square));
    // The piece in hand is drawn above all others. If only the top of a stack is held, the lower
    // obelisk stays.
    let held = Memo::new(move |_| {
        state.held.get().filter(|held| held.from == displayed.get().piece.square)
    });
    let appearance = Memo::new(move |_| {
        let piece = displayed.get().piece.piece;
        match held.get() {
            Some(held) if held.top_only => piece.remains().unwrap_or(piece),
            Some(PieceInHand { rotation: Some(rotation), .. }) => {
                piece.rotated(rotation.quarters())
            }
            _ => piece,
        }
    });
    let hidden = move || held.get().is_some_and(|held| !held.top_only);
    let color = displayed.get_untracked().piece.piece.color();
    view! {
        <g
            class=format!("tracked-piece {}", pieces::class(color))
            class:glides=move || displayed.get().glides
            class:in-hand=hidden
            style:transform=at
        >
            {rotating_piece(state, appearance)}
        </g>
    }
}

/// Draws a piece, animating its rotation.
fn rotating_piece(state: BoardState, appearance: Memo<Piece>) -> impl Fn() -> AnyView {
    let before = StoredValue::new(None::<Piece>);
    move || {
        let piece = appearance.get();
        let previous = before.get_value().filter(|before| before.kind() != piece.kind());
        before.set_value(Some(piece));
        let class = match previous {
            Some(before) if before.rotated(1) == piece => "rotates-right",
            Some(before) if before.rotated(3) == piece => "rotates-left",
            _ => "",
        };
        let markup = pieces::markup(state.orientation().piece(piece));
        view! { <g class=class inner_html=markup></g> }.into_any()
    }
}

/// Draws the piece in hand, raised above its square or dragged.
fn in_hand(state: BoardState, from: Square) -> Option<impl IntoView> {
    let color = state.scene.with_untracked(|scene| scene.position.get(from))?.color();
    let appearance = Memo::new(move |_| {
        let piece = state.scene.with(|scene| scene.position.get(from));
        let piece = piece.unwrap_or(Piece::new(color, Kind::Pharaoh));
        match state.held.get() {
            Some(held) if held.top_only => piece.remains().unwrap_or(piece),
            Some(PieceInHand { rotation: Some(rotation), .. }) => {
                piece.rotated(rotation.quarters())
            }
            _ => piece,
        }
    });
    let at = move || {
        let top = state.held.with(|held| held.is_some_and(|held| held.top_only));
        let center = state.orientation().center(from);
        let at = state.drag.get().unwrap_or(if top { center.plus(-7.0, -16.0) } else { center });
        style_translation(at)
    };
    Some(view! {
        <g class=format!("hand {}", pieces::class(color)) style:transform=at>
            <g class="lifted">{rotating_piece(state, appearance)}</g>
        </g>
    })
}

pub(super) fn beam_layer(state: BoardState) -> impl IntoView {
    let trails = move || afterglow(state) + &previews(state);
    let shot = |class: &'static str, animation: RwSignal<Option<ShotAnimation>>| {
        move || animation.get().map(|shot| shot_drawing::shot(class, shot, state.orientation_now()))
    };
    view! {
        <svg class="board-beams" viewBox=move || state.orientation().view_box() aria-hidden="true">
            <g inner_html=trails></g>
            {shot("prerender", state.prerender)}
            {shot("shot", state.animation)}
        </svg>
    }
}

/// Draws the path of the last shot, unless a shot is animated.
fn afterglow(state: BoardState) -> String {
    if state.animation.with(Option::is_some) {
        return String::new();
    }
    let orientation = state.orientation();
    state.scene.with(|scene| {
        let shot = scene.shot.as_ref().map(|scene_shot| &scene_shot.shot);
        shot.map(|shot| shot_drawing::trail("afterglow", shot, orientation)).unwrap_or_default()
    })
}

/// Draws the beams that lasers would fire with the piece in hand as it would stand.
fn previews(state: BoardState) -> String {
    let (sides, position) = state.scene.with(|scene| (scene.previews.clone(), scene.position));
    if sides.is_empty() {
        return String::new();
    }
    let standing = state.aimed_move().map_or(position, |mv| position.before_shot(mv));
    let orientation = state.orientation();
    let trail = |by| shot_drawing::trail("preview", &standing.fire(by), orientation);
    sides.into_iter().map(trail).collect()
}
