//! A community setup in the list.

use khet_protocol::GallerySetup;
use leptos::prelude::*;

use super::balance_bar::BalanceBar;
use crate::board::BoardPicture;
use crate::game_ui::profile_name::ProfileName;
use crate::languages::use_words;
use crate::routing::{Page, use_navigation};
use crate::rules::Position;

/// Picture, name, author, description and statistics of a setup, linked to its page.
#[component]
pub(super) fn SetupCard(card: GallerySetup) -> impl IntoView {
    let words = use_words();
    let navigation = use_navigation();
    let path = navigation.path_of(Page::Setup, card.id.as_str());
    let position = Position::new(&card.position, card.rules).ok();
    view! {
        <li class="setup-card" data-setup=card.id.to_string()>
            <a class="setup-picture" href=path.clone() tabindex="-1" aria-hidden="true">
                {position.map(|position| view! { <BoardPicture position/> })}
            </a>
            <h3><a href=path>{card.name.to_string()}</a></h3>
            <p class="setup-author"><ProfileName profile=card.author/></p>
            <p class="setup-description">{card.description.to_string()}</p>
            <p class="setup-numbers">
                {words.setups_plays(card.plays as usize)} " · " {words.setups_likes(card.likes as usize)}
            </p>
            <BalanceBar balance=card.balance/>
        </li>
    }
}
