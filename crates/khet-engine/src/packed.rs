//! Turns in two bytes, and as numbers for tables.

use khet::{Spin, Square, Turn};

/// A turn, or none, as the tables of the search store it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PackedTurn(u16);

impl PackedTurn {
    /// No turn goes from a1 to a1.
    pub(crate) const NONE: PackedTurn = PackedTurn(0);

    pub(crate) fn bits(self) -> u16 {
        self.0
    }

    pub(crate) fn from_bits(bits: u16) -> PackedTurn {
        PackedTurn(bits)
    }

    pub(crate) fn turn(self) -> Option<Turn> {
        let square = |bits: u16| Square::from_index(usize::from(bits & 127));
        let (from, to) = (square(self.0)?, square(self.0 >> 7)?);
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
    fn from(turn: Turn) -> PackedTurn {
        let kind = match turn {
            Turn::Move { .. } => 0,
            Turn::Unstack { .. } => 1,
            Turn::Rotate { spin: Spin::Clockwise, .. } => 2,
            Turn::Rotate { spin: Spin::Anticlockwise, .. } => 3,
        };
        PackedTurn(turn.from().index() as u16 | (turn.to().index() as u16) << 7 | kind << 14)
    }
}

/// What a piece can do from its square: eight steps, eight for the top of a stack, two rotations.
const ACTS: usize = 18;

/// How many values [`turn_index`] has.
pub(crate) const TURNS: usize = Square::COUNT * ACTS;

/// The step from one square to a neighbour, numbered by the difference of their indices plus 11.
const STEPS: [u8; 23] = {
    let mut steps = [0; 23];
    let differences: [i8; 8] = [-11, -10, -9, -1, 1, 9, 10, 11];
    let mut step = 0;
    while step < 8 {
        steps[(differences[step] + 11) as usize] = step as u8;
        step += 1;
    }
    steps
};

/// A number for each turn that can be written down.
pub(crate) fn turn_index(turn: Turn) -> usize {
    let (from, to) = (turn.from().index(), turn.to().index());
    let step = || STEPS.get((to + 11).wrapping_sub(from)).map_or(0, |&step| usize::from(step));
    let act = match turn {
        Turn::Move { .. } => step(),
        Turn::Unstack { .. } => 8 + step(),
        Turn::Rotate { spin: Spin::Clockwise, .. } => 16,
        Turn::Rotate { spin: Spin::Anticlockwise, .. } => 17,
    };
    from * ACTS + act
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_turn_survives_packing_and_has_its_own_number() {
        for setup in khet::Setup::ALL {
            let turns = setup.position().turns();
            let mut numbers: Vec<usize> = turns.iter().map(|&turn| turn_index(turn)).collect();
            numbers.sort_unstable();
            numbers.dedup();
            assert_eq!(numbers.len(), turns.len());
            assert!(numbers.iter().all(|&number| number < TURNS));
            for &turn in &turns {
                assert_eq!(PackedTurn::from(turn).turn(), Some(turn));
            }
        }
        assert_eq!(PackedTurn::NONE.turn(), None);
    }
}
