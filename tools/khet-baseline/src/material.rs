//! The evaluation: material only.

use khet::{Kind, Piece, Position};

/// The pharaoh outweighs everything else.
const PHARAOH_VALUE: i32 = 10_000;

/// In hundredths of a pyramid. Djeds, scarabs, Eyes and sphinxes are never removed, so what they
/// are worth shows only in positions that give one side more of them.
const fn worth(kind: Kind) -> i32 {
    match kind {
        Kind::Pharaoh => PHARAOH_VALUE,
        Kind::Pyramid(_) => 100,
        Kind::Obelisk => 50,
        Kind::Stack => 2 * worth(Kind::Obelisk),
        Kind::Anubis(_) => 120,
        Kind::Djed(_) | Kind::Scarab(_) | Kind::Eye(_) => 200,
        Kind::Sphinx(_) => 0,
    }
}

/// Returns the material advantage of the side to move.
pub(crate) fn material(position: &Position) -> i32 {
    let us = position.side_to_move();
    position
        .pieces()
        .map(|(_, piece)| {
            let worth = worth(piece.kind());
            if piece.color() == us { worth } else { -worth }
        })
        .sum()
}

/// Returns the material that the owner loses if a beam hits the piece; a stack loses its top.
pub(crate) fn loss(piece: Piece) -> i32 {
    match piece.kind() {
        Kind::Stack => worth(Kind::Obelisk),
        kind => worth(kind),
    }
}
