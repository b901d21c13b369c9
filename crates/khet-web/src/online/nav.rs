//! The navigation between the pages of online play.

use leptos::prelude::*;

use crate::languages::use_words;
use crate::routing::{Page, use_navigation};

/// Links to the pages of online play that need no id.
#[component]
pub(super) fn OnlineNav() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let link = |(page, name): (Page, &'static str)| {
        let current = move || (navigation.page() == page).then_some("page");
        view! { <a href=navigation.path(page) aria-current=current>{name}</a> }
    };
    let links = [
        (Page::Lobby, words.lobby_title()),
        (Page::Friend, words.friend_title()),
        (Page::Watch, words.watch_title()),
        (Page::Archive, words.archive_title()),
        (Page::Leaderboard, words.leaders_title()),
        (Page::Account, words.account_title()),
    ];
    view! {
        <nav class="online-nav" aria-label=words.online_nav()>{links.map(link).into_iter().collect_view()}</nav>
    }
}
