//! The page for addresses that name no page.

use leptos::prelude::*;

use super::{Page, use_navigation};
use crate::languages::use_words;

/// A message that the address is unknown, with a link to the first page.
#[component]
pub fn NotFound() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    view! {
        <div class="page not-found">
            <h1>{words.not_found_title()}</h1>
            <p>{words.not_found_text()}</p>
            <p><a class="button primary" href=navigation.path(Page::Home)>{words.not_found_home()}</a></p>
        </div>
    }
}
