//! Reports of inappropriate setups: the form for players, and the list for moderators.

use khet_protocol::{NewReport, ReportReason, ReportedSetup, ReportsResponse, SetupId};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::decisions::{self, Decisions};
use crate::api::me;
use crate::api::{self, NO_BODY};
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
    let problem = RwSignal::new(String::new());
    let load = move || {
        spawn_local(async move {
            if !me::fetch().await.is_some_and(|me| me.moderator) {
                return;
            }
            match api::get::<ReportsResponse>("/api/setups/reports").await {
                Ok(answer) => drop(reported_setups.try_set(answer.setups)),
                Err(error) => drop(problem.try_set(error.message(words))),
            }
            decisions::load(words, past_decisions, problem).await;
        });
    };
    load();
    let decide = move |id: SetupId, method: &'static str, suffix: &'static str| {
        spawn_local(async move {
            match api::send_for_text(method, &format!("/api/setups/{id}{suffix}"), NO_BODY).await {
                Ok(_) => {
                    reported_setups.try_update(|setups| setups.retain(|it| it.setup.id != id));
                    decisions::load(words, past_decisions, problem).await;
                }
                Err(error) => drop(problem.try_set(error.message(words))),
            }
        });
    };
    view! {
        <Show when=move || {
            !reported_setups.with(Vec::is_empty)
                || !past_decisions.with(Vec::is_empty)
                || !problem.with(String::is_empty)
        }>
            <section class="reports" aria-labelledby="reports-title">
                <h2 id="reports-title">{words.setups_reports()}</h2>
                <p class="field-problem" role="status">{move || problem.get()}</p>
                <ul>
                    <For each=move || reported_setups.get() key=|it| it.setup.id let:reported>
                        <ReportedSetupView reported decide/>
                    </For>
                </ul>
                <Decisions decisions=past_decisions problem on_undone=Callback::new(move |()| load())/>
            </section>
        </Show>
    }
}

/// A reported setup with the reports and the moderator's choices.
#[component]
fn ReportedSetupView(
    reported: ReportedSetup,
    decide: impl Fn(SetupId, &'static str, &'static str) + Copy + 'static,
) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let id = reported.setup.id;
    let hidden = reported.hidden.then(|| view! { <p>{words.setups_hidden()}</p> });
    let reports = reported.reports.into_iter().map(|report| {
        view! { <li><ProfileName profile=report.by/> ": " {report.reason.to_string()}</li> }
    });
    view! {
        <li class="reported" data-setup=id.to_string()>
            <h3><a href=navigation.path_of(Page::Setup, id.as_str())>{reported.setup.name.to_string()}</a></h3>
            {hidden}
            <ul>{reports.collect_view()}</ul>
            <div class="button-row">
                <button type="button" class="button" data-action="keep"
                    on:click=move |_| decide(id, "POST", "/keep")>
                    {words.setups_keep()}
                </button>
                <button type="button" class="button" data-action="delete"
                    on:click=move |_| decide(id, "DELETE", "")>
                    {words.setups_delete()}
                </button>
            </div>
        </li>
    }
}
