//! Key bindings of the analysis page.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

use super::analysis_tree::AnalysisTree;
use super::state::{AnalysisDialog, AnalysisState};
use crate::game_ui::move_navigation;
use crate::languages::Words;

/// Elements in which the bindings do not apply.
const INPUT_ELEMENTS: &str = "input, textarea, select, dialog, [contenteditable]";

/// Listens to keys until the page is removed.
pub(super) fn listen(analysis: AnalysisState) {
    move_navigation::navigate_by_keys(move |step| analysis.step(step), || false);
    let listener = window_event_listener(leptos::ev::keydown, move |event: KeyboardEvent| {
        if event.alt_key() || event.meta_key() || event.default_prevented() {
            return;
        }
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let within = |selector: &str| {
            target.as_ref().is_some_and(|target| target.closest(selector).ok().flatten().is_some())
        };
        if within(INPUT_ELEMENTS) {
            return;
        }
        let on_board = within("[role=grid]");
        match (event.key().as_str(), event.ctrl_key()) {
            ("z", true) | ("u", false) => analysis.change(AnalysisTree::undo),
            (_, true) => return,
            ("ArrowUp", _) if !on_board => analysis.change(|tree| tree.go_to_sibling(false)),
            ("ArrowDown", _) if !on_board => analysis.change(|tree| tree.go_to_sibling(true)),
            ("e", _) => analysis.engine_on.update(|on| *on = !*on),
            ("x", _) => analysis.threat.update(|threat| *threat = !*threat),
            ("b", _) => analysis.cycle_beams(),
            ("f", _) => analysis.flip(),
            ("p", _) => analysis.change(AnalysisTree::promote),
            ("Delete", _) => analysis.change(AnalysisTree::delete),
            ("c", _) => focus_comment(analysis),
            ("?", _) => analysis.dialog.set(Some(AnalysisDialog::Keys)),
            (number @ ("1" | "2" | "3" | "4" | "5" | "6"), _) => {
                let number = number.parse().unwrap_or(1);
                analysis.change(|tree| tree.toggle_mark(number));
            }
            _ => return,
        }
        event.prevent_default();
    });
    on_cleanup(move || listener.remove());
}

/// Moves the keyboard focus to the comment field.
fn focus_comment(analysis: AnalysisState) {
    analysis.tab.set(super::state::Tab::Tree);
    request_animation_frame(|| {
        let field = document().query_selector("[data-field=comment]").ok().flatten();
        if let Some(field) = field.and_then(|field| field.dyn_into::<HtmlElement>().ok()) {
            // Focusing a field does not fail.
            let _ = field.focus();
        }
    });
}

/// Returns the keys with their descriptions.
pub(super) fn key_descriptions(words: Words) -> [(&'static str, &'static str); 12] {
    [
        ("← →  , .", words.analysis_key_step()),
        ("↑ ↓", words.analysis_key_variation()),
        ("Home End", words.analysis_key_ends()),
        ("e", words.analysis_key_engine()),
        ("x", words.analysis_key_threat()),
        ("b", words.analysis_key_beams()),
        ("f", words.play_flip_board()),
        ("1 – 6", words.analysis_key_marks()),
        ("c", words.analysis_comment()),
        ("p", words.analysis_promote()),
        ("Delete", words.analysis_delete()),
        ("u", words.analysis_undo()),
    ]
}
