//! Mate suite: positions with a forced win in a known number of moves, found in self-play games and
//! proven by exhaustive search.
//!
//! `cargo test --release -p khet-engine --test mates -- --ignored` proves them all and
//! finds positions that are missing in `mates/suite.txt`.

#[path = "mates/collector.rs"]
mod collector;
#[path = "mates/prover.rs"]
mod prover;

use std::fmt::Write;
use std::ops::RangeInclusive;

use collector::{Collection, LONGEST};
use khet::{MoverEval, Position, Setup};
use khet_engine::{BestMove, Engine, Limits, Options, SearchRoot};
use prover::Prover;

const SUITE: &str = include_str!("mates/suite.txt");
const SUITE_PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mates/suite.txt");

/// Number of positions of each length.
const WANTED: [usize; LONGEST] = [14, 16, 16, 14, 12];

fn suite() -> impl Iterator<Item = (u32, Position)> {
    SUITE.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (number, text) = line.split_once("; ").expect(line);
        (number.parse().expect(line), text.parse().expect(line))
    })
}

/// Searches for a win in this number of moves.
fn solve(position: Position, moves: u32, nodes: u64) -> BestMove {
    let mut engine = Engine::new(Options::default());
    let limits = Limits { mate: Some(moves), nodes: Some(nodes), ..Limits::default() };
    engine.search_to_limits(&SearchRoot::from_position(position), limits)
}

#[test]
fn there_are_enough_of_each_length() {
    let count = |moves| suite().filter(|&(number, _)| number == moves).count();
    assert!(suite().count() >= 60);
    for moves in 1..=LONGEST as u32 {
        assert!(count(moves) >= 8, "{} in {moves}", count(moves));
    }
}

#[test]
fn wins_in_up_to_three_moves_are_found() {
    for (moves, position) in suite().filter(|&(moves, _)| moves <= 3) {
        let answer = solve(position, moves, 3_000_000);
        assert_eq!(answer.score, MoverEval::MateIn(moves as i32), "in {moves}: {position}");
        let mv = answer.mv.expect("the game is not over");
        let proved = Prover::default().wins_with(&position, mv, moves);
        assert!(proved, "{mv} in {moves}: {position}");
    }
}

/// Longer wins take too long for a test, so only a share of them must be found within the node
/// limit, which leaves room for changes of the search.
#[test]
fn many_longer_wins_are_found() {
    for (moves, least) in [(4, 11), (5, 2)] {
        let mut found = 0;
        for (_, position) in suite().filter(|&(number, _)| number == moves) {
            if let MoverEval::MateIn(claimed @ 1..) = solve(position, moves, 300_000).score {
                assert!(claimed >= moves as i32, "in {claimed}, but proved in {moves}: {position}");
                found += usize::from(claimed == moves as i32);
            }
        }
        assert!(found >= least, "{found} in {moves}");
    }
}

fn prove(lengths: RangeInclusive<u32>) {
    for (moves, position) in suite().filter(|(moves, _)| lengths.contains(moves)) {
        let shortest = Prover::default().shortest_win(&position, moves);
        assert_eq!(shortest, Some(moves), "{position}");
    }
}

#[test]
fn wins_in_up_to_four_moves_are_proved() {
    prove(1..=4);
}

#[test]
#[ignore = "takes a minute or two"]
fn longer_wins_are_proved() {
    prove(5..=LONGEST as u32);
}

#[test]
fn prover_agrees_with_exhaustive_search() {
    let quiet = Setup::ALL.map(Setup::position);
    let sharp = suite().filter(|&(moves, _)| moves <= 3).map(|(_, position)| position);
    for position in quiet.into_iter().chain(sharp) {
        for moves in 1..=2 {
            let plain = wins(&position, moves);
            assert_eq!(Prover::default().wins(&position, moves), plain, "in {moves}: {position}");
        }
    }
}

/// Returns whether the side to move has a forced win within this number of moves.
fn wins(position: &Position, moves: u32) -> bool {
    let side = position.side_to_move();
    position.legal_moves().iter().any(|&mv| {
        let mut next = *position;
        next.play_unchecked(mv);
        match (next.pharaoh(side).is_some(), next.pharaoh(!side).is_some()) {
            (own, false) => own,
            (false, true) => false,
            (true, true) => moves > 1 && next.outcome().is_none() && loses(&next, moves - 1),
        }
    })
}

/// Returns whether the side to move loses by force within this number of the other side's moves.
fn loses(position: &Position, moves: u32) -> bool {
    let side = position.side_to_move();
    position.legal_moves().iter().all(|&mv| {
        let mut next = *position;
        next.play_unchecked(mv);
        match (next.pharaoh(side).is_some(), next.pharaoh(!side).is_some()) {
            (own, true) => !own || wins(&next, moves),
            (_, false) => false,
        }
    })
}

#[test]
#[ignore = "plays games until the suite is complete"]
fn missing_positions_are_found() {
    let mut found = Collection::default();
    for (moves, position) in suite() {
        found[moves as usize - 1].push(position);
    }
    collector::collect(&mut found, WANTED);
    let mut text = String::from("# moves; position. Found and proved by tests/mates.rs.\n");
    for (moves, positions) in (1..).zip(&found) {
        for position in positions {
            writeln!(text, "{moves}; {position}").expect("a string");
        }
    }
    std::fs::write(SUITE_PATH, text).expect("the suite can be written");
}
