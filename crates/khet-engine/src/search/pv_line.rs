//! The principal variation from one ply on.

use khet::Move;

use crate::packed::PackedMove;
use crate::score::MAX_PLY;

#[derive(Clone, Copy)]
pub(crate) struct PvLine {
    moves: [PackedMove; MAX_PLY],
    length: usize,
}

impl PvLine {
    pub(crate) const EMPTY: PvLine = PvLine { moves: [PackedMove::NONE; MAX_PLY], length: 0 };

    pub(crate) fn clear(&mut self) {
        self.length = 0;
    }

    /// Replaces the line with a move and its continuation.
    pub(crate) fn set(&mut self, mv: PackedMove, rest: &PvLine) {
        let length = rest.length.min(MAX_PLY - 1);
        self.moves[0] = mv;
        self.moves[1..=length].copy_from_slice(&rest.moves[..length]);
        self.length = length + 1;
    }

    pub(crate) fn moves(&self) -> impl Iterator<Item = Move> {
        self.moves[..self.length].iter().filter_map(|packed| packed.mv())
    }
}
