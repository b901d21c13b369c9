//! The footer of pages that do not fill the window with a board.

use leptos::prelude::*;

use super::menu::{menu_button, menu_link, menu_links};
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};

/// The pages about the app, which the footer and the menu of narrow windows link to.
pub(super) const FOOTER_PAGES: &[Page] = &[Page::About, Page::Faq, Page::Privacy, Page::Notation];

/// The footer.
#[component]
pub(super) fn Footer() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let entries = move || {
        let pages = menu_links(FOOTER_PAGES, words, navigation);
        let api = menu_link("/api", "", words.shell_api());
        let shortcuts = menu_button("shortcuts", words.shortcuts_title());
        let name = words.shell_about_khet();
        format!(r#"<nav aria-label="{name}">{pages}<ul>{api}{shortcuts}</ul></nav>"#)
    };
    view! {
        <footer class="footer" hidden=move || navigation.page().fills_window() inner_html=entries></footer>
    }
}
