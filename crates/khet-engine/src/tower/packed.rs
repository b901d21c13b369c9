//! Moves with a tower in two bytes, for the tables of the search.

use khet::tower::{Square, TowerColumn, TowerMove};
use khet::{Move, Rotation};

use crate::packed::PackedMove;

/// The number of values of a packed move.
pub(super) const PACKED_MOVES: usize = 1 << 13;

/// Number of bits of the way that a piece goes.
const WAY_BITS: u32 = 5;
/// Values of the way: nine for steps, nine for unstacking, and two for rotations. The step in the
/// middle of the nine leads to the other level.
const UNSTACK: usize = 9;
const ROTATE: usize = 18;

/// Packs a move into 13 bits, which are never 0: its square, and the way that the piece goes from
/// there. Moves of the tower take the place of squares that do not exist.
///
/// Nothing unpacks a move: the search looks for the one with the same bits among the legal moves,
/// so that an entry of another position can't lead to an illegal move.
pub(super) fn pack(mv: Move<Square>) -> PackedMove {
    let (square, way) = match mv {
        Move::Step { from, to } => (from.index(), way(from, to)),
        Move::Unstack { from, to } => (from.index(), UNSTACK + way(from, to)),
        Move::Rotate { square, rotation } => (square.index(), ROTATE + rotation_index(rotation)),
        Move::Tower(TowerMove::Shift(to)) => {
            (Square::COUNT, TowerColumn::new(to).map_or(0, TowerColumn::index))
        }
        Move::Tower(TowerMove::Rotate(rotation)) => (Square::COUNT + 1, rotation_index(rotation)),
    };
    PackedMove::from_bits((square << WAY_BITS | way) as u16)
}

/// Returns the direction of a step, below 9.
fn way(from: Square, to: Square) -> usize {
    let (from, to) = (from.ground(), to.ground());
    usize::from((to.file() + 1 - from.file()) * 3 + to.rank() + 1 - from.rank())
}

fn rotation_index(rotation: Rotation) -> usize {
    match rotation {
        Rotation::Clockwise => 0,
        Rotation::Counterclockwise => 1,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::tower::tests::{POSITIONS, random_positions};

    #[test]
    fn the_moves_of_a_position_have_different_bits() {
        for start in POSITIONS {
            for position in random_positions(start, 40) {
                let moves = position.legal_moves();
                let packed: HashSet<u16> = moves.iter().map(|&mv| pack(mv).bits()).collect();
                assert_eq!(packed.len(), moves.len(), "{position}");
                assert!(!packed.contains(&PackedMove::NONE.bits()), "{position}");
                assert!(packed.iter().all(|&bits| usize::from(bits) < PACKED_MOVES));
            }
        }
    }
}
