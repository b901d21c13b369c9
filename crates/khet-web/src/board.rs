//! The board component that every page with a board uses.
//!
//! The board knows no rules. Its page passes in a [`Scene`] with the allowed moves; the board
//! reports the move that the player makes. Rules stay in one place, and the same board serves local
//! games, online games, lessons and analysis.
//!
//! The picture consists of stacked SVG layers: background, pieces, marks, beams, and a grid that
//! receives pointer and keyboard events and that screen readers read. A tower adds the platform with
//! its pieces, and the beams above it. Only a layer that changes is repainted.
//!
//! | file | content |
//! |---|---|
//! | `scene` | the input of a board: position, allowed moves, shot, hints |
//! | `state` | the signals of a board, and its reactions to moves and new scenes |
//! | `input_events` | its pointer, wheel and keyboard handlers |
//! | `levels` | the square that is meant by a point, and the way of the keys; pure, without the DOM |
//! | `gestures` | recognises taps, drags and wheel rotations; pure, without the DOM |
//! | `move_input` | turns taps, drags, rotations and keys into a move; pure, without the DOM |
//! | `layers`, `grid`, `cells` | the layers; the cells of the grid |
//! | `proposal` | moves that are shown before they are played: rotations, moves to confirm |
//! | `handles`, `piece_handles` | layout of handles; the handles of the piece in hand |
//! | `move_marks`, `drawn_marks` | marks for targets and hints; arrows that the viewer draws |
//! | `notes` | short texts over the edge of the board |
//! | `piece_tracking` | identifies pieces from one position to the next, so that they glide |
//! | `shot_animation`, `shot_drawing`, `sound` | timing, drawing and sound of a shot |
//! | `peek`, `tower_layers`, `upper_grid`, `tower_handles` | boards with a tower: looking beneath the platform; its layers, cells and handles |
//! | `without_tower` | their places in the home program, which has no towers |
//! | `descriptions` | texts for screen readers |
//! | `move_field` | the text field for moves in notation |
//! | `editing` | the board of the setup editor |
//!
//! `khet-picture` draws the squares, the pieces and the paths of beams, so that exported pictures
//! look like the board.
//!
//! A move is final when the piece is dropped, or when it is confirmed; until then everything can be
//! undone. `proposal` says how rotations are played.
//!
//! No script runs during a shot animation: its timing becomes delays and durations of CSS
//! animations, which change only `transform` and `opacity`. Pages update the move list and the
//! result after the animation, so that they do not give the shot away.

mod cells;
mod descriptions;
mod drawn_marks;
#[cfg(feature = "tower")]
mod editing;
mod gestures;
mod grid;
mod handles;
mod input_events;
mod layers;
mod levels;
mod move_field;
mod move_input;
mod move_marks;
mod notes;
#[cfg(feature = "tower")]
mod peek;
mod piece_handles;
mod piece_tracking;
mod proposal;
mod scene;
mod shot_animation;
mod shot_drawing;
mod sound;
mod state;
#[cfg(feature = "tower")]
mod tower_handles;
#[cfg(feature = "tower")]
mod tower_layers;
#[cfg(feature = "tower")]
mod upper_grid;
#[cfg(not(feature = "tower"))]
mod without_tower;
#[cfg(not(feature = "tower"))]
use self::{
    without_tower as tower_handles, without_tower as tower_layers, without_tower as upper_grid,
};

use khet::tower::BoardLevel;
use khet::{Color, Piece};
pub(crate) use khet_picture::pieces;
use khet_picture::{geometry, stone};
use leptos::ev;
use leptos::prelude::*;

pub(crate) use self::geometry::Orientation;
use self::geometry::VIEW_BOX;
use self::grid::grid_layer;
use self::layers::{background_layer, beam_layer, marks_layer, piece_layer, track_pieces};
use self::state::BoardState;
use self::tower_layers::tower_layers;

pub(crate) use self::cells::focus as focus_square;
pub(crate) use self::descriptions::{BoardDescriber, capital, hits_in_words};
#[cfg(feature = "tower")]
pub(crate) use self::editing::{EditedLevels, EditingBoard, EditingScene, SquareMark};
pub(crate) use self::gestures::{DragEvent, PointerGesture, ReleaseEvent, WheelGesture};
pub use self::move_field::MoveField;
pub use self::scene::{Hint, HintKind, Scene, SceneShot};
pub(crate) use self::shot_animation::{LONGEST_SHOT, ShotAnimation};
pub(crate) use self::state::ArrowKeysStep;
use crate::rules::{Move, Placement, Position, tower_column};

/// A board as wide as its parent, with an `aspect-ratio` of 27 / 22, or 22 / 27 if it stands
/// upright.
///
/// The shot of the first scene is not animated, because it was fired before the board was shown.
#[component]
pub fn Board(
    /// The position and everything else that is shown.
    #[prop(into)]
    scene: Signal<Scene>,
    /// Called with the move that the player makes.
    #[prop(optional, into)]
    on_move: Option<Callback<Move>>,
    /// Called when the animation of a new shot ends or is skipped.
    #[prop(optional, into)]
    on_shot_end: Option<Callback<()>>,
    /// True if the player confirms every move.
    #[prop(optional, into)]
    confirms_moves: Signal<bool>,
    /// True if the board stands upright on phones, if the player prefers that. The page leaves room
    /// for it.
    #[prop(optional)]
    can_stand: bool,
    /// Makes the board a silent animation without interaction or announcements.
    #[prop(optional)]
    quiet: bool,
) -> impl IntoView {
    share_definitions();
    let state = BoardState::new(scene, on_move, on_shot_end, confirms_moves, can_stand, quiet);
    Effect::new(move |before: Option<Scene>| {
        let now = scene.get();
        state.show_scene(before.as_ref(), &now);
        now
    });
    // Any key skips the animation, regardless of the focus.
    let keys = window_event_listener(ev::keydown, move |event| {
        // Focus that arrives by this key is there for the keyboard; a click moves the focus too.
        if event.key() == "Tab" {
            state.used_pointer.set_value(false);
        }
        state.prepare_sounds();
        state.skip_shot();
    });
    if on_move.is_some() {
        state.prerender_shot();
    }
    let touched = window_event_listener(ev::pointerdown, move |_| state.prepare_sounds());
    on_cleanup(move || {
        keys.remove();
        touched.remove();
        state.stop_timer();
        state.proposal.clear();
    });
    let displayed = track_pieces(state);
    let act_on = move || scene.with(|scene| !scene.moves.is_empty());
    view! {
        <div
            class="board art"
            class:playable=act_on
            class:upright=move || state.orientation().is_upright()
            data-note=move || state.note.get()
            data-note-edge=move || state.note_edge()
            class:dragging=move || state.drag.with(Option::is_some)
            node_ref=state.root
            on:pointerdown=move |event| state.on_pointer_down(&event)
            on:pointermove=move |event| state.on_pointer_move(&event)
            on:pointerup=move |event| state.on_pointer_up(&event)
            on:pointercancel=move |_| state.on_pointer_cancel()
            on:contextmenu=move |event| state.on_context_menu(&event)
            on:wheel=move |event| state.on_wheel(&event)
            on:keydown=move |event| state.on_key(&event)
        >
            {background_layer(state)}
            {piece_layer(state, displayed)}
            {marks_layer(state)}
            {beam_layer(state, BoardLevel::Ground)}
            {tower_layers(state, displayed)}
            {(!quiet).then(|| view! {
                {grid_layer(state)}
                <p class="board-announcement" role="status" aria-live="polite">{state.announcement}</p>
            })}
        </div>
    }
}

/// A static picture of a position, seen from Silver's side.
#[component]
pub fn BoardPicture(
    /// The position.
    #[prop(into)]
    position: Position,
    /// The part of the drawing that is shown, if not all of it.
    #[prop(default = VIEW_BOX)]
    view_box: &'static str,
) -> impl IntoView {
    view! { <PlacementPicture placement=position.placement() view_box/> }
}

/// A static picture of pieces that need not be playable, such as those at the end of a game.
#[component]
pub fn PlacementPicture(
    /// The pieces.
    #[prop(into)]
    placement: Placement,
    /// The part of the drawing that is shown, if not all of it.
    #[prop(default = VIEW_BOX)]
    view_box: &'static str,
) -> impl IntoView {
    share_definitions();
    let (orientation, column) = (Orientation::new(Color::Silver), tower_column(&placement));
    view! {
        <div class="board art" aria-hidden="true">
            <svg
                viewBox=view_box
                inner_html=khet_picture::board_content(placement.pieces(), column, orientation)
            ></svg>
        </div>
    }
}

/// Adds the gradients that all boards use to the page, once.
fn share_definitions() {
    const ID: &str = "khet-definitions";
    let document = document();
    if document.get_element_by_id(ID).is_some() {
        return;
    }
    let Some(body) = document.body() else { return };
    let Ok(svg) = document.create_element_ns(Some("http://www.w3.org/2000/svg"), "svg") else {
        return;
    };
    for (name, value) in [
        ("id", ID),
        ("width", "0"),
        ("height", "0"),
        ("aria-hidden", "true"),
        ("class", "board art board-definitions"),
    ] {
        // Setting an attribute with a valid name does not fail.
        let _ = svg.set_attribute(name, value);
    }
    svg.set_inner_html(stone::DEFINITIONS);
    // If this fails, the board has flat colours.
    let _ = body.append_child(&svg);
}

/// A picture of a single piece, for captured pieces and explanations. It is as wide as its parent.
#[component]
pub fn PiecePicture(
    /// The piece.
    piece: Piece,
) -> impl IntoView {
    share_definitions();
    view! {
        <svg class="piece-picture art" viewBox="-52 -52 104 104" aria-hidden="true">
            <g class=pieces::class(piece.color()) inner_html=pieces::markup(piece)></g>
        </svg>
    }
}
