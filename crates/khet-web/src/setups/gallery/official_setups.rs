//! The list of official setups, which needs no server.

use khet::Setup;
use leptos::prelude::*;

use crate::board::BoardPicture;
use crate::game_ui::names::setup_name;
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};

/// The official setups, linked to their pages.
#[component]
pub(super) fn OfficialSetups() -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let setups = Setup::ALL.map(|setup| {
        let path = navigation.path_of(Page::Setup, setup.name());
        view! {
            <li class="official-setup">
                <a href=path>
                    <BoardPicture position=setup.position()/>
                    <span>{setup_name(setup, words)}</span>
                </a>
            </li>
        }
    });
    view! { <ul class="official-setups">{setups.into_iter().collect_view()}</ul> }
}
