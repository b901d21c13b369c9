//! Moves for the tests, chosen by the engine.

use khet::{Game, Move};
use khet_engine::{Engine, Limits, Options, SearchRoot};

/// Enough to win against the lowest levels, and quick.
const NODES: u64 = 40_000;

/// Returns a good move.
///
/// # Panics
///
/// If the game is over.
pub fn choose(game: &Game) -> Move {
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let answer = Engine::new(Options::default()).search_to_limits(&SearchRoot::new(game), limits);
    answer.mv.expect("a game that goes on has a move")
}

/// Parses moves in notation, separated by spaces.
///
/// # Panics
///
/// If one is not valid notation.
pub fn moves_of(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().expect("a move")).collect()
}
