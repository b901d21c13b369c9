//! The inputs of the network: pieces on squares and the squares that beams cross, each seen by
//! Silver and by Red.
//!
//! A view turns the board so that its side sits at the first rank: for Red, squares are flipped and
//! pieces and directions turned by 180°. Both sides then share one set of weights.

use khet::{Bitboard, Color, Direction, Kind, Piece, Position, Square};

/// Number of forms of a piece: its kind with its orientation.
const FORMS: usize = 21;
/// Number of inputs for pieces: each form of own and of the opponent's pieces on each square.
pub(super) const PIECE_FEATURES: usize = 2 * FORMS * Square::COUNT;
/// Number of inputs for beams: each direction of travel of the own and of the opponent's beam on
/// each square.
pub(super) const BEAM_FEATURES: usize = 2 * 4 * Square::COUNT;
/// Number of inputs.
pub const NETWORK_FEATURES: usize = PIECE_FEATURES + BEAM_FEATURES;

/// The first feature of each piece, by view and [`Piece::index`].
static PIECE_PLANES: [[u16; Piece::COUNT]; 2] = {
    let mut planes = [[0; Piece::COUNT]; 2];
    let mut color = 0;
    while color < 2 {
        let mut form = 0;
        while form < FORMS {
            let piece = Piece::new(Color::ALL[color], FORM_KINDS[form]);
            let mut view = 0;
            while view < 2 {
                let seen = if view == Color::Silver as usize { piece } else { piece.rotated(2) };
                let opponent = (color != view) as usize;
                let plane = opponent * FORMS + form_index(seen.kind());
                planes[view][piece.index()] = (plane * Square::COUNT) as u16;
                view += 1;
            }
            form += 1;
        }
        color += 1;
    }
    planes
};

/// All kinds with their orientations.
const FORM_KINDS: [Kind; FORMS] = {
    use khet::{Corner, Diagonal};
    const C: [Corner; 4] = Corner::ALL;
    const D: [Direction; 4] = Direction::ALL;
    const L: [Diagonal; 2] = Diagonal::ALL;
    [
        Kind::Pharaoh,
        Kind::Obelisk,
        Kind::Stack,
        Kind::Pyramid(C[0]),
        Kind::Pyramid(C[1]),
        Kind::Pyramid(C[2]),
        Kind::Pyramid(C[3]),
        Kind::Djed(L[0]),
        Kind::Djed(L[1]),
        Kind::Eye(L[0]),
        Kind::Eye(L[1]),
        Kind::Scarab(L[0]),
        Kind::Scarab(L[1]),
        Kind::Anubis(D[0]),
        Kind::Anubis(D[1]),
        Kind::Anubis(D[2]),
        Kind::Anubis(D[3]),
        Kind::Sphinx(D[0]),
        Kind::Sphinx(D[1]),
        Kind::Sphinx(D[2]),
        Kind::Sphinx(D[3]),
    ]
};

/// Returns the index of a kind in [`FORM_KINDS`].
const fn form_index(kind: Kind) -> usize {
    match kind {
        Kind::Pharaoh => 0,
        Kind::Obelisk => 1,
        Kind::Stack => 2,
        Kind::Pyramid(corner) => 3 + corner as usize,
        Kind::Djed(diagonal) => 7 + diagonal as usize,
        Kind::Eye(diagonal) => 9 + diagonal as usize,
        Kind::Scarab(diagonal) => 11 + diagonal as usize,
        Kind::Anubis(direction) => 13 + direction as usize,
        Kind::Sphinx(direction) => 17 + direction as usize,
    }
}

/// Returns the index of a square in a view.
#[inline]
fn square_index(view: Color, square: Square) -> usize {
    match view {
        Color::Silver => square.index(),
        Color::Red => Square::COUNT - 1 - square.index(),
    }
}

/// Returns the feature of a piece on a square, below [`PIECE_FEATURES`].
#[inline]
pub(super) fn piece_feature(view: Color, square: Square, piece: Piece) -> usize {
    usize::from(PIECE_PLANES[view as usize][piece.index()]) + square_index(view, square)
}

/// Returns the feature of a beam that crosses a square, below [`BEAM_FEATURES`].
#[inline]
pub(super) fn beam_feature(view: Color, by: Color, square: Square, travel: Direction) -> usize {
    let seen = match view {
        Color::Silver => travel as usize,
        Color::Red => travel as usize ^ 2,
    };
    (usize::from(view != by) * 4 + seen) * Square::COUNT + square_index(view, square)
}

/// Returns the feature by which the other view sees the same piece or beam.
pub fn other_view(feature: usize) -> usize {
    let square = Square::COUNT - 1 - feature % Square::COUNT;
    let plane = feature / Square::COUNT;
    let turned = if feature < PIECE_FEATURES {
        let [opponent, form] = [plane / FORMS, plane % FORMS];
        let kind = Piece::new(Color::Silver, FORM_KINDS[form]).rotated(2).kind();
        (1 - opponent) * FORMS + form_index(kind)
    } else {
        // The plane of the opponent's beam and the opposite direction.
        let first = PIECE_FEATURES / Square::COUNT;
        first + ((plane - first) ^ 4 ^ 2)
    };
    turned * Square::COUNT + square
}

/// Returns the first and the last square of a segment in the direction of travel. The segment is
/// not empty.
#[inline]
pub(super) fn segment_ends(squares: Bitboard, travel: Direction) -> Option<(Square, Square)> {
    Some((squares.nearest(travel)?, squares.nearest(travel.opposite())?))
}

/// Visits all features of a position in a view, each below [`NETWORK_FEATURES`].
pub fn network_features(position: &Position, view: Color, mut visit: impl FnMut(usize)) {
    for (square, piece) in position.pieces() {
        visit(piece_feature(view, square, piece));
    }
    for by in Color::ALL {
        position.trace_segments(by, |squares, travel| {
            for square in squares {
                visit(PIECE_FEATURES + beam_feature(view, by, square, travel));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use khet::Setup;

    use super::*;

    #[test]
    fn pieces_and_squares_have_features_of_their_own() {
        for view in Color::ALL {
            let mut seen = HashSet::new();
            for piece in Piece::all() {
                for square in Square::all() {
                    let feature = piece_feature(view, square, piece);
                    assert!(feature < PIECE_FEATURES && seen.insert(feature), "{piece:?} {square}");
                }
            }
            assert_eq!(seen.len(), PIECE_FEATURES);
        }
    }

    #[test]
    fn each_feature_has_one_in_the_other_view() {
        for setup in [Setup::Classic, Setup::Khet2Dynasty, Setup::Isis] {
            let position = setup.position();
            let (mut silver, mut red) = (Vec::new(), Vec::new());
            network_features(&position, Color::Silver, |feature| silver.push(other_view(feature)));
            network_features(&position, Color::Red, |feature| red.push(feature));
            assert_eq!(silver, red, "{setup}");
        }
        for feature in 0..NETWORK_FEATURES {
            assert_eq!(other_view(other_view(feature)), feature);
        }
    }

    #[test]
    fn red_sees_what_silver_sees_on_the_flipped_board() {
        for setup in Setup::ALL {
            let mut position = setup.position();
            for number in 0..20 {
                let features = |position: &Position, view| {
                    let mut features = Vec::new();
                    network_features(position, view, |feature| features.push(feature));
                    features.sort_unstable();
                    features
                };
                let flipped = position.flipped();
                for (view, other) in [(Color::Silver, Color::Red), (Color::Red, Color::Silver)] {
                    assert_eq!(features(&position, view), features(&flipped, other), "{setup}");
                }
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[number * 7 % moves.len()]);
            }
        }
    }
}
