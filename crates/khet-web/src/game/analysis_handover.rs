//! Hands a game over to the analysis page through local storage, because it is another program.

use khet::{Color, TreePath};

use crate::browser::storage;
use crate::routing::{Navigation, Page};

/// Storage key of the tree on the analysis page, with its source.
pub(crate) const TREE_KEY: &str = "khet.analysis";
/// Storage key of the tree that it replaced.
pub(crate) const PREVIOUS_TREE_KEY: &str = "khet.analysis.before";

/// Storage key that is set until the analysis page opens the tree of another page.
const HANDED_OVER_KEY: &str = "khet.analysis.handed-over";

/// Formats a tree for storage: its source and the path of its current move on a line each, then
/// the record.
pub(crate) fn tree_text(source: &str, path: &TreePath, record: &str) -> String {
    format!("{}\n{path}\n{record}", source.replace('\n', " "))
}

/// Opens a record of a game on the analysis page after `plies` moves, with the board as the player
/// of a side had it, and starts a review if `review`.
pub(crate) fn open(
    navigation: Navigation,
    record: &str,
    plies: usize,
    played: Option<Color>,
    review: bool,
) {
    hand_over(record, plies);
    let search = match (played, review) {
        (Some(Color::Silver), true) => "?side=silver&review=yes",
        (Some(Color::Silver), false) => "?side=silver",
        (Some(Color::Red), true) => "?side=red&review=yes",
        (Some(Color::Red), false) => "?side=red",
        (None, true) => "?review=yes",
        (None, false) => "",
    };
    navigation.load(Page::Analysis, search);
}

/// Stores a game record as the tree that the analysis page opens next, after `plies` moves.
fn hand_over(record: &str, plies: usize) {
    let stored = storage::load_or_empty(TREE_KEY);
    if !stored.is_empty() && !stored.ends_with(record) {
        storage::store(PREVIOUS_TREE_KEY, &stored);
    }
    storage::store(TREE_KEY, &tree_text("", &TreePath::main_line(plies), record));
    storage::store(HANDED_OVER_KEY, "yes");
}

/// Returns whether a page has handed over a tree that was not opened yet.
pub(crate) fn take_handed_over() -> bool {
    let handed_over = storage::load(HANDED_OVER_KEY).is_some();
    storage::remove(HANDED_OVER_KEY);
    handed_over
}
