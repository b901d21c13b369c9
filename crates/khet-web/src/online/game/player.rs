//! The player strips of an online game.

use std::time::Duration;

use leptos::prelude::*;

use super::state::OnlineGame;
use crate::game_ui::player_strip::{LOW_TIME, PlayerStrip};
use crate::game_ui::profile_name::{ProfileName, display_name};
use crate::online::formatting::format_time_left;

/// The strip of the player at one edge of the board.
#[component]
pub(super) fn Player(
    game: OnlineGame,
    /// At the bottom edge, otherwise at the top edge.
    bottom: bool,
) -> impl IntoView {
    let words = game.words;
    let color = Memo::new(move |_| if bottom { game.bottom() } else { !game.bottom() });
    let profile =
        Memo::new(move |_| game.with_client(|client| client.players.get(color.get()).clone()));
    let you = Memo::new(move |_| {
        game.with_client(|client| client.you == Some(color.get())) == Some(true)
    });
    let label = move || {
        profile.with(|profile| {
            profile.as_ref().map(|profile| display_name(profile, words)).unwrap_or_default()
        })
    };
    let name = move || {
        let profile = profile.get()?;
        // "You" is clearer than the generic name of a guest.
        Some(if you.get() && profile.name.is_none() {
            words.play_you().into_any()
        } else {
            view! { <ProfileName profile/> }.into_any()
        })
    };
    let present = Memo::new(move |_| {
        game.with_client(|client| *client.presence.connected.get(color.get())) == Some(true)
    });
    let over = Memo::new(move |_| {
        game.with_client(|client| client.state.outcome().is_some()) == Some(true)
    });
    let to_move = Memo::new(move |_| {
        game.revealed.with(|session| session.outcome().is_none() && session.side() == color.get())
    });
    let state = move || match (to_move.get(), present.get() || over.get()) {
        (_, false) if game.client.with(Option::is_some) => words.game_away(),
        (true, _) if you.get() => words.game_your_turn(),
        (true, _) => words.play_to_move(),
        _ => "",
    };
    let clock_running = Memo::new(move |_| {
        game.with_client(|client| {
            client.state.clock().and_then(|clock| clock.running()) == Some(color.get())
        }) == Some(true)
    });
    let left = Memo::new(move |_| {
        let (now, color) = (game.now.get(), color.get());
        game.with_client(|client| client.time_left(color, now)).flatten()
    });
    let strip = PlayerStrip {
        words,
        bottom,
        color,
        label: Signal::derive(label),
        to_move,
        present: Some(present),
        taken: Memo::new(move |_| game.revealed.with(|session| session.captured(!color.get()))),
        time: Memo::new(move |_| left.get().map(|left| format_time_left(left, words))),
        low_time: Memo::new(move |_| {
            left.get().is_some_and(|left| Duration::from_millis(left) < LOW_TIME)
        }),
        clock_running,
    };
    strip.show(view! { {name} {(!bottom).then(|| view! { <Spectators game/> })} }, state)
}

/// The number of spectators, if there are any.
#[component]
fn Spectators(game: OnlineGame) -> impl IntoView {
    let count = Memo::new(move |_| {
        game.with_client(|client| client.presence.spectators as usize).unwrap_or(0)
    });
    let text = move || game.words.game_watching(count.get());
    view! {
        <Show when=move || count.get() != 0>
            <span class="spectators" role="img" aria-label=text title=text
                data-spectators=move || count.get().to_string()>
                <svg viewBox="0 0 24 24" aria-hidden="true">
                    <path d="M2 12s4-6 10-6 10 6 10 6-4 6-10 6-10-6-10-6z"></path>
                    <circle cx="12" cy="12" r="2.5"></circle>
                </svg>
                {move || count.get()}
            </span>
        </Show>
    }
}
