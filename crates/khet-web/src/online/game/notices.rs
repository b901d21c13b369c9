//! What is said under the board: the connection, what the other player asks, and what came of things.

use khet_protocol::Action;
use leptos::prelude::*;

use super::state::OnlineGame;
use crate::game_ui::profile_name::display_name;
use crate::game_ui::result::ResultText;

/// What the other player wants to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    Draw,
    Takeback,
    Rematch,
}

/// The place for all of it.
#[component]
pub(super) fn Notices(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let other = Memo::new(move |_| {
        game.of(|live| live.opponent().map(|face| display_name(face, words)))
            .flatten()
            .unwrap_or_default()
    });
    let asked = Memo::new(move |_| {
        game.of(|live| {
            let other = !live.you?;
            [
                (live.state.draw_offer(), Asked::Draw),
                (live.state.takeback(), Asked::Takeback),
                (live.state.rematch(), Asked::Rematch),
            ]
            .into_iter()
            .find(|(by, _)| *by == Some(other))
            .map(|(_, asked)| asked)
        })
        .flatten()
    });
    // What this player has asked, until it is answered.
    let asking = move || {
        game.of(|live| {
            let you = Some(live.you?);
            let state = &live.state;
            if state.draw_offer() == you {
                Some(words.game_draw_offered())
            } else if state.takeback() == you {
                Some(words.game_takeback_offered())
            } else if state.rematch() == you {
                Some(words.game_rematch_offered())
            } else {
                None
            }
        })
        .flatten()
    };
    let claim_in = Memo::new(move |_| {
        let now = game.now.get();
        game.of(|live| live.claim_in(now)).flatten()
    });
    let message = Memo::new(move |_| {
        if !game.open.get() && game.live.with(Option::is_some) {
            return words.online_reconnecting().to_owned();
        }
        let message = game.message.get();
        if !message.is_empty() {
            return message;
        }
        let result = game.revealed.with(|session| ResultText::of_session(words, session));
        match result.filter(|_| game.result_seen.get()) {
            Some(result) => result.line(),
            None => asking().unwrap_or_default().to_owned(),
        }
    });
    let question = move || {
        let (text, yes, yes_act, no_act) = match asked.get()? {
            Asked::Draw => (
                words.game_opponent_offers_draw(other.get()),
                words.game_accept_draw(),
                Action::Draw,
                Action::DeclineDraw,
            ),
            Asked::Takeback => (
                words.game_opponent_asks_takeback(other.get()),
                words.game_accept_takeback(),
                Action::Takeback,
                Action::DeclineTakeback,
            ),
            Asked::Rematch => (
                words.game_opponent_offers_rematch(other.get()),
                words.game_accept_rematch(),
                Action::Rematch,
                Action::DeclineRematch,
            ),
        };
        Some(view! {
            <div class="question">
                <p>{text}</p>
                <button type="button" class="button primary" data-action="accept"
                    on:click=move |_| game.act(yes_act.clone())>{yes}</button>
                <button type="button" class="button" data-action="decline"
                    on:click=move |_| game.act(no_act.clone())>{words.game_decline()}</button>
            </div>
        })
    };
    let claim = move || {
        let seconds = claim_in.get()?;
        if seconds > 0 {
            let seconds = usize::try_from(seconds).unwrap_or(usize::MAX);
            return Some(view! { <p>{words.game_claim_soon(other.get(), seconds)}</p> }.into_any());
        }
        Some(
            view! {
                <div class="question">
                    <p>{words.game_claim_now(other.get())}</p>
                    <button type="button" class="button primary" data-action="claim-win"
                        on:click=move |_| game.act(Action::ClaimWin)>{words.game_claim_win()}</button>
                    <button type="button" class="button" data-action="claim-draw"
                        on:click=move |_| game.act(Action::ClaimDraw)>{words.game_claim_draw()}</button>
                </div>
            }
            .into_any(),
        )
    };
    let away = Memo::new(move |_| game.revealed.with(|session| !session.is_present()));
    view! {
        <div class="game-message">
            <p role="status" data-message="">{move || message.get()}</p>
            <div role="status">{question}</div>
            {claim}
            <Show when=move || away.get()>
                <button type="button" class="button" data-action="present"
                    on:click=move |_| game.look(usize::MAX)>{words.play_nav_current()}</button>
            </Show>
        </div>
    }
}
