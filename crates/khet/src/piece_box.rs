//! The editions of the box, which differ in their pieces.

use std::fmt;
use std::str::FromStr;

use crate::{Piece, Placement, Role};

/// The set of pieces from which a setup is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PieceBox {
    /// The standard game: djeds, obelisks, lasers in the wall.
    Standard,
    /// Khet 2.0: scarabs, Anubis, sphinxes.
    Khet2,
}

impl PieceBox {
    /// Both.
    pub const ALL: [PieceBox; 2] = [PieceBox::Standard, PieceBox::Khet2];

    /// Returns `standard` or `khet2`.
    pub const fn name(self) -> &'static str {
        match self {
            PieceBox::Standard => "standard",
            PieceBox::Khet2 => "khet2",
        }
    }

    /// Returns the types of pieces in the box and its expansions.
    pub const fn roles(self) -> &'static [Role] {
        match self {
            PieceBox::Standard => {
                &[Role::Pharaoh, Role::Pyramid, Role::Djed, Role::Obelisk, Role::Eye, Role::Sphinx]
            }
            PieceBox::Khet2 => {
                &[Role::Pharaoh, Role::Pyramid, Role::Scarab, Role::Anubis, Role::Eye, Role::Sphinx]
            }
        }
    }

    /// Returns the box to which the pieces of a placement belong; `None` if they fit both or
    /// neither. Sphinxes can be added to either box; if nothing else decides, they count as Khet
    /// 2.0.
    pub fn of(placement: &Placement) -> Option<PieceBox> {
        PieceBox::of_pieces(|| placement.pieces().map(|(_, piece)| piece))
    }

    /// Returns the box to which pieces belong; `pieces` lists them.
    pub(crate) fn of_pieces<I: Iterator<Item = Piece>>(pieces: impl Fn() -> I) -> Option<PieceBox> {
        let has = |roles: &[Role]| pieces().any(|piece| roles.contains(&piece.role()));
        match (has(&[Role::Djed, Role::Obelisk]), has(&[Role::Scarab, Role::Anubis])) {
            (true, false) => Some(PieceBox::Standard),
            (false, true) => Some(PieceBox::Khet2),
            (false, false) if has(&[Role::Sphinx]) => Some(PieceBox::Khet2),
            _ => None,
        }
    }
}

impl fmt::Display for PieceBox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no box.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsePieceBoxError;

impl fmt::Display for ParsePieceBoxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a box is standard or khet2")
    }
}

impl std::error::Error for ParsePieceBoxError {}

impl FromStr for PieceBox {
    type Err = ParsePieceBoxError;

    fn from_str(text: &str) -> Result<PieceBox, ParsePieceBoxError> {
        PieceBox::ALL.into_iter().find(|known| known.name() == text).ok_or(ParsePieceBoxError)
    }
}
