//! Online play: challenges, the lobby, live games, the game archive, players and accounts. Also the
//! list of the finished games that were played on this device.
//!
//! The server decides everything. These pages use its HTTP API (`crate::api`) and a WebSocket that
//! reconnects by itself (`socket`). A game is computed from its events
//! ([`khet_protocol::GameState`]).

mod account;
mod archive;
mod challenge;
mod challenge_form;
mod device_games;
mod formatting;
mod friend;
mod game;
mod game_card;
mod introduction;
mod leaderboard;
mod lobby;
mod profile;
pub mod qr;
mod socket;
mod unreachable;
mod watch;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::me;
use crate::routing::{NotFound, Page};

/// Returns the view of an online page.
pub fn page(page: Page) -> AnyView {
    // The other pages ask for it themselves. A game may have changed the rating.
    if matches!(page, Page::Game | Page::Watch | Page::Archive | Page::Leaderboard | Page::Person) {
        spawn_local(async { drop(me::fetch().await) });
    }
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
        Page::DeviceGames => view! { <device_games::DeviceGamesPage/> }.into_any(),
        _ => view! { <NotFound/> }.into_any(),
    }
}
