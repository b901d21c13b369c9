//! The encoding of moves with a tower in two bytes. It is stable, because databases store it.

use super::{Square, TowerMove};
use crate::{Move, Rotation};

/// The first number of each kind of move; steps begin with 0.
const FIRST_UNSTACK: usize = Square::COUNT * Square::COUNT;
const FIRST_ROTATION: usize = 2 * FIRST_UNSTACK;
const FIRST_SHIFT: usize = FIRST_ROTATION + 2 * Square::COUNT;
const FIRST_TOWER_ROTATION: usize = FIRST_SHIFT + crate::Square::COUNT;
const END: usize = FIRST_TOWER_ROTATION + 2;

/// Returns the number of a move.
pub(super) fn encode(mv: Move<Square>) -> u16 {
    let pair = |from: Square, to: Square| from.index() * Square::COUNT + to.index();
    let code = match mv {
        Move::Step { from, to } => pair(from, to),
        Move::Unstack { from, to } => FIRST_UNSTACK + pair(from, to),
        Move::Rotate { square, rotation } => {
            FIRST_ROTATION + 2 * square.index() + rotation as usize
        }
        Move::Tower(TowerMove::Shift(square)) => FIRST_SHIFT + square.index(),
        Move::Tower(TowerMove::Rotate(rotation)) => FIRST_TOWER_ROTATION + rotation as usize,
    };
    code as u16
}

/// Returns the move with this number, which may be illegal.
pub(super) fn decode(code: u16) -> Option<Move<Square>> {
    let pair = |code: usize| {
        let from = Square::from_index(code / Square::COUNT)?;
        Some((from, Square::from_index(code % Square::COUNT)?))
    };
    let rotation = |code: usize| match code % 2 {
        0 => Rotation::Clockwise,
        _ => Rotation::Counterclockwise,
    };
    Some(match usize::from(code) {
        code @ 0..FIRST_UNSTACK => {
            let (from, to) = pair(code)?;
            Move::Step { from, to }
        }
        code @ FIRST_UNSTACK..FIRST_ROTATION => {
            let (from, to) = pair(code - FIRST_UNSTACK)?;
            Move::Unstack { from, to }
        }
        code @ FIRST_ROTATION..FIRST_SHIFT => {
            let code = code - FIRST_ROTATION;
            Move::Rotate { square: Square::from_index(code / 2)?, rotation: rotation(code) }
        }
        code @ FIRST_SHIFT..FIRST_TOWER_ROTATION => {
            Move::Tower(TowerMove::Shift(crate::Square::from_index(code - FIRST_SHIFT)?))
        }
        code @ FIRST_TOWER_ROTATION..END => {
            Move::Tower(TowerMove::Rotate(rotation(code - FIRST_TOWER_ROTATION)))
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{END, decode, encode};

    #[test]
    fn every_move_has_one_number() {
        for code in 0..=u16::MAX {
            match decode(code) {
                Some(mv) => assert_eq!(encode(mv), code, "{mv}"),
                None => assert!(usize::from(code) >= END, "{code}"),
            }
        }
    }

    #[test]
    fn numbers_are_those_in_databases() {
        for (text, code) in [
            ("h2g2", 2736),
            ("c7C7", 10062),
            ("c7^C7", 35662),
            ("G6-", 51473),
            ("Te5", 51564),
            ("T+", 51600),
            ("T-", 51601),
        ] {
            assert_eq!(encode(text.parse().unwrap()), code, "{text}");
        }
    }
}
