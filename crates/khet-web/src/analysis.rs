//! Analysis of a game or a position: a tree of variations, engine lines, and a review of the game.
//!
//! | module | content |
//! |---|---|
//! | [`analysis_tree`] | a game record with variations, the current node, editing and undo |
//! | [`move_rows`], `tree_panel` | the moves with variations as rows, and their view |
//! | [`engine_lines`], `lines_panel`, `evaluation_bar` | engine commands and lines, and their views |
//! | `review`, `review_panel`, `evaluation_graph` | reviews, exercises from mistakes, and their views |
//! | `all_moves_panel`, `explorer_panel` | all legal moves, and the moves of other games |
//! | `state`, `page`, `initial_content` | the state of the page, the page, and what it opens |
//! | `dialogs`, `keyboard` | dialogs, key bindings |
//!
//! The rules library walks through variations and changes them (`khet::TreePath`). Every change of
//! the tree is saved in local storage, together with the tree that was open before.

mod all_moves_panel;
pub mod analysis_tree;
mod dialogs;
pub mod engine_lines;
mod evaluation_bar;
mod evaluation_graph;
mod explorer_panel;
mod initial_content;
mod keyboard;
mod lines_panel;
pub mod move_rows;
mod page;
mod review;
mod review_panel;
mod state;
mod tree_panel;

use leptos::prelude::*;

use crate::routing::NotFound;
use crate::routing::Page;

/// Returns the view of the page of this program.
pub(crate) fn page(page: Page) -> AnyView {
    match page {
        Page::Analysis => view! { <page::AnalysisPage/> }.into_any(),
        _ => view! { <NotFound/> }.into_any(),
    }
}
