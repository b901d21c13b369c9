//! The faults and warnings of the setup, and the engine's opinion of its fairness.

use leptos::prelude::*;

use super::super::setup_check::{self, SetupCheck};
use super::engine_check::EngineCheck;
use super::state::Editor;
use crate::languages::Words;

/// A summary, the messages of the check, and the engine's fairness test.
#[component]
pub(super) fn CheckPanel(editor: Editor) -> impl IntoView {
    let words = editor.words;
    let check = editor.check;
    let summary = move || {
        check.with(|check| {
            match check.faults.len() + usize::from(check.side_without_moves.is_some()) {
                0 => words.editor_playable().to_owned(),
                count => words.editor_not_playable(count),
            }
        })
    };
    let messages = move || {
        let messages = check.with(|check| messages(words, check)).into_iter();
        messages.map(|(class, text)| view! { <li class=class>{text}</li> }).collect_view()
    };
    let state = move || if check.with(SetupCheck::is_playable) { "good" } else { "bad" };
    view! {
        <section class="setup-check" aria-label=words.editor_advice()>
            <p class="setup-check-summary" role="status" data-state=state>{summary}</p>
            <ul class="setup-check-messages">{messages}</ul>
            <EngineCheck editor/>
        </section>
    }
}

/// Returns the CSS class and the text of every fault and warning.
fn messages(words: Words, check: &SetupCheck) -> Vec<(&'static str, String)> {
    let faults = check.faults.iter().map(|fault| ("fault", setup_check::fault_text(words, fault)));
    let no_moves = check
        .side_without_moves
        .map(|color| ("fault", setup_check::no_moves_text(words, color).to_owned()));
    let warnings =
        check.warnings.iter().map(|it| ("warning", setup_check::warning_text(words, it)));
    faults.chain(no_moves).chain(warnings).collect()
}
