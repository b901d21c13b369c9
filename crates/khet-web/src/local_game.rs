//! Local games: against the computer, and pass and play.

mod actions;
mod computer;
mod dialogs;
mod engine_commands;
mod hint;
mod hotseat;
mod layout;
mod messages;
mod more;
mod new_game;
mod player;
mod result;
mod saved_game;
mod state;
mod unfinished;

use leptos::prelude::*;

use crate::routing::{NotFound, Page};

pub use computer::ComputerPage;
pub use hotseat::HotseatPage;
pub use unfinished::unfinished_games;

/// Returns the component of a page of games with a tower.
#[cfg(feature = "tower")]
pub fn tower_page(page: Page) -> AnyView {
    match page {
        Page::TowerComputer => view! { <ComputerPage/> }.into_any(),
        Page::TowerHotseat => view! { <HotseatPage/> }.into_any(),
        _ => view! { <NotFound/> }.into_any(),
    }
}
