//! The beam tracer: where a laser's beams run and which pieces they hit. It is the only one, for
//! the search as well as for pictures.

use crate::{Bitboard, Color, Diagonal, Direction, Kind, Piece, Position, Square};

/// The effect of a piece on a beam, in one byte: the direction in which the beam goes on (below 4),
/// or [`HIT`], [`ABSORBED`] or [`SPLIT`].
type PieceEffect = u8;

/// The beam ends and hits the piece.
const HIT: PieceEffect = 4;
/// The beam ends and does no harm.
const ABSORBED: PieceEffect = 5;
/// Half of the beam goes straight on, half is reflected.
const SPLIT: PieceEffect = 6;

/// The effect of each piece, by [`Piece::index`] and the beam's direction of travel.
static EFFECTS: [[PieceEffect; 4]; Piece::COUNT] = {
    let mut table = [[HIT; 4]; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        let kind = Piece::from_index_unvalidated(index as u8).kind();
        let mut travel = 0;
        while travel < 4 {
            table[index][travel] = effect(kind, Direction::from_bits(travel as u8));
            travel += 1;
        }
        index += 1;
    }
    table
};

/// Returns the effect of a piece on a beam that travels in this direction.
const fn effect(kind: Kind, travel: Direction) -> PieceEffect {
    match kind {
        Kind::Pharaoh | Kind::Obelisk | Kind::Stack => HIT,
        Kind::Djed(mirror) | Kind::Scarab(mirror) => mirror.reflect(travel) as PieceEffect,
        Kind::Eye(_) => SPLIT,
        Kind::Sphinx(_) => ABSORBED,
        Kind::Anubis(front) => {
            if front as u8 == travel.opposite() as u8 {
                ABSORBED
            } else {
                HIT
            }
        }
        Kind::Pyramid(corner) => {
            // A pyramid that faces north-east reflects beams that enter by its north or its east
            // side, and so on clockwise. The mirrors of opposite corners lie on one diagonal.
            let side = travel.opposite() as u8;
            let corner = corner as u8;
            if side == corner || side == (corner + 1) & 3 {
                Diagonal::ALL[(corner & 1) as usize].reflect(travel) as PieceEffect
            } else {
                HIT
            }
        }
    }
}

/// The squares on which a shot hits a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HitSquares {
    None,
    One(Square),
    /// Only with an Eye of Horus.
    Several(Bitboard),
}

impl HitSquares {
    /// Returns the squares as a bitboard.
    #[inline]
    pub(crate) fn bitboard(self) -> Bitboard {
        match self {
            HitSquares::None => Bitboard::EMPTY,
            HitSquares::One(square) => Bitboard::of(square),
            HitSquares::Several(squares) => squares,
        }
    }
}

/// The place at which a beam starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum BeamOrigin {
    /// The laser in the wall next to this corner, which is the first square that the beam crosses.
    Wall(Square),
    /// The sphinx on this square.
    Sphinx(Square),
    /// The Eye of Horus on this square, where another beam was split.
    Eye(Square),
}

/// How a beam ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum BeamEnd {
    /// It leaves the board.
    Wall,
    /// It hits a piece, which is removed, or loses its top if it is a stack.
    Hit,
    /// It is absorbed by the front of an Anubis or by a sphinx.
    Absorbed,
    /// It reaches an Eye of Horus, from where two beams go on.
    Split,
}

/// Receives the parts of a shot while it is traced. A method that does nothing costs nothing.
pub(crate) trait BeamVisitor {
    /// A beam leaves its origin in this direction.
    #[inline]
    fn visit_start(&mut self, _origin: BeamOrigin, _direction: Direction) {}
    /// The current beam crosses these squares, up to the next piece (included) or to the wall.
    #[inline]
    fn visit_segment(&mut self, _squares: Bitboard, _travel: Direction) {}
    /// The current beam ends.
    #[inline]
    fn visit_end(&mut self, _end: BeamEnd) {}
}

/// Ignores everything, for callers that need only the hit squares.
impl BeamVisitor for () {}

/// Collects all squares that a shot crosses or ends on.
impl BeamVisitor for Bitboard {
    #[inline]
    fn visit_segment(&mut self, squares: Bitboard, _: Direction) {
        *self |= squares;
    }
}

/// The direction in which the laser in the wall fires.
const fn wall_laser(color: Color) -> Direction {
    match color {
        Color::Silver => Direction::North,
        Color::Red => Direction::South,
    }
}

/// The part of a position that the tracer reads.
pub(crate) trait Board {
    fn occupied(&self) -> Bitboard;
    fn get(&self, square: Square) -> Option<Piece>;
}

impl Board for Position {
    #[inline]
    fn occupied(&self) -> Bitboard {
        self.occupied()
    }

    #[inline]
    fn get(&self, square: Square) -> Option<Piece> {
        self.get(square)
    }
}

/// A position with the contents of two squares replaced, without copying it.
pub(crate) struct PatchedPosition<'a> {
    position: &'a Position,
    occupied: Bitboard,
    squares: [Square; 2],
    pieces: [Option<Piece>; 2],
}

impl<'a> PatchedPosition<'a> {
    /// If both squares are the same, the second piece stands there.
    #[inline]
    pub(crate) fn new(
        position: &'a Position,
        squares: [Square; 2],
        pieces: [Option<Piece>; 2],
    ) -> PatchedPosition<'a> {
        let mut occupied = position.occupied();
        for (square, piece) in squares.into_iter().zip(pieces) {
            let at = Bitboard::of(square);
            occupied |= at;
            if piece.is_none() {
                occupied ^= at;
            }
        }
        PatchedPosition { position, occupied, squares, pieces }
    }
}

impl Board for PatchedPosition<'_> {
    #[inline]
    fn occupied(&self) -> Bitboard {
        self.occupied
    }

    #[inline]
    fn get(&self, square: Square) -> Option<Piece> {
        let before = self.position.get(square);
        let piece = if square == self.squares[0] { self.pieces[0] } else { before };
        if square == self.squares[1] { self.pieces[1] } else { piece }
    }
}

/// Traces the shot of a player's laser. Removes nothing.
#[inline]
pub(crate) fn trace(board: &impl Board, by: Color, visitor: &mut impl BeamVisitor) -> HitSquares {
    let corner = Square::laser_corner(by);
    let (ahead, travel) = match board.get(corner).map(Piece::kind) {
        Some(Kind::Sphinx(direction)) => {
            visitor.visit_start(BeamOrigin::Sphinx(corner), direction);
            (Bitboard::ray(corner, direction), direction)
        }
        _ => {
            let direction = wall_laser(by);
            visitor.visit_start(BeamOrigin::Wall(corner), direction);
            (Bitboard::ray(corner, direction) | Bitboard::of(corner), direction)
        }
    };
    run(board, ahead, travel, visitor)
}

/// Traces a beam over the squares ahead, and the beams into which it is split.
#[inline(always)] // the innermost loop of a search: a call costs as much as one reflection
pub(crate) fn run(
    board: &impl Board,
    ahead: Bitboard,
    travel: Direction,
    visitor: &mut impl BeamVisitor,
) -> HitSquares {
    match follow(board, ahead, travel, visitor) {
        (BeamEnd::Wall | BeamEnd::Absorbed, _) => HitSquares::None,
        (BeamEnd::Hit, at) => HitSquares::One(at.0),
        (BeamEnd::Split, at) => split(board, at, visitor),
    }
}

/// Traces one beam. Returns how it ended, on which square, and its direction of travel there.
#[inline(always)]
fn follow(
    board: &impl Board,
    mut ahead: Bitboard,
    mut travel: Direction,
    visitor: &mut impl BeamVisitor,
) -> (BeamEnd, (Square, Direction)) {
    let occupied = board.occupied();
    let mut at = Square::A1;
    let end = loop {
        let Some(next) = (ahead & occupied).nearest(travel) else {
            visitor.visit_segment(ahead, travel);
            break BeamEnd::Wall;
        };
        at = next;
        visitor.visit_segment(ahead ^ Bitboard::ray(at, travel), travel);
        let Some(piece) = board.get(at) else { break BeamEnd::Wall };
        let effect = EFFECTS[piece.index()][travel as usize];
        // Most pieces reflect: one comparison decides.
        if effect >= HIT {
            break match effect {
                HIT => BeamEnd::Hit,
                ABSORBED => BeamEnd::Absorbed,
                _ => BeamEnd::Split,
            };
        }
        travel = Direction::from_bits(effect);
        ahead = Bitboard::ray(at, travel);
    };
    visitor.visit_end(end);
    (end, (at, travel))
}

/// Traces all beams that leave an Eye, and those of the Eyes that they reach in turn.
///
/// Beams can join only at an Eye, because everywhere else each direction of arrival has its own
/// direction of departure. It is therefore enough that each Eye sends each direction once.
#[cold]
#[inline(never)]
pub(crate) fn split(
    board: &impl Board,
    first: (Square, Direction),
    visitor: &mut impl BeamVisitor,
) -> HitSquares {
    let mut hit_squares = Bitboard::EMPTY;
    leave_eye(board, first, &mut [Bitboard::EMPTY; 4], &mut hit_squares, visitor);
    HitSquares::Several(hit_squares)
}

/// Traces the two beams that leave one Eye. `sent` has the Eyes that have sent a beam in each
/// direction.
fn leave_eye(
    board: &impl Board,
    (eye, travel): (Square, Direction),
    sent: &mut [Bitboard; 4],
    hit_squares: &mut Bitboard,
    visitor: &mut impl BeamVisitor,
) {
    let Some(Kind::Eye(mirror)) = board.get(eye).map(Piece::kind) else { return };
    let directions = [travel, mirror.reflect(travel)];
    let known = directions.map(|direction| sent[direction as usize].has(eye));
    for direction in directions {
        sent[direction as usize] |= Bitboard::of(eye);
    }
    for (direction, known) in directions.into_iter().zip(known) {
        if known {
            continue;
        }
        visitor.visit_start(BeamOrigin::Eye(eye), direction);
        match follow(board, Bitboard::ray(eye, direction), direction, visitor) {
            (BeamEnd::Wall | BeamEnd::Absorbed, _) => {}
            (BeamEnd::Hit, (square, _)) => *hit_squares |= Bitboard::of(square),
            (BeamEnd::Split, next) => leave_eye(board, next, sent, hit_squares, visitor),
        }
    }
}
