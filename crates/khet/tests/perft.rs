//! The perft suite: positions of all variants with the number of move sequences from them, as the
//! slow reference implementation counted them.
//!
//! `cargo test --release --package khet --test perft -- --ignored` counts them again and rewrites
//! the file.

use std::fmt::Write;

use khet::{Position, Rules, Setup, perft};

use random::Rng;
use reference::{Board, Edition};

mod random;
mod reference;

const SUITE: &str = include_str!("perft/suite.txt");
const SUITE_PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/perft/suite.txt");
const HEADER: &str = "# position; rules; depth; move sequences. Written by tests/perft.rs.\n";

fn cases() -> impl Iterator<Item = (Position, u32, u64)> {
    SUITE.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<&str> = line.split("; ").collect();
        let [text, rules, depth, count] = fields[..] else { panic!("four fields: {line}") };
        let position: Position = text.parse().expect(line);
        let rules = rules.parse().expect(line);
        (position.with_rules(rules), depth.parse().expect(line), count.parse().expect(line))
    })
}

#[test]
fn every_count_of_the_suite_is_right() {
    let mut checked = 0;
    for (position, depth, count) in cases() {
        assert_eq!(perft(&position, depth), count, "{position:?}, depth {depth}");
        checked += 1;
    }
    assert!(checked >= 500, "the suite has {checked} positions");
}

#[test]
#[ignore = "rewrites the suite with the slow reference"]
fn write_the_suite() {
    /// Largest count, so that the reference implementation takes only a moment per position.
    const MAX_COUNT: u64 = 400_000;

    let mut rng = Rng::new(2005);
    let setups = Setup::ALL.map(Setup::position);
    let setups = setups.iter().flat_map(|&start| Rules::ALL.map(|rules| start.with_rules(rules)));
    let mut positions: Vec<Position> = setups.collect();
    positions.extend((0..520).map(|_| random::random_position(&mut rng)));
    let mut suite = HEADER.to_string();
    for position in positions {
        let board = Board::read(&position.to_string());
        let edition = match position.rules() {
            Rules::Standard => Edition::Standard,
            Rules::Czech => Edition::Czech,
        };
        let (mut depth, mut count) = (1, board.perft(1, edition));
        let branches = count.max(1);
        while depth < 5 && count > 0 && count * branches < MAX_COUNT {
            depth += 1;
            count = board.perft(depth, edition);
        }
        writeln!(suite, "{position}; {}; {depth}; {count}", position.rules()).expect("a string");
    }
    std::fs::write(SUITE_PATH, suite).expect("the suite can be written");
}
