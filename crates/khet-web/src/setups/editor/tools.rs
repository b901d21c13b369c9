//! What is done to the picked piece and to the whole board.

use khet::{Rotation, random_setup};
use khet_review::Fairness;
use leptos::prelude::*;

use super::super::draft::Stand;
use super::super::hand::Hand;
use super::super::self_play;
use super::super::{draft::Draft, findings};
use super::start::StartFrom;
use super::state::{Busy, Editor};
use crate::browser::random::random_u32;
use crate::controls::fields;
use crate::controls::icon::{Icon, TAKE_BACK};

const REDO: &str = "M19 6 24 11l-5 5M24 11H14a6 6 0 0 0 0 12h3";
const LEFT: &str = "M5 4v6h6M5.5 10a9.5 9.5 0 1 1-.5 8";
const RIGHT: &str = "M23 4v6h-6M22.5 10a9.5 9.5 0 1 0 .5 8";
const REMOVE: &str = "M6 8h16M11 8V5h6v3M8 8l1 15h10l1-15M12 12v7M16 12v7";
const CLEAR: &str = "M5 5h18v18H5zM10 10l8 8M18 10l-8 8";
const SURPRISE: &str = "M6 6h16v16H6zM10.5 10.5h.1M17.5 10.5h.1M14 14h.1M10.5 17.5h.1M17.5 17.5h.1";

/// So many setups are drawn at most until one is even.
const DRAWS: u32 = 8;

/// The tools.
#[component]
pub(super) fn Tools(editor: Editor) -> impl IntoView {
    let words = editor.words;
    let can_undo = Memo::new(move |_| editor.draft.with(Draft::can_undo));
    let can_redo = Memo::new(move |_| editor.draft.with(Draft::can_redo));
    let in_hand = Memo::new(move |_| editor.hand.get() != Hand::Empty);
    let picked = Memo::new(move |_| editor.picked().is_some());
    let tool = move |name: &'static str,
                     icon: &'static str,
                     label: &'static str,
                     can: Memo<bool>,
                     act: fn(Editor)| {
        view! {
            <button
                type="button"
                class="tool"
                data-action=name
                aria-label=label
                title=label
                aria-disabled=move || (!can.get()).to_string()
                on:click=move |_| {
                    if can.get_untracked() {
                        act(editor);
                    }
                }
            >
                <Icon path=icon/>
            </button>
        }
    };
    let stands = Memo::new(move |_| editor.stand.get().placement.pieces().next().is_some());
    let symmetric = move || editor.draft.with(|draft| draft.symmetric);
    let surprising = move || (editor.busy.get() == Busy::Surprising).to_string();
    view! {
        <section class="tools" aria-label=words.editor_tools()>
            <div class="tool-row">
                {tool("undo", TAKE_BACK, words.editor_undo(), can_undo, Editor::undo)}
                {tool("redo", REDO, words.editor_redo(), can_redo, Editor::redo)}
                {tool("left", LEFT, words.board_rotate_counterclockwise(), in_hand, |editor| editor.rotation(Rotation::Counterclockwise))}
                {tool("right", RIGHT, words.board_rotate_clockwise(), in_hand, |editor| editor.rotation(Rotation::Clockwise))}
                {tool("remove", REMOVE, words.editor_remove(), picked, Editor::remove)}
                {tool("clear", CLEAR, words.editor_clear(), stands, Editor::clear)}
            </div>
            <div class="tool-more">
                {fields::switch("symmetric", words.editor_symmetric(), symmetric, move |on| {
                    editor.draft.update(|draft| draft.symmetric = on);
                })}
                <button
                    type="button"
                    class="button"
                    data-action="surprise"
                    aria-disabled=surprising
                    on:click=move |_| surprise(editor, DRAWS)
                >
                    <Icon path=SURPRISE/>
                    {words.editor_random()}
                </button>
                <StartFrom editor/>
            </div>
        </section>
    }
}

/// Draws a setup, and another one as long as the engine finds one side better off.
fn surprise(editor: Editor, draws: u32) {
    let eye = random_u32().is_multiple_of(4);
    let seed = u64::from(random_u32()) << 32 | u64::from(random_u32());
    let pieces = editor.pieces.get_untracked();
    let placement = random_setup(pieces, eye, seed);
    let stand = Stand { placement, rules: editor.stand.get_untracked().rules };
    let Some(position) = findings::position(stand) else { return };
    editor.busy.set(Busy::Surprising);
    let answer = move |reply: Option<crate::engine::Reply>| {
        let evaluation = reply.and_then(|reply| self_play::eval(&position, reply));
        let even = evaluation.is_none_or(|it| Fairness::from_eval(it) == Fairness::Even);
        if !even && draws > 1 {
            return surprise(editor, draws - 1);
        }
        let _ = editor.busy.try_set(Busy::Idle);
        editor.load(placement);
        editor.voice.set(editor.words.editor_random_done().to_owned());
    };
    editor.engine.ask(self_play::evaluate_quickly(&position), |_| {}, answer);
}
