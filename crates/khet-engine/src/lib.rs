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

pub mod bench;
mod best_lines;
mod engine;
mod evaluate;
mod history;
mod levels;
mod limits;
mod move_picker;
mod packed;
mod reductions;
mod score;
mod search;
mod transposition_table;
pub mod uki;
mod weights;

pub use engine::{BestMove, Engine, Info, Options, SearchRoot};
pub use levels::Level;
pub use limits::{Limits, RemainingTime};
pub use search::Control;

/// The parts of the evaluation that a tuner needs to fit the weights.
pub mod tuning {
    pub use crate::evaluate::{FEATURES, features};
    pub use crate::weights::WEIGHTS;
}
