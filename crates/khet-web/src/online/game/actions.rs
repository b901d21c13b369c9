//! What a player can do beside playing a turn: the bar under the thumb. Who watches has no more than looking.

use khet_protocol::{Act, TimeControl};
use leptos::prelude::*;

use super::live::Live;
use super::table::{Sheet, Table};
use crate::address::{Page, use_navigation};
use crate::play::icon::Icon;

const TAKE_BACK: &str = "M9 6 4 11l5 5M4 11h10a6 6 0 0 1 0 12h-3";
const DRAW: &str = "M5 11h18M5 17h18";
const RESIGN: &str = "M8 24V4M8 5h13l-3 5 3 5H8";
const ABORT: &str = "M7 7 21 21M21 7 7 21";
const TIME: &str = "M14 5a9 9 0 1 0 .01 0M14 10v4h4M21 3v6M18 6h6";
const CHAT: &str = "M5 6h18v12H13l-5 5v-5H5z";
const REMATCH: &str = "M5 10h16l-4-4M23 18H7l4 4";
const NEW: &str = "M14 5v18M5 14h18";
const FLIP: &str = "M9 23V6M5 10l4-4 4 4M19 5v17M15 18l4 4 4-4";
const MORE: &str = "M6 14h.1M14 14h.1M22 14h.1";

/// The bar.
#[component]
pub(super) fn Actions(table: Table) -> impl IntoView {
    let words = table.words;
    let navigation = use_navigation();
    let playing = Memo::new(move |_| {
        table.of(|live| (live.you.is_some(), live.state.end().is_some())).unwrap_or_default()
    });
    let may = move |may: fn(&Live) -> bool| Memo::new(move |_| table.of(may) == Some(true));
    let may_abort = may(|live| live.state.may_abort());
    let may_take_back = may(|live| live.you.is_some_and(|you| live.state.may_ask_takeback(you)));
    let casual = may(|live| !live.state.options().rated);
    let can_claim = may(|live| {
        live.you == Some(live.state.to_move())
            && live.state.end().is_none()
            && live.state.game().can_claim_draw()
    });
    let may_draw = may(|live| live.you.is_some_and(|you| live.state.may_offer_draw(you)));
    let clocks = may(|live| matches!(live.state.options().time, TimeControl::RealTime { .. }));
    let may_rematch = may(|live| live.you.is_some_and(|you| live.state.may_offer_rematch(you)));
    let unread = Memo::new(move |_| {
        table.of(|live| live.chat.last().map_or(0, |said| said.number)).unwrap_or(0)
            > table.chat_seen.get()
    });
    let draw = move || if can_claim.get() { words.play_claim_draw() } else { words.play_draw() };
    let during = move || {
        view! {
            <Show when=move || casual.get()>
                {button("take-back", TAKE_BACK, move || words.play_take_back(),
                    move || !may_take_back.get(), move || table.act(Act::Takeback))}
            </Show>
            <button
                type="button"
                class="action"
                class:ready=move || can_claim.get()
                data-action="draw"
                disabled=move || !can_claim.get() && !may_draw.get()
                on:click=move |_| table.sheet.set(Some(Sheet::Draw))
            >
                <Icon path=DRAW/>
                <span>{draw}</span>
            </button>
            <Show
                when=move || may_abort.get()
                fallback=move || button("resign", RESIGN, move || words.play_resign(), || false,
                    move || table.sheet.set(Some(Sheet::Resign)))
            >
                {button("abort", ABORT, move || words.game_abort(), || false,
                    move || table.sheet.set(Some(Sheet::Abort)))}
            </Show>
            <Show when=move || clocks.get()>
                {button("add-time", TIME, move || words.game_add_time(), || false,
                    move || table.act(Act::AddTime))}
            </Show>
        }
    };
    let afterwards = move || {
        view! {
            {button("rematch", REMATCH, move || words.play_rematch_short(), move || !may_rematch.get(),
                move || table.act(Act::Rematch))}
            {button("new-game", NEW, move || words.play_new_game(), || false,
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
                    aria-expanded=move || table.chatting.get().to_string()
                    on:click=move |_| table.chatting.update(|open| *open = !*open)
                >
                    <Icon path=CHAT/>
                    <span>{words.chat_title()}</span>
                </button>
            </Show>
            <Show when=move || !playing.get().0>
                {button("flip", FLIP, move || words.play_turn_board(), || false,
                    move || table.flipped.update(|flipped| *flipped = !*flipped))}
            </Show>
            {button("more", MORE, move || words.play_more(), || false,
                move || table.sheet.set(Some(Sheet::More)))}
        </div>
    }
}

fn button(
    name: &'static str,
    icon: &'static str,
    label: impl Fn() -> &'static str,
    disabled: impl Fn() -> bool + Send + Sync + 'static,
    act: impl Fn() + 'static,
) -> impl IntoView {
    view! {
        <button type="button" class="action" data-action=name disabled=disabled on:click=move |_| act()>
            <Icon path=icon/>
            <span>{label()}</span>
        </button>
    }
}
