//! The content with which the analysis page opens, according to its address.

use std::cell::Cell;

use khet::{Rules, Setup};
use leptos::prelude::*;
use web_sys::PerformanceNavigation;

use super::analysis_tree::{AnalysisTree, OpenError};
use super::state;
use crate::game::save::GameTextError;
use crate::game::{analysis_handover, tree_link};
use crate::routing::Navigation;

/// The tree that the page's address asks for.
pub(super) enum InitialContent {
    /// A tree from the address or from local storage, with its source.
    Local(Box<AnalysisTree>, String),
    /// A record on the server: its API path, and the source.
    Remote(String, String),
    /// The address cannot be parsed.
    Invalid(OpenError),
    /// The address asks for nothing: an empty board.
    Empty,
}

/// Determines the initial content: a link with a tree, a game, a position, or nothing. The last
/// tree is shown again after a reload, or if another page has handed it over.
///
/// If the stored tree has the same source, it is used, because it may have been changed since.
pub(super) fn initial_content(navigation: Navigation) -> InitialContent {
    let rules = navigation.query_parameter("rules").and_then(|rules| rules.parse().ok());
    let rules = rules.unwrap_or(Rules::Standard);
    let open = |text: &str, source: String| match state::stored_tree_from(&source) {
        Some(tree) => InitialContent::Local(Box::new(tree), source),
        None => match AnalysisTree::open(text, rules) {
            Ok(tree) => InitialContent::Local(Box::new(tree), source),
            Err(error) => InitialContent::Invalid(error),
        },
    };
    let fragment = window().location().hash().unwrap_or_default();
    if let Some(text) = tree_link::read(&fragment) {
        return open(&text, fragment);
    }
    for (name, prefix, suffix) in
        [("game", "/api/games/", "/kgn"), ("imported", "/api/imported/", "")]
    {
        let Some(id) = navigation.query_parameter(name) else { continue };
        // Queries are read with `_` as a space, but ids contain underscores.
        let id = id.replace(' ', "_");
        if !id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)) {
            return InitialContent::Invalid(OpenError::Invalid(GameTextError::Empty));
        }
        let source = format!("{name}={id}");
        return match state::stored_tree_from(&source) {
            Some(tree) => InitialContent::Local(Box::new(tree), source),
            None => InitialContent::Remote(format!("{prefix}{id}{suffix}"), source),
        };
    }
    match navigation.query_parameter("position") {
        Some(text) => {
            let source = format!("position={text}&rules={rules}");
            open(&text, source)
        }
        None => match state::stored_tree().filter(|_| continues_visit()) {
            Some((source, tree)) => InitialContent::Local(Box::new(tree), source),
            None => InitialContent::Empty,
        },
    }
}

/// Returns whether the page goes on with the last tree: after a reload, after going back to it,
/// after a change of the language, or because another page has handed the tree over.
fn continues_visit() -> bool {
    thread_local! {
        /// True if this document has shown the page before.
        static SHOWN: Cell<bool> = const { Cell::new(false) };
    }
    let handed_over = analysis_handover::take_handed_over();
    SHOWN.replace(true) || handed_over || is_reloaded()
}

/// Returns whether the document was reloaded or restored, rather than opened by a link.
fn is_reloaded() -> bool {
    let navigation = window().performance().map(|performance| performance.navigation().type_());
    matches!(
        navigation,
        Some(PerformanceNavigation::TYPE_RELOAD | PerformanceNavigation::TYPE_BACK_FORWARD)
    )
}

/// Returns a tree without moves from the Classic setup.
pub(super) fn classic_tree() -> AnalysisTree {
    AnalysisTree::from_position(Setup::Classic.position().into())
}
