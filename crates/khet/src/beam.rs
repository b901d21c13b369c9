//! The laser: where its beam runs and what it ends on. The only tracer there is.

use crate::{Bitboard, Color, Diagonal, Direction, Kind, Piece, Position, Square};

/// What a beam does when it meets a piece: below 4 it goes on in that direction.
type Meeting = u8;

/// It ends there, and the piece is struck.
const STRIKES: Meeting = 4;
/// It ends there harmlessly.
const ABSORBED: Meeting = 5;
/// Half goes straight on, half is reflected.
const SPLITS: Meeting = 6;

static MEETINGS: [[Meeting; 4]; Piece::COUNT] = {
    let mut table = [[STRIKES; 4]; Piece::COUNT];
    let mut index = 0;
    while index < Piece::COUNT {
        let kind = Piece::from_index(index as u8).kind();
        let mut way = 0;
        while way < 4 {
            table[index][way] = meeting(kind, Direction::from_bits(way as u8));
            way += 1;
        }
        index += 1;
    }
    table
};

const fn meeting(kind: Kind, travel: Direction) -> Meeting {
    match kind {
        Kind::Pharaoh | Kind::Obelisk | Kind::Stack => STRIKES,
        Kind::Djed(line) | Kind::Scarab(line) => line.reflect(travel) as Meeting,
        Kind::Eye(_) => SPLITS,
        Kind::Sphinx(_) => ABSORBED,
        Kind::Anubis(front) => {
            if front as u8 == travel.opposite() as u8 {
                ABSORBED
            } else {
                STRIKES
            }
        }
        Kind::Pyramid(corner) => {
            // Facing north-east, it takes what enters by its north or its east side, and so on
            // clockwise. Both of its mirrored sides lie on the falling line, or both on the rising.
            let side = travel.opposite() as u8;
            let corner = corner as u8;
            if side == corner || side == (corner + 1) & 3 {
                Diagonal::ALL[(corner & 1) as usize].reflect(travel) as Meeting
            } else {
                STRIKES
            }
        }
    }
}

/// What the beams of one shot ended on and remove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Struck {
    Nothing,
    One(Square),
    /// Only with an Eye of Horus.
    Several(Bitboard),
}

impl Struck {
    #[inline]
    pub(crate) fn squares(self) -> Bitboard {
        match self {
            Struck::Nothing => Bitboard::EMPTY,
            Struck::One(square) => Bitboard::of(square),
            Struck::Several(squares) => squares,
        }
    }
}

/// How a beam ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum End {
    /// It leaves the board.
    Wall,
    /// It ends on a piece, which is removed, or loses its top; a pharaoh is lit.
    Hit,
    /// It ends harmlessly on the front of an Anubis or on a sphinx.
    Absorbed,
    /// It reaches an Eye of Horus, from where two beams go on.
    Split,
}

/// Sees where the beams of a shot run.
pub(crate) trait BeamVisitor {
    /// A beam starts, at the laser or at an Eye.
    #[inline]
    fn starts(&mut self, _eye: Option<Square>) {}
    /// It runs over these squares, to the next piece or to the wall.
    #[inline]
    fn runs(&mut self, _squares: Bitboard, _travel: Direction) {}
    /// It ends.
    #[inline]
    fn ends(&mut self, _end: End) {}
}

/// Looks away: for those who want to know only what is struck.
impl BeamVisitor for () {}

/// All squares that a shot crosses, with what it ends on.
impl BeamVisitor for Bitboard {
    #[inline]
    fn runs(&mut self, squares: Bitboard, _: Direction) {
        *self |= squares;
    }
}

/// The way a laser that is built into the wall shines.
const fn wall_laser(color: Color) -> Direction {
    match color {
        Color::Silver => Direction::North,
        Color::Red => Direction::South,
    }
}

/// A board as a beam sees it.
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

/// A position on two squares of which something else stands, or nothing.
pub(crate) struct Changed<'a> {
    position: &'a Position,
    occupied: Bitboard,
    squares: [Square; 2],
    pieces: [Option<Piece>; 2],
}

impl<'a> Changed<'a> {
    /// If the two squares are one, the second piece stands there.
    #[inline]
    pub(crate) fn new(
        position: &'a Position,
        squares: [Square; 2],
        pieces: [Option<Piece>; 2],
    ) -> Changed<'a> {
        let mut occupied = position.occupied();
        for (square, piece) in squares.into_iter().zip(pieces) {
            let at = Bitboard::of(square);
            occupied |= at;
            if piece.is_none() {
                occupied ^= at;
            }
        }
        Changed { position, occupied, squares, pieces }
    }
}

impl Board for Changed<'_> {
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

/// Fires a player's laser. Nothing is removed yet.
#[inline]
pub(crate) fn trace(board: &impl Board, by: Color, witness: &mut impl BeamVisitor) -> Struck {
    let corner = Square::laser_corner(by);
    let (ahead, travel) = match board.get(corner).map(Piece::kind) {
        Some(Kind::Sphinx(direction)) => (Bitboard::ray(corner, direction), direction),
        _ => {
            let direction = wall_laser(by);
            (Bitboard::ray(corner, direction) | Bitboard::of(corner), direction)
        }
    };
    witness.starts(None);
    run(board, ahead, travel, witness)
}

/// Follows a beam over the squares ahead, and all that come of it.
#[inline(always)] // the innermost loop of a search: a call takes as long as a move of the beam
pub(crate) fn run(
    board: &impl Board,
    ahead: Bitboard,
    travel: Direction,
    witness: &mut impl BeamVisitor,
) -> Struck {
    match follow(board, ahead, travel, witness) {
        (End::Wall | End::Absorbed, _) => Struck::Nothing,
        (End::Hit, at) => Struck::One(at.0),
        (End::Split, at) => split(board, at, witness),
    }
}

/// Follows one beam to its end: how it ended, on which square, and how it was travelling.
#[inline(always)]
fn follow(
    board: &impl Board,
    mut ahead: Bitboard,
    mut travel: Direction,
    witness: &mut impl BeamVisitor,
) -> (End, (Square, Direction)) {
    let occupied = board.occupied();
    let mut at = Square::A1;
    let end = loop {
        let Some(next) = (ahead & occupied).nearest(travel) else {
            witness.runs(ahead, travel);
            break End::Wall;
        };
        at = next;
        witness.runs(ahead ^ Bitboard::ray(at, travel), travel);
        let Some(piece) = board.get(at) else { break End::Wall };
        let meeting = MEETINGS[piece.index()][travel as usize];
        // Most go on: one question tells.
        if meeting >= STRIKES {
            break match meeting {
                STRIKES => End::Hit,
                ABSORBED => End::Absorbed,
                _ => End::Split,
            };
        }
        travel = Direction::from_bits(meeting);
        ahead = Bitboard::ray(at, travel);
    };
    witness.ends(end);
    (end, (at, travel))
}

/// Follows all beams that come out of an Eye, and of the Eyes that they reach.
///
/// Only at an Eye can a beam come to where another one has been: everywhere else each way in has
/// its own way out. So it is enough to let each Eye send each direction once.
#[cold]
#[inline(never)]
pub(crate) fn split(
    board: &impl Board,
    first: (Square, Direction),
    witness: &mut impl BeamVisitor,
) -> Struck {
    let mut struck = Bitboard::EMPTY;
    leave_eye(board, first, &mut [Bitboard::EMPTY; 4], &mut struck, witness);
    Struck::Several(struck)
}

/// Follows the beams that come out of one Eye, and of those behind it.
fn leave_eye(
    board: &impl Board,
    (eye, travel): (Square, Direction),
    sent: &mut [Bitboard; 4],
    struck: &mut Bitboard,
    witness: &mut impl BeamVisitor,
) {
    let Some(Kind::Eye(line)) = board.get(eye).map(Piece::kind) else { return };
    let ways = [travel, line.reflect(travel)];
    let known = ways.map(|way| sent[way as usize].has(eye));
    for way in ways {
        sent[way as usize] |= Bitboard::of(eye);
    }
    for (way, known) in ways.into_iter().zip(known) {
        if known {
            continue;
        }
        witness.starts(Some(eye));
        match follow(board, Bitboard::ray(eye, way), way, witness) {
            (End::Wall | End::Absorbed, _) => {}
            (End::Hit, (square, _)) => *struck |= Bitboard::of(square),
            (End::Split, next) => leave_eye(board, next, sent, struck, witness),
        }
    }
}
