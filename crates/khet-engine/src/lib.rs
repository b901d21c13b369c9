//! A player of Khet that thinks ahead.
//!
//! ```
//! use khet::Setup;
//! use khet_engine::{Engine, Limits, Options, Task};
//!
//! let mut engine = Engine::new(Options::default());
//! let task = Task::from_position(Setup::Classic.position());
//! let answer = engine.search_alone(&task, Limits { depth: Some(4), ..Limits::default() });
//! assert!(answer.mv.is_some());
//! ```
//!
//! One thread and a limit of depth or nodes give the same answer on every machine.

pub mod bench;
mod engine;
mod evaluate;
mod history;
mod levels;
mod limits;
mod lines;
mod ordering;
mod packed;
mod reductions;
mod score;
mod search;
mod table;
pub mod uki;
mod weights;

pub use engine::{Answer, Engine, Info, Options, Task};
pub use levels::Level;
pub use limits::{Limits, RemainingTime};
pub use search::Control;

/// What a program needs that fits the weights of the evaluation to games.
pub mod tuning {
    pub use crate::evaluate::{FEATURES, features};
    pub use crate::weights::WEIGHTS;
}
