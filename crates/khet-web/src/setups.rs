//! Setups: the editor, and the gallery of official and community setups.
//!
//! | module | content |
//! |---|---|
//! | [`setup_draft`] | the edited setup: placement, rules, symmetric mode, undo and redo |
//! | [`editor_action`] | taps, drags and keys as actions on the draft, and the selected piece |
//! | [`setup_check`] | faults and warnings as text, the squares to mark, parse errors |
//! | [`self_play`] | fairness test: engine commands, and quick games of the engine against itself |
//! | `editor` | the editor page: `state` and one module per panel |
//! | `gallery` | the list of setups, the page of a setup, reports to the moderators |
//!
//! The first four need neither a page nor a browser. The address of the editor page holds the
//! setup, so a link needs no server and a reload loses nothing. To start a game, the setup is
//! stored as the pending start position, which the game pages read (`game::pending_start`).
//! Official setups have pages in the gallery too (`/en/setup/osiris`), which need no server.

mod editor;
pub mod editor_action;
mod gallery;
pub mod self_play;
pub mod setup_check;
pub mod setup_draft;

use leptos::prelude::*;

use crate::routing::NotFound;
use crate::routing::Page;

/// Returns the view of a page of this program.
pub(crate) fn page(page: Page) -> AnyView {
    match page {
        Page::Setups => view! { <gallery::SetupsPage/> }.into_any(),
        Page::Setup => view! { <gallery::SetupPage/> }.into_any(),
        Page::Editor => view! { <editor::EditorPage/> }.into_any(),
        _ => view! { <NotFound/> }.into_any(),
    }
}
