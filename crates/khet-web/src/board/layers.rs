//! The background, piece and beam layers of a board.

use khet::tower::{BoardLevel, TowerColumn};
use khet::{BoardSquare, GamePosition, Kind, Piece};
use leptos::prelude::*;

use super::geometry::{Point, short};
use super::levels::{TowerMotion, is_column};
use super::move_input::{AllowedMoves, PieceInHand, TargetKind};
use super::piece_tracking::{self, TrackedPiece};
use super::shot_animation::ShotAnimation;
use super::shot_drawing::ShownLevels;
use super::state::BoardState;
use super::tower_layers::tower_foot;
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
pub(super) struct DisplayedPiece {
    piece: TrackedPiece,
    glides: bool,
    /// True if it has just climbed or descended.
    changes_level: bool,
}

/// The pieces on the board by their identifiers. The signals are reference-counted, because pieces
/// outlive the effect that creates them.
pub(super) type DisplayedPieces = RwSignal<Vec<(u32, ArcRwSignal<DisplayedPiece>)>>;

/// Follows the pieces from position to position.
pub(super) fn track_pieces(state: BoardState) -> DisplayedPieces {
    let displayed = DisplayedPieces::new(Vec::new());
    let column_before = StoredValue::new(None::<TowerColumn>);
    let position = Memo::new(move |_| state.displayed_position());
    let update = move |position: &Position| {
        let before = displayed.get_untracked();
        let old: Vec<TrackedPiece> =
            before.iter().map(|(_, piece)| piece.get_untracked().piece).collect();
        let motion = column_before.get_value().and_then(|column| {
            let pieces: Vec<_> = old.iter().map(|it| (it.square, it.piece)).collect();
            let last = untrack(|| state.last_move());
            Some((TowerMotion::between(&pieces, column, position, last)?, column))
        });
        column_before.set_value(position.tower_column());
        let carried = motion.map(|(motion, column)| piece_tracking::carry(&old, motion, column));
        let glides = !state.dropped.get_value();
        let tracked = piece_tracking::track(carried.as_deref().unwrap_or(&old), position);
        let now = tracked.into_iter().map(|piece| {
            let level = old.iter().find(|it| it.id == piece.id).map(|it| it.square.board_level());
            let changes_level = level.is_some_and(|level| level != piece.square.board_level());
            let now = DisplayedPiece { piece, glides, changes_level };
            match before.iter().find(|(id, _)| *id == piece.id) {
                Some((id, signal)) => {
                    signal.set(now);
                    (*id, signal.clone())
                }
                None => (piece.id, ArcRwSignal::new(now)),
            }
        });
        displayed.set(now.collect());
        if let Some((TowerMotion::Rotate(rotation), _)) = motion {
            state.show_tower_rotation(rotation);
        }
    };
    update(&state.scene.with_untracked(|scene| scene.position));
    Effect::new(move |_| update(&position.get()));
    displayed
}

/// Draws the pieces of a level.
pub(super) fn pieces_of_level(
    state: BoardState,
    displayed: DisplayedPieces,
    level: BoardLevel,
) -> impl IntoView {
    let is_here = move |(_, piece): &(u32, ArcRwSignal<DisplayedPiece>)| {
        piece.get_untracked().piece.square.board_level() == level
    };
    let each = move || displayed.get().into_iter().filter(is_here).collect::<Vec<_>>();
    view! {
        <For each=each key=|(id, _)| *id let((_, piece))>
            {tracked_piece_view(state, piece.into())}
        </For>
    }
}

/// Draws the marks behind the pieces of a level: the last move, and the square of the piece in hand.
pub(super) fn marks_behind(state: BoardState, level: BoardLevel) -> impl IntoView {
    let last = Memo::new(move |_| state.last_move());
    let last = move || {
        let column = state.displayed_column();
        let mark = |mv| khet_picture::marks::last(mv, column, level, state.orientation());
        last.get().map(mark).unwrap_or_default()
    };
    let from = Memo::new(move |_| {
        state.held.get().map(|held| held.from).filter(|from| from.board_level() == level)
    });
    let picked = move || {
        let from = from.get()?;
        let column = state.scene.with(|scene| scene.position.tower_column());
        // The tower has handles instead of a frame.
        (!is_column(column, from)).then(|| picked_frame(state.orientation().center(from)))
    };
    view! {
        <g inner_html=last></g>
        {picked}
    }
}

/// Draws the ground: the foot of the tower, and the pieces.
pub(super) fn piece_layer(state: BoardState, displayed: DisplayedPieces) -> impl IntoView {
    view! {
        <svg class="board-pieces" viewBox=move || state.orientation().view_box() aria-hidden="true">
            {tower_foot(state)}
            {marks_behind(state, BoardLevel::Ground)}
            {pieces_of_level(state, displayed, BoardLevel::Ground)}
        </svg>
    }
}

/// Draws what is in front of all pieces: targets, the piece in hand, hints and arrows.
pub(super) fn marks_layer(state: BoardState) -> impl IntoView {
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
    let is_aside = |kind: TargetKind| matches!(kind, TargetKind::Climb | TargetKind::Descend);
    let marks = move |aside: bool| {
        let targets = targets.get().into_iter().filter(|(_, kind)| is_aside(*kind) == aside);
        targets.map(target).collect::<String>()
    };
    let hints = move || {
        let orientation = state.orientation();
        let column = state.scene.with(|scene| scene.position.tower_column());
        let hints = hints.get().into_iter().map(|hint| move_marks::hint(hint, orientation, column));
        hints.collect::<String>() + &state.drawn.with(|drawn| drawn.markup(orientation))
    };
    let from = Memo::new(move |_| state.held.get().map(|held| held.from));
    view! {
        <svg class="board-marks" viewBox=move || state.orientation().view_box() aria-hidden="true">
            <g class="targets" inner_html=move || marks(false)></g>
            {move || from.get().and_then(|from| in_hand(state, from))}
            {other_level_marks(move || marks(true))}
            <g inner_html=hints></g>
        </svg>
    }
}

/// Draws the marks of the squares straight above and below, which the piece in hand covers in part.
#[cfg(feature = "tower")]
fn other_level_marks(marks: impl Fn() -> String + Send + Sync + 'static) -> impl IntoView {
    view! { <g class="targets" inner_html=marks></g> }
}

#[cfg(not(feature = "tower"))]
fn other_level_marks(_: impl Fn() -> String) -> impl IntoView {}

/// Draws a frame around the square at a center, from which a piece is picked up.
pub(super) fn picked_frame(center: Point) -> impl IntoView {
    let at = center.plus(-47.5, -47.5);
    let (x, y) = (short(at.x).to_string(), short(at.y).to_string());
    view! { <rect class="picked" x=x y=y width="95" height="95" rx="4"/> }
}

/// Formats a translation for a style, where lengths need a unit.
pub(super) fn style_translation(at: Point) -> String {
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
    // Its element is a new one, in the layer of the other level.
    let DisplayedPiece { piece, changes_level, .. } = displayed.get_untracked();
    let motion = match piece.square.board_level() {
        _ if !changes_level => "",
        BoardLevel::Upper => "climbs",
        BoardLevel::Ground => "descends",
    };
    let hidden = move || held.get().is_some_and(|held| !held.top_only);
    let color = displayed.get_untracked().piece.piece.color();
    view! {
        <g
            class=format!("tracked-piece {}", pieces::class(color))
            class:glides=move || displayed.get().glides
            class:in-hand=hidden
            style:transform=at
        >
            <g class=motion>{rotating_piece(state, appearance)}</g>
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

/// Draws the beams in front of the pieces of a level.
pub(super) fn beam_layer(state: BoardState, level: BoardLevel) -> impl IntoView {
    let trails = move || afterglow(state, level) + &previews(state, level);
    let shot = |class: &'static str, animation: RwSignal<Option<ShotAnimation>>| {
        move || {
            let shown = ShownLevels { level, highest: state.highest_level() };
            let orientation = state.orientation_now();
            animation.get().map(|shot| shot_drawing::shot(class, shot, orientation, shown))
        }
    };
    let class = match level {
        BoardLevel::Ground => "board-beams",
        BoardLevel::Upper => "board-beams upper",
    };
    view! {
        <svg class=class viewBox=move || state.orientation().view_box() aria-hidden="true">
            <g inner_html=trails></g>
            {shot("prerender", state.prerender)}
            {shot("shot", state.animation)}
        </svg>
    }
}

/// Draws the path of the last shot on a level, unless a shot is animated.
fn afterglow(state: BoardState, level: BoardLevel) -> String {
    if state.animation.with(Option::is_some) {
        return String::new();
    }
    let orientation = state.orientation();
    state.scene.with(|scene| {
        let shot = scene.shot.as_ref().map(|scene_shot| &scene_shot.shot);
        let trail = |shot| shot_drawing::trail("afterglow", shot, orientation, level);
        shot.map(trail).unwrap_or_default()
    })
}

/// Draws the beams that lasers would fire with the piece in hand as it would stand, on a level.
fn previews(state: BoardState, level: BoardLevel) -> String {
    let (sides, position) = state.scene.with(|scene| (scene.previews.clone(), scene.position));
    if sides.is_empty() {
        return String::new();
    }
    let standing = state.aimed_move().map_or(position, |mv| position.before_shot(mv));
    let orientation = state.orientation();
    let trail = |by| shot_drawing::trail("preview", &standing.fire(by), orientation, level);
    sides.into_iter().map(trail).collect()
}
