//! Everything by key: what each one does.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

use super::desk::{Desk, Sheet};
use super::study::Study;
use crate::languages::Words;
use crate::play::walk;

/// Where keys have another meaning.
const WRITING: &str = "input, textarea, select, dialog, [contenteditable]";

/// Listens to keys as long as the page is there.
pub(super) fn listen(desk: Desk) {
    walk::by_keys(move |step| desk.step(step), || false);
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
            ("z", true) | ("u", false) => desk.change(Study::undo),
            (_, true) => return,
            ("ArrowUp", _) if !on_board => desk.change(|study| study.sideways(false)),
            ("ArrowDown", _) if !on_board => desk.change(|study| study.sideways(true)),
            ("e", _) => desk.thinks.update(|thinks| *thinks = !*thinks),
            ("x", _) => desk.threat.update(|threat| *threat = !*threat),
            ("b", _) => desk.next_beams(),
            ("f", _) => desk.flip(),
            ("p", _) => desk.change(Study::promote),
            ("Delete", _) => desk.change(Study::delete),
            ("c", _) => write_comment(desk),
            ("?", _) => desk.sheet.set(Some(Sheet::Keys)),
            (number @ ("1" | "2" | "3" | "4" | "5" | "6"), _) => {
                let number = number.parse().unwrap_or(1);
                desk.change(|study| study.toggle_mark(number));
            }
            _ => return,
        }
        event.prevent_default();
    });
    on_cleanup(move || listener.remove());
}

/// Gives the keys to the comment.
fn write_comment(desk: Desk) {
    desk.tab.set(super::desk::Tab::Tree);
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
        ("← →  , .", words.analysis_key_walk()),
        ("↑ ↓", words.analysis_key_sideways()),
        ("Home End", words.analysis_key_ends()),
        ("e", words.analysis_key_engine()),
        ("x", words.analysis_key_threat()),
        ("b", words.analysis_key_beams()),
        ("f", words.play_turn_board()),
        ("1 – 6", words.analysis_key_marks()),
        ("c", words.analysis_comment()),
        ("p", words.analysis_promote()),
        ("Delete", words.analysis_delete()),
        ("u", words.analysis_undo()),
    ]
}
