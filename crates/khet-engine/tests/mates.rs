//! Positions in which the side to move lights the pharaoh in so many turns, whatever the other side
//! does: found in games of the engine against itself, and proved by trying everything.
//!
//! `cargo test --release -p khet-engine --test mates -- --ignored` proves them all, and finds what is
//! missing in `mates/suite.txt`.

#[path = "mates/collector.rs"]
mod collector;
#[path = "mates/prover.rs"]
mod prover;

use std::fmt::Write;
use std::ops::RangeInclusive;

use collector::{Collection, LONGEST};
use khet::{Position, Setup};
use khet_engine::{Answer, Engine, Limits, Options, Score, Task};
use prover::Prover;

const SUITE: &str = include_str!("mates/suite.txt");
const SUITE_PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mates/suite.txt");

/// Positions wanted of each length.
const WANTED: [usize; LONGEST] = [14, 16, 16, 14, 12];

fn suite() -> impl Iterator<Item = (u32, Position)> {
    SUITE.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (number, text) = line.split_once("; ").expect(line);
        (number.parse().expect(line), text.parse().expect(line))
    })
}

/// The engine's answer when it is asked for a win in that many turns.
fn solve(position: Position, turns: u32, nodes: u64) -> Answer {
    let mut engine = Engine::new(Options::default());
    let limits = Limits { mate: Some(turns), nodes: Some(nodes), ..Limits::default() };
    engine.search_alone(&Task::from_position(position), limits)
}

#[test]
fn there_are_enough_of_each_length() {
    let count = |turns| suite().filter(|&(number, _)| number == turns).count();
    assert!(suite().count() >= 60);
    for turns in 1..=LONGEST as u32 {
        assert!(count(turns) >= 8, "{} in {turns}", count(turns));
    }
}

#[test]
fn wins_in_up_to_three_turns_are_found() {
    for (turns, position) in suite().filter(|&(turns, _)| turns <= 3) {
        let answer = solve(position, turns, 3_000_000);
        assert_eq!(answer.score, Score::LightsIn(turns as i32), "in {turns}: {position}");
        let turn = answer.turn.expect("the game is not over");
        let proved = Prover::default().wins_with(&position, turn, turns);
        assert!(proved, "{turn} in {turns}: {position}");
    }
}

/// Longer wins take the engine longer than a test should; how many of them it must find within so few
/// nodes leaves room for changes of the search.
#[test]
fn many_longer_wins_are_found() {
    for (turns, least) in [(4, 11), (5, 2)] {
        let mut found = 0;
        for (_, position) in suite().filter(|&(number, _)| number == turns) {
            if let Score::LightsIn(claimed @ 1..) = solve(position, turns, 300_000).score {
                assert!(claimed >= turns as i32, "in {claimed}, but proved in {turns}: {position}");
                found += usize::from(claimed == turns as i32);
            }
        }
        assert!(found >= least, "{found} in {turns}");
    }
}

fn prove(lengths: RangeInclusive<u32>) {
    for (turns, position) in suite().filter(|(turns, _)| lengths.contains(turns)) {
        let shortest = Prover::default().shortest_win(&position, turns);
        assert_eq!(shortest, Some(turns), "{position}");
    }
}

#[test]
fn wins_in_up_to_four_turns_are_proved() {
    prove(1..=4);
}

#[test]
#[ignore = "takes a minute or two"]
fn longer_wins_are_proved() {
    prove(5..=LONGEST as u32);
}

#[test]
fn the_prover_agrees_with_plain_trying() {
    let quiet = Setup::ALL.map(Setup::position);
    let sharp = suite().filter(|&(turns, _)| turns <= 3).map(|(_, position)| position);
    for position in quiet.into_iter().chain(sharp) {
        for turns in 1..=2 {
            let plain = wins(&position, turns);
            assert_eq!(Prover::default().wins(&position, turns), plain, "in {turns}: {position}");
        }
    }
}

/// Whether the side to move can light the pharaoh within that many turns.
fn wins(position: &Position, turns: u32) -> bool {
    let side = position.side_to_move();
    position.turns().iter().any(|&turn| {
        let mut next = *position;
        next.play_unchecked(turn);
        match (next.pharaoh(side).is_some(), next.pharaoh(!side).is_some()) {
            (own, false) => own,
            (false, true) => false,
            (true, true) => turns > 1 && next.outcome().is_none() && loses(&next, turns - 1),
        }
    })
}

/// Whether the side to move is lit within that many turns of the other side, whatever it does.
fn loses(position: &Position, turns: u32) -> bool {
    let side = position.side_to_move();
    position.turns().iter().all(|&turn| {
        let mut next = *position;
        next.play_unchecked(turn);
        match (next.pharaoh(side).is_some(), next.pharaoh(!side).is_some()) {
            (own, true) => !own || wins(&next, turns),
            (_, false) => false,
        }
    })
}

#[test]
#[ignore = "plays games until the suite is complete"]
fn what_is_missing_is_found() {
    let mut found = Collection::default();
    for (turns, position) in suite() {
        found[turns as usize - 1].push(position);
    }
    collector::collect(&mut found, WANTED);
    let mut text = String::from("# turns; position. Found and proved by tests/mates.rs.\n");
    for (turns, positions) in (1..).zip(&found) {
        for position in positions {
            writeln!(text, "{turns}; {position}").expect("a string");
        }
    }
    std::fs::write(SUITE_PATH, text).expect("the suite can be written");
}
