//! What keeps an arrangement from being played, and what players should be told about it.

use std::fmt;

use crate::{
    Bitboard, Color, Direction, Kind, Move, Piece, Placement, Position, Role, Square, beam,
};

/// A reason why an arrangement can't be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// A side has no pharaoh.
    NoPharaoh(Color),
    /// A side has more of a piece than its box holds.
    #[allow(missing_docs)]
    TooMany { color: Color, role: Role, found: u32, squares: Bitboard },
    /// A piece stands on a square that is reserved for the other colour.
    #[allow(missing_docs)]
    Reserved { square: Square, piece: Piece },
    /// Pieces of the standard game and of Khet 2.0 stand on one board.
    #[allow(missing_docs)]
    MixedBoxes { standard: Bitboard, khet2: Bitboard },
    /// A side lacks its sphinx: the other side has one, or the pieces are those of Khet 2.0.
    NoSphinx(Color),
    /// A sphinx stands elsewhere than on its own corner.
    #[allow(missing_docs)]
    SphinxOffCorner { square: Square, color: Color },
    /// A sphinx on its corner does not look into the board.
    #[allow(missing_docs)]
    SphinxFacesWall { square: Square, color: Color },
}

impl Fault {
    /// The squares at fault, to be marked on a board; none for what is missing.
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
                write!(f, ", and a box holds {}", role.in_box())
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

fn list(f: &mut fmt::Formatter<'_>, squares: Bitboard) -> fmt::Result {
    squares.into_iter().try_for_each(|square| write!(f, " {square}"))
}

/// The two ways in which a sphinx on its corner looks into the board.
const fn sphinx_directions(color: Color) -> [Direction; 2] {
    match color {
        Color::Silver => [Direction::North, Direction::West],
        Color::Red => [Direction::South, Direction::East],
    }
}

impl Placement {
    /// Everything that keeps the arrangement from being played.
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for color in Color::ALL {
            for role in Role::ALL {
                let squares = self.squares(|p| p.color() == color && p.role() == role);
                let stacks = self.squares(|p| p == Piece::new(color, Kind::Stack));
                let found = match role {
                    Role::Obelisk => squares.len() + stacks.len(),
                    _ => squares.len(),
                };
                if role == Role::Pharaoh && found == 0 {
                    faults.push(Fault::NoPharaoh(color));
                }
                if found > role.in_box() {
                    faults.push(Fault::TooMany { color, role, found, squares });
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

/// Something to know before playing from a position, though nothing forbids it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Warning {
    /// A half turn with the colours exchanged does not give the same arrangement: one side may be
    /// better off. These squares have no partner.
    NotSymmetric(Bitboard),
    /// A laser fired before the first move would already hit something.
    #[allow(missing_docs)]
    ShotHits { by: Color, squares: Bitboard },
    /// If it were this side's turn, it could light the other's pharaoh with it: a game should take
    /// more than that.
    #[allow(missing_docs)]
    LitAtOnce { by: Color, mv: Move, pharaoh: Square },
}

impl Warning {
    /// The squares that it speaks of, to be marked on a board.
    pub fn squares(&self) -> Bitboard {
        match *self {
            Warning::NotSymmetric(squares) | Warning::ShotHits { squares, .. } => squares,
            Warning::LitAtOnce { pharaoh, .. } => Bitboard::of(pharaoh),
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
            Warning::LitAtOnce { by, mv, pharaoh } => {
                write!(f, "{by}'s turn {mv} would light the pharaoh on {pharaoh} at once")
            }
        }
    }
}

impl Position {
    /// What a player who designs a starting position should know about it.
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
            let position = if by == self.side_to_move() { *self } else { self.passed() };
            if let Some((mv, pharaoh)) = position.lights_at_once() {
                warnings.push(Warning::LitAtOnce { by, mv, pharaoh });
            }
        }
        warnings
    }

    /// A move of the side to move whose shot lights the other side's pharaoh, and where that stands.
    pub fn lights_at_once(&self) -> Option<(Move, Square)> {
        let pharaoh = self.pharaoh(!self.side_to_move())?;
        let aim = self.aim();
        let lights = |mv: &Move| aim.hits(*mv).any(|(square, _)| square == pharaoh);
        self.legal_moves().iter().copied().find(lights).map(|mv| (mv, pharaoh))
    }
}
