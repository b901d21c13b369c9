//! A Khet engine: alpha-beta search with a transposition table, evaluation, playing levels and the
//! UKI protocol.
//!
//! ```
//! use khet::Setup;
//! use khet_engine::{Engine, Limits, Options, SearchRoot};
//!
//! let mut engine = Engine::new(Options::default());
//! let search_root = SearchRoot::from_position(Setup::Classic.position());
//! let best = engine.search_to_limits(&search_root, Limits { depth: Some(4), ..Limits::default() });
//! assert!(best.mv.is_some());
//! ```
//!
//! With one thread and a limit of depth or nodes, the result is the same on every machine.
//!
//! # Modules
//!
//! | module | task |
//! |---|---|
//! | `engine` | options, threads, iterative deepening, reports |
//! | `search` | the search of one thread: root, interior nodes, quiescence |
//! | `move_picker`, `history`, `reductions` | move ordering and late move reductions |
//! | `transposition_table`, `packed` | the table shared by all threads, and its compact moves |
//! | `evaluate`, `weights`, `score` | the linear part of the static evaluation, and the values of the search |
//! | `network` | the neural network that corrects it |
//! | `limits` | limits of a search and time management |
//! | `levels` | playing strengths for people |
//! | [`tower`] | the engine for games with a tower |
//! | `game_engine`, `any_engine` | what both engines have in common, MultiPV search for analysis; one engine for both games |
//! | [`uki`] | the engine protocol |
//! | [`mod@bench`] | the benchmark, whose node count is the engine's signature |

mod any_engine;
pub mod bench;
mod engine;
mod evaluate;
mod game_engine;
mod history;
mod levels;
mod limits;
mod move_picker;
mod network;
mod packed;
mod reductions;
mod score;
mod search;
pub mod tower;
mod transposition_table;
pub mod uki;
mod weights;

pub use any_engine::AnyEngine;
pub use engine::{BestMove, Engine, Info, Options, SearchRoot};
pub use game_engine::GameEngine;
pub use levels::Level;
pub use limits::{Limits, RemainingTime};
pub use network::{Network, NetworkError};
pub use search::Control;

/// The parts of the evaluation that a tuner needs to fit the weights.
pub mod tuning {
    pub use crate::evaluate::{FEATURES, features};
    pub use crate::network::{
        Column, HIDDEN, HIDDEN_ONE, MAX_OUTPUT_WEIGHT, NETWORK_FEATURES, NetworkWeights,
        OUTPUT_ONE, OUTPUT_SCALE, network_features, other_view,
    };
    pub use crate::search::{ParameterEntry, SearchParameters};
    pub use crate::weights::WEIGHTS;
}
