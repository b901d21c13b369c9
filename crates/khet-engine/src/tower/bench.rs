//! The benchmark of the engine for games with a tower. Its signature, the number of nodes, changes
//! only when the behaviour of the search changes.

use khet::tower::Position;

use super::Engine;
use crate::{Limits, Options, SearchRoot};

/// Symmetrical positions with about twelve pieces on each side, some of them on the upper level:
/// with djeds and stacks, with the Eye of Horus, and with the pieces of Khet 2.0.
pub const POSITIONS: [&str; 3] = [
    "4o2ko2p22/2p37/3P46/p11P34p21P4/p21P44p11P3/6p23/7P12/2P4O2KO24+e4:6/1d12d21/6/6/1D22D11/6 s",
    "4o2ko23/10/2p15d21/p1P3e15p2P4/p2P45E1p1P3/1D25P32/10/3O2KO24+e4:1p34/6/4P41/1p24/6/4P11 s",
    "x33p3a3p23/5k4/p13p3a3s23/p21s17/7S11P4/3S2A1P13P3/4K5/3P4A1P13X1+e4:6/2P43/4P21/1p44/3p22/6 s",
];

/// The expected [`signature`] on every machine. Update it after an intended change of the search.
pub const SIGNATURE: u64 = 34_709;

/// Returns the positions of the benchmark.
pub fn positions() -> Vec<Position> {
    POSITIONS.iter().filter_map(|text| text.parse().ok()).collect()
}

/// Returns the number of nodes of a search of all positions to depth 5.
pub fn signature() -> u64 {
    let limits = Limits { depth: Some(5), ..Limits::default() };
    let mut engine = Engine::new(Options::default());
    let nodes = positions().into_iter().map(|position| {
        engine.clear();
        engine.search_to_limits(&SearchRoot::from_position(position), limits).nodes
    });
    nodes.sum()
}
