//! The linear part of the static evaluation, which the network corrects.
//!
//! It is a sum of features times weights, so that the weights can be fitted to game results.
//! [`features`] lists the features; [`evaluate`] adds them up.

use std::sync::LazyLock;

use khet::{Bitboard, Color, Direction, Kind, Piece, Position, Role, ShotSquares, Square};

use crate::score::Value;
use crate::weights::WEIGHTS;

/// Number of piece forms of one colour: up to four per role.
const PIECE_FORMS: usize = Role::ALL.len() * 4;
/// Number of target classes: pieces that a beam can remove. A stack is not in the class of an
/// obelisk.
const TARGET_CLASSES: usize = 5;

// First index of each group of features.
const PIECE_SQUARES_OFFSET: usize = 0;
const OWN_BEAM_ON_THEIRS_OFFSET: usize = PIECE_SQUARES_OFFSET + PIECE_FORMS * Square::COUNT;
const OWN_BEAM_ON_OWN_OFFSET: usize = OWN_BEAM_ON_THEIRS_OFFSET + TARGET_CLASSES;
const THEIR_BEAM_ON_OWN_OFFSET: usize = OWN_BEAM_ON_OWN_OFFSET + TARGET_CLASSES;
const THEIR_BEAM_ON_THEIRS_OFFSET: usize = THEIR_BEAM_ON_OWN_OFFSET + TARGET_CLASSES;
const BEAM_LENGTH_OFFSET: usize = THEIR_BEAM_ON_THEIRS_OFFSET + TARGET_CLASSES;
const CROSSINGS_OFFSET: usize = BEAM_LENGTH_OFFSET + 2;
const MIRRORS_AT_OWN_BEAM_OFFSET: usize = CROSSINGS_OFFSET + 2;
const MIRRORS_AT_THEIR_BEAM_OFFSET: usize = MIRRORS_AT_OWN_BEAM_OFFSET + 2;
const OPEN_LINES_OFFSET: usize = MIRRORS_AT_THEIR_BEAM_OFFSET + 2;
const GUARDS_OFFSET: usize = OPEN_LINES_OFFSET + 2;
const TO_MOVE_OFFSET: usize = GUARDS_OFFSET + 2;
/// Number of features.
pub const FEATURES: usize = TO_MOVE_OFFSET + 1;

/// Limit of the static evaluation, far from the values of forced wins.
pub(crate) const MAX_EVAL: Value = 20_000;

/// Returns the material value of a piece for move ordering.
pub(crate) fn piece_value(piece: Piece) -> Value {
    match piece.kind() {
        Kind::Pharaoh => 10_000,
        Kind::Pyramid(_) => 100,
        Kind::Obelisk | Kind::Stack => 70,
        Kind::Anubis(_) => 130,
        Kind::Djed(_) | Kind::Scarab(_) | Kind::Eye(_) | Kind::Sphinx(_) => 0,
    }
}

/// Returns the target class of a piece.
fn target_class(piece: Piece) -> usize {
    match piece.kind() {
        Kind::Pharaoh => 0,
        Kind::Pyramid(_) => 1,
        Kind::Obelisk => 2,
        Kind::Stack => 3,
        _ => 4,
    }
}

/// Returns the evaluation for the side to move, given the piece-square sum and both beams.
pub(crate) fn evaluate(
    position: &Position,
    psqt: Value,
    own: &ShotSquares,
    theirs: &ShotSquares,
) -> Value {
    let mut sum = match position.side_to_move() {
        Color::Silver => psqt,
        Color::Red => -psqt,
    };
    visit_beam_features(position, own, theirs, |feature, count| {
        sum += Value::from(WEIGHTS[feature]) * count;
    });
    sum
}

type Psqt = [[i16; Square::COUNT]; Piece::COUNT];

/// The value of each piece on each square for Silver.
static PSQT: LazyLock<Box<Psqt>> = LazyLock::new(|| {
    let mut table = Box::new([[0; Square::COUNT]; Piece::COUNT]);
    for piece in Piece::all() {
        for square in Square::all() {
            let weight = WEIGHTS[piece_square_feature(square, piece)];
            table[piece.index()][square.index()] =
                if piece.color() == Color::Silver { weight } else { -weight };
        }
    }
    table
});

/// Returns Silver's piece-square sum minus Red's.
pub(crate) fn psqt(position: &Position) -> Value {
    psqt_on(position, position.occupied())
}

/// Returns the change of the sum between two positions that differ only on these squares.
#[inline]
pub(crate) fn psqt_change(before: &Position, after: &Position, squares: Bitboard) -> Value {
    let table = &**PSQT;
    let change =
        |square: Square| psqt_value(table, after, square) - psqt_value(table, before, square);
    squares.into_iter().fold(0, |sum, square| sum + change(square))
}

/// Returns the piece-square sum of the pieces on some squares.
fn psqt_on(position: &Position, squares: Bitboard) -> Value {
    let table = &**PSQT;
    squares.into_iter().map(|square| psqt_value(table, position, square)).sum()
}

/// Returns the piece-square value of a square's piece, 0 if it is empty.
#[inline]
fn psqt_value(table: &Psqt, position: &Position, square: Square) -> Value {
    position.get(square).map_or(0, |piece| Value::from(table[piece.index()][square.index()]))
}

/// Returns the value of a piece on a square, material included, for Silver.
pub(crate) fn piece_square_value(piece: Piece, square: Square) -> Value {
    Value::from(PSQT[piece.index()][square.index()])
}

/// Returns the feature of a piece on its square, seen from its owner's side of the board.
fn piece_square_feature(square: Square, piece: Piece) -> usize {
    let (square, piece) = match piece.color() {
        Color::Silver => (square, piece),
        Color::Red => (square.flipped(), piece.rotated(2)),
    };
    PIECE_SQUARES_OFFSET + piece_form_index(piece) * Square::COUNT + square.index()
}

/// Returns the index of a piece's role and orientation, below [`PIECE_FORMS`].
fn piece_form_index(piece: Piece) -> usize {
    let form = match piece.kind() {
        Kind::Pharaoh | Kind::Obelisk => 0,
        Kind::Stack => 1,
        Kind::Pyramid(corner) => corner as usize,
        Kind::Djed(line) | Kind::Eye(line) | Kind::Scarab(line) => line as usize,
        Kind::Anubis(direction) | Kind::Sphinx(direction) => direction as usize,
    };
    (piece.role() as usize) << 2 | form
}

/// Visits every feature of a position with its count, from the side to move's point of view.
pub fn features(position: &Position, mut visit: impl FnMut(usize, i32)) {
    let side = position.side_to_move();
    for (square, piece) in position.pieces() {
        visit(piece_square_feature(square, piece), if piece.color() == side { 1 } else { -1 });
    }
    visit_beam_features(
        position,
        &position.shot_squares(side),
        &position.shot_squares(!side),
        visit,
    );
}

/// Visits the features of both beams.
#[inline]
fn visit_beam_features(
    position: &Position,
    own: &ShotSquares,
    theirs: &ShotSquares,
    mut visit: impl FnMut(usize, i32),
) {
    let side = position.side_to_move();
    for (sweep, by, on_opponent, on_own) in [
        (own, side, OWN_BEAM_ON_THEIRS_OFFSET, OWN_BEAM_ON_OWN_OFFSET),
        (theirs, !side, THEIR_BEAM_ON_OWN_OFFSET, THEIR_BEAM_ON_THEIRS_OFFSET),
    ] {
        for square in sweep.removed {
            if let Some(piece) = position.get(square) {
                visit(
                    if piece.color() == by { on_own } else { on_opponent } + target_class(piece),
                    1,
                );
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
        visit(BEAM_LENGTH_OFFSET + who, paths[who].len() as i32);
        visit(CROSSINGS_OFFSET + who, (paths[who] & lines[1 - who]).len() as i32);
        visit(MIRRORS_AT_OWN_BEAM_OFFSET + who, (near_mirrors[who] & pieces).len() as i32);
        visit(MIRRORS_AT_THEIR_BEAM_OFFSET + who, (near_mirrors[1 - who] & pieces).len() as i32);
        visit(OPEN_LINES_OFFSET + who, lines[who].len() as i32);
        if let Some(pharaoh) = pharaohs[who] {
            visit(GUARDS_OFFSET + who, (Bitboard::around(pharaoh) & pieces).len() as i32);
        }
    }
    visit(TO_MOVE_OFFSET, 1);
}

/// Returns the squares of a path and their neighbours.
fn near(path: Bitboard) -> Bitboard {
    path | path.neighbors()
}

/// Returns the empty squares from which a beam could reach this square in a straight line.
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
