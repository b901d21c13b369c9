//! Values of the search.

use khet::{Color, MoverEval};

/// A value for the side to move: hundredths of a pyramid, or a forced win near [`WIN`].
pub(crate) type Value = i32;

/// Limit of the search depth, extensions and quiescence included.
pub(crate) const MAX_PLY: usize = 128;

pub(crate) const INFINITE: Value = 32_000;
/// The value of an immediate win. Each ply until a win takes one off.
pub(crate) const WIN: Value = 31_000;
/// Smallest value of a forced win.
pub(crate) const WON: Value = WIN - MAX_PLY as Value;
pub(crate) const DRAW: Value = 0;

/// Returns the value of a win this number of plies from the root.
pub(crate) const fn win_at(ply: usize) -> Value {
    WIN - ply as Value
}

/// Returns the score of a loss at a ply.
pub(crate) const fn loss_at(ply: usize) -> Value {
    -win_at(ply)
}

/// Returns the value of a move at `ply` whose shot ended the game, for the side that made it.
pub(crate) fn terminal_value(
    side: Color,
    is_pharaoh_hit: impl Fn(Color) -> bool,
    ply: usize,
) -> Option<Value> {
    match (is_pharaoh_hit(side), is_pharaoh_hit(!side)) {
        (false, false) => None,
        (true, true) => Some(DRAW),
        (true, false) => Some(loss_at(ply + 1)),
        (false, true) => Some(win_at(ply + 1)),
    }
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
