//! The messages under the board: options, connection, offers, and claims.

use khet_protocol::Action;
use leptos::prelude::*;

use super::state::OnlineGame;
use crate::game_ui::profile_name::display_name;
use crate::online::formatting::options_line;

/// An offer of a player.
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
    let message = Memo::new(move |_| {
        if !game.connected.get() && game.client.with(Option::is_some) {
            return words.online_reconnecting().to_owned();
        }
        game.message.get()
    });
    let terms = move || game.with_client(|client| options_line(client.state.options(), words));
    let shows_earlier_ply =
        Memo::new(move |_| game.revealed.with(|session| !session.is_at_latest()));
    view! {
        <div class="game-message">
            // Screen readers have the heading of the page.
            <p class="game-terms" aria-hidden="true">{terms}</p>
            <p role="status" data-message="">{move || message.get()}</p>
            <div role="status"><OwnOffer game/> <OpponentOffer game/></div>
            <Claim game/>
            <Show when=move || shows_earlier_ply.get()>
                <button type="button" class="button" data-action="latest-move"
                    on:click=move |_| game.show_ply(usize::MAX)>{words.play_nav_current()}</button>
            </Show>
        </div>
    }
}

/// Returns the open offer of this player or the opponent, if there is one.
fn open_offer(game: OnlineGame, own: bool) -> Memo<Option<Offer>> {
    Memo::new(move |_| {
        game.with_client(|client| {
            let you = client.you?;
            let by = Some(if own { you } else { !you });
            [
                (client.state.draw_offer(), Offer::Draw),
                (client.state.takeback_request(), Offer::Takeback),
                (client.state.rematch_offer(), Offer::Rematch),
            ]
            .into_iter()
            .find(|(offered_by, _)| *offered_by == by)
            .map(|(_, offer)| offer)
        })
        .flatten()
    })
}

/// An offer of this player that is not answered yet, with a button to withdraw it.
#[component]
fn OwnOffer(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let offer = open_offer(game, true);
    move || {
        let (text, withdraw) = match offer.get()? {
            Offer::Draw => (words.game_draw_offered(), Action::WithdrawDraw),
            Offer::Takeback => (words.game_takeback_offered(), Action::WithdrawTakeback),
            Offer::Rematch => (words.game_rematch_offered(), Action::WithdrawRematch),
        };
        Some(view! {
            <div class="question own">
                <p>{text}</p>
                <button type="button" class="button" data-action="withdraw"
                    on:click=move |_| game.send_action(withdraw.clone())>{words.game_withdraw()}</button>
            </div>
        })
    }
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
    let offer = open_offer(game, false);
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
