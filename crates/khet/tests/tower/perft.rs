//! Perft counts of positions with a tower.

use khet::tower::{Position, divide, perft};
use khet::{GamePosition, Rules};

/// Positions with their counts at depths 1, 2 and 3 under standard rules, and at depth 2 under those
/// of the Czech edition.
const COUNTS: [(&str, [u64; 3], u64); 0] = [];

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
