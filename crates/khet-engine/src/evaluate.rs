//! How good a position looks without searching: the one place that judges.
//!
//! The judgement is a sum of features times weights, so that weights can be fitted to the results of
//! games. [`features`] names them; [`evaluate`] adds them up.

use std::sync::LazyLock;

use khet::{Bitboard, Color, Direction, Kind, Piece, Position, ShotSquares, Square};

use crate::score::Value;
use crate::weights::WEIGHTS;

/// Pieces of one colour in all their forms.
const PIECES: usize = 32;
/// Sorts of pieces that a beam can strike, with the stack apart from the single obelisk.
const SORTS: usize = 5;

// Where each group of features begins.
const STANDS: usize = 0;
const OWN_BEAM_ON_OTHERS: usize = STANDS + PIECES * Square::COUNT;
const OWN_BEAM_ON_OWN: usize = OWN_BEAM_ON_OTHERS + SORTS;
const THEIR_BEAM_ON_OWN: usize = OWN_BEAM_ON_OWN + SORTS;
const THEIR_BEAM_ON_THEIRS: usize = THEIR_BEAM_ON_OWN + SORTS;
const BEAM_LENGTH: usize = THEIR_BEAM_ON_THEIRS + SORTS;
const CROSSINGS: usize = BEAM_LENGTH + 2;
const MIRRORS_AT_OWN_BEAM: usize = CROSSINGS + 2;
const MIRRORS_AT_OTHER_BEAM: usize = MIRRORS_AT_OWN_BEAM + 2;
const OPEN_LINES: usize = MIRRORS_AT_OTHER_BEAM + 2;
const GUARDS: usize = OPEN_LINES + 2;
const TO_MOVE: usize = GUARDS + 2;
/// How many features there are.
pub const FEATURES: usize = TO_MOVE + 1;

/// The features that the search tells apart when it orders moves: what a piece is worth.
pub(crate) fn piece_value(piece: Piece) -> Value {
    match piece.kind() {
        Kind::Pharaoh => 10_000,
        Kind::Pyramid(_) => 100,
        Kind::Obelisk | Kind::Stack => 70,
        Kind::Anubis(_) => 130,
        Kind::Djed(_) | Kind::Scarab(_) | Kind::Eye(_) | Kind::Sphinx(_) => 0,
    }
}

fn sort(piece: Piece) -> usize {
    match piece.kind() {
        Kind::Pharaoh => 0,
        Kind::Pyramid(_) => 1,
        Kind::Obelisk => 2,
        Kind::Stack => 3,
        _ => 4,
    }
}

/// The worth of a position for the side to move, given how the pieces stand and where both beams
/// run.
pub(crate) fn evaluate(
    position: &Position,
    standing: Value,
    own: &ShotSquares,
    theirs: &ShotSquares,
) -> Value {
    let mut sum = match position.side_to_move() {
        Color::Silver => standing,
        Color::Red => -standing,
    };
    beams(position, own, theirs, |feature, count| {
        sum += Value::from(WEIGHTS[feature]) * count;
    });
    sum.clamp(-20_000, 20_000)
}

type Standing = [[i16; Square::COUNT]; Piece::COUNT];

/// What each piece on each square is worth to Silver.
static STANDING: LazyLock<Box<Standing>> = LazyLock::new(|| {
    let mut table = Box::new([[0; Square::COUNT]; Piece::COUNT]);
    for piece in Piece::all() {
        for square in Square::all() {
            let weight = WEIGHTS[stand(square, piece)];
            table[piece.index()][square.index()] =
                if piece.color() == Color::Silver { weight } else { -weight };
        }
    }
    table
});

/// How much better Silver's pieces stand than Red's.
pub(crate) fn standing(position: &Position) -> Value {
    standing_on(position, position.occupied())
}

/// How that changes from one position to another that differs on these squares only.
#[inline]
pub(crate) fn standing_change(before: &Position, after: &Position, squares: Bitboard) -> Value {
    let table = &**STANDING;
    let change = |square: Square| worth(table, after, square) - worth(table, before, square);
    squares.into_iter().fold(0, |sum, square| sum + change(square))
}

fn standing_on(position: &Position, squares: Bitboard) -> Value {
    let table = &**STANDING;
    squares.into_iter().map(|square| worth(table, position, square)).sum()
}

#[inline]
fn worth(table: &Standing, position: &Position, square: Square) -> Value {
    position.get(square).map_or(0, |piece| Value::from(table[piece.index()][square.index()]))
}

/// The feature of a piece on its square, as its owner sees the board.
fn stand(square: Square, piece: Piece) -> usize {
    let (square, piece) = match piece.color() {
        Color::Silver => (square, piece),
        Color::Red => (square.flipped(), piece.rotated(2)),
    };
    STANDS + form(piece) * Square::COUNT + square.index()
}

/// A number below [`PIECES`] for what a piece is and how it stands.
fn form(piece: Piece) -> usize {
    let form = match piece.kind() {
        Kind::Pharaoh | Kind::Obelisk => 0,
        Kind::Stack => 1,
        Kind::Pyramid(corner) => corner as usize,
        Kind::Djed(line) | Kind::Eye(line) | Kind::Scarab(line) => line as usize,
        Kind::Anubis(direction) | Kind::Sphinx(direction) => direction as usize,
    };
    (piece.role() as usize) << 2 | form
}

/// Names every feature of a position with its count, from the side to move's point of view: for
/// fitting the weights.
pub fn features(position: &Position, mut visit: impl FnMut(usize, i32)) {
    let side = position.side_to_move();
    for (square, piece) in position.pieces() {
        visit(stand(square, piece), if piece.color() == side { 1 } else { -1 });
    }
    beams(position, &position.shot_squares(side), &position.shot_squares(!side), visit);
}

/// What the two beams do and could do.
#[inline]
fn beams(
    position: &Position,
    own: &ShotSquares,
    theirs: &ShotSquares,
    mut visit: impl FnMut(usize, i32),
) {
    let side = position.side_to_move();
    for (sweep, by, on_others, on_own) in [
        (own, side, OWN_BEAM_ON_OTHERS, OWN_BEAM_ON_OWN),
        (theirs, !side, THEIR_BEAM_ON_OWN, THEIR_BEAM_ON_THEIRS),
    ] {
        for square in sweep.removed {
            if let Some(piece) = position.get(square) {
                visit(if piece.color() == by { on_own } else { on_others } + sort(piece), 1);
            }
        }
    }
    let mirrors = position.rotatable();
    let occupied = position.occupied();
    let pharaohs = [position.pharaoh(side), position.pharaoh(!side)];
    let lines = pharaohs.map(|pharaoh| match pharaoh {
        Some(square) => open_lines(occupied, square),
        None => Bitboard::EMPTY,
    });
    let paths = [own.path, theirs.path];
    let near_mirrors = paths.map(|path| near(path) & mirrors);
    for (who, color) in [side, !side].into_iter().enumerate() {
        let pieces = position.of_color(color);
        visit(BEAM_LENGTH + who, paths[who].len() as i32);
        visit(CROSSINGS + who, (paths[who] & lines[1 - who]).len() as i32);
        visit(MIRRORS_AT_OWN_BEAM + who, (near_mirrors[who] & pieces).len() as i32);
        visit(MIRRORS_AT_OTHER_BEAM + who, (near_mirrors[1 - who] & pieces).len() as i32);
        visit(OPEN_LINES + who, lines[who].len() as i32);
        if let Some(pharaoh) = pharaohs[who] {
            visit(GUARDS + who, (Bitboard::around(pharaoh) & pieces).len() as i32);
        }
    }
    visit(TO_MOVE, 1);
}

fn near(path: Bitboard) -> Bitboard {
    path | path.neighbors()
}

/// The empty squares from which a beam could come straight to this one.
fn open_lines(occupied: Bitboard, square: Square) -> Bitboard {
    let mut lines = Bitboard::EMPTY;
    for direction in Direction::ALL {
        let ray = Bitboard::ray(square, direction);
        lines |= match (ray & occupied).nearest(direction) {
            Some(piece) => ray ^ Bitboard::ray(piece, direction) ^ Bitboard::of(piece),
            None => ray,
        };
    }
    lines
}
