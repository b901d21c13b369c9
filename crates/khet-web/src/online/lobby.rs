//! The lobby: quick pairing, the players who wait, and the form for the user's own open challenge.
//!
//! The server pairs people who want the same game. Two pairings need the user's consent and are
//! offered here: a rated with a casual player, and, after a while, a person with a bot.

mod entry;
mod list;
mod state;
mod waiting;

use khet::TimeControl;
use khet_protocol::{NewChallenge, PersonKind, Speed};
use leptos::prelude::*;

use self::list::WaitingPlayers;
use self::state::{LobbyState, quick_pairing};
use self::waiting::WaitingCard;
use super::game_card::GameCard;
use super::unreachable::UnreachableNotice;
use crate::game_ui::names::{speed_name, time_name};
use crate::languages::use_words;
use crate::routing::use_navigation;

/// The lobby page.
#[component]
pub(super) fn LobbyPage() -> impl IntoView {
    let words = use_words();
    let lobby = LobbyState::new(words, use_navigation());
    let my_games = move || {
        lobby.my_games.get().into_iter().map(|game| view! { <GameCard game/> }).collect_view()
    };
    view! {
        <div class="page lobby" data-connected=move || lobby.connected.get().to_string()>
            <header class="lobby-head">
                <h1>{words.lobby_title()}</h1>
                <Counts lobby/>
            </header>
            <Show when=move || lobby.unreachable.get()>
                <UnreachableNotice retry=Callback::new(move |()| lobby.reconnect())/>
            </Show>
            <QuickPairing lobby/>
            <Show when=move || !lobby.unreachable.get()>
                <WaitingPlayers lobby/>
            </Show>
            <Show when=move || !lobby.my_games.with(Vec::is_empty)>
                <section aria-labelledby="lobby-mine">
                    <h2 id="lobby-mine">{words.lobby_my_games()}</h2>
                    <ul class="listed-games">{my_games}</ul>
                </section>
            </Show>
        </div>
    }
}

/// The numbers of people and games, unless the server can't be reached.
#[component]
fn Counts(lobby: LobbyState) -> impl IntoView {
    let words = lobby.words;
    let counts = Memo::new(move |_| {
        let response = lobby.response.get();
        response.filter(|_| !lobby.unreachable.get()).map(|response| response.counts)
    });
    let text = move || {
        counts.get().map(|counts| words.lobby_counts(counts.people as usize, counts.games as usize))
    };
    let people = move || counts.get().map(|counts| counts.people.to_string());
    let games = move || counts.get().map(|counts| counts.games.to_string());
    view! { <p class="lobby-counts" data-people=people data-games=games>{text}</p> }
}

/// The buttons that seek a game with a common time control, and the user's seek.
#[component]
fn QuickPairing(lobby: LobbyState) -> impl IntoView {
    let words = lobby.words;
    let pairings = move || {
        let rated = lobby.rated.get();
        let pairing = |time| view! { <PairingButton lobby challenge=quick_pairing(time, rated)/> };
        TimeControl::PRESETS.map(pairing).into_iter().collect_view()
    };
    let has_account = move || matches!(lobby.me.get(), Some((_, PersonKind::Account)));
    view! {
        <section class="lobby-quick" aria-labelledby="lobby-quick">
            <h2 id="lobby-quick">{words.lobby_quick()}</h2>
            <p class="field-about">{words.lobby_quick_about()}</p>
            <ul class="pairs">{pairings}</ul>
            <Show when=has_account>
                <label class="switch lobby-rated">
                    <span>{words.online_rated()}</span>
                    <input type="checkbox" role="switch" data-switch="rated"
                        prop:checked=move || lobby.rated.get()
                        on:change=move |event| lobby.set_rated(event_target_checked(&event))/>
                </label>
            </Show>
            <p class="field-problem" role="status" data-message="">
                {move || lobby.message.get()}
            </p>
            <Show when=move || lobby.seek.with(Option::is_some)>
                <WaitingCard lobby/>
            </Show>
        </section>
    }
}

/// The button of a quick pairing, pressed while its seek is active.
#[component]
fn PairingButton(lobby: LobbyState, challenge: NewChallenge) -> impl IntoView {
    let words = lobby.words;
    let time = challenge.options.time;
    let speed = Speed::of(time).map(|speed| speed_name(speed, words));
    let own = challenge.clone();
    let pressed = move || lobby.is_seeking(&own).to_string();
    view! {
        <li>
            <button type="button" class="pair" data-pair=time.to_string() aria-pressed=pressed
                on:click=move |_| lobby.toggle_seek(challenge.clone())>
                <strong>{time_name(time, words)}</strong>
                <span>{speed}</span>
            </button>
        </li>
    }
}
