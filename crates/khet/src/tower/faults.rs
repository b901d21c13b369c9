//! Faults, which make a placement with a tower unplayable, and warnings about playable positions.

use std::fmt;

use super::{BoardLevel, Placement, Position, Square};
use crate::faults::{PieceFaults, find_warnings};
use crate::{Color, Fault, Move, Piece, Role, Warning};

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

impl Position {
    /// Lists the warnings for a player who designs a starting position.
    pub fn warnings(&self) -> Vec<Warning<Square>> {
        find_warnings(self)
    }

    /// Returns a move whose shot hits the other side's pharaoh, and the pharaoh's square before the
    /// move: a move of the tower may carry it to another one.
    pub fn winning_move(&self) -> Option<(Move<Square>, Square)> {
        let side = self.side_to_move();
        let pharaoh = self.pharaoh(!side)?;
        let wins = |&mv: &Move<Square>| {
            let mut next = *self;
            next.play_unchecked(mv);
            next.pharaoh(!side).is_none()
        };
        self.legal_moves().iter().copied().find(wins).map(|mv| (mv, pharaoh))
    }
}
