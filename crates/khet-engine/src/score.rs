//! What a position is worth.

use std::fmt;

use khet::Evaluation;

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

/// A value as people read it, from the point of view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// An advantage in hundredths of a pyramid.
    Cents(i32),
    /// A forced win in that many own moves; a forced loss if it is below 0, or 0 when it has
    /// happened.
    LightsIn(i32),
}

impl Score {
    pub(crate) fn from_value(value: Value) -> Score {
        if value >= WON {
            Score::LightsIn((WIN - value + 1) / 2)
        } else if value <= -WON {
            Score::LightsIn(-((WIN + value) / 2))
        } else {
            Score::Cents(value)
        }
    }
}

impl From<Score> for Evaluation {
    /// As records write it.
    fn from(score: Score) -> Evaluation {
        match score {
            Score::Cents(cents) => Evaluation::Cents(cents),
            Score::LightsIn(moves) => Evaluation::LightsIn(moves),
        }
    }
}

impl fmt::Display for Score {
    /// As the engine protocol writes it: `cp 35` or `mate 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Cents(cents) => write!(f, "cp {cents}"),
            Score::LightsIn(moves) => write!(f, "mate {moves}"),
        }
    }
}
