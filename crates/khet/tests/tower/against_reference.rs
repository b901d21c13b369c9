//! Compares the library with the slow reference implementation: moves, positions, beams
//! and results must agree.
//!
//! `KHET_CASES` sets the number of random positions; the full run takes 20,000 of them.

use std::collections::BTreeSet;

use khet::tower::{Placement, Position, Square};
use khet::{Color, Rules, Shot};

use crate::perft::COUNTS;
use crate::reference::{self, Edition, Rng, is_valid, random_position};

fn cases() -> usize {
    match std::env::var("KHET_CASES") {
        Ok(number) => number.parse().expect("KHET_CASES is a number"),
        Err(_) => 1_000,
    }
}

fn edition(rules: Rules) -> Edition {
    match rules {
        Rules::Standard => Edition::Standard,
        Rules::Czech => Edition::Czech,
    }
}

fn reference_color(color: Color) -> reference::Color {
    match color {
        Color::Silver => reference::Color::Silver,
        Color::Red => reference::Color::Red,
    }
}

/// Returns the squares that a shot crosses, each with the direction of arrival.
fn visited(shot: &Shot<Square>) -> BTreeSet<(String, char)> {
    let steps = shot.beams.iter().flat_map(|beam| &beam.steps);
    steps.map(|step| (step.square.to_string(), step.arrives.letter())).collect()
}

/// Returns the squares that a shot of the reference crosses, each with the direction of arrival.
fn reference_visited(shot: &reference::Shot) -> BTreeSet<(String, char)> {
    shot.beams.iter().flat_map(|beam| beam.path.iter().cloned()).collect()
}

/// Returns the hits, sorted by their text.
fn hits(shot: &Shot<Square>) -> Vec<String> {
    let mut texts: Vec<String> = shot.hits.iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

fn compare(text: &str, rules: Rules) {
    let position: Position = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    let position = position.with_rules(rules);
    let board = reference::Position::read(text).expect("it was written by the reference");
    assert_eq!(position.to_string(), text);
    for color in Color::ALL {
        let (shot, expected) = (position.fire(color), board.fire(reference_color(color)));
        assert_eq!(visited(&shot), reference_visited(&expected), "{color} fires in {text}");
        assert_eq!(hits(&shot), expected.hits, "{color} fires in {text}");
    }
    let moves = position.legal_moves();
    let mut names: Vec<String> = moves.iter().map(ToString::to_string).collect();
    names.sort();
    assert_eq!(names, board.legal_moves(edition(rules)), "{text} ({rules})");
    for &mv in moves.iter() {
        let mut next = position;
        let shot = next.play(mv).expect("a listed move is legal");
        let effect = board.play(&mv.to_string());
        assert_eq!(next.to_string(), effect.position.write(), "{mv} in {text}");
        assert_eq!(visited(&shot), reference_visited(&effect.shot), "{mv} in {text}");
        assert_eq!(hits(&shot), effect.shot.hits, "{mv} in {text}");
        let result = shot.outcome.map(|outcome| match outcome.winner {
            Some(Color::Silver) => "silver",
            Some(Color::Red) => "red",
            None => "draw",
        });
        assert_eq!(result, effect.result, "{mv} in {text}");
    }
}

#[test]
fn moves_shots_and_results_agree() {
    let mut rng = Rng::new(20261118);
    for number in 0..cases() {
        let rules = Rules::ALL[number % Rules::ALL.len()];
        compare(&random_position(&mut rng).write(), rules);
    }
}

/// Positions that come up in play: each side has lost pieces, and towers have been shifted.
#[test]
fn positions_of_random_games_agree() {
    let mut rng = Rng::new(7);
    for number in 0..cases() / 10 {
        let rules = Rules::ALL[number % Rules::ALL.len()];
        let text = random_position(&mut rng).write();
        let mut position: Position = text.parse().expect("a position");
        position = position.with_rules(rules);
        for _ in 0..10 {
            let moves = position.legal_moves();
            if position.outcome().is_some() || moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[rng.below(moves.len())]);
        }
        if position.outcome().is_none() {
            compare(&position.to_string(), rules);
        }
    }
}

/// Changes one character of a position, after which it may be unreadable or unplayable.
fn mutate(text: &str, rng: &mut Rng) -> String {
    const LETTERS: &[u8] = b"KkPpDdOoEeSsAaXx12345678/+:abcdefghij sr";
    let mut bytes = text.as_bytes().to_vec();
    let index = rng.below(bytes.len());
    match rng.below(3) {
        0 => drop(bytes.remove(index)),
        1 => bytes.insert(index, rng.pick(LETTERS)),
        _ => bytes[index] = rng.pick(LETTERS),
    }
    String::from_utf8(bytes).expect("ASCII")
}

#[test]
fn playable_positions_agree() {
    let mut rng = Rng::new(5);
    let mut valid = 0;
    for _ in 0..10 * cases() {
        let text = mutate(&random_position(&mut rng).write(), &mut rng);
        let faults = text.parse::<Placement>().map(|placement| placement.faults());
        let playable = faults.as_ref().is_ok_and(|faults| faults.is_empty());
        assert_eq!(playable, is_valid(&text), "{text}: {faults:?}");
        valid += usize::from(playable);
    }
    assert!(valid > 0 && valid < 10 * cases(), "both kinds must occur: {valid} valid");
}

/// Returns the reference's position of a setup or a position in notation.
fn reference_of(text: &str) -> reference::Position {
    let position: Position = text.parse().expect("a setup or a position");
    reference::Position::read(&position.to_string()).expect("a position")
}

/// Checks that the counts of the perft tests are those of the reference.
fn compare_counts(depth: usize) {
    for (text, counts, _) in COUNTS {
        let count = reference_of(text).perft(depth as u32, Edition::Standard);
        assert_eq!(count, counts[depth - 1], "{text}, depth {depth}");
    }
}

#[test]
fn perft_counts_agree() {
    compare_counts(2);
    for (text, _, czech) in COUNTS {
        assert_eq!(reference_of(text).perft(2, Edition::Czech), czech, "{text}");
    }
}

#[test]
#[ignore = "takes minutes"]
fn perft_counts_agree_three_plies_deep() {
    compare_counts(3);
}
