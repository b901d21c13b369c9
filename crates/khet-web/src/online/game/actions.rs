//! The action bar of an online game. Spectators can only flip the board and open the menu.

use khet_protocol::Action;
use leptos::prelude::*;

use super::client_game::ClientGame;
use super::state::{OnlineGame, OnlineGameDialog};
use crate::controls::icon::{self, Icon};
use crate::game_ui::action_buttons::{button, highlighted_button};

/// The action bar during the game.
#[component]
pub(super) fn Actions(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let over = Memo::new(move |_| game.revealed.with(|session| session.outcome().is_some()));
    let flip = move || {
        button(
            "flip",
            icon::FLIP,
            words.play_flip_board(),
            || false,
            move || {
                game.flip();
            },
        )
    };
    view! {
        <Show when=move || !over.get()>
            <div class="actions" role="group" aria-label=words.play_actions()>
                <Show when=move || game.is_player() fallback=flip>
                    <PlayerActions game/>
                    <ChatButton game/>
                </Show>
                <MoreButton game/>
            </div>
        </Show>
    }
}

/// The button that opens the dialog with further actions.
#[component]
pub(super) fn MoreButton(game: OnlineGame) -> impl IntoView {
    button(
        "more",
        icon::MORE,
        game.words.play_more(),
        || false,
        move || {
            game.dialog.set(Some(OnlineGameDialog::More));
        },
    )
}

/// Returns whether a condition holds. It is false until the game is loaded.
fn condition(game: OnlineGame, holds: fn(&ClientGame) -> bool) -> Memo<bool> {
    Memo::new(move |_| game.with_client(holds) == Some(true))
}

/// The actions of a player during the game.
#[component]
fn PlayerActions(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let may_abort = condition(game, |client| client.state.may_abort());
    let may_take_back =
        condition(game, |client| client.you.is_some_and(|you| client.state.may_ask_takeback(you)));
    let casual = condition(game, |client| !client.state.options().rated);
    let can_claim = condition(game, |client| {
        client.you == Some(client.state.to_move())
            && client.state.outcome().is_none()
            && client.state.game().can_claim_draw()
    });
    let may_draw =
        condition(game, |client| client.you.is_some_and(|you| client.state.may_offer_draw(you)));
    let has_clock = condition(game, |client| client.state.options().time.is_real_time());
    let draw = move || if can_claim.get() { words.play_claim_draw() } else { words.play_draw() };
    view! {
        <Show when=move || casual.get()>
            {button("take-back", icon::TAKE_BACK, words.play_takeback(),
                move || !may_take_back.get(), move || game.send_action(Action::Takeback))}
        </Show>
        {highlighted_button("draw", icon::DRAW, draw, move || can_claim.get(),
            move || !can_claim.get() && !may_draw.get(),
            move || game.dialog.set(Some(OnlineGameDialog::Draw)))}
        <Show
            when=move || may_abort.get()
            fallback=move || button("resign", icon::RESIGN, words.play_resign(), || false,
                move || game.dialog.set(Some(OnlineGameDialog::Resign)))
        >
            {button("abort", icon::ABORT, words.game_abort(), || false,
                move || game.dialog.set(Some(OnlineGameDialog::Abort)))}
        </Show>
        <Show when=move || has_clock.get()>
            {button("add-time", icon::TIME, words.game_add_time(), || false,
                move || game.send_action(Action::AddTime))}
        </Show>
    }
}

/// The button that opens the chat, highlighted while there are unread messages.
#[component]
pub(super) fn ChatButton(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let unread = Memo::new(move |_| {
        let last = game.with_client(|client| client.chat.last().map_or(0, |last| last.number));
        last.unwrap_or(0) > game.last_seen_message.get()
    });
    view! {
        <button
            type="button"
            class="action action-chat"
            class:ready=move || unread.get()
            data-action="chat"
            aria-expanded=move || game.chat_open.get().to_string()
            on:click=move |_| game.chat_open.update(|open| *open = !*open)
        >
            <Icon path=icon::CHAT/>
            <span>{words.chat_title()}</span>
        </button>
    }
}
