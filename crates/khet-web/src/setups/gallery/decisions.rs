//! The latest decisions of moderators about setups, each of which can be undone.

use khet_protocol::{
    ApiError, DecisionKind, DecisionsResponse, ErrorCode, PublicProfile, SetupDecision,
};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::{self, NO_BODY, RequestError};
use crate::game_ui::dates::day;
use crate::game_ui::profile_name::ProfileName;
use crate::languages::{Words, use_words};

/// Loads the decisions. Errors are shown beside the reports.
pub(super) async fn load(
    words: Words,
    decisions: RwSignal<Vec<SetupDecision>>,
    problem: RwSignal<String>,
) {
    match api::get::<DecisionsResponse>("/api/setups/decisions").await {
        Ok(answer) => drop(decisions.try_set(answer.decisions)),
        Err(error) => drop(problem.try_set(error.message(words))),
    }
}

/// Returns the name of a kind of decision.
pub(super) fn kind_name(kind: DecisionKind, words: Words) -> &'static str {
    match kind {
        DecisionKind::Kept => words.setups_decided_kept(),
        DecisionKind::Removed => words.setups_decided_deleted(),
    }
}

/// Returns a line that says what was done, by whom and when.
pub(super) fn log_line(
    what: &'static str,
    by: PublicProfile,
    at: u64,
    words: Words,
) -> impl IntoView {
    view! { {what} " · " <ProfileName profile=by/> " · " {day(at, words)} }
}

/// The list of decisions; `on_undone` is called with the number of one that was undone.
#[component]
pub(super) fn Decisions(
    decisions: RwSignal<Vec<SetupDecision>>,
    on_undone: Callback<u32>,
) -> impl IntoView {
    let words = use_words();
    let undo = move |number: u32, problem: RwSignal<String>| {
        spawn_local(async move {
            let path = format!("/api/setups/decisions/{number}/undo");
            match api::send_for_text("POST", &path, NO_BODY).await {
                Ok(_) => on_undone.run(number),
                Err(RequestError::Refused(ApiError { code: ErrorCode::Taken, .. })) => {
                    problem.try_set(words.setups_undo_refused().to_owned());
                }
                Err(error) => drop(problem.try_set(error.message(words))),
            }
        });
    };
    view! {
        <Show when=move || !decisions.with(Vec::is_empty)>
            <details class="decisions">
                <summary>{words.setups_decisions()}</summary>
                <ul>
                    <For each=move || decisions.get() key=|it| (it.number, it.undone.is_some())
                        let:decision>
                        <DecisionView decision undo/>
                    </For>
                </ul>
            </details>
        </Show>
    }
}

/// One decision: the setup, what was decided, by whom and when.
#[component]
fn DecisionView(
    decision: SetupDecision,
    undo: impl Fn(u32, RwSignal<String>) + Copy + Send + 'static,
) -> impl IntoView {
    let words = use_words();
    let problem = RwSignal::new(String::new());
    let SetupDecision { number, setup, name, kind, at, moderator, undone } = decision;
    // Nothing is left of a removed setup whose author has deleted the account.
    let can_undo = undone.is_none() && (name.is_some() || kind == DecisionKind::Kept);
    let name = name.map_or_else(|| setup.to_string(), |name| name.to_string());
    let button = can_undo.then(|| {
        view! {
            <button type="button" class="button" data-action="undo"
                aria-label=format!("{}: {name}", words.setups_undo())
                on:click=move |_| undo(number, problem)>{words.setups_undo()}</button>
        }
    });
    let undone = undone.map(|undone| {
        let line = log_line(words.setups_undone(), undone.by, undone.at, words);
        view! { <p class="field-about">{line}</p> }
    });
    view! {
        <li data-decision=number tabindex="-1">
            <div>
                <p>{name.clone()}</p>
                <p class="field-about">{log_line(kind_name(kind, words), moderator, at, words)}</p>
                {undone}
            </div>
            {button}
            <p class="field-problem" role="status">{move || problem.get()}</p>
        </li>
    }
}
