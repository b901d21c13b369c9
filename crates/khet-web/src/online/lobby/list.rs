//! The list of players who wait, and the form for the user's own open challenge.

use khet_protocol::{ColorPreference, NewChallenge, PersonKind};
use leptos::prelude::*;

use super::entry::Entry;
use super::state::LobbyState;
use crate::game_ui::names::time_name;
use crate::game_ui::profile_name::ProfileName;
use crate::languages::use_words;
use crate::online::challenge_form::{ChallengeFields, ChallengeForm, Visibility};
use crate::online::formatting::terms_line;
use crate::routing::{Page, use_navigation};

/// The list of players who wait: seeks and open challenges of others, and the user's challenges.
#[component]
pub(super) fn WaitingPlayers(lobby: LobbyState) -> impl IntoView {
    let words = lobby.words;
    let entries = Memo::new(move |_| {
        let me = lobby.me.get().map(|(me, _)| me);
        let all = lobby.response.with(|response| response.as_ref().map(Entry::all));
        let mut all = all.unwrap_or_default();
        // The user's own seek is shown above.
        all.retain(|entry| !matches!(entry, Entry::Seek(seek) if Some(seek.by.id) == me));
        all
    });
    let is_empty = move || lobby.response.with(Option::is_some) && entries.with(Vec::is_empty);
    let post = Callback::new(move |challenge| lobby.create_challenge(challenge));
    view! {
        <section aria-labelledby="lobby-open">
            <h2 id="lobby-open">{words.lobby_open()}</h2>
            <ul class="lobby-list">
                <For each=move || entries.get() key=Entry::id let:entry>
                    <EntryRow lobby entry/>
                </For>
            </ul>
            <Show when=is_empty>
                <p class="lobby-empty">{words.lobby_empty()}</p>
            </Show>
            <NewOpenChallenge on_post=post/>
        </section>
    }
}

/// A seek or a challenge.
#[component]
fn EntryRow(lobby: LobbyState, entry: Entry) -> impl IntoView {
    let words = lobby.words;
    let color = match entry.color() {
        ColorPreference::Silver => words.challenge_you_red(),
        ColorPreference::Red => words.challenge_you_silver(),
        ColorPreference::Random => "",
    };
    let (id, by) = (entry.id(), entry.by().clone());
    let time = time_name(entry.options().time, words);
    let terms = terms_line(entry.options(), words);
    let kind = match &entry {
        Entry::Seek(_) => "seek",
        Entry::Challenge(_) => "challenge",
    };
    view! {
        <li class="lobby-row" data-entry=kind data-challenge=id>
            <strong class="lobby-time">{time}</strong>
            <span class="lobby-by"><ProfileName profile=by/></span>
            <span class="lobby-terms">{terms} <span class="lobby-color">{color}</span></span>
            <EntryButton lobby entry/>
        </li>
    }
}

/// The button that accepts an entry or withdraws the user's own challenge. Guests are sent to sign
/// in for rated games.
#[component]
fn EntryButton(lobby: LobbyState, entry: Entry) -> impl IntoView {
    let words = lobby.words;
    let navigation = use_navigation();
    move || {
        let entry = entry.clone();
        let me = lobby.me.get();
        match entry {
            Entry::Challenge(challenge) if me.is_some_and(|(id, _)| id == challenge.by.id) => {
                view! {
                    <button type="button" class="button" data-action="withdraw"
                        on:click=move |_| lobby.withdraw(&challenge)>{words.lobby_cancel()}</button>
                }
                .into_any()
            }
            _ if entry.options().rated && !matches!(me, Some((_, PersonKind::Account))) => view! {
                <a class="button" data-action="sign-in" href=navigation.path(Page::Account)>
                    {words.account_sign_in()}
                </a>
            }
            .into_any(),
            entry => view! {
                <button type="button" class="button primary" data-action="accept"
                    on:click=move |_| lobby.accept(&entry)>{words.challenge_play()}</button>
            }
            .into_any(),
        }
    }
}

/// The form for an open challenge. Its fields are built when it is opened.
#[component]
fn NewOpenChallenge(on_post: Callback<NewChallenge>) -> impl IntoView {
    let words = use_words();
    let opened = RwSignal::new(false);
    let details = NodeRef::<leptos::html::Details>::new();
    let fields = move || {
        let form = ChallengeForm::new(Visibility::Open);
        let problem = RwSignal::new("");
        let submit = move |event: leptos::ev::SubmitEvent| {
            event.prevent_default();
            match untrack(|| form.new_challenge()) {
                Some(challenge) => {
                    problem.set("");
                    form.save();
                    on_post.run(challenge);
                    if let Some(details) = details.get_untracked() {
                        details.set_open(false);
                    }
                }
                None => problem.set(words.challenge_form_impossible()),
            }
        };
        view! {
            <form class="lobby-form" data-form="open-challenge" on:submit=submit>
                <ChallengeFields form/>
                <p class="field-problem" role="status">{move || problem.get()}</p>
                <button type="submit" class="button primary" data-action="make-challenge">
                    {words.lobby_post_challenge()}
                </button>
            </form>
        }
    };
    view! {
        <details class="lobby-own card" node_ref=details on:toggle=move |_| opened.set(true)>
            <summary>{words.lobby_create_challenge()}</summary>
            {move || opened.get().then(fields)}
        </details>
    }
}
