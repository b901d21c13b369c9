//! Form fields for pages and dialogs.

use std::ops::RangeInclusive;

use leptos::prelude::*;

/// A number field with a range.
pub(crate) fn number(
    name: &'static str,
    label: &'static str,
    range: RangeInclusive<u64>,
    get: impl Fn() -> u64 + Send + Sync + 'static,
    set: impl Fn(u64) + 'static,
) -> impl IntoView {
    let (least, most) = (*range.start(), *range.end());
    view! {
        <label class="field small">
            <span>{label}</span>
            <input
                type="number"
                inputmode="numeric"
                min=least
                max=most
                required
                data-field=name
                prop:value=move || get().to_string()
                on:change=move |event| {
                    if let Ok(number) = event_target_value(&event).parse::<u64>() {
                        set(number.clamp(least, most));
                    }
                }
            />
        </label>
    }
}

/// A radio button; `group` is the name of its group.
pub(crate) fn choice(
    group: &'static str,
    value: &'static str,
    label: impl IntoView + 'static,
    disabled: impl Fn() -> bool + Send + Sync + 'static,
    chosen: impl Fn() -> bool + Send + Sync + 'static,
    choose: impl Fn() + Send + Sync + 'static,
) -> impl IntoView {
    let (disabled, chosen) = (Signal::derive(disabled), Signal::derive(chosen));
    choice_view(group, value, label.into_any(), disabled, chosen, Callback::new(move |()| choose()))
}

/// Builds a radio button. Not generic, so that its code is in the program only once.
fn choice_view(
    group: &'static str,
    value: &'static str,
    label: AnyView,
    disabled: Signal<bool>,
    chosen: Signal<bool>,
    choose: Callback<()>,
) -> AnyView {
    view! {
        <label>
            <input
                type="radio"
                name=group
                value=value
                data-field=format!("{group}-{value}")
                disabled=disabled
                prop:checked=chosen
                on:change=move |_| choose.run(())
            />
            <span>{label}</span>
        </label>
    }
    .into_any()
}

/// A switch.
pub(crate) fn switch(
    name: &'static str,
    label: &'static str,
    on: impl Fn() -> bool + Send + Sync + 'static,
    set: impl Fn(bool) + Send + Sync + 'static,
) -> impl IntoView {
    switch_view(name, label, Signal::derive(on), Callback::new(set))
}

/// Builds a switch. Not generic, so that its code is in the program only once.
fn switch_view(
    name: &'static str,
    label: &'static str,
    on: Signal<bool>,
    set: Callback<bool>,
) -> AnyView {
    view! {
        <label class="switch">
            <span>{label}</span>
            <input
                type="checkbox"
                role="switch"
                name=name
                data-field=name
                prop:checked=on
                on:change=move |event| set.run(event_target_checked(&event))
            />
        </label>
    }
    .into_any()
}
