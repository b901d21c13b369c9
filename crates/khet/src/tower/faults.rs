//! Faults, which make a placement with a tower unplayable.

use std::fmt;

use super::{BoardLevel, Placement, Square};
use crate::faults::PieceFaults;
use crate::{Color, Fault, Piece, Role};

/// A reason why a placement with a tower can't be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TowerFault {
    /// A piece stands on a square of the column, on either level.
    #[allow(missing_docs)]
    InsideColumn { square: Square, piece: Piece },
    /// A pharaoh stands on a corner of the upper level.
    #[allow(missing_docs)]
    PharaohOnCorner { square: Square, color: Color },
}

impl fmt::Display for TowerFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TowerFault::InsideColumn { square, piece } => {
                let (color, role) = (piece.color(), piece.role());
                write!(f, "the column of the tower stands on {square}, and a {color} {role} too")
            }
            TowerFault::PharaohOnCorner { square, color } => {
                write!(f, "{color}'s pharaoh may not stand on {square}, a corner of the tower")
            }
        }
    }
}

impl TowerFault {
    /// Returns the square to mark on a board.
    pub fn square(self) -> Square {
        match self {
            TowerFault::InsideColumn { square, .. }
            | TowerFault::PharaohOnCorner { square, .. } => square,
        }
    }
}

impl Placement {
    /// Lists all reasons why the placement can't be played.
    pub fn faults(&self) -> Vec<Fault<Square>> {
        let pieces: Vec<(Square, Piece)> = self.pieces().collect();
        let mut faults = PieceFaults { pieces: &pieces, faults: Vec::new() }.find();
        let column = self.column();
        for (square, piece) in pieces {
            if column.squares().has(square.ground()) {
                faults.push(Fault::Tower(TowerFault::InsideColumn { square, piece }));
            }
            let on_corner =
                square.level() == BoardLevel::Upper && column.corners().has(square.ground());
            if on_corner && piece.role() == Role::Pharaoh {
                let color = piece.color();
                faults.push(Fault::Tower(TowerFault::PharaohOnCorner { square, color }));
            }
        }
        faults
    }
}
