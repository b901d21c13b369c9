//! Buttons of the action bar under the board.

use leptos::prelude::*;

use crate::controls::icon::{self, Icon};

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
