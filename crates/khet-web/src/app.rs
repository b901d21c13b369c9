//! The shell around every page.

use leptos::prelude::*;

/// The whole app.
#[component]
pub fn App() -> impl IntoView {
    view! { <main id="main"><h1>"Khet"</h1><p>"A temple at night, lit by one beam."</p></main> }
}
