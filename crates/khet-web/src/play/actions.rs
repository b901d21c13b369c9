//! What can be done beside playing a turn: the bar under the thumb.

use leptos::prelude::*;

use super::desk::{Desk, Place, Sheet};
use super::icon::Icon;
use super::session::Session;

/// The bar. `on_hint` asks the computer for a hint.
#[component]
pub(super) fn Actions(
    desk: Desk,
    #[prop(optional_no_strip, into)] on_hint: Option<Callback<()>>,
) -> impl IntoView {
    let words = desk.words;
    let over = Memo::new(move |_| desk.told.with(|session| session.ending().is_some()));
    let can_take_back = Memo::new(move |_| desk.told.with(Session::can_take_back));
    let can_claim = Memo::new(move |_| {
        desk.told.with(|session| session.can_claim_draw() && session.awaits_person())
    });
    let can_hint = Memo::new(move |_| {
        let waits = desk.told.with(|session| session.awaits_person() && session.is_present());
        waits && !desk.thinking.get()
    });
    let draw = move || if can_claim.get() { words.play_claim_draw() } else { words.play_draw() };
    view! {
        <div class="actions" role="group" aria-label=words.play_actions()>
            <button
                type="button"
                class="action"
                data-action="take-back"
                disabled=move || !can_take_back.get()
                on:click=move |_| desk.take_back()
            >
                <Icon path="M9 6 4 11l5 5M4 11h10a6 6 0 0 1 0 12h-3"/>
                <span>{words.play_take_back()}</span>
            </button>
            {on_hint.map(|on_hint| view! {
                <button
                    type="button"
                    class="action"
                    data-action="hint"
                    disabled=move || !can_hint.get()
                    on:click=move |_| on_hint.run(())
                >
                    <Icon path="M14 3a8 8 0 0 0-4 15v3h8v-3a8 8 0 0 0-4-15M11 25h6"/>
                    <span>{words.play_hint()}</span>
                </button>
            })}
            <Show
                when=move || !over.get()
                fallback=move || view! {
                    <button
                        type="button"
                        class="action"
                        data-action="rematch"
                        on:click=move |_| desk.rematch()
                    >
                        <Icon path="M5 10h16l-4-4M23 18H7l4 4"/>
                        <span>{words.play_rematch_short()}</span>
                    </button>
                    <button
                        type="button"
                        class="action"
                        data-action="new-game"
                        on:click=move |_| desk.choose()
                    >
                        <Icon path="M14 5v18M5 14h18"/>
                        <span>{words.play_new_game()}</span>
                    </button>
                }
            >
                <button
                    type="button"
                    class="action"
                    class:ready=move || can_claim.get()
                    data-action="draw"
                    on:click=move |_| desk.sheet.set(Some(Sheet::Draw))
                >
                    <Icon path="M5 11h18M5 17h18"/>
                    <span>{draw}</span>
                </button>
                <button
                    type="button"
                    class="action"
                    data-action="resign"
                    on:click=move |_| desk.sheet.set(Some(Sheet::Resign))
                >
                    <Icon path="M8 24V4M8 5h13l-3 5 3 5H8"/>
                    <span>{words.play_resign()}</span>
                </button>
            </Show>
            <Show when=move || desk.place == Place::Table>
                <button
                    type="button"
                    class="action"
                    data-action="flip"
                    on:click=move |_| desk.flipped.update(|flipped| *flipped = !*flipped)
                >
                    <Icon path="M9 23V6M5 10l4-4 4 4M19 5v17M15 18l4 4 4-4"/>
                    <span>{words.play_turn_board()}</span>
                </button>
            </Show>
            <button
                type="button"
                class="action"
                data-action="more"
                aria-haspopup="dialog"
                on:click=move |_| desk.sheet.set(Some(Sheet::More))
            >
                <Icon path="M6 14h.1M14 14h.1M22 14h.1"/>
                <span>{words.play_more()}</span>
            </button>
        </div>
    }
}
