//! The messages under the board: connection, offers, results, and claims.

use khet_protocol::Action;
use leptos::prelude::*;

use super::state::OnlineGame;
use crate::game_ui::profile_name::display_name;

/// An offer of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Offer {
    Draw,
    Takeback,
    Rematch,
}

/// The messages, and the buttons that belong to them.
#[component]
pub(super) fn Notices(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let own_offer = move || own_offer_text(game);
    let message = Memo::new(move |_| {
        if !game.connected.get() && game.client.with(Option::is_some) {
            return words.online_reconnecting().to_owned();
        }
        let message = game.message.get();
        if message.is_empty() { own_offer().unwrap_or_default().to_owned() } else { message }
    });
    let shows_earlier_ply =
        Memo::new(move |_| game.revealed.with(|session| !session.is_at_latest()));
    view! {
        <div class="game-message">
            <p role="status" data-message="">{move || message.get()}</p>
            <div role="status"><OpponentOffer game/></div>
            <Claim game/>
            <Show when=move || shows_earlier_ply.get()>
                <button type="button" class="button" data-action="latest-move"
                    on:click=move |_| game.show_ply(usize::MAX)>{words.play_nav_current()}</button>
            </Show>
        </div>
    }
}

/// Returns the text about an offer of this player that is not answered yet.
fn own_offer_text(game: OnlineGame) -> Option<&'static str> {
    let words = game.words;
    game.with_client(|client| {
        let you = Some(client.you?);
        let state = &client.state;
        if state.draw_offer() == you {
            Some(words.game_draw_offered())
        } else if state.takeback_request() == you {
            Some(words.game_takeback_offered())
        } else if state.rematch_offer() == you {
            Some(words.game_rematch_offered())
        } else {
            None
        }
    })
    .flatten()
}

/// Returns the name of the opponent.
fn opponent_name(game: OnlineGame) -> Memo<String> {
    let words = game.words;
    Memo::new(move |_| {
        game.with_client(|client| client.opponent().map(|profile| display_name(profile, words)))
            .flatten()
            .unwrap_or_default()
    })
}

/// An offer of the opponent, with buttons to accept or decline it.
#[component]
fn OpponentOffer(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let opponent = opponent_name(game);
    let offer = Memo::new(move |_| {
        game.with_client(|client| {
            let other = !client.you?;
            [
                (client.state.draw_offer(), Offer::Draw),
                (client.state.takeback_request(), Offer::Takeback),
                (client.state.rematch_offer(), Offer::Rematch),
            ]
            .into_iter()
            .find(|(by, _)| *by == Some(other))
            .map(|(_, offer)| offer)
        })
        .flatten()
    });
    move || {
        let (text, yes, accept, decline) = match offer.get()? {
            Offer::Draw => (
                words.game_opponent_offers_draw(opponent.get()),
                words.game_accept_draw(),
                Action::Draw,
                Action::DeclineDraw,
            ),
            Offer::Takeback => (
                words.game_opponent_asks_takeback(opponent.get()),
                words.game_accept_takeback(),
                Action::Takeback,
                Action::DeclineTakeback,
            ),
            Offer::Rematch => (
                words.game_opponent_offers_rematch(opponent.get()),
                words.game_accept_rematch(),
                Action::Rematch,
                Action::DeclineRematch,
            ),
        };
        Some(view! {
            <div class="question">
                <p>{text}</p>
                <button type="button" class="button primary" data-action="accept"
                    on:click=move |_| game.send_action(accept.clone())>{yes}</button>
                <button type="button" class="button" data-action="decline"
                    on:click=move |_| game.send_action(decline.clone())>{words.game_decline()}</button>
            </div>
        })
    }
}

/// The claim of victory or a draw against a disconnected opponent.
#[component]
fn Claim(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let opponent = opponent_name(game);
    let seconds_until_claim = Memo::new(move |_| {
        let now = game.now.get();
        game.with_client(|client| client.seconds_until_claim(now)).flatten()
    });
    move || {
        let seconds = seconds_until_claim.get()?;
        if seconds > 0 {
            let seconds = usize::try_from(seconds).unwrap_or(usize::MAX);
            return Some(
                view! { <p>{words.game_claim_soon(opponent.get(), seconds)}</p> }.into_any(),
            );
        }
        Some(
            view! {
                <div class="question">
                    <p>{words.game_claim_now(opponent.get())}</p>
                    <button type="button" class="button primary" data-action="claim-win"
                        on:click=move |_| game.send_action(Action::ClaimWin)>{words.game_claim_win()}</button>
                    <button type="button" class="button" data-action="claim-draw"
                        on:click=move |_| game.send_action(Action::ClaimDraw)>{words.game_claim_draw()}</button>
                </div>
            }
            .into_any(),
        )
    }
}
