//! What a player can do beside playing a move: the bar under the thumb. Who watches has no more than looking.

use khet_protocol::Action;
use leptos::prelude::*;

use super::live::Live;
use super::state::{OnlineGame, OpenDialog};
use crate::controls::icon::{self, Icon};
use crate::game_ui::action_buttons::{button, highlighted_button};
use crate::routing::{Page, use_navigation};

/// The bar.
#[component]
pub(super) fn Actions(game: OnlineGame) -> impl IntoView {
    let words = game.words;
    let navigation = use_navigation();
    let playing = Memo::new(move |_| {
        game.of(|live| (live.you.is_some(), live.state.outcome().is_some())).unwrap_or_default()
    });
    let may = move |may: fn(&Live) -> bool| Memo::new(move |_| game.of(may) == Some(true));
    let may_abort = may(|live| live.state.may_abort());
    let may_take_back = may(|live| live.you.is_some_and(|you| live.state.may_ask_takeback(you)));
    let casual = may(|live| !live.state.options().rated);
    let can_claim = may(|live| {
        live.you == Some(live.state.to_move())
            && live.state.outcome().is_none()
            && live.state.game().can_claim_draw()
    });
    let may_draw = may(|live| live.you.is_some_and(|you| live.state.may_offer_draw(you)));
    let clocks = may(|live| live.state.options().time.is_real_time());
    let may_rematch = may(|live| live.you.is_some_and(|you| live.state.may_offer_rematch(you)));
    let unread = Memo::new(move |_| {
        game.of(|live| live.chat.last().map_or(0, |said| said.number)).unwrap_or(0)
            > game.chat_seen.get()
    });
    let draw = move || if can_claim.get() { words.play_claim_draw() } else { words.play_draw() };
    let during = move || {
        view! {
            <Show when=move || casual.get()>
                {button("take-back", icon::TAKE_BACK, words.play_takeback(),
                    move || !may_take_back.get(), move || game.act(Action::Takeback))}
            </Show>
            {highlighted_button("draw", icon::DRAW, draw, move || can_claim.get(),
                move || !can_claim.get() && !may_draw.get(),
                move || game.dialog.set(Some(OpenDialog::Draw)))}
            <Show
                when=move || may_abort.get()
                fallback=move || button("resign", icon::RESIGN, words.play_resign(), || false,
                    move || game.dialog.set(Some(OpenDialog::Resign)))
            >
                {button("abort", icon::ABORT, words.game_abort(), || false,
                    move || game.dialog.set(Some(OpenDialog::Abort)))}
            </Show>
            <Show when=move || clocks.get()>
                {button("add-time", icon::TIME, words.game_add_time(), || false,
                    move || game.act(Action::AddTime))}
            </Show>
        }
    };
    let afterwards = move || {
        view! {
            {button("rematch", icon::REMATCH, words.play_rematch_short(), move || !may_rematch.get(),
                move || game.act(Action::Rematch))}
            {button("new-game", icon::NEW, words.play_new_game(), || false,
                move || navigation.go(Page::Lobby))}
        }
    };
    view! {
        <div class="actions" role="group" aria-label=words.play_actions()>
            {move || match playing.get() {
                (true, false) => during().into_any(),
                (true, true) => afterwards().into_any(),
                (false, _) => ().into_any(),
            }}
            <Show when=move || playing.get().0>
                <button
                    type="button"
                    class="action action-chat"
                    class:ready=move || unread.get()
                    data-action="chat"
                    aria-expanded=move || game.chatting.get().to_string()
                    on:click=move |_| game.chatting.update(|open| *open = !*open)
                >
                    <Icon path=icon::CHAT/>
                    <span>{words.chat_title()}</span>
                </button>
            </Show>
            <Show when=move || !playing.get().0>
                {button("flip", icon::FLIP, words.play_flip_board(), || false,
                    move || game.flipped.update(|flipped| *flipped = !*flipped))}
            </Show>
            {button("more", icon::MORE, words.play_more(), || false,
                move || game.dialog.set(Some(OpenDialog::More)))}
        </div>
    }
}
