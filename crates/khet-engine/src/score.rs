//! What a position is worth.

use khet::MoverEval;

/// Inside the search: hundredths of a pyramid for the side to move, or near [`WIN`].
pub(crate) type Value = i32;

/// No position is searched deeper than this.
pub(crate) const MAX_PLY: usize = 128;

pub(crate) const INFINITE: Value = 32_000;
/// A win on the spot; one that takes some plies is worth less by as many.
pub(crate) const WIN: Value = 31_000;
/// From here on a value is a forced win.
pub(crate) const WON: Value = WIN - MAX_PLY as Value;
pub(crate) const DRAW: Value = 0;

/// The side to move wins with the shot after that many plies from the root.
pub(crate) const fn win_at(ply: usize) -> Value {
    WIN - ply as Value
}

pub(crate) const fn loss_at(ply: usize) -> Value {
    -win_at(ply)
}

/// Converts a value of the search to the evaluation that the engine reports.
pub(crate) fn mover_eval(value: Value) -> MoverEval {
    if value >= WON {
        MoverEval::MateIn((WIN - value + 1) / 2)
    } else if value <= -WON {
        MoverEval::MateIn(-((WIN + value) / 2))
    } else {
        MoverEval::Cp(value)
    }
}
