//! The page of one setup: board, author, statistics, and actions.

use khet::{AnySetup, Rules};
use khet_protocol::{ErrorCode, GallerySetup, SetupId};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::super::editor::PlayButtons;
use super::super::setup_check::rules_name;
use super::balance_bar::BalanceBar;
use super::reports::ReportForm;
use crate::api::me;
use crate::api::{self, NO_BODY};
use crate::board::{Board, Scene};
use crate::browser::share::share_link;
use crate::controls::dialog::{DialogOf, decision};
use crate::game_ui::move_navigation::flip_by_key;
use crate::game_ui::names::setup_name;
use crate::game_ui::profile_name::ProfileName;
use crate::languages::use_words;
use crate::routing::{Page, position_query, use_navigation};
use crate::rules::{Placement, Position};

/// The open dialog.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SetupPageDialog {
    Report,
    Delete,
}

/// The page of a named or a community setup.
#[component]
pub(crate) fn SetupPage() -> impl IntoView {
    let navigation = use_navigation();
    let about = untrack(|| navigation.subject());
    match about.parse::<AnySetup>() {
        Ok(setup) => view! { <NamedSetup setup/> }.into_any(),
        Err(_) => match about.parse::<SetupId>() {
            Ok(id) => view! { <CommunitySetup id/> }.into_any(),
            Err(_) => view! { <SetupNotFound/> }.into_any(),
        },
    }
}

#[component]
fn SetupNotFound() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    view! {
        <div class="page not-found">
            <h1>{words.setups_gone()}</h1>
            <p><a class="button primary" href=navigation.path(Page::Setups)>{words.setups_title()}</a></p>
        </div>
    }
}

/// An official setup, or one of ours with a tower. It needs no server.
#[component]
fn NamedSetup(setup: AnySetup) -> impl IntoView {
    let words = use_words();
    let about = match setup {
        AnySetup::Standard(_) => words.setups_official_about(),
        AnySetup::Tower(_) => words.setups_tower_about(),
    };
    view! {
        <div class="setup-page">
            <SetupBoard position=setup.position()/>
            <div class="setup-side">
                <h1>{setup_name(setup, words)}</h1>
                <p class="field-about">{about}</p>
                <PositionActions placement=setup.placement() rules=Rules::Standard/>
            </div>
        </div>
    }
}

#[component]
fn SetupBoard(position: Position) -> impl IntoView {
    let scene = RwSignal::new(Scene::of(position));
    flip_by_key(move || scene.update(|scene| scene.bottom = !scene.bottom));
    view! { <div class="setup-board"><div class="setup-fit"><Board scene=scene/></div></div> }
}

/// Buttons to play, edit, analyse and share a position.
#[component]
fn PositionActions(
    placement: Placement,
    rules: Rules,
    /// The name under which the position was published.
    #[prop(optional)]
    name: String,
) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let note = RwSignal::new(String::new());
    let search = move || position_query(&placement, rules);
    view! {
        <PlayButtons start=(placement, rules) name/>
        <div class="button-row">
            <a class="button" data-action="edit"
                href=move || navigation.path(Page::Editor) + &search()>
                {words.setups_edit()}
            </a>
            <a class="button" data-action="analyse"
                href=move || navigation.path(Page::Analysis) + &search()>
                {words.editor_analyse()}
            </a>
            <button type="button" class="button" data-action="share" on:click=move |_| {
                let link = navigation.link_to_share();
                share_link(words, note, &document().title(), &link);
            }>
                {words.shell_share()}
            </button>
        </div>
        <p class="field-about" role="status">{move || note.get()}</p>
    }
}

/// A community setup, loaded from the server.
#[component]
fn CommunitySetup(id: SetupId) -> impl IntoView {
    let words = use_words();
    let card = RwSignal::new(None::<GallerySetup>);
    let status = RwSignal::new(words.setups_loading().to_owned());
    let missing = RwSignal::new(false);
    spawn_local(async move {
        match api::get::<GallerySetup>(&format!("/api/setups/{id}")).await {
            Ok(loaded) => drop(card.try_set(Some(loaded))),
            Err(error) if error.code() == Some(ErrorCode::NotFound) => drop(missing.try_set(true)),
            Err(error) => drop(status.try_set(error.message(words))),
        }
    });
    move || {
        if missing.get() {
            return view! { <SetupNotFound/> }.into_any();
        }
        match card.get() {
            Some(card) => view! { <SetupDetails card/> }.into_any(),
            None => view! {
                <div class="page">
                    <h1>{words.setups_title()}</h1>
                    <p role="status">{move || status.get()}</p>
                </div>
            }
            .into_any(),
        }
    }
}

/// A community setup with its statistics and actions.
#[component]
fn SetupDetails(card: GallerySetup) -> impl IntoView {
    let words = use_words();
    let dialog = RwSignal::new(None::<SetupPageDialog>);
    let message = RwSignal::new(String::new());
    let moderator = RwSignal::new(false);
    spawn_local(async move {
        if let Some(me) = me::fetch().await {
            let _ = moderator.try_set(me.moderator);
        }
    });
    let id = card.id;
    let position = Position::new(&card.position, card.rules).ok();
    let may_delete = move || card.mine || moderator.get();
    let rules = (card.rules != Rules::Standard).then(|| rules_name(words, card.rules));
    view! {
        <div class="setup-page" data-setup=id.to_string()>
            {position.map(|position| view! { <SetupBoard position/> })}
            <div class="setup-side">
                <h1>{card.name.to_string()}</h1>
                <p class="setup-author"><ProfileName profile=card.author/></p>
                <p class="setup-description">{card.description.to_string()}</p>
                {rules.map(|rules| view! { <p class="field-about">{rules}</p> })}
                <p class="setup-numbers">{words.setups_plays(card.plays as usize)}</p>
                <BalanceBar balance=card.balance/>
                <div class="button-row">
                    <LikeButton id liked=card.liked likes=card.likes message/>
                </div>
                <PositionActions placement=card.position rules=card.rules name=card.name.to_string()/>
                <p class="field-problem" role="status">{move || message.get()}</p>
                <div class="button-row">
                    <button type="button" class="button quiet" data-action="report"
                        on:click=move |_| dialog.set(Some(SetupPageDialog::Report))>
                        {words.setups_report()}
                    </button>
                    <Show when=may_delete>
                        <button type="button" class="button quiet" data-action="delete"
                            on:click=move |_| dialog.set(Some(SetupPageDialog::Delete))>
                            {words.setups_delete()}
                        </button>
                    </Show>
                </div>
            </div>
            <SetupDialogs id dialog message/>
        </div>
    }
}

/// The button that likes or unlikes a setup, with the number of likes.
#[component]
fn LikeButton(id: SetupId, liked: bool, likes: u32, message: RwSignal<String>) -> impl IntoView {
    let words = use_words();
    let state = RwSignal::new((liked, likes));
    let sending = RwSignal::new(false);
    let toggle = move |_| {
        if sending.get_untracked() {
            return;
        }
        sending.set(true);
        let (liked, likes) = state.get_untracked();
        // Shown at once, and reverted if the server refuses.
        state.set((!liked, if liked { likes.saturating_sub(1) } else { likes + 1 }));
        spawn_local(async move {
            let method = if liked { "DELETE" } else { "PUT" };
            let result =
                api::send_for_text(method, &format!("/api/setups/{id}/like"), NO_BODY).await;
            let _ = sending.try_set(false);
            let text = match result {
                Ok(_) => String::new(),
                Err(error) => {
                    let _ = state.try_set((liked, likes));
                    match error.code() {
                        Some(ErrorCode::SignedOut | ErrorCode::Forbidden) => {
                            words.setups_like_needs_account().to_owned()
                        }
                        _ => error.message(words),
                    }
                }
            };
            let _ = message.try_set(text);
        });
    };
    view! {
        <button
            type="button"
            class="button like"
            data-action="like"
            aria-pressed=move || state.get().0.to_string()
            on:click=toggle
        >
            <svg class="icon" viewBox="0 0 28 28" aria-hidden="true">
                <path d="M14 23 5 14a5.5 5.5 0 0 1 9-6.5A5.5 5.5 0 0 1 23 14z"></path>
            </svg>
            {move || words.setups_likes(state.get().1 as usize)}
        </button>
    }
}

/// The dialogs to report and to delete a setup.
#[component]
fn SetupDialogs(
    id: SetupId,
    dialog: RwSignal<Option<SetupPageDialog>>,
    message: RwSignal<String>,
) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let delete = move || {
        dialog.set(None);
        spawn_local(async move {
            match api::send_for_text("DELETE", &format!("/api/setups/{id}"), NO_BODY).await {
                Ok(_) => navigation.replace_with(Page::Setups, ""),
                Err(error) => drop(message.try_set(error.message(words))),
            }
        });
    };
    view! {
        <DialogOf open_dialog=dialog dialog=SetupPageDialog::Report name="report"
            title=Signal::derive(move || words.setups_report().to_owned())
            close=words.settings_close()>
            <ReportForm id on_done=Callback::new(move |()| {
                dialog.set(None);
                message.set(words.setups_reported().to_owned());
            })/>
        </DialogOf>
        <DialogOf open_dialog=dialog dialog=SetupPageDialog::Delete name="delete"
            title=Signal::derive(move || words.setups_delete().to_owned())
            close=words.settings_close()>
            <p>{words.setups_delete_sure()}</p>
            {decision(words.setups_delete(), words.settings_close(), delete, move || dialog.set(None))}
        </DialogOf>
    }
}
