//! Faults, which make a placement unplayable, and warnings about playable positions.

use std::fmt;

use crate::{
    Bitboard, Color, Direction, Kind, Move, Piece, Placement, Position, Role, Square, beam,
};

/// A reason why a placement can't be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// A side has no pharaoh.
    NoPharaoh(Color),
    /// A side has more pieces of one type than its box holds.
    #[allow(missing_docs)]
    TooMany { color: Color, role: Role, found: u32, squares: Bitboard },
    /// A piece stands on a square that is reserved for the other colour.
    #[allow(missing_docs)]
    Reserved { square: Square, piece: Piece },
    /// Pieces of the standard game and of Khet 2.0 stand on one board.
    #[allow(missing_docs)]
    MixedBoxes { standard: Bitboard, khet2: Bitboard },
    /// A side has no sphinx although the other side has one, or Khet 2.0 is played.
    NoSphinx(Color),
    /// A sphinx does not stand on its corner.
    #[allow(missing_docs)]
    SphinxOffCorner { square: Square, color: Color },
    /// A sphinx on its corner faces the wall.
    #[allow(missing_docs)]
    SphinxFacesWall { square: Square, color: Color },
}

impl Fault {
    /// Returns the squares to mark on a board; none if a piece is missing.
    pub fn squares(&self) -> Bitboard {
        match *self {
            Fault::NoPharaoh(_) | Fault::NoSphinx(_) => Bitboard::EMPTY,
            Fault::TooMany { squares, .. } => squares,
            Fault::MixedBoxes { standard, khet2 } => standard | khet2,
            Fault::Reserved { square, .. }
            | Fault::SphinxOffCorner { square, .. }
            | Fault::SphinxFacesWall { square, .. } => Bitboard::of(square),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fault::NoPharaoh(color) => write!(f, "{color} has no pharaoh"),
            Fault::TooMany { color, role, found, squares } => {
                write!(f, "{color} has {found} of the piece {role}, on")?;
                list(f, squares)?;
                write!(f, ", and a box holds {}", role.count_per_box())
            }
            Fault::Reserved { square, piece } => {
                let (color, role) = (piece.color(), piece.role());
                write!(f, "{square} is reserved for {}, and a {color} {role} stands there", !color)
            }
            Fault::MixedBoxes { standard, khet2 } => {
                f.write_str("djeds or obelisks, on")?;
                list(f, standard)?;
                f.write_str(", stand on one board with scarabs or Anubis, on")?;
                list(f, khet2)
            }
            Fault::NoSphinx(color) => write!(f, "{color} has no sphinx"),
            Fault::SphinxOffCorner { square, color } => {
                let corner = Square::laser_corner(color);
                write!(f, "{color}'s sphinx belongs on {corner}, not on {square}")
            }
            Fault::SphinxFacesWall { square, color } => {
                let [one, other] = sphinx_directions(color);
                write!(f, "the sphinx on {square} may face {one} or {other} only")
            }
        }
    }
}

/// Writes the squares, each after a space.
fn list(f: &mut fmt::Formatter<'_>, squares: Bitboard) -> fmt::Result {
    squares.into_iter().try_for_each(|square| write!(f, " {square}"))
}

/// Returns the two directions in which a sphinx on its corner does not face the wall.
const fn sphinx_directions(color: Color) -> [Direction; 2] {
    match color {
        Color::Silver => [Direction::North, Direction::West],
        Color::Red => [Direction::South, Direction::East],
    }
}

impl Placement {
    /// Lists all reasons why the placement can't be played.
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for color in Color::ALL {
            for role in Role::ALL {
                let squares = self.squares(|p| p.color() == color && p.role() == role);
                let stacks = self.squares(|p| p == Piece::new(color, Kind::Stack));
                let count = match role {
                    Role::Obelisk => squares.len() + stacks.len(),
                    _ => squares.len(),
                };
                if role == Role::Pharaoh && count == 0 {
                    faults.push(Fault::NoPharaoh(color));
                }
                if count > role.count_per_box() {
                    faults.push(Fault::TooMany { color, role, found: count, squares });
                }
            }
        }
        for (square, piece) in self.pieces() {
            if !Bitboard::allowed(piece.color()).has(square) {
                faults.push(Fault::Reserved { square, piece });
            }
        }
        let standard = self.squares(|p| matches!(p.role(), Role::Djed | Role::Obelisk));
        let khet2 = self.squares(|p| matches!(p.role(), Role::Scarab | Role::Anubis));
        if !standard.is_empty() && !khet2.is_empty() {
            faults.push(Fault::MixedBoxes { standard, khet2 });
        }
        self.sphinx_faults(!khet2.is_empty(), &mut faults);
        faults
    }

    fn sphinx_faults(&self, needed: bool, faults: &mut Vec<Fault>) {
        let sphinxes = self.squares(|p| p.role() == Role::Sphinx);
        for color in Color::ALL {
            let own = self.squares(|p| p.role() == Role::Sphinx && p.color() == color);
            if own.is_empty() && (needed || !sphinxes.is_empty()) {
                faults.push(Fault::NoSphinx(color));
            }
            for square in own {
                if square != Square::laser_corner(color) {
                    faults.push(Fault::SphinxOffCorner { square, color });
                } else if let Some(Kind::Sphinx(direction)) = self.get(square).map(Piece::kind)
                    && !sphinx_directions(color).contains(&direction)
                {
                    faults.push(Fault::SphinxFacesWall { square, color });
                }
            }
        }
    }
}

/// A property that makes a starting position unfair or dull, though it can be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Warning {
    /// The sides are not set up alike, which may favour one of them. The squares are those that
    /// differ from the board rotated by 180 degrees with the sides exchanged.
    NotSymmetric(Bitboard),
    /// A laser that is fired before the first move hits pieces.
    #[allow(missing_docs)]
    ShotHits { by: Color, squares: Bitboard },
    /// A side can hit the other side's pharaoh with its first move.
    #[allow(missing_docs)]
    WinInOne { by: Color, mv: Move, pharaoh: Square },
}

impl Warning {
    /// Returns the squares to mark on a board.
    pub fn squares(&self) -> Bitboard {
        match *self {
            Warning::NotSymmetric(squares) | Warning::ShotHits { squares, .. } => squares,
            Warning::WinInOne { pharaoh, .. } => Bitboard::of(pharaoh),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Warning::NotSymmetric(squares) => {
                f.write_str("the two sides are not set up alike:")?;
                list(f, squares)
            }
            Warning::ShotHits { by, squares } => {
                write!(f, "{by}'s laser, fired now, would hit")?;
                list(f, squares)
            }
            Warning::WinInOne { by, mv, pharaoh } => {
                write!(f, "{by}'s move {mv} would hit the pharaoh on {pharaoh} at once")
            }
        }
    }
}

impl Position {
    /// Lists the warnings for a player who designs a starting position.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let (placement, flipped) = (self.placement(), self.placement().flipped());
        let alone: Bitboard =
            Square::all().filter(|&square| placement.get(square) != flipped.get(square)).collect();
        if !alone.is_empty() {
            warnings.push(Warning::NotSymmetric(alone));
        }
        for by in Color::ALL {
            let squares = beam::trace(self, by, &mut ()).bitboard();
            if !squares.is_empty() {
                warnings.push(Warning::ShotHits { by, squares });
            }
        }
        for by in Color::ALL {
            let position = if by == self.side_to_move() { *self } else { self.after_null_move() };
            if let Some((mv, pharaoh)) = position.winning_move() {
                warnings.push(Warning::WinInOne { by, mv, pharaoh });
            }
        }
        warnings
    }

    /// Returns a move whose shot hits the other side's pharaoh, and the pharaoh's square.
    pub fn winning_move(&self) -> Option<(Move, Square)> {
        let pharaoh = self.pharaoh(!self.side_to_move())?;
        let aim = self.aim();
        let wins = |mv: &Move| aim.hits(*mv).any(|(square, _)| square == pharaoh);
        self.legal_moves().iter().copied().find(wins).map(|mv| (mv, pharaoh))
    }
}
