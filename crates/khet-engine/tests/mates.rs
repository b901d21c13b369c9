//! Positions in which the side to move lights the pharaoh in so many turns, whatever the other side
//! does: found in games of the engine against itself, and proved by trying everything.
//!
//! `cargo test --release -p khet-engine --test mates -- --ignored` finds and proves them anew.

use std::fmt::Write;

use khet::{Game, Position, Setup, Turn};
use khet_engine::{Engine, Limits, Options, Score, Task};

const SUITE: &str = include_str!("mates/suite.txt");
const SUITE_PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mates/suite.txt");

fn suite() -> impl Iterator<Item = (u32, Position)> {
    SUITE.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (number, text) = line.split_once("; ").expect(line);
        (number.parse().expect(line), text.parse().expect(line))
    })
}

/// The engine's answer when it is asked for a win in that many turns.
fn solve(position: Position, turns: u32) -> (Option<Turn>, Score) {
    let mut engine = Engine::new(Options::default());
    let limits = Limits { mate: Some(turns), nodes: Some(3_000_000), ..Limits::default() };
    let answer = engine.search_alone(&Task::from_position(position), limits);
    (answer.turn, answer.score)
}

#[test]
fn there_are_enough_of_each_length() {
    let count = |turns| suite().filter(|&(number, _)| number == turns).count();
    assert!(suite().count() >= 60);
    for turns in 1..=4 {
        assert!(count(turns) >= 8, "{} in {turns}", count(turns));
    }
}

#[test]
fn wins_in_up_to_three_turns_are_found() {
    for (turns, position) in suite().filter(|&(turns, _)| turns <= 3) {
        let (_, score) = solve(position, turns);
        assert_eq!(score, Score::LightsIn(turns as i32), "in {turns}: {position}");
    }
}

#[test]
fn the_shortest_wins_are_proved() {
    for (turns, position) in suite().filter(|&(turns, _)| turns <= 2) {
        assert!(wins(&position, turns), "in {turns}: {position}");
        assert!(turns == 1 || !wins(&position, turns - 1), "sooner than in {turns}: {position}");
    }
}

/// Whether the side to move can light the pharaoh within that many turns, by trying everything.
fn wins(position: &Position, turns: u32) -> bool {
    let side = position.side_to_move();
    let aim = position.aim();
    let all = position.turns();
    let lights = |next: &Position| next.pharaoh(!side).is_none() && next.pharaoh(side).is_some();
    if all.iter().any(|&turn| lights(&aim.play(turn).0)) {
        return true;
    }
    turns > 1
        && all.iter().any(|&turn| {
            let next = aim.play(turn).0;
            next.outcome().is_none() && loses(&next, turns - 1)
        })
}

/// Whether the side to move is lit within that many turns of the other side, whatever it does.
fn loses(position: &Position, turns: u32) -> bool {
    let side = position.side_to_move();
    let aim = position.aim();
    position.turns().iter().all(|&turn| {
        let next = aim.play(turn).0;
        match (next.pharaoh(side).is_none(), next.pharaoh(!side).is_none()) {
            (true, false) => true,
            (false, false) => wins(&next, turns),
            _ => false,
        }
    })
}

#[test]
#[ignore = "plays games and proves wins for some minutes"]
fn write_the_suite() {
    /// Positions wanted of each length.
    const WANTED: [usize; 5] = [14, 16, 16, 14, 6];
    /// Proofs of the longest wins take too long; their length is what the engine found.
    const PROVED: u32 = 4;

    let mut found: [Vec<String>; 5] = Default::default();
    let mut engine = Engine::new(Options::default());
    let mut random = 1u64;
    let mut next_random = |limit: usize| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % limit
    };
    while found.iter().zip(WANTED).any(|(found, wanted)| found.len() < wanted) {
        let mut game = Game::new(Setup::ALL[next_random(Setup::ALL.len())].position());
        let mut one_per_length = [false; 5];
        while game.outcome().is_none() && game.turns().len() < 160 {
            let position = *game.position();
            let turns = position.turns();
            if game.turns().len() < 8 {
                let _ = game.play(turns[next_random(turns.len())]);
                continue;
            }
            let limits = Limits { nodes: Some(4_000), ..Limits::default() };
            let answer = engine.search_alone(&Task::new(&game), limits);
            if let Score::LightsIn(length @ 1..=5) = answer.score {
                let index = length as usize - 1;
                let turns = length as u32;
                if found[index].len() < WANTED[index]
                    && !one_per_length[index]
                    && turns <= PROVED
                    && (turns == 1 || !wins(&position, turns - 1))
                    && wins(&position, turns)
                {
                    one_per_length[index] = true;
                    found[index].push(format!("{turns}; {position}"));
                    eprintln!("{:?}", found.each_ref().map(Vec::len));
                }
            }
            let Some(turn) = answer.turn else { break };
            if game.play(turn).is_err() {
                break;
            }
        }
        if found
            .iter()
            .zip(WANTED)
            .take(PROVED as usize)
            .all(|(found, wanted)| found.len() >= wanted)
        {
            break;
        }
    }
    let mut text = String::from("# turns; position. Written and proved by tests/mates.rs.\n");
    for line in found.iter().flatten() {
        writeln!(text, "{line}").expect("a string");
    }
    std::fs::write(SUITE_PATH, text).expect("the suite can be written");
}
