//! Finds puzzles in games, after the method of the generator of lichess: positions in which one move
//! keeps far higher winning chances than every other, followed as long as that stays so.
//!
//! | module | task |
//! |---|---|
//! | `level_games` | games between levels of the engine |
//! | `analyst` | winning chances of the best two moves of a position |
//! | `margins` | how far the best move must be ahead |
//! | `candidate` | looks at a position, cheaply at first, and builds the line |
//! | `pharaoh_line` | lines that force a hit on the pharaoh |
//! | `difficulty` | the first rating, from the levels that solve the puzzle |
//! | `puzzle_set` | the puzzles found so far, and which themes are still needed |
//! | `puzzle_finder` | looks through a game |

mod analyst;
mod candidate;
mod difficulty;
mod level_games;
mod margins;
mod pharaoh_line;
mod puzzle_finder;
mod puzzle_set;

pub(crate) use analyst::{MoveChances, PuzzleAnalyst};
pub(crate) use candidate::PROOF_NODES;
pub use level_games::LevelGames;
pub(crate) use margins::PuzzleMargins;
pub use puzzle_finder::PuzzleFinder;
pub use puzzle_set::{PuzzleSet, PuzzleTargets};
