//! Placements with and without a tower, for messages and tables that hold both.

use std::fmt;
use std::str::FromStr;

use crate::faults::PieceFaults;
use crate::tower::TowerColumn;
use crate::{Color, Fault, ParsePlacementError, Piece, PieceBox, Placement, tower};

/// A placement with or without a tower, not checked.
///
/// ```
/// use khet::{AnyPlacement, AnyPosition, Rules};
///
/// let placement: AnyPlacement = "4k5/10/10/10/10/10/10/4K5+e4:6/6/6/6/6/P15 s".parse()?;
/// assert!(placement.has_tower());
/// assert!(AnyPosition::new(&placement, Rules::Standard).is_ok());
/// # Ok::<_, khet::ParseAnyPlacementError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnyPlacement {
    /// A placement without a tower.
    Standard(Placement),
    /// A placement with a tower.
    Tower(tower::Placement),
}

impl AnyPlacement {
    /// Returns whether a text in the notation of positions has a tower: a `+` begins its upper level.
    pub(crate) fn text_has_tower(text: &str) -> bool {
        text.contains('+')
    }

    /// Returns whether it has a tower.
    pub fn has_tower(&self) -> bool {
        matches!(self, AnyPlacement::Tower(_))
    }

    /// Returns the placement if it has no tower.
    pub fn without_tower(&self) -> Option<Placement> {
        match self {
            AnyPlacement::Standard(placement) => Some(*placement),
            AnyPlacement::Tower(_) => None,
        }
    }

    /// Returns the side to move.
    pub fn side_to_move(&self) -> Color {
        match self {
            AnyPlacement::Standard(placement) => placement.side_to_move,
            AnyPlacement::Tower(placement) => placement.side_to_move(),
        }
    }

    /// Returns the piece on a square.
    pub fn get(&self, square: tower::Square) -> Option<Piece> {
        match self {
            AnyPlacement::Standard(placement) => placement.get(square.without_tower()?),
            AnyPlacement::Tower(placement) => placement.get(square),
        }
    }

    /// Places a piece on a square, or clears the square. Does nothing on a square of the upper level
    /// that this placement does not have.
    pub fn set(&mut self, square: tower::Square, piece: Option<Piece>) {
        match self {
            AnyPlacement::Standard(placement) => {
                if let Some(square) = square.without_tower() {
                    placement.set(square, piece);
                }
            }
            AnyPlacement::Tower(placement) => placement.set(square, piece),
        }
    }

    /// Sets the side to move.
    pub fn set_side_to_move(&mut self, side: Color) {
        match self {
            AnyPlacement::Standard(placement) => placement.side_to_move = side,
            AnyPlacement::Tower(placement) => placement.set_side_to_move(side),
        }
    }

    /// Returns the place of the tower, if there is one.
    pub fn tower_column(&self) -> Option<TowerColumn> {
        match self {
            AnyPlacement::Standard(_) => None,
            AnyPlacement::Tower(placement) => Some(placement.column()),
        }
    }

    /// Returns the placement with its tower on this column, or without a tower.
    ///
    /// A tower that is moved takes everything on it along; one that is removed takes it away. Pieces
    /// on the ground stay where they are. Those on squares of the column are faults, which
    /// [`AnyPlacement::faults`] names, so that an editor loses no piece over which a tower is moved.
    ///
    /// ```
    /// use khet::tower::TowerColumn;
    /// use khet::{AnyPlacement, Square};
    ///
    /// let placement: AnyPlacement = "4k5/10/10/10/10/10/10/4K5+e4:6/6/6/6/6/P15 s".parse()?;
    /// let column = TowerColumn::new(Square::C3);
    /// assert_eq!(
    ///     placement.with_tower(column).to_string(),
    ///     "4k5/10/10/10/10/10/10/4K5+c3:6/6/6/6/6/P15 s"
    /// );
    /// let removed = placement.with_tower(None);
    /// assert_eq!(removed.to_string(), "4k5/10/10/10/10/10/10/4K5 s");
    /// let empty = removed.with_tower(column);
    /// assert_eq!(empty.to_string(), "4k5/10/10/10/10/10/10/4K5+c3:6/6/6/6/6/6 s");
    /// # Ok::<_, khet::ParseAnyPlacementError>(())
    /// ```
    pub fn with_tower(&self, column: Option<TowerColumn>) -> AnyPlacement {
        match (*self, column) {
            (AnyPlacement::Standard(ground), Some(column)) => {
                tower::Placement::new(ground, column).into()
            }
            (AnyPlacement::Tower(mut placement), Some(column)) => {
                placement.set_column(column);
                placement.into()
            }
            (AnyPlacement::Standard(ground), None) => ground.into(),
            (AnyPlacement::Tower(placement), None) => (*placement.ground()).into(),
        }
    }

    /// Lists all reasons why the placement can't be played.
    pub fn faults(&self) -> Vec<Fault<tower::Square>> {
        match self {
            AnyPlacement::Standard(_) => {
                let pieces: Vec<(tower::Square, Piece)> = self.pieces().collect();
                PieceFaults { pieces: &pieces, faults: Vec::new() }.find()
            }
            AnyPlacement::Tower(placement) => placement.faults(),
        }
    }

    /// Iterates over all pieces with their squares: on the ground, then on the upper level.
    pub fn pieces(&self) -> impl Iterator<Item = (tower::Square, Piece)> {
        let (standard, tower) = match self {
            AnyPlacement::Standard(placement) => (Some(placement), None),
            AnyPlacement::Tower(placement) => (None, Some(placement)),
        };
        let standard = standard.into_iter().flat_map(Placement::pieces);
        let standard = standard.map(|(square, piece)| (square.into(), piece));
        standard.chain(tower.into_iter().flat_map(tower::Placement::pieces))
    }

    /// Returns the placement with the board rotated by 180 degrees and the sides exchanged.
    pub fn flipped(&self) -> AnyPlacement {
        match self {
            AnyPlacement::Standard(placement) => placement.flipped().into(),
            AnyPlacement::Tower(placement) => placement.flipped().into(),
        }
    }

    /// Returns the box to which the pieces belong; see [`PieceBox::of`].
    pub fn piece_box(&self) -> Option<PieceBox> {
        match self {
            AnyPlacement::Standard(placement) => PieceBox::of(placement),
            AnyPlacement::Tower(placement) => {
                PieceBox::of_pieces(|| placement.pieces().map(|(_, piece)| piece))
            }
        }
    }
}

impl From<Placement> for AnyPlacement {
    fn from(placement: Placement) -> AnyPlacement {
        AnyPlacement::Standard(placement)
    }
}

impl From<tower::Placement> for AnyPlacement {
    fn from(placement: tower::Placement) -> AnyPlacement {
        AnyPlacement::Tower(placement)
    }
}

impl fmt::Display for AnyPlacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyPlacement::Standard(placement) => placement.fmt(f),
            AnyPlacement::Tower(placement) => placement.fmt(f),
        }
    }
}

/// The reason why a text is not a placement, with the place and the nature of the error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseAnyPlacementError {
    /// A text without a tower.
    Standard(ParsePlacementError),
    /// A text with a tower.
    Tower(tower::ParsePlacementError),
}

impl fmt::Display for ParseAnyPlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseAnyPlacementError::Standard(error) => error.fmt(f),
            ParseAnyPlacementError::Tower(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ParseAnyPlacementError {}

impl FromStr for AnyPlacement {
    type Err = ParseAnyPlacementError;

    /// Reads the notation of a position. A `+` begins the upper level of a tower.
    fn from_str(text: &str) -> Result<AnyPlacement, ParseAnyPlacementError> {
        if AnyPlacement::text_has_tower(text) {
            text.parse().map(AnyPlacement::Tower).map_err(ParseAnyPlacementError::Tower)
        } else {
            text.parse().map(AnyPlacement::Standard).map_err(ParseAnyPlacementError::Standard)
        }
    }
}
