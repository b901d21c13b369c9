//! Online play: challenges, the lobby, live games, the game archive, players and accounts.
//!
//! The server decides everything. These pages use its HTTP API (`crate::api`) and a WebSocket that
//! reconnects by itself (`socket`). A game is computed from its events
//! ([`khet_protocol::GameState`]).

mod account;
mod archive;
mod challenge;
mod challenge_form;
mod formatting;
mod friend;
mod game;
mod game_card;
mod leaderboard;
mod lobby;
mod nav;
mod profile;
pub mod qr;
mod socket;
mod watch;

use leptos::prelude::*;

use crate::routing::NotFound;
use crate::routing::Page;

/// Returns the view of an online page.
pub fn page(page: Page) -> AnyView {
    match page {
        Page::Friend => view! { <friend::FriendPage/> }.into_any(),
        Page::Challenge => view! { <challenge::ChallengePage/> }.into_any(),
        Page::Game => view! { <game::GamePage/> }.into_any(),
        Page::Lobby => view! { <lobby::LobbyPage/> }.into_any(),
        Page::Watch => view! { <watch::WatchPage/> }.into_any(),
        Page::Archive => view! { <archive::ArchivePage/> }.into_any(),
        Page::Leaderboard => view! { <leaderboard::LeaderboardPage/> }.into_any(),
        Page::Person => view! { <profile::ProfilePage/> }.into_any(),
        Page::Account => view! { <account::AccountPage/> }.into_any(),
        _ => view! { <NotFound/> }.into_any(),
    }
}
