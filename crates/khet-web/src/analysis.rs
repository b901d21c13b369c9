//! Looking into a game or a position: a tree of variations, the engine beside it, a review of the game.

mod all_moves;
mod bar;
mod dialogs;
mod explorer;
mod graph;
mod keys;
mod lines;
mod link;
mod page;
mod review;
mod review_panel;
pub mod rows;
mod state;
pub mod study;
pub mod thinking;
mod tree;

use leptos::prelude::*;

use crate::routing::NotFound;
use crate::routing::Page;

/// The page of this program.
pub(crate) fn page(page: Page) -> AnyView {
    match page {
        Page::Analysis => view! { <page::AnalysisPage/> }.into_any(),
        _ => view! { <NotFound/> }.into_any(),
    }
}
