//! The built-in engine as the source of search results.

use khet::Game;
use khet_engine::{Control, GameEngine, Info, Limits, SearchRoot};

use crate::review_builder::{SearchRequest, SearchResult};

/// Searches the last position of a game that is not over, as a [`SearchRequest`] asks. The game's
/// history counts for repetition. The request's depth replaces that of the limits.
///
/// Returns `None` if no requested move is legal.
pub fn search<E: GameEngine>(
    engine: &mut E,
    game: &Game<E::Position>,
    request: SearchRequest<E::Square>,
    limits: Limits,
    control: Control<'_>,
) -> Option<SearchResult<E::Square>> {
    let search_root = SearchRoot::new(game);
    let search_root = match request.only {
        Some(mv) => search_root.only(&[mv]),
        None => search_root,
    };
    let limits = Limits { depth: request.depth.or(limits.depth), ..limits };
    let (lines, _) = engine.best_lines(&search_root, limits, control);
    let Info { score, depth, pv, .. } = lines.into_iter().next()?;
    Some(SearchResult { score, depth, pv })
}
