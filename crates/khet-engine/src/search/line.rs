//! The best turns from a ply on.

use khet::Turn;

use crate::packed::PackedTurn;
use crate::score::MAX_PLY;

#[derive(Clone, Copy)]
pub(crate) struct Line {
    turns: [PackedTurn; MAX_PLY],
    length: usize,
}

impl Line {
    pub(crate) const EMPTY: Line = Line { turns: [PackedTurn::NONE; MAX_PLY], length: 0 };

    pub(crate) fn clear(&mut self) {
        self.length = 0;
    }

    /// Becomes this turn and what follows it.
    pub(crate) fn set(&mut self, turn: PackedTurn, rest: &Line) {
        let length = rest.length.min(MAX_PLY - 1);
        self.turns[0] = turn;
        self.turns[1..=length].copy_from_slice(&rest.turns[..length]);
        self.length = length + 1;
    }

    pub(crate) fn turns(&self) -> impl Iterator<Item = Turn> {
        self.turns[..self.length].iter().filter_map(|packed| packed.turn())
    }
}
