//! Turns in two bytes, as the tables of the search store them.

use khet::{Square, Turn};

/// A turn, or none, as the tables of the search store it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PackedTurn(u16);

impl PackedTurn {
    /// No turn goes from a1 to a1.
    pub(crate) const NONE: PackedTurn = PackedTurn(0);

    #[inline]
    pub(crate) fn bits(self) -> u16 {
        self.0
    }

    pub(crate) fn from_bits(bits: u16) -> PackedTurn {
        PackedTurn(bits)
    }

    /// The same turn to another square.
    #[inline]
    pub(crate) fn with_target(self, to: Square) -> PackedTurn {
        PackedTurn(self.0 & !127 | to.index() as u16)
    }

    pub(crate) fn turn(self) -> Option<Turn> {
        Turn::from_bits(self.0)
    }
}

impl From<Turn> for PackedTurn {
    #[inline]
    fn from(turn: Turn) -> PackedTurn {
        PackedTurn(turn.to_bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_turn_survives_packing() {
        for setup in khet::Setup::ALL {
            for &turn in &setup.position().turns() {
                assert_eq!(PackedTurn::from(turn).turn(), Some(turn));
            }
        }
        assert_eq!(PackedTurn::NONE.turn(), None);
    }
}
