//! Moves in two bytes for the tables of the search.

use khet::{Move, Square};

/// A move, or none, in two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PackedMove(u16);

impl PackedMove {
    /// No move goes from a1 to a1.
    pub(crate) const NONE: PackedMove = PackedMove(0);

    #[inline]
    pub(crate) fn bits(self) -> u16 {
        self.0
    }

    pub(crate) fn from_bits(bits: u16) -> PackedMove {
        PackedMove(bits)
    }

    /// Returns the move with another target square.
    #[inline]
    pub(crate) fn with_target(self, to: Square) -> PackedMove {
        PackedMove(self.0 & !127 | to.index() as u16)
    }

    pub(crate) fn mv(self) -> Option<Move> {
        Move::from_bits(self.0)
    }
}

impl From<Move> for PackedMove {
    #[inline]
    fn from(mv: Move) -> PackedMove {
        PackedMove(mv.to_bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_survives_packing() {
        for setup in khet::Setup::ALL {
            for &mv in &setup.position().legal_moves() {
                assert_eq!(PackedMove::from(mv).mv(), Some(mv));
            }
        }
        assert_eq!(PackedMove::NONE.mv(), None);
    }
}
