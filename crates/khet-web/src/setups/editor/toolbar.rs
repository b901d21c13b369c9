//! The editor's toolbar: undo, rotate, remove, clear, symmetric mode, random setup.

use khet::tower::BoardLevel;
use khet::{Rotation, random_setup};
use khet_review::Fairness;
use leptos::prelude::*;

use super::super::editor_action::EditorSelection;
use super::super::self_play;
use super::super::setup_draft::UncheckedSetup;
use super::super::{setup_check, setup_draft::SetupDraft};
use super::start_fields::StartFrom;
use super::state::{Editor, EngineTask};
use crate::browser::random::random_u32;
use crate::controls::fields;
use crate::controls::icon::{Icon, TAKE_BACK};
use crate::rules::Placement;

const REDO: &str = "M19 6 24 11l-5 5M24 11H14a6 6 0 0 0 0 12h3";
const ROTATE_COUNTERCLOCKWISE: &str = "M5 4v6h6M5.5 10a9.5 9.5 0 1 1-.5 8";
const ROTATE_CLOCKWISE: &str = "M23 4v6h-6M22.5 10a9.5 9.5 0 1 0 .5 8";
const MOVE_LEFT: &str = "M23 14H6M12 7l-7 7 7 7";
const MOVE_UP: &str = "M14 23V6M7 12l7-7 7 7";
const MOVE_DOWN: &str = "M14 5v17M7 16l7 7 7-7";
const MOVE_RIGHT: &str = "M5 14h17M16 7l7 7-7 7";
const REMOVE: &str = "M6 8h16M11 8V5h6v3M8 8l1 15h10l1-15M12 12v7M16 12v7";
const CLEAR: &str = "M5 5h18v18H5zM10 10l8 8M18 10l-8 8";
const RANDOM_SETUP: &str =
    "M6 6h16v16H6zM10.5 10.5h.1M17.5 10.5h.1M14 14h.1M10.5 17.5h.1M17.5 17.5h.1";

/// Maximum number of random setups that are generated to find an even one.
const MAX_ATTEMPTS: u32 = 8;

/// The toolbar.
#[component]
pub(super) fn Toolbar(editor: Editor) -> impl IntoView {
    let words = editor.words;
    let can_undo = Memo::new(move |_| editor.draft.with(SetupDraft::can_undo));
    let can_redo = Memo::new(move |_| editor.draft.with(SetupDraft::can_redo));
    let has_selection = Memo::new(move |_| editor.selection.get() != EditorSelection::Nothing);
    let has_board_piece = Memo::new(move |_| editor.selected_square().is_some());
    let tool = move |name: &'static str,
                     icon: &'static str,
                     label: &'static str,
                     enabled: Memo<bool>,
                     action: fn(Editor)| {
        view! {
            <button
                type="button"
                class="tool"
                data-action=name
                aria-label=label
                title=label
                aria-disabled=move || (!enabled.get()).to_string()
                on:click=move |_| {
                    if enabled.get_untracked() {
                        action(editor);
                    }
                }
            >
                <Icon path=icon/>
            </button>
        }
    };
    let has_pieces = Memo::new(move |_| editor.setup.get().placement.pieces().next().is_some());
    let symmetric = move || editor.draft.with(|draft| draft.symmetric);
    let searching = move || (editor.engine_task.get() == EngineTask::RandomSetup).to_string();
    view! {
        <section class="tools" aria-label=words.editor_tools()>
            <div class="tool-row">
                {tool("undo", TAKE_BACK, words.editor_undo(), can_undo, Editor::undo)}
                {tool("redo", REDO, words.editor_redo(), can_redo, Editor::redo)}
                {tool("left", ROTATE_COUNTERCLOCKWISE,
                    words.board_rotate_counterclockwise(), has_selection,
                    |editor| editor.rotate(Rotation::Counterclockwise))}
                {tool("right", ROTATE_CLOCKWISE,
                    words.board_rotate_clockwise(), has_selection,
                    |editor| editor.rotate(Rotation::Clockwise))}
                {tool("remove", REMOVE, words.editor_remove(), has_board_piece, Editor::remove)}
                {tool("clear", CLEAR, words.editor_clear(), has_pieces, Editor::clear)}
            </div>
            <div class="tool-options">
                {fields::switch("symmetric", words.editor_symmetric(), symmetric, move |on| {
                    editor.draft.update(|draft| draft.symmetric = on);
                })}
                <button
                    type="button"
                    class="button"
                    data-action="surprise"
                    aria-disabled=searching
                    on:click=move |_| load_random_setup(editor, MAX_ATTEMPTS)
                >
                    <Icon path=RANDOM_SETUP/>
                    {words.editor_random()}
                </button>
                <StartFrom editor/>
            </div>
            <TowerTools editor/>
        </section>
    }
}

/// The switch that adds or removes the tower, and the buttons that move and rotate it.
#[component]
fn TowerTools(editor: Editor) -> impl IntoView {
    let words = editor.words;
    let has_tower = Memo::new(move |_| editor.setup.get().placement.has_tower());
    let tool =
        move |name: &'static str, icon: &'static str, label: &'static str, action: fn(Editor)| {
            view! {
                <button type="button" class="tool" data-action=name aria-label=label title=label
                    on:click=move |_| action(editor)>
                    <Icon path=icon/>
                </button>
            }
        };
    let switch = fields::switch(
        "tower",
        words.editor_tower(),
        move || has_tower.get(),
        move |_| {
            editor.toggle_tower();
        },
    );
    view! {
        <div class="tool-options">{switch}</div>
        <Show when=move || has_tower.get()>
            <div class="tool-options">
                {fields::switch("ground-level", words.tower_peek(),
                    move || editor.level.get() == BoardLevel::Ground, move |_| editor.toggle_level())}
            </div>
            <div class="tool-row" role="group" aria-label=words.editor_tower()>
                {tool("tower-left", MOVE_LEFT, words.tower_shift_left(), |it| it.shift_tower(-1, 0))}
                {tool("tower-up", MOVE_UP, words.tower_shift_up(), |it| it.shift_tower(0, 1))}
                {tool("tower-down", MOVE_DOWN, words.tower_shift_down(), |it| it.shift_tower(0, -1))}
                {tool("tower-right", MOVE_RIGHT, words.tower_shift_right(), |it| it.shift_tower(1, 0))}
                {tool("tower-rotate-left", ROTATE_COUNTERCLOCKWISE,
                    words.tower_rotate_counterclockwise(),
                    |it| it.rotate_tower(Rotation::Counterclockwise))}
                {tool("tower-rotate-right", ROTATE_CLOCKWISE, words.tower_rotate_clockwise(),
                    |it| it.rotate_tower(Rotation::Clockwise))}
            </div>
        </Show>
    }
}

/// Loads a random setup. Setups that the engine finds uneven are discarded, up to `attempts` - 1.
fn load_random_setup(editor: Editor, attempts: u32) {
    let with_eye = random_u32().is_multiple_of(4);
    let seed = u64::from(random_u32()) << 32 | u64::from(random_u32());
    let piece_box = editor.piece_box.get_untracked();
    let placement = Placement::from(random_setup(piece_box, with_eye, seed));
    let setup = UncheckedSetup { placement, rules: editor.setup.get_untracked().rules };
    let Some(position) = setup_check::playable_position(setup) else { return };
    editor.engine_task.set(EngineTask::RandomSetup);
    let on_reply = move |reply: Option<crate::engine::WorkerResult>| {
        let eval = reply.and_then(|reply| self_play::eval(&position, reply));
        let even = eval.is_none_or(|it| Fairness::from_eval(it) == Fairness::Even);
        if !even && attempts > 1 {
            return load_random_setup(editor, attempts - 1);
        }
        let _ = editor.engine_task.try_set(EngineTask::Idle);
        editor.load(placement);
        editor.announcement.set(editor.words.editor_random_done().to_owned());
    };
    editor.engine.search(self_play::evaluate_quickly(&position), |_| {}, on_reply);
}
