//! What can be done beside playing a move: the bar under the thumb.

use leptos::prelude::*;

use super::desk::{Desk, Place, Sheet};
use super::icon::{self, Icon};
use super::session::Session;

/// The bar. `on_hint` asks the computer for a hint.
#[component]
pub(super) fn Actions(
    desk: Desk,
    #[prop(optional_no_strip, into)] on_hint: Option<Callback<()>>,
) -> impl IntoView {
    let words = desk.words;
    let over = Memo::new(move |_| desk.told.with(|session| session.outcome().is_some()));
    let can_take_back = Memo::new(move |_| desk.told.with(Session::can_take_back));
    let can_claim = Memo::new(move |_| {
        desk.told.with(|session| session.can_claim_draw() && session.awaits_person())
    });
    let can_hint = Memo::new(move |_| {
        let waits = desk.told.with(|session| session.awaits_person() && session.is_present());
        waits && !desk.thinking.get()
    });
    let draw = move || if can_claim.get() { words.play_claim_draw() } else { words.play_draw() };
    let before = move || {
        view! {
            {shining_button("draw", icon::DRAW, draw, move || can_claim.get(), || false,
                move || desk.sheet.set(Some(Sheet::Draw)))}
            {button("resign", icon::RESIGN, words.play_resign(), || false,
                move || desk.sheet.set(Some(Sheet::Resign)))}
        }
    };
    let afterwards = move || {
        view! {
            {button("rematch", icon::REMATCH, words.play_rematch_short(), || false, move || desk.rematch())}
            {button("new-game", icon::NEW, words.play_new_game(), || false, move || desk.choose())}
        }
    };
    view! {
        <div class="actions" role="group" aria-label=words.play_actions()>
            {button("take-back", icon::TAKE_BACK, words.play_take_back(), move || !can_take_back.get(),
                move || desk.take_back())}
            {on_hint.map(|on_hint| button("hint", icon::HINT, words.play_hint(), move || !can_hint.get(),
                move || on_hint.run(())))}
            <Show when=move || over.get() fallback=before>{afterwards()}</Show>
            <Show when=move || desk.place == Place::Table>
                {button("flip", icon::FLIP, words.play_turn_board(), || false,
                    move || desk.flipped.update(|flipped| *flipped = !*flipped))}
            </Show>
            {button("more", icon::MORE, words.play_more(), || false,
                move || desk.sheet.set(Some(Sheet::More)))}
        </div>
    }
}

/// A button of the bar.
pub(crate) fn button(
    name: &'static str,
    icon: &'static str,
    label: &'static str,
    disabled: impl Fn() -> bool + Send + Sync + 'static,
    act: impl Fn() + 'static,
) -> impl IntoView {
    shining_button(name, icon, label, || false, disabled, act)
}

/// One that shines when it should be seen.
pub(crate) fn shining_button(
    name: &'static str,
    icon: &'static str,
    label: impl IntoView,
    shines: impl Fn() -> bool + Send + Sync + 'static,
    disabled: impl Fn() -> bool + Send + Sync + 'static,
    act: impl Fn() + 'static,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class="action"
            class:ready=shines
            data-action=name
            aria-haspopup=(icon == icon::MORE).then_some("dialog")
            disabled=disabled
            on:click=move |_| act()
        >
            <Icon path=icon/>
            <span>{label}</span>
        </button>
    }
}

/// One for something that is on or off.
pub(crate) fn pressed_button(
    name: &'static str,
    icon: &'static str,
    label: &'static str,
    on: impl Into<Signal<bool>>,
    act: impl Fn() + 'static,
) -> impl IntoView {
    let on = on.into();
    view! {
        <button type="button" class="action" class:ready=move || on.get() data-action=name
            aria-pressed=move || on.get().to_string() on:click=move |_| act()>
            <Icon path=icon/>
            <span>{label}</span>
        </button>
    }
}
