//! The board of a puzzle, with the mark of a hint.

use khet_picture::geometry::{Orientation, VIEW_BOX, short};
use leptos::prelude::*;

use super::solver::Solver;
use super::solving::Solving;
use crate::board::{Board, MoveField};
use crate::browser::focus::focus_later;
use crate::browser::key_press::on_key_press;
use crate::game_ui::player_strip::color_name;
use crate::rules::Move;

/// The board of a puzzle.
#[component]
pub(crate) fn SolverBoard(solver: Solver) -> impl IntoView {
    let scene = Memo::new(move |_| solver.scene());
    let on_move = Callback::new(move |mv: Move| solver.play(mv));
    let mark = move || {
        solver.solving.with(|solving| {
            let solving = solving.as_ref()?;
            let square = Solving::hinted_square(solving)?;
            let at = Orientation::new(solving.solver()).center(square);
            Some(view! { <circle cx=short(at.x).to_string() cy=short(at.y).to_string() r="46"></circle> })
        })
    };
    let stage = move || solver.stage().map(|stage| stage.name());
    let solver_color = move || {
        let solving = solver.solving.with(|solving| solving.as_ref().map(Solving::solver));
        solving.map(color_name)
    };
    view! {
        <div class="puzzle-board" data-stage=stage data-solver=solver_color>
            <Board
                scene
                on_move
                on_shot_end=Callback::new(move |()| solver.end_shot())
            />
            <svg class="puzzle-mark" viewBox=VIEW_BOX aria-hidden="true">{mark}</svg>
        </div>
    }
}

/// Elements in which `/` is typed, or which are open above the page.
const USES_SLASH: &str = "input, textarea, select, dialog, [contenteditable]";

/// The field for moves in notation, which is hidden until it has the focus, by Tab or `/`.
#[component]
pub(crate) fn SolverMoveField(solver: Solver) -> impl IntoView {
    let scene = Memo::new(move |_| solver.scene());
    let on_move = Callback::new(move |mv: Move| solver.play(mv));
    on_key_press(|press| {
        let opens_field = press.key() == "/" && !press.is_within(USES_SLASH);
        if opens_field {
            focus_later(".puzzle-type .move-text");
        }
        opens_field
    });
    view! { <div class="puzzle-type"><MoveField scene on_move/></div> }
}
