//! Buttons of the action bar under the board.

use leptos::prelude::*;

use crate::controls::icon::{self, Icon};

/// A button of the action bar.
pub(crate) fn button(
    name: &'static str,
    icon: &'static str,
    label: &'static str,
    disabled: impl Fn() -> bool + Send + Sync + 'static,
    on_click: impl Fn() + 'static,
) -> impl IntoView {
    highlighted_button(name, icon, label, || false, disabled, on_click)
}

/// A button that is highlighted while `highlighted` is true.
pub(crate) fn highlighted_button(
    name: &'static str,
    icon: &'static str,
    label: impl IntoView,
    highlighted: impl Fn() -> bool + Send + Sync + 'static,
    disabled: impl Fn() -> bool + Send + Sync + 'static,
    on_click: impl Fn() + 'static,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class="action"
            class:ready=highlighted
            data-action=name
            aria-haspopup=(icon == icon::MORE).then_some("dialog")
            disabled=disabled
            on:click=move |_| on_click()
        >
            <Icon path=icon/>
            <span>{label}</span>
        </button>
    }
}

/// A toggle button.
pub(crate) fn toggle_button(
    name: &'static str,
    icon: &'static str,
    label: &'static str,
    on: impl Into<Signal<bool>>,
    on_click: impl Fn() + 'static,
) -> impl IntoView {
    let on = on.into();
    view! {
        <button type="button" class="action" class:ready=move || on.get() data-action=name
            aria-pressed=move || on.get().to_string() on:click=move |_| on_click()>
            <Icon path=icon/>
            <span>{label}</span>
        </button>
    }
}
