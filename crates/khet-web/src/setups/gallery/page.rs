//! The page of one setup: its board, who made it, how games from it ended, and what can be done with it.

use khet::{Placement, Position, Rules, Setup};
use khet_protocol::{ErrorCode, GallerySetup, SetupId};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::super::editor::PlayWays;
use super::super::findings::rules_name;
use super::balance::BalanceBar;
use super::report::ReportDialog;
use crate::api::me;
use crate::api::{self, NOTHING};
use crate::board::{Board, Scene};
use crate::browser::clipboard::copy;
use crate::controls::dialog::{DialogOf, decision};
use crate::game_ui::names::setup_name;
use crate::game_ui::profile_name::ProfileName;
use crate::languages::use_words;
use crate::routing::{Page, position_search, use_navigation};

/// What is asked before it is done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenDialog {
    Report,
    Delete,
}

/// One setup.
#[component]
pub(crate) fn SetupPage() -> impl IntoView {
    let navigation = use_navigation();
    let about = untrack(|| navigation.about());
    match about.parse::<Setup>() {
        Ok(setup) => view! { <PrintedSetup setup/> }.into_any(),
        Err(_) => match about.parse::<SetupId>() {
            Ok(id) => view! { <PublishedSetup id/> }.into_any(),
            Err(_) => view! { <NoSetup/> }.into_any(),
        },
    }
}

#[component]
fn NoSetup() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    view! {
        <div class="page nowhere">
            <h1>{words.setups_gone()}</h1>
            <p><a class="button primary" href=navigation.path(Page::Setups)>{words.setups_title()}</a></p>
        </div>
    }
}

/// A printed one, for which nobody is asked.
#[component]
fn PrintedSetup(setup: Setup) -> impl IntoView {
    let words = use_words();
    view! {
        <div class="setup-page">
            <SetupBoard position=setup.position()/>
            <div class="setup-side">
                <h1>{setup_name(setup, words)}</h1>
                <p class="field-about">{words.setups_official_about()}</p>
                <Ways placement=setup.placement() rules=Rules::Standard/>
            </div>
        </div>
    }
}

#[component]
fn SetupBoard(position: Position) -> impl IntoView {
    let scene = RwSignal::new(Scene::of(position));
    view! { <div class="setup-board"><div class="setup-fit"><Board scene=scene/></div></div> }
}

/// Everything that can be done with a position.
#[component]
fn Ways(placement: Placement, rules: Rules) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let note = RwSignal::new(String::new());
    let search = move || position_search(&placement, rules);
    view! {
        <PlayWays start=(placement, rules)/>
        <div class="onward-row">
            <a class="button" data-action="edit" href=move || navigation.path(Page::Editor) + &search()>
                {words.setups_edit()}
            </a>
            <a class="button" data-action="analyse" href=move || navigation.path(Page::Analysis) + &search()>
                {words.editor_analyse()}
            </a>
            <button type="button" class="button" data-action="copy-link"
                on:click=move |_| copy(words, note, &window().location().href().unwrap_or_default())>
                {words.editor_copy_link()}
            </button>
        </div>
        <p class="field-about" role="status">{move || note.get()}</p>
    }
}

/// One that somebody has published.
#[component]
fn PublishedSetup(id: SetupId) -> impl IntoView {
    let words = use_words();
    let card = RwSignal::new(None::<GallerySetup>);
    let told = RwSignal::new(words.setups_loading().to_owned());
    let gone = RwSignal::new(false);
    spawn_local(async move {
        match api::get::<GallerySetup>(&format!("/api/setups/{id}")).await {
            Ok(found) => drop(card.try_set(Some(found))),
            Err(error) if error.code() == Some(ErrorCode::NotFound) => drop(gone.try_set(true)),
            Err(error) => drop(told.try_set(error.message(words))),
        }
    });
    move || {
        if gone.get() {
            return view! { <NoSetup/> }.into_any();
        }
        match card.get() {
            Some(card) => view! { <Published card/> }.into_any(),
            None => view! {
                <div class="page">
                    <h1>{words.setups_title()}</h1>
                    <p role="status">{move || told.get()}</p>
                </div>
            }
            .into_any(),
        }
    }
}

#[component]
fn Published(card: GallerySetup) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let dialog = RwSignal::new(None::<OpenDialog>);
    let problem = RwSignal::new(String::new());
    let liked = RwSignal::new((card.liked, card.likes));
    let sending = RwSignal::new(false);
    let moderator = RwSignal::new(false);
    spawn_local(async move {
        if let Some(me) = me::ask().await {
            let _ = moderator.try_set(me.moderator);
        }
    });
    let id = card.id;
    let like = move |_| {
        if sending.get_untracked() {
            return;
        }
        sending.set(true);
        let (before, likes) = liked.get_untracked();
        // Shown at once; taken back if the server says no.
        liked.set((!before, if before { likes.saturating_sub(1) } else { likes + 1 }));
        spawn_local(async move {
            let method = if before { "DELETE" } else { "PUT" };
            let done =
                api::send_without_answer(method, &format!("/api/setups/{id}/like"), NOTHING).await;
            let _ = sending.try_set(false);
            match done {
                Ok(_) => drop(problem.try_set(String::new())),
                Err(error) => {
                    let _ = liked.try_set((before, likes));
                    let told = match error.code() {
                        Some(ErrorCode::SignedOut | ErrorCode::Forbidden) => {
                            words.setups_like_needs_account().to_owned()
                        }
                        _ => error.message(words),
                    };
                    let _ = problem.try_set(told);
                }
            }
        });
    };
    let delete = move || {
        dialog.set(None);
        spawn_local(async move {
            match api::send_without_answer("DELETE", &format!("/api/setups/{id}"), NOTHING).await {
                Ok(_) => navigation.replace_by(Page::Setups, ""),
                Err(error) => drop(problem.try_set(error.message(words))),
            }
        });
    };
    let position = Position::new(&card.position, card.rules).ok();
    let may_delete = move || card.mine || moderator.get();
    let edition = (card.rules != Rules::Standard).then(|| rules_name(words, card.rules));
    view! {
        <div class="setup-page" data-setup=id.to_string()>
            {position.map(|position| view! { <SetupBoard position/> })}
            <div class="setup-side">
                <h1>{card.name.to_string()}</h1>
                <p class="setup-author"><ProfileName profile=card.author/></p>
                <p class="setup-words">{card.description.to_string()}</p>
                {edition.map(|edition| view! { <p class="field-about">{edition}</p> })}
                <p class="setup-numbers">{words.setups_plays(card.plays as usize)}</p>
                <BalanceBar balance=card.balance/>
                <div class="onward-row">
                    <button
                        type="button"
                        class="button like"
                        data-action="like"
                        aria-pressed=move || liked.get().0.to_string()
                        on:click=like
                    >
                        <svg class="icon" viewBox="0 0 28 28" aria-hidden="true">
                            <path d="M14 23 5 14a5.5 5.5 0 0 1 9-6.5A5.5 5.5 0 0 1 23 14z"></path>
                        </svg>
                        {move || words.setups_likes(liked.get().1 as usize)}
                    </button>
                </div>
                <Ways placement=card.position rules=card.rules/>
                <p class="field-problem" role="status">{move || problem.get()}</p>
                <div class="onward-row">
                    <button type="button" class="button quiet" data-action="report"
                        on:click=move |_| dialog.set(Some(OpenDialog::Report))>{words.setups_report()}</button>
                    <Show when=may_delete>
                        <button type="button" class="button quiet" data-action="delete"
                            on:click=move |_| dialog.set(Some(OpenDialog::Delete))>{words.setups_delete()}</button>
                    </Show>
                </div>
            </div>
            <DialogOf open_dialog=dialog dialog=OpenDialog::Report name="report"
                title=Signal::derive(move || words.setups_report().to_owned()) close=words.settings_close()>
                <ReportDialog id on_done=Callback::new(move |()| {
                    dialog.set(None);
                    problem.set(words.setups_reported().to_owned());
                })/>
            </DialogOf>
            <DialogOf open_dialog=dialog dialog=OpenDialog::Delete name="delete"
                title=Signal::derive(move || words.setups_delete().to_owned()) close=words.settings_close()>
                <p>{words.setups_delete_sure()}</p>
                {decision(words.setups_delete(), words.settings_close(), delete, move || dialog.set(None))}
            </DialogOf>
        </div>
    }
}
