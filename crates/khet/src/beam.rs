//! The beam tracer: where a laser's beams run and which pieces they hit. It is the only one, for
//! the search as well as for pictures, on boards with and without a tower.

use crate::board_square::LevelSquare;
use crate::{Bitboard, BoardSquare, Color, Diagonal, Direction, Kind, Piece, Position, Square};

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
pub(crate) enum HitSquares<S: BoardSquare = Square> {
    None,
    One(S),
    /// Only with an Eye of Horus.
    Several(S::Set),
}

impl<S: BoardSquare> HitSquares<S> {
    /// Returns the squares as a set.
    #[inline]
    pub(crate) fn set(self) -> S::Set {
        match self {
            HitSquares::None => S::Set::default(),
            HitSquares::One(square) => square.to_set(),
            HitSquares::Several(squares) => squares,
        }
    }
}

/// The place at which a beam starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum BeamOrigin<S: BoardSquare = Square> {
    /// The laser in the wall next to this corner, which is the first square that the beam crosses.
    Wall(S),
    /// The sphinx on this square.
    Sphinx(S),
    /// The Eye of Horus on this square, where another beam was split.
    Eye(S),
}

/// How a beam ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum BeamEnd {
    /// It leaves the board, or the upper level of a tower.
    Wall,
    /// It hits a piece, which is removed, or loses its top if it is a stack.
    Hit,
    /// It is absorbed by the front of an Anubis or by a sphinx.
    Absorbed,
    /// It reaches an Eye of Horus, from where two beams go on.
    Split,
    /// It reaches a blank half of a tower's column.
    Column,
}

/// Receives the parts of a shot while it is traced. A method that does nothing costs nothing.
pub(crate) trait BeamVisitor<S: BoardSquare = Square> {
    /// A beam leaves its origin in this direction.
    #[inline]
    fn visit_start(&mut self, _origin: BeamOrigin<S>, _direction: Direction) {}
    /// The current beam crosses these squares of a level, up to the next piece (included), the
    /// column of a tower, or the wall.
    #[inline]
    fn visit_segment(&mut self, _level: S::Level, _squares: Bitboard, _travel: Direction) {}
    /// The current beam ends.
    #[inline]
    fn visit_end(&mut self, _end: BeamEnd) {}
}

/// Ignores everything, for callers that need only the hit squares.
impl<S: BoardSquare> BeamVisitor<S> for () {}

/// Collects all squares that a shot crosses or ends on.
impl BeamVisitor for Bitboard {
    #[inline]
    fn visit_segment(&mut self, (): (), squares: Bitboard, _: Direction) {
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

/// The level of a board's square.
pub(crate) type LevelOf<B> = <<B as Board>::Square as LevelSquare>::Level;

/// The part of a position that the tracer reads.
pub(crate) trait Board {
    type Square: BoardSquare;
    /// Whether the board can have a tower. If not, the compiler removes the tracer's code for it.
    const HAS_TOWER: bool = false;

    /// Returns the squares of a level on which a beam meets something: pieces, or the column of a
    /// tower.
    fn obstacles(&self, level: LevelOf<Self>) -> Bitboard;

    /// Returns the piece on a square.
    fn get(&self, square: Self::Square) -> Option<Piece>;

    /// Returns the squares ahead of a beam to the edge of its level.
    #[inline]
    fn ray(&self, from: Self::Square, direction: Direction) -> Bitboard {
        Bitboard::ray(from.ground(), direction)
    }

    /// Returns the square from which a beam goes on, in the opposite direction, after it has
    /// reached a square of the column.
    #[inline]
    fn periscope(&self, _column: Self::Square, _travel: Direction) -> Option<Self::Square> {
        None
    }
}

impl Board for Position {
    type Square = Square;

    #[inline]
    fn obstacles(&self, (): ()) -> Bitboard {
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
    type Square = Square;

    #[inline]
    fn obstacles(&self, (): ()) -> Bitboard {
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
pub(crate) fn trace<B: Board>(
    board: &B,
    by: Color,
    visitor: &mut impl BeamVisitor<B::Square>,
) -> HitSquares<B::Square> {
    let corner = B::Square::on_level(B::Square::GROUND, Square::laser_corner(by));
    let (ahead, travel) = match board.get(corner).map(Piece::kind) {
        Some(Kind::Sphinx(direction)) => {
            visitor.visit_start(BeamOrigin::Sphinx(corner), direction);
            (board.ray(corner, direction), direction)
        }
        _ => {
            let direction = wall_laser(by);
            visitor.visit_start(BeamOrigin::Wall(corner), direction);
            (board.ray(corner, direction) | Bitboard::of(corner.ground()), direction)
        }
    };
    run(board, B::Square::GROUND, ahead, travel, visitor)
}

/// Traces a beam over the squares ahead on a level, and the beams into which it is split.
#[inline(always)] // the innermost loop of a search: a call costs as much as one reflection
pub(crate) fn run<B: Board>(
    board: &B,
    level: LevelOf<B>,
    ahead: Bitboard,
    travel: Direction,
    visitor: &mut impl BeamVisitor<B::Square>,
) -> HitSquares<B::Square> {
    match follow(board, level, ahead, travel, visitor) {
        (BeamEnd::Wall | BeamEnd::Absorbed | BeamEnd::Column, _) => HitSquares::None,
        (BeamEnd::Hit, at) => HitSquares::One(at.0),
        (BeamEnd::Split, at) => split(board, at, visitor),
    }
}

/// Traces one beam. Returns how it ended, on which square, and its direction of travel there.
#[inline(always)]
fn follow<B: Board>(
    board: &B,
    mut level: LevelOf<B>,
    mut ahead: Bitboard,
    mut travel: Direction,
    visitor: &mut impl BeamVisitor<B::Square>,
) -> (BeamEnd, (B::Square, Direction)) {
    let mut obstacles = board.obstacles(level);
    let mut at = B::Square::on_level(level, Square::A1);
    let end = loop {
        let Some(next) = (ahead & obstacles).nearest(travel) else {
            visitor.visit_segment(level, ahead, travel);
            break BeamEnd::Wall;
        };
        at = B::Square::on_level(level, next);
        let Some(piece) = board.get(at) else {
            if !B::HAS_TOWER {
                break BeamEnd::Wall;
            }
            // Only the column stands on a square without a piece. The beam does not cross it.
            let crossed = ahead ^ board.ray(at, travel) ^ Bitboard::of(next);
            visitor.visit_segment(level, crossed, travel);
            let Some(exit) = board.periscope(at, travel) else { break BeamEnd::Column };
            level = exit.level();
            obstacles = board.obstacles(level);
            travel = travel.opposite();
            ahead = board.ray(exit, travel) | Bitboard::of(exit.ground());
            continue;
        };
        visitor.visit_segment(level, ahead ^ board.ray(at, travel), travel);
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
        ahead = board.ray(at, travel);
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
pub(crate) fn split<B: Board>(
    board: &B,
    first: (B::Square, Direction),
    visitor: &mut impl BeamVisitor<B::Square>,
) -> HitSquares<B::Square> {
    let mut hit_squares = SetOf::<B>::default();
    leave_eye(board, first, &mut [SetOf::<B>::default(); 4], &mut hit_squares, visitor);
    HitSquares::Several(hit_squares)
}

/// A set of a board's squares.
type SetOf<B> = <<B as Board>::Square as BoardSquare>::Set;

/// Traces the two beams that leave one Eye. `sent` has the Eyes that have sent a beam in each
/// direction.
fn leave_eye<B: Board>(
    board: &B,
    (eye, travel): (B::Square, Direction),
    sent: &mut [SetOf<B>; 4],
    hit_squares: &mut SetOf<B>,
    visitor: &mut impl BeamVisitor<B::Square>,
) {
    let Some(Kind::Eye(mirror)) = board.get(eye).map(Piece::kind) else { return };
    let directions = [travel, mirror.reflect(travel)];
    let known = directions.map(|direction| eye.is_in(sent[direction as usize]));
    for direction in directions {
        sent[direction as usize] |= eye.to_set();
    }
    for (direction, known) in directions.into_iter().zip(known) {
        if known {
            continue;
        }
        visitor.visit_start(BeamOrigin::Eye(eye), direction);
        match follow(board, eye.level(), board.ray(eye, direction), direction, visitor) {
            (BeamEnd::Wall | BeamEnd::Absorbed | BeamEnd::Column, _) => {}
            (BeamEnd::Hit, (square, _)) => *hit_squares |= square.to_set(),
            (BeamEnd::Split, next) => leave_eye(board, next, sent, hit_squares, visitor),
        }
    }
}
