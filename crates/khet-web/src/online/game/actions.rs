//! The action bar of an online game. Spectators can only flip the board and open the menu.

use khet_protocol::Action;
use leptos::prelude::*;

use super::client_game::ClientGame;
use super::state::{OnlineGame, OnlineGameDialog};
use crate::controls::icon::{self, Icon};
use crate::game_ui::action_buttons::{button, highlighted_button};
use crate::routing::{Page, use_navigation};

/// The action bar.
#[component]
pub(super) fn Actions(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let is_player = condition(game, |client| client.you.is_some());
    let over = condition(game, |client| client.state.outcome().is_some());
    let player_actions = move || match over.get() {
        false => view! { <ActionsDuringGame game/> }.into_any(),
        true => view! { <ActionsAfterGame game/> }.into_any(),
    };
    view! {
        <div class="actions" role="group" aria-label=words.play_actions()>
            {move || is_player.get().then(player_actions)}
            <Show when=move || is_player.get()>
                <ChatButton game/>
            </Show>
            <Show when=move || !is_player.get()>
                {button("flip", icon::FLIP, words.play_flip_board(), || false,
                    move || game.flipped.update(|flipped| *flipped = !*flipped))}
            </Show>
            {button("more", icon::MORE, words.play_more(), || false,
                move || game.dialog.set(Some(OnlineGameDialog::More)))}
        </div>
    }
}

/// Returns whether a condition holds. It is false until the game is loaded.
fn condition(game: OnlineGame, holds: fn(&ClientGame) -> bool) -> Memo<bool> {
    Memo::new(move |_| game.with_client(holds) == Some(true))
}

/// The actions of a player during the game.
#[component]
fn ActionsDuringGame(game: OnlineGame) -> impl IntoView {
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

/// The actions of a player after the game.
#[component]
fn ActionsAfterGame(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let navigation = use_navigation();
    let may_rematch =
        condition(game, |client| client.you.is_some_and(|you| client.state.may_offer_rematch(you)));
    view! {
        {button("rematch", icon::REMATCH, words.play_rematch_short(), move || !may_rematch.get(),
            move || game.send_action(Action::Rematch))}
        {button("new-game", icon::NEW, words.play_new_game(), || false,
            move || navigation.go(Page::Lobby))}
    }
}

/// The button that opens the chat, highlighted while there are unread messages.
#[component]
fn ChatButton(game: OnlineGame) -> impl IntoView {
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
