//! Key bindings of the analysis page.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::analysis_tree::AnalysisTree;
use super::state::AnalysisState;
use crate::browser::key_press::on_key_press;
use crate::game_ui::move_navigation;

/// Elements in which the bindings do not apply.
const INPUT_ELEMENTS: &str = "input, textarea, select, dialog, [contenteditable]";

/// Listens to keys until the page is removed.
pub(super) fn listen(analysis: AnalysisState) {
    move_navigation::navigate_by_keys(
        move |step| analysis.step(step),
        move || analysis.flip(),
        || false,
    );
    on_key_press(move |press| {
        if press.is_within(INPUT_ELEMENTS) {
            return false;
        }
        match (press.key().as_str(), press.has_control()) {
            ("z", true) | ("u", false) => analysis.change(AnalysisTree::undo),
            (_, true) => return false,
            ("ArrowUp", _) => analysis.change(|tree| tree.go_to_sibling(false)),
            ("ArrowDown", _) => analysis.change(|tree| tree.go_to_sibling(true)),
            ("e", _) => analysis.engine_on.update(|on| *on = !*on),
            ("x", _) => analysis.threat.update(|threat| *threat = !*threat),
            ("b", _) => analysis.cycle_beams(),
            ("p", _) => analysis.change(AnalysisTree::promote),
            ("Delete", _) => analysis.change(AnalysisTree::delete),
            ("c", _) => focus_comment(analysis),
            (number @ ("1" | "2" | "3" | "4" | "5" | "6"), _) => {
                let number = number.parse().unwrap_or(1);
                analysis.change(|tree| tree.toggle_mark(number));
            }
            _ => return false,
        }
        true
    });
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
