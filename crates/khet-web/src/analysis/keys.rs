//! Everything by key: what each one does.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

use super::state::{AnalysisState, OpenDialog};
use super::study::Study;
use crate::game_ui::move_navigation;
use crate::languages::Words;

/// Where keys have another meaning.
const WRITING: &str = "input, textarea, select, dialog, [contenteditable]";

/// Listens to keys as long as the page is there.
pub(super) fn listen(analysis: AnalysisState) {
    move_navigation::navigate_by_keys(move |step| analysis.step(step), || false);
    let listener = window_event_listener(leptos::ev::keydown, move |event: KeyboardEvent| {
        if event.alt_key() || event.meta_key() || event.default_prevented() {
            return;
        }
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let within = |places: &str| {
            target.as_ref().is_some_and(|target| target.closest(places).ok().flatten().is_some())
        };
        if within(WRITING) {
            return;
        }
        let on_board = within("[role=grid]");
        match (event.key().as_str(), event.ctrl_key()) {
            ("z", true) | ("u", false) => analysis.change(Study::undo),
            (_, true) => return,
            ("ArrowUp", _) if !on_board => analysis.change(|study| study.sideways(false)),
            ("ArrowDown", _) if !on_board => analysis.change(|study| study.sideways(true)),
            ("e", _) => analysis.thinks.update(|thinks| *thinks = !*thinks),
            ("x", _) => analysis.threat.update(|threat| *threat = !*threat),
            ("b", _) => analysis.next_beams(),
            ("f", _) => analysis.flip(),
            ("p", _) => analysis.change(Study::promote),
            ("Delete", _) => analysis.change(Study::delete),
            ("c", _) => write_comment(analysis),
            ("?", _) => analysis.dialog.set(Some(OpenDialog::Keys)),
            (number @ ("1" | "2" | "3" | "4" | "5" | "6"), _) => {
                let number = number.parse().unwrap_or(1);
                analysis.change(|study| study.toggle_mark(number));
            }
            _ => return,
        }
        event.prevent_default();
    });
    on_cleanup(move || listener.remove());
}

/// Gives the keys to the comment.
fn write_comment(analysis: AnalysisState) {
    analysis.tab.set(super::state::Tab::Tree);
    request_animation_frame(|| {
        let field = document().query_selector("[data-field=comment]").ok().flatten();
        if let Some(field) = field.and_then(|field| field.dyn_into::<HtmlElement>().ok()) {
            // A field can always take them.
            let _ = field.focus();
        }
    });
}

/// The keys and what they do.
pub(super) fn table(words: Words) -> [(&'static str, &'static str); 12] {
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
