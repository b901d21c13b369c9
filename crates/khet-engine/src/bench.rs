//! The benchmark: a fixed set of positions, searched to a fixed depth. Its signature, the number of
//! nodes, changes only when the behaviour of the search changes.

mod midgame;

use khet::{Position, Setup};

pub use midgame::midgame;

use crate::{Engine, Limits, Options, SearchRoot};

/// The default depth of the benchmark.
pub const DEPTH: u32 = 10;

/// The expected [`signature`] on every machine. Update it after an intended change of the search.
pub const SIGNATURE: u64 = 39_062;

/// Returns the positions: all setups, and positions after 12 and 24 plies of arbitrary moves.
pub fn positions() -> Vec<Position> {
    let mut positions = Vec::new();
    for setup in Setup::ALL {
        let mut position = setup.position();
        for ply in 0..=24 {
            if ply % 12 == 0 && position.outcome().is_none() {
                positions.push(position);
            }
            // Any deterministic choice of moves will do.
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[(ply * 31 + 7) % moves.len()]);
        }
    }
    positions
}

/// Searches one position and returns the number of nodes, which is reproducible if the engine has
/// been cleared before.
pub fn search(engine: &mut Engine, position: Position, depth: u32) -> u64 {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    engine.search_to_limits(&SearchRoot::from_position(position), limits).nodes
}

/// Returns the number of nodes of `khet bench --depth 5`.
pub fn signature() -> u64 {
    let mut engine = Engine::new(Options::default());
    let nodes = positions().into_iter().map(|position| {
        engine.clear();
        search(&mut engine, position, 5)
    });
    nodes.sum()
}
