//! Quiet moves that were tried before the one that was good.

use crate::history::Arrival;
use crate::packed::PackedMove;

pub(crate) struct Quiets {
    moves: [(PackedMove, Arrival); Quiets::CAPACITY],
    length: usize,
}

impl Quiets {
    const CAPACITY: usize = 32;

    pub(crate) fn new() -> Quiets {
        Quiets { moves: [(PackedMove::NONE, Arrival::NONE); Quiets::CAPACITY], length: 0 }
    }

    /// Remembers a move, unless there are very many.
    pub(crate) fn push(&mut self, mv: PackedMove, arrival: Arrival) {
        if let Some(place) = self.moves.get_mut(self.length) {
            *place = (mv, arrival);
            self.length += 1;
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (PackedMove, Arrival)> {
        self.moves[..self.length].iter().copied()
    }
}
