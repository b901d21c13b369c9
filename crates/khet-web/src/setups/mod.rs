//! Setups: making one, and those that others have made.

use leptos::prelude::*;

use crate::languages::use_words;

/// Making a setup.
#[component]
pub(crate) fn EditorPage() -> impl IntoView {
    let words = use_words();
    view! { <h1>{words.editor_title()}</h1> }
}

/// Setups that players have published.
#[component]
pub(crate) fn SetupsPage() -> impl IntoView {
    let words = use_words();
    view! { <h1>{words.setups_title()}</h1> }
}

/// One of them.
#[component]
pub(crate) fn SetupPage() -> impl IntoView {
    let words = use_words();
    view! { <h1>{words.setups_title()}</h1> }
}
