//! Parses any text as a move.

use std::sync::LazyLock;

use khet::{Color, Kind, Move, MoveList, Piece, Position, Rotation, Rules, Setup};

use super::inspect::play_three_ways;

/// Edges with reserved squares, adjacent obelisks, a pharaoh without a move, rotated sphinxes.
const CROWDED: [&str; 4] = [
    "d1O1o1k1o2p1P21O1/p1D1O2P16/d2e1P37/10/4E1P14/10/8P1P2/8p3K s",
    "4k5/10/3O1O15/3O2o1D24/3o1o2d1P13/10/10/5K4 s",
    "7P1k1/7P1P11/10/10/10/10/10/1K8 r",
    "x2S1a1k1a2p13/s1P18/10/10/4E2e1A1p32/10/8s2P1/7K1X4 s",
];

/// These positions and all setups with all rules and either side to move, with their legal moves.
static POSITIONS: LazyLock<Vec<(Position, MoveList)>> = LazyLock::new(|| {
    let setups = Setup::ALL.map(|setup| setup.placement());
    let crowded = CROWDED.map(|text| text.parse().expect("a position in notation"));
    let mut positions = Vec::new();
    for mut placement in setups.into_iter().chain(crowded) {
        for (side, rules) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            placement.side_to_move = Color::ALL[side];
            let position = Position::new(&placement, Rules::ALL[rules]).expect("it has no faults");
            positions.push((position, position.legal_moves()));
        }
    }
    positions
});

/// Parses a move. A valid one is written as the same text, and is legal in a position if and only
/// if the position lists it.
pub fn read_move(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mv: Move = match text.parse() {
        Ok(mv) => mv,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    assert_eq!(mv.to_string(), text);
    assert_eq!(mv.flipped().flipped(), mv);
    for (position, moves) in POSITIONS.iter() {
        let listed = as_listed(position, mv);
        let legal = moves.contains(&listed);
        assert_eq!(position.check(mv).ok(), legal.then_some(listed), "{position}, {mv}");
        assert_eq!(play_three_ways(position, mv).is_some(), legal, "{position}, {mv}");
    }
}

/// The one rotation of a two-sided mirror is listed as clockwise.
fn as_listed(position: &Position, mv: Move) -> Move {
    match (mv, position.get(mv.from()).map(Piece::kind)) {
        (Move::Rotate { square, .. }, Some(Kind::Djed(_) | Kind::Scarab(_) | Kind::Eye(_))) => {
            Move::Rotate { square, rotation: Rotation::Clockwise }
        }
        _ => mv,
    }
}
