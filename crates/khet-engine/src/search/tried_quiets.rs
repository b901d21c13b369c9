//! Quiet moves searched before a beta cutoff, which get a history penalty.

use crate::history::PieceTo;
use crate::packed::PackedMove;

pub(crate) struct TriedQuiets {
    moves: [(PackedMove, PieceTo); TriedQuiets::CAPACITY],
    length: usize,
}

impl TriedQuiets {
    const CAPACITY: usize = 32;

    pub(crate) fn new() -> TriedQuiets {
        TriedQuiets { moves: [(PackedMove::NONE, PieceTo::NONE); TriedQuiets::CAPACITY], length: 0 }
    }

    /// Adds a move, unless the list is full.
    pub(crate) fn push(&mut self, mv: PackedMove, piece_to: PieceTo) {
        if let Some(place) = self.moves.get_mut(self.length) {
            *place = (mv, piece_to);
            self.length += 1;
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (PackedMove, PieceTo)> {
        self.moves[..self.length].iter().copied()
    }
}
