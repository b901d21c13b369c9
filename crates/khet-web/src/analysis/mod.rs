//! Looking into a game or a position.

use leptos::prelude::*;

use crate::languages::use_words;

/// The board for looking into games.
#[component]
pub(crate) fn AnalysisPage() -> impl IntoView {
    let words = use_words();
    view! { <h1>{words.analysis_title()}</h1> }
}
