//! The shell around every page.

use leptos::prelude::*;

use crate::languages::use_words;

/// The whole app.
#[component]
pub fn App() -> impl IntoView {
    view! { <main id="main"><h1>{use_words().app_name()}</h1><p>"A temple at night, lit by one beam."</p></main> }
}
