//! The latest decisions of moderators about setups, each of which can be undone.

use khet_protocol::{DecisionKind, DecisionsResponse, SetupDecision, date};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::{self, NO_BODY};
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

/// The list of decisions; `on_undone` is called after one was undone.
#[component]
pub(super) fn Decisions(
    decisions: RwSignal<Vec<SetupDecision>>,
    problem: RwSignal<String>,
    on_undone: Callback<()>,
) -> impl IntoView {
    let words = use_words();
    let undo = move |number: u32| {
        spawn_local(async move {
            let path = format!("/api/setups/decisions/{number}/undo");
            match api::send_for_text("POST", &path, NO_BODY).await {
                Ok(_) => on_undone.run(()),
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
    undo: impl Fn(u32) + Copy + Send + 'static,
) -> impl IntoView {
    let words = use_words();
    let SetupDecision { number, setup, name, kind, at, moderator, undone } = decision;
    let name = name.map_or_else(|| setup.to_string(), |name| name.to_string());
    let kind = match kind {
        DecisionKind::Kept => words.setups_decided_kept(),
        DecisionKind::Removed => words.setups_decided_deleted(),
    };
    let end = match undone {
        Some(undone) => view! {
            <p>{words.setups_undone()} ": " <ProfileName profile=undone.by/></p>
        }
        .into_any(),
        None => view! {
            <button type="button" class="button" data-action="undo"
                aria-label=format!("{}: {name}", words.setups_undo())
                on:click=move |_| undo(number)>{words.setups_undo()}</button>
        }
        .into_any(),
    };
    view! {
        <li data-decision=number>
            <p>{name} " · " {kind} " · " <ProfileName profile=moderator/> " · " {date(at)}</p>
            {end}
        </li>
    }
}
