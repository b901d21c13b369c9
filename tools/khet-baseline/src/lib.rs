//! A plain Khet engine that serves as a fixed opponent for measuring others.
//!
//! It follows the textbook recipe of the first academic Khet programs and stays that way, so that a
//! result against it means the same next year:
//!
//! * `search`: iterative deepening, negamax with alpha and beta, and a quiescence search of two
//!   plies over moves that win material. No null move, no reductions, no null windows.
//! * `ordering`: the move of the table, moves that win material, two killers per ply, the rest.
//! * `table`: the transposition table.
//! * `material`: the evaluation, which is material only.
//! * `limits`: the limits of `go`, and time management.
//! * `protocol`: the engine's side of UKI.

mod limits;
mod material;
mod ordering;
mod protocol;
mod search;
mod table;

pub use protocol::run;
