//! Quiet turns that were tried before the one that was good.

use crate::history::Arrival;
use crate::packed::PackedTurn;

pub(crate) struct Quiets {
    turns: [(PackedTurn, Arrival); Quiets::CAPACITY],
    length: usize,
}

impl Quiets {
    const CAPACITY: usize = 32;

    pub(crate) fn new() -> Quiets {
        Quiets { turns: [(PackedTurn::NONE, Arrival::NONE); Quiets::CAPACITY], length: 0 }
    }

    /// Remembers a turn, unless there are very many.
    pub(crate) fn push(&mut self, turn: PackedTurn, arrival: Arrival) {
        if let Some(place) = self.turns.get_mut(self.length) {
            *place = (turn, arrival);
            self.length += 1;
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (PackedTurn, Arrival)> {
        self.turns[..self.length].iter().copied()
    }
}
