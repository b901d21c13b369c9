//! Online play: challenging a friend, the lobby, live games, watching, games that were played, people.
//!
//! The server decides everything; what is here shows it and asks for it. [`crate::api`] asks over HTTP, `line` is the
//! WebSocket that comes back by itself. What a game is, the events say ([`khet_protocol::GameState`]).

mod account;
mod archive;
mod challenge;
mod friend;
mod game;
mod leaders;
mod lobby;
pub(crate) mod names;
mod offer;
mod person;
pub mod qr;
mod socket;
mod summary;
mod watch;
mod ways;

use leptos::prelude::*;

use crate::routing::NotFound;
use crate::routing::Page;

/// The pages of online play.
pub fn page(page: Page) -> AnyView {
    match page {
        Page::Friend => view! { <friend::FriendPage/> }.into_any(),
        Page::Challenge => view! { <challenge::ChallengePage/> }.into_any(),
        Page::Game => view! { <game::GamePage/> }.into_any(),
        Page::Lobby => view! { <lobby::LobbyPage/> }.into_any(),
        Page::Watch => view! { <watch::WatchPage/> }.into_any(),
        Page::Games => view! { <archive::GamesPage/> }.into_any(),
        Page::Leaders => view! { <leaders::LeadersPage/> }.into_any(),
        Page::Person => view! { <person::PersonPage/> }.into_any(),
        Page::Account => view! { <account::AccountPage/> }.into_any(),
        _ => view! { <NotFound/> }.into_any(),
    }
}
