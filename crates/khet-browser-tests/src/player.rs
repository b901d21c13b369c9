//! Somebody who knows how to win: what the tests play.

use khet::{Game, Move};
use khet_engine::{Engine, Limits, Options, Task};

/// More than enough against the first levels, and found in a moment.
const NODES: u64 = 40_000;

/// A good move.
///
/// # Panics
///
/// If the game is over.
pub fn choose(game: &Game) -> Move {
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let answer = Engine::new(Options::default()).search_alone(&Task::new(game), limits);
    answer.mv.expect("a game that goes on has a move")
}

/// Moves in notation, one after another.
///
/// # Panics
///
/// If one is misspelt.
pub fn moves_of(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().expect("a move")).collect()
}
