//! The user's own seek: how long it waits, and opponents to choose instead of waiting on.

use std::time::Duration;

use khet_protocol::{PersonKind, PublicProfile};
use leptos::prelude::*;

use super::entry::{BotOffer, Entry, bot_offers, near_matches};
use super::state::LobbyState;
use crate::game_ui::profile_name::display_name;
use crate::online::formatting::options_line;
use crate::routing::{Page, use_navigation};

/// Time after which other opponents than people are offered.
const BOTS_AFTER: Duration = Duration::from_secs(15);

/// The card of the user's seek.
#[component]
pub(super) fn WaitingCard(lobby: LobbyState) -> impl IntoView {
    let words = lobby.words;
    let options = move || {
        lobby
            .seek
            .with(|seek| seek.as_ref().map(|seek| options_line(&seek.challenge.options, words)))
    };
    let waited = move || {
        let seconds = lobby.waited.get().as_secs();
        format!("{}:{:02}", seconds / 60, seconds % 60)
    };
    let status = move || match lobby.challenged_bot_name() {
        _ if lobby.unreachable.get() => words.lobby_seeking_later().to_owned(),
        Some(name) => words.lobby_asking_bot(&name),
        None => words.lobby_seeking().to_owned(),
    };
    view! {
        <div class="card lobby-waiting">
            <div class="lobby-waiting-head">
                <p class="lobby-waiting-what">
                    <span class="pulse" aria-hidden="true"></span>
                    <span>
                        <strong role="status">{status}</strong>
                        <span class="lobby-terms">{options}</span>
                    </span>
                </p>
                <span class="lobby-waited" role="timer" aria-label=words.lobby_waited()>{waited}</span>
                <button type="button" class="button" data-action="cancel-seek"
                    on:click=move |_| lobby.cancel_seek()>{words.lobby_cancel()}</button>
            </div>
            <Show when=move || !lobby.unreachable.get() && lobby.challenged_bot_name().is_none()>
                <NearMatches lobby/>
                <BotOffers lobby/>
            </Show>
        </div>
    }
}

/// Questions about people who want the same game casual instead of rated, or the other way round.
#[component]
fn NearMatches(lobby: LobbyState) -> impl IntoView {
    let declined = RwSignal::new(Vec::<String>::new());
    let matches = Memo::new(move |_| {
        let Some((me, _)) = lobby.me.get() else { return Vec::new() };
        let seek = lobby.seek.get();
        let found = lobby
            .response
            .with(|response| Some(near_matches(response.as_ref()?, &seek.as_ref()?.challenge, me)));
        let mut found = found.unwrap_or_default();
        declined.with(|declined| found.retain(|entry| !declined.contains(&entry.id())));
        // One question at a time.
        found.truncate(1);
        found
    });
    let decline = Callback::new(move |id| declined.update(|declined| declined.push(id)));
    view! {
        <div role="status" class="lobby-questions">
            <For each=move || matches.get() key=Entry::id let:entry>
                <NearMatch lobby entry decline/>
            </For>
        </div>
    }
}

/// A question to the user about a near match, or a notice that the other player is asked.
#[component]
fn NearMatch(lobby: LobbyState, entry: Entry, decline: Callback<String>) -> impl IntoView {
    let words = lobby.words;
    let name = display_name(entry.by(), words);
    let has_account = matches!(lobby.me.get_untracked(), Some((_, PersonKind::Account)));
    let rated = entry.options().rated;
    let text = match (rated, &entry) {
        (false, _) => words.lobby_ask_casual(&name),
        (true, Entry::Seek(_)) => words.lobby_other_is_asked(&name),
        (true, Entry::Challenge(_)) => words.lobby_ask_rated(&name),
    };
    let id = entry.id();
    let accept_text = if rated { words.lobby_play_rated() } else { words.lobby_play_casual() };
    let buttons = (!rated || has_account).then(|| {
        view! {
            <button type="button" class="button primary" data-action="accept-near"
                on:click=move |_| lobby.accept(&entry)>{accept_text}</button>
            <button type="button" class="button quiet" data-action="keep-waiting"
                on:click=move |_| decline.run(id.clone())>{words.lobby_keep_waiting()}</button>
        }
    });
    view! {
        <div class="lobby-question" data-near=if rated { "rated" } else { "casual" }>
            <p>{text}</p>
            {buttons}
        </div>
    }
}

/// After a while: bots that play at once or, without one, other ways to a game.
#[component]
fn BotOffers(lobby: LobbyState) -> impl IntoView {
    let words = lobby.words;
    let navigation = use_navigation();
    let due = Memo::new(move |_| lobby.waited.get() >= BOTS_AFTER);
    let offers = Memo::new(move |_| {
        let seek = lobby.seek.get();
        let found = lobby
            .response
            .with(|response| Some(bot_offers(response.as_ref()?, &seek.as_ref()?.challenge)));
        found.unwrap_or_default()
    });
    let buttons = move || {
        let offers = offers.get();
        if offers.is_empty() {
            return view! {
                <a class="button" href=navigation.path(Page::Computer)>{words.home_computer()}</a>
                <a class="button" href=navigation.path(Page::Friend)>{words.friend_title()}</a>
            }
            .into_any();
        }
        offers.into_iter().map(|offer| view! { <BotButton lobby offer/> }).collect_view().into_any()
    };
    view! {
        <div role="status">
            <Show when=move || due.get()>
                <div class="lobby-question" data-offer="bots">
                    <p>{words.lobby_play_now()}</p>
                    {buttons}
                </div>
            </Show>
        </div>
    }
}

/// The button that plays a bot.
#[component]
fn BotButton(lobby: LobbyState, offer: BotOffer) -> impl IntoView {
    let profile: &PublicProfile = offer.profile();
    let name = display_name(profile, lobby.words);
    let text = lobby.words.lobby_play_bot(&name);
    view! {
        <button type="button" class="button" data-bot=name
            on:click=move |_| lobby.play_bot(offer.clone())>{text}</button>
    }
}
