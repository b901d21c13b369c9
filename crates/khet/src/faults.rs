//! Faults, which make a placement unplayable, and warnings about playable positions.

use std::fmt;

use crate::board_square::LevelSquare;
use crate::tower::TowerColumn;
use crate::{
    Bitboard, BoardSquare, Color, Direction, GamePosition, Kind, Move, Piece, Placement, Position,
    Role, Square,
};

/// A reason why a placement can't be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault<S: BoardSquare = Square> {
    /// A side has no pharaoh.
    NoPharaoh(Color),
    /// A side has more pieces of one type than its box holds.
    #[allow(missing_docs)]
    TooMany { color: Color, role: Role, found: u32, squares: S::Set },
    /// A piece stands on a square that is reserved for the other colour.
    #[allow(missing_docs)]
    Reserved { square: S, piece: Piece },
    /// Pieces of the standard game and of Khet 2.0 stand on one board.
    #[allow(missing_docs)]
    MixedBoxes { standard: S::Set, khet2: S::Set },
    /// A side has no sphinx although the other side has one, or Khet 2.0 is played.
    NoSphinx(Color),
    /// A sphinx does not stand on its corner.
    #[allow(missing_docs)]
    SphinxOffCorner { square: S, color: Color },
    /// A sphinx on its corner faces the wall.
    #[allow(missing_docs)]
    SphinxFacesWall { square: S, color: Color },
    /// A fault of the tower; never in the standard game.
    Tower(S::TowerFault),
}

impl<S: BoardSquare> Fault<S> {
    /// Returns the squares to mark on a board; none if a piece is missing.
    pub fn squares(&self) -> S::Set {
        match *self {
            Fault::NoPharaoh(_) | Fault::NoSphinx(_) => S::Set::default(),
            Fault::TooMany { squares, .. } => squares,
            Fault::MixedBoxes { standard, khet2 } => {
                let mut both = standard;
                both |= khet2;
                both
            }
            Fault::Reserved { square, .. }
            | Fault::SphinxOffCorner { square, .. }
            | Fault::SphinxFacesWall { square, .. } => square.to_set(),
            Fault::Tower(fault) => S::of_tower_fault(fault).to_set(),
        }
    }
}

impl<S: BoardSquare> fmt::Display for Fault<S> {
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
            Fault::Tower(fault) => fault.fmt(f),
        }
    }
}

/// Writes the squares, each after a space.
fn list<S: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    squares: impl IntoIterator<Item = S>,
) -> fmt::Result {
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
        let pieces: Vec<(Square, Piece)> = self.pieces().collect();
        PieceFaults { pieces: &pieces, faults: Vec::new() }.find()
    }
}

/// Finds the faults that depend only on the pieces, for boards with and without a tower.
pub(crate) struct PieceFaults<'a, S: BoardSquare> {
    pub(crate) pieces: &'a [(S, Piece)],
    pub(crate) faults: Vec<Fault<S>>,
}

impl<S: BoardSquare> PieceFaults<'_, S> {
    /// Returns the squares of all pieces that pass the test.
    fn squares(&self, test: impl Fn(Piece) -> bool) -> impl Iterator<Item = S> {
        self.pieces.iter().filter(move |&&(_, piece)| test(piece)).map(|&(square, _)| square)
    }

    /// Finds all faults.
    pub(crate) fn find(mut self) -> Vec<Fault<S>> {
        for color in Color::ALL {
            for role in Role::ALL {
                let of_role = |p: Piece| p.color() == color && p.role() == role;
                let stacks = self.squares(|p| p == Piece::new(color, Kind::Stack)).count();
                let squares = self.squares(of_role).count();
                let count = if role == Role::Obelisk { squares + stacks } else { squares } as u32;
                if role == Role::Pharaoh && count == 0 {
                    self.faults.push(Fault::NoPharaoh(color));
                }
                if count > role.count_per_box() {
                    let squares = self.squares(of_role).collect();
                    self.faults.push(Fault::TooMany { color, role, found: count, squares });
                }
            }
        }
        for &(square, piece) in self.pieces {
            if square.reserved_for() == Some(!piece.color()) {
                self.faults.push(Fault::Reserved { square, piece });
            }
        }
        let is_standard = |p: Piece| matches!(p.role(), Role::Djed | Role::Obelisk);
        let is_khet2 = |p: Piece| matches!(p.role(), Role::Scarab | Role::Anubis);
        let has_khet2 = self.squares(is_khet2).next().is_some();
        if has_khet2 && self.squares(is_standard).next().is_some() {
            let standard = self.squares(is_standard).collect();
            let khet2 = self.squares(is_khet2).collect();
            self.faults.push(Fault::MixedBoxes { standard, khet2 });
        }
        self.find_sphinx_faults(has_khet2);
        self.faults
    }

    fn find_sphinx_faults(&mut self, needed: bool) {
        let needed = needed || self.squares(|p| p.role() == Role::Sphinx).next().is_some();
        for color in Color::ALL {
            let corner = S::on_level(S::GROUND, Square::laser_corner(color));
            let mut found = false;
            for &(square, piece) in self.pieces {
                let Kind::Sphinx(direction) = piece.kind() else { continue };
                if piece.color() != color {
                    continue;
                }
                found = true;
                if square != corner {
                    self.faults.push(Fault::SphinxOffCorner { square, color });
                } else if !sphinx_directions(color).contains(&direction) {
                    self.faults.push(Fault::SphinxFacesWall { square, color });
                }
            }
            if needed && !found {
                self.faults.push(Fault::NoSphinx(color));
            }
        }
    }
}

/// A property that makes a starting position unfair or dull, though it can be played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Warning<S: BoardSquare = Square> {
    /// The sides are not set up alike, which may favour one of them. The squares are those that
    /// differ from the board rotated by 180 degrees with the sides exchanged. If the tower is one of
    /// the differences, they include ground squares of its column.
    NotSymmetric(S::Set),
    /// A laser that is fired before the first move hits pieces.
    #[allow(missing_docs)]
    ShotHits { by: Color, squares: S::Set },
    /// A side can hit the other side's pharaoh with its first move. The square is that of the
    /// pharaoh before the move.
    #[allow(missing_docs)]
    WinInOne { by: Color, mv: Move<S>, pharaoh: S },
}

impl<S: BoardSquare> Warning<S> {
    /// Returns the squares to mark on a board.
    pub fn squares(&self) -> S::Set {
        match *self {
            Warning::NotSymmetric(squares) | Warning::ShotHits { squares, .. } => squares,
            Warning::WinInOne { pharaoh, .. } => pharaoh.to_set(),
        }
    }
}

impl<S: BoardSquare> fmt::Display for Warning<S> {
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

/// Lists the warnings about a position with or without a tower.
pub(crate) fn find_warnings<P: GamePosition>(position: &P) -> Vec<Warning<P::Square>> {
    let mut warnings = Vec::new();
    let asymmetric = asymmetric_squares(position);
    if asymmetric != Default::default() {
        warnings.push(Warning::NotSymmetric(asymmetric));
    }
    for by in Color::ALL {
        let squares = position.shot_squares(by).removed;
        if squares != Default::default() {
            warnings.push(Warning::ShotHits { by, squares });
        }
    }
    for by in Color::ALL {
        let to_move =
            if by == position.side_to_move() { *position } else { position.after_null_move() };
        if let Some((mv, pharaoh)) = to_move.winning_move() {
            warnings.push(Warning::WinInOne { by, mv, pharaoh });
        }
    }
    warnings
}

/// Returns the squares that differ from the board rotated by 180 degrees with the sides exchanged.
fn asymmetric_squares<P: GamePosition>(position: &P) -> <P::Square as BoardSquare>::Set {
    let flipped = position.flipped();
    let differs = |square: &P::Square| position.get(*square) != flipped.get(*square);
    let pieces = position.pieces().chain(flipped.pieces()).map(|(square, _)| square);
    let [column, other] = [position, &flipped]
        .map(|position| position.tower_column().map_or(Bitboard::EMPTY, TowerColumn::squares));
    let columns = (column | other) & !(column & other);
    let columns = columns.into_iter().map(|square| P::Square::on_level(P::Square::GROUND, square));
    pieces.filter(differs).chain(columns).collect()
}

impl Position {
    /// Lists the warnings for a player who designs a starting position.
    pub fn warnings(&self) -> Vec<Warning> {
        find_warnings(self)
    }

    /// Returns a move whose shot hits the other side's pharaoh, and the pharaoh's square.
    pub fn winning_move(&self) -> Option<(Move, Square)> {
        let pharaoh = self.pharaoh(!self.side_to_move())?;
        let aim = self.aim();
        let wins = |mv: &Move| aim.hits(*mv).any(|(square, _)| square == pharaoh);
        self.legal_moves().iter().copied().find(wins).map(|mv| (mv, pharaoh))
    }
}
