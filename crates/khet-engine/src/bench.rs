//! The bench: a fixed set of positions, searched to a fixed depth. Its signature, the number of
//! nodes, changes with every change of the search, and with nothing else.

mod midgame;

use khet::{Position, Setup};

pub use midgame::midgame;

use crate::{Engine, Limits, Options, Task};

/// The depth to which the bench searches.
pub const DEPTH: u32 = 10;

/// What [`signature`] must be, on every machine. A change of the search changes it: put in the new
/// one.
pub const SIGNATURE: u64 = 41_206;

/// The positions: all setups, and what a few plain turns lead to.
pub fn positions() -> Vec<Position> {
    let mut positions = Vec::new();
    for setup in Setup::ALL {
        let mut position = setup.position();
        for ply in 0..=24 {
            if ply % 12 == 0 && position.outcome().is_none() {
                positions.push(position);
            }
            // Any rule will do that always gives the same moves.
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[(ply * 31 + 7) % moves.len()]);
        }
    }
    positions
}

/// Searches one position and returns the nodes. They are the same each time if the engine has
/// forgotten everything before.
pub fn search(engine: &mut Engine, position: Position, depth: u32) -> u64 {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    engine.search_alone(&Task::from_position(position), limits).nodes
}

/// The nodes of `khet bench --depth 5`.
pub fn signature() -> u64 {
    let mut engine = Engine::new(Options::default());
    let nodes = positions().into_iter().map(|position| {
        engine.clear();
        search(&mut engine, position, 5)
    });
    nodes.sum()
}
