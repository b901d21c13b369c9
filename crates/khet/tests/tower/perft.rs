//! Perft counts of positions with a tower.

use khet::tower::{Position, divide, perft};
use khet::{GamePosition, Rules};

/// Named setups and positions with their counts at depths 1, 2 and 3 under standard rules, and at
/// depth 2 under those of the Czech edition.
pub(crate) const COUNTS: [(&str, [u64; 3], u64); 8] = [
    ("orontes", [96, 9183, 874_184], 9000),
    ("ramesses", [77, 5966, 467_208], 5966),
    ("nefertari", [86, 7393, 637_282], 7048),
    ("4k5/10/10/10/10/10/10/4K5+e4:6/6/6/6/6/6 s", [13, 154, 1876], 154),
    (
        "4k5/10/2o24D22/10/9P3/5d23O2/10/4K5+c3:o1P24/1D14/4P11/4p41/O25/6 r",
        [48, 3209, 148_521],
        3157,
    ),
    (
        "4o2ko23/10/2p15d21/p1P3e16P4/p2P46p1P3/1D25E1P31/10/4O2KO23+e4:1p34/6/4P41/1p24/6/4P11 s",
        [85, 7050, 603_906],
        6796,
    ),
    (
        "x33k5/10/2o2p36/3D1P35/3d16/10/4P2O24/5K3X1+g5:p25/1P14/6/4e21/1E14/2o13 s",
        [63, 3437, 213_845],
        3215,
    ),
    (
        "x33k5/10/2a1p36/6S1P32/3s16/10/4P2A14/5K3X1+e4:p25/1P14/6/4e21/1E14/2a13 r",
        [56, 3363, 187_237],
        3309,
    ),
];

#[test]
fn every_count_is_right() {
    for (text, counts, czech) in COUNTS {
        let position: Position = text.parse().unwrap();
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&position, depth), count, "{text}, depth {depth}");
        }
        assert_eq!(perft(&position.with_rules(Rules::Czech), 2), czech, "{text}, Czech");
    }
}

/// Counts with the methods of [`GamePosition`] alone.
fn count<P: GamePosition>(position: &P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let after = |&mv: &khet::Move<P::Square>| {
        let mut next = *position;
        next.play(mv).expect("it is listed");
        count(&next, depth - 1)
    };
    position.legal_moves().iter().map(after).sum()
}

#[test]
fn all_methods_of_counting_agree() {
    for (text, counts, _) in COUNTS {
        let position: Position = text.parse().unwrap();
        assert_eq!(count(&position, 2), counts[1], "{text}");
        let divided = divide(&position, 2);
        assert_eq!(divided.len() as u64, counts[0], "{text}");
        assert_eq!(divided.iter().map(|(_, count)| count).sum::<u64>(), counts[1], "{text}");
    }
}
