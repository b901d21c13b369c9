//! A plain engine for Khet, against which others are measured.
//!
//! It follows the textbook recipe of the first academic Khet programs and stays that way, so that a
//! result against it means the same next year:
//!
//! * `search`: iterative deepening, negamax with alpha and beta, and a quiescence search of two
//!   plies over moves that win material. No null move, no reductions, no narrowed windows.
//! * `ordering`: the move of the table, moves that win material, two killers a ply, the rest.
//! * `table`: the transposition table.
//! * `material`: the evaluation, which counts pieces and nothing else.
//! * `limits`: what `go` allows, and how much of a clock a move may use.
//! * `protocol`: the engine's side of UKI.

mod limits;
mod material;
mod ordering;
mod protocol;
mod search;
mod table;

pub use protocol::run;
