//! The lists of named setups, which need no server.

use khet::{AnySetup, Setup, tower};
use leptos::prelude::*;

use crate::board::BoardPicture;
use crate::game_ui::names::setup_name;
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};

/// The official setups, linked to their pages.
#[component]
pub(super) fn OfficialSetups() -> impl IntoView {
    setup_list(Setup::ALL.map(AnySetup::Standard))
}

/// The setups with a tower, linked to their pages. They are ours, because the printed ones are lost.
#[component]
pub(super) fn TowerSetups() -> impl IntoView {
    setup_list(tower::Setup::ALL.map(AnySetup::Tower))
}

fn setup_list<const N: usize>(setups: [AnySetup; N]) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let setups = setups.map(|setup| {
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
