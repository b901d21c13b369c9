//! Moves for the tests.

use khet::{Game, Move};
use khet_engine::{Engine, Limits, Options, SearchRoot};

/// A short game of the classic setup that ends with a hit on Red's pharaoh.
pub const SHORT_GAME: &str = "c5b5 h5- j5- a5a6 j4i4 a4- f4g5 a4b3 g5f6 f8e7 j5j6 b3a2 j6j7";

/// Nodes per search: quick, and enough to win against the lowest levels.
const SEARCH_NODES: u64 = 40_000;

/// Searches for a good move.
///
/// # Panics
///
/// If the game is over.
pub fn choose_move(game: &Game) -> Move {
    let limits = Limits { nodes: Some(SEARCH_NODES), ..Limits::default() };
    let result = Engine::new(Options::default()).search_to_limits(&SearchRoot::new(game), limits);
    result.mv.expect("a game that goes on has a move")
}

/// Parses moves in notation, separated by spaces.
///
/// # Panics
///
/// If one is not valid notation.
pub fn moves_of(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().expect("a move")).collect()
}
