//! The board: one component for every page. It knows no rules: it is told what may be done, and says
//! what was done.
//!
//! The picture is four layers of SVG that lie on each other: stone, pieces, light, and the grid that is
//! pointed at, walked over with keys and read by screen readers. Only the layer that changes is painted
//! anew.

mod acting;
mod cells;
mod editing;
mod figures;
mod gestures;
mod grid;
mod handles;
mod layers;
mod light;
mod marks;
mod scene;
mod shot_animation;
mod sound;
mod speech;
mod state;
mod typed;

use khet::{Color, Move, Piece, Position};
pub(crate) use khet_picture::pieces;
use khet_picture::{geometry, stone};
use leptos::ev;
use leptos::prelude::*;

pub(crate) use self::geometry::Seat;
use self::geometry::VIEW_BOX;
use self::grid::grid_layer;
use self::layers::{light_layer, piece_layer, stone_layer};
use self::state::State;

pub(crate) use self::cells::focus as focus_square;
pub(crate) use self::editing::{EditingBoard, Mark, square_under};
pub(crate) use self::gestures::{DragEvent, PointerGesture, ReleaseEvent, WheelGesture};
pub use self::scene::{Hint, HintKind, Scene, SceneShot};
pub(crate) use self::shot_animation::{LONGEST_SHOT, ShotAnimation};
pub(crate) use self::speech::{Speaker, capital, hits_in_words};
pub use self::typed::MoveField;

/// A board. It is as wide as its parent and keeps its shape (`aspect-ratio` 27 / 22).
///
/// The shot of the first scene is not animated: it belongs to the past.
#[component]
pub fn Board(
    /// Everything that is shown.
    #[prop(into)]
    scene: Signal<Scene>,
    /// A move was dropped: it is final.
    #[prop(optional, into)]
    on_move: Option<Callback<Move>>,
    /// A new shot has been shown to its end, or was skipped.
    #[prop(optional, into)]
    on_shot_end: Option<Callback<()>>,
    /// A picture that moves by itself: it makes no sound, says nothing and can't be pointed at.
    #[prop(optional)]
    quiet: bool,
) -> impl IntoView {
    share_definitions();
    let state = State::new(scene, on_move, on_shot_end, quiet);
    Effect::new(move |before: Option<Scene>| {
        let now = scene.get();
        state.follow(before.as_ref(), &now);
        now
    });
    // Any key skips the shot, wherever the focus is.
    let keys = window_event_listener(ev::keydown, move |_| {
        state.prepare_sounds();
        state.skip();
    });
    if on_move.is_some() {
        state.rehearse();
    }
    let touched = window_event_listener(ev::pointerdown, move |_| state.prepare_sounds());
    on_cleanup(move || {
        keys.remove();
        touched.remove();
        state.stop_timer();
    });
    let act_on = move || scene.with(|scene| !scene.moves.is_empty());
    view! {
        <div
            class="board art"
            class:playable=act_on
            class:dragging=move || state.drag.with(Option::is_some)
            node_ref=state.root
            on:pointerdown=move |event| state.pressed(&event)
            on:pointermove=move |event| state.moved(&event)
            on:pointerup=move |event| state.released(&event)
            on:pointercancel=move |_| state.interrupted()
            on:wheel=move |event| state.wheeled(&event)
            on:keydown=move |event| state.key(&event)
        >
            {stone_layer(state)}
            {piece_layer(state)}
            {light_layer(state)}
            {(!quiet).then(|| view! {
                {grid_layer(state)}
                <p class="board-voice" role="status" aria-live="polite">{state.voice}</p>
            })}
        </div>
    }
}

/// A position to look at, from Silver's side, in which nothing changes.
#[component]
pub fn BoardPicture(
    /// What stands.
    position: Position,
) -> impl IntoView {
    share_definitions();
    view! {
        <div class="board art" aria-hidden="true">
            <svg viewBox=VIEW_BOX inner_html=khet_picture::content(&position, Seat::new(Color::Silver))></svg>
        </div>
    }
}

/// Puts the gradients that all boards use into the page, once.
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
        // It fails only for names that are no attribute's.
        let _ = svg.set_attribute(name, value);
    }
    svg.set_inner_html(stone::DEFINITIONS);
    // Without them the board has flat colours.
    let _ = body.append_child(&svg);
}

/// A single piece, as wide as its parent lets it be: for captured pieces and explanations.
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
