//! Signs on buttons, drawn with one line.

use leptos::prelude::*;

/// A sign drawn with one line.
#[component]
pub(crate) fn Icon(path: &'static str) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 28 28" aria-hidden="true">
            <path d=path></path>
        </svg>
    }
}
