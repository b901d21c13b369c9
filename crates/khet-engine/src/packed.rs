//! Turns in two bytes, as the tables of the search store them.

use khet::{Spin, Square, Turn};

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
        let square = |bits: u16| Square::from_index(usize::from(bits & 127));
        let (to, from) = (square(self.0)?, square(self.0 >> 7)?);
        match self.0 >> 14 {
            0 if self == PackedTurn::NONE => None,
            0 => Some(Turn::Move { from, to }),
            1 => Some(Turn::Unstack { from, to }),
            2 => Some(Turn::Rotate { square: from, spin: Spin::Clockwise }),
            _ => Some(Turn::Rotate { square: from, spin: Spin::Anticlockwise }),
        }
    }
}

impl From<Turn> for PackedTurn {
    #[inline]
    fn from(turn: Turn) -> PackedTurn {
        let kind = match turn {
            Turn::Move { .. } => 0,
            Turn::Unstack { .. } => 1,
            Turn::Rotate { spin: Spin::Clockwise, .. } => 2,
            Turn::Rotate { spin: Spin::Anticlockwise, .. } => 3,
        };
        PackedTurn(turn.to().index() as u16 | (turn.from().index() as u16) << 7 | kind << 14)
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
