//! Reports of inappropriate setups: the form for players, and the list for moderators.

use khet_protocol::{NewReport, ReportReason, ReportedSetup, ReportsResponse, SetupId};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::decisions::{self, Decisions};
use crate::api::me;
use crate::api::{self, NO_BODY};
use crate::browser::focus::focus_if_lost;
use crate::game_ui::profile_name::ProfileName;
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};

/// The form in which a player reports a setup.
#[component]
pub(super) fn ReportForm(id: SetupId, on_done: Callback<()>) -> impl IntoView {
    let words = use_words();
    let reason = RwSignal::new(String::new());
    let problem = RwSignal::new(String::new());
    let send = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        let text = reason.get_untracked();
        let Some(reason) = text.parse::<ReportReason>().ok().filter(|it| !it.as_str().is_empty())
        else {
            return problem.set(words.setups_report_reason(ReportReason::MAX_LENGTH));
        };
        spawn_local(async move {
            let path = format!("/api/setups/{id}/report");
            match api::send_for_text("POST", &path, Some(&NewReport { reason })).await {
                Ok(_) => on_done.run(()),
                Err(error) => drop(problem.try_set(error.message(words))),
            }
        });
    };
    view! {
        <form class="publish" data-form="report" on:submit=send>
            <label class="field">
                <span>{words.setups_report_reason(ReportReason::MAX_LENGTH)}</span>
                <textarea rows="3" class="prose" data-field="reason" required
                    maxlength=ReportReason::MAX_LENGTH
                    on:input=move |event| reason.set(event_target_value(&event))></textarea>
            </label>
            <p class="field-problem" role="status">{move || problem.get()}</p>
            <div class="dialog-actions">
                <button type="submit" class="button primary"
                    data-action="confirm">{words.setups_report_send()}</button>
            </div>
        </form>
    }
}

/// The open reports, for moderators only.
#[component]
pub(super) fn Reports() -> impl IntoView {
    let words = use_words();
    let reported_setups = RwSignal::new(Vec::<ReportedSetup>::new());
    let past_decisions = RwSignal::new(Vec::new());
    let loaded = RwSignal::new(false);
    let problem = RwSignal::new(String::new());
    let load = move || async move {
        if !me::fetch().await.is_some_and(|me| me.moderator) {
            return;
        }
        problem.try_set(String::new());
        match api::get::<ReportsResponse>("/api/setups/reports").await {
            Ok(answer) => {
                reported_setups.try_set(answer.setups);
                loaded.try_set(true);
            }
            Err(error) => drop(problem.try_set(error.message(words))),
        }
        decisions::load(words, past_decisions, problem).await;
    };
    spawn_local(load());
    let on_undone = Callback::new(move |number: u32| {
        spawn_local(async move {
            load().await;
            focus_if_lost(format!("[data-decision='{number}']"));
        });
    });
    let decide = move |id: SetupId, method, suffix, problem_of_setup: RwSignal<String>| {
        spawn_local(async move {
            match api::send_for_text(method, &format!("/api/setups/{id}{suffix}"), NO_BODY).await {
                Ok(_) => {
                    let next = reported_setups.try_update(|setups| remove(setups, id));
                    decisions::load(words, past_decisions, problem).await;
                    if let Some(next) = next {
                        focus_if_lost(next);
                    }
                }
                Err(error) => drop(problem_of_setup.try_set(error.message(words))),
            }
        });
    };
    view! {
        <Show when=move || loaded.get() || !problem.with(String::is_empty)>
            <section class="reports" aria-labelledby="reports-title">
                <h2 id="reports-title" tabindex="-1">{words.setups_reports()}</h2>
                <p class="field-problem" role="status">{move || problem.get()}</p>
                <Show when=move || loaded.get() && reported_setups.with(Vec::is_empty)>
                    <p>{words.setups_reports_none()}</p>
                </Show>
                <ul>
                    <For each=move || reported_setups.get() key=|it| it.setup.id let:reported>
                        <ReportedSetupView reported decide/>
                    </For>
                </ul>
                <Decisions decisions=past_decisions on_undone/>
            </section>
        </Show>
    }
}

/// Removes a setup from the list. Returns the selector of the element that gets the focus: the next
/// setup, or the heading after the last one.
fn remove(setups: &mut Vec<ReportedSetup>, id: SetupId) -> String {
    let index = setups.iter().position(|it| it.setup.id == id).unwrap_or(0);
    setups.retain(|it| it.setup.id != id);
    match setups.get(index).or(setups.last()) {
        Some(next) => format!(".reported[data-setup='{}']", next.setup.id),
        None => "#reports-title".to_owned(),
    }
}

/// A reported setup with the reports, the decisions that stand and the moderator's choices.
#[component]
fn ReportedSetupView(
    reported: ReportedSetup,
    decide: impl Fn(SetupId, &'static str, &'static str, RwSignal<String>) + Copy + 'static,
) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let problem = RwSignal::new(String::new());
    let id = reported.setup.id;
    let name = reported.setup.name.to_string();
    let label = |action: &str| format!("{action}: {name}");
    let hidden = reported.hidden.then(|| view! { <p>{words.setups_hidden()}</p> });
    let reports = reported.reports.into_iter().map(|report| {
        view! { <li><ProfileName profile=report.by/> ": " {report.reason.to_string()}</li> }
    });
    let decisions = reported.decisions.into_iter().filter(|it| it.undone.is_none()).map(|it| {
        let kind = decisions::kind_name(it.kind, words);
        view! {
            <p class="field-about">
                {words.setups_decided_before()} ": "
                {decisions::log_line(kind, it.moderator, it.at, words)}
            </p>
        }
    });
    view! {
        <li class="reported" data-setup=id.to_string() tabindex="-1">
            <h3><a href=navigation.path_of(Page::Setup, id.as_str())>{name.clone()}</a></h3>
            {hidden}
            <ul>{reports.collect_view()}</ul>
            {decisions.collect_view()}
            <p class="field-problem" role="status">{move || problem.get()}</p>
            <div class="button-row">
                <button type="button" class="button" data-action="keep"
                    aria-label=label(words.setups_keep())
                    on:click=move |_| decide(id, "POST", "/keep", problem)>
                    {words.setups_keep()}
                </button>
                <button type="button" class="button" data-action="delete"
                    aria-label=label(words.setups_delete())
                    on:click=move |_| decide(id, "DELETE", "", problem)>
                    {words.setups_delete()}
                </button>
            </div>
        </li>
    }
}
