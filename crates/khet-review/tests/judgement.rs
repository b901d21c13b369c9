//! Reviews of stored games by the built-in engine: the numbers tell strong play from weak play.

#![cfg(feature = "engine")]

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use khet::{Color, Game, Record};
use khet_engine::{Control, Engine, Limits, Options};
use khet_review::{Mark, Review, ReviewBuilder, engine};

/// Reviews a game with this number of nodes per position, which gives the same on every machine.
fn review(game: &Game, nodes: u64) -> Review {
    let never = AtomicBool::new(false);
    let control = Control { stop: &never, pondering: &never, elapsed: &|| Duration::ZERO };
    let limits = Limits { nodes: Some(nodes), mate: Some(1), ..Limits::default() };
    let mut searcher = Engine::new(Options { hash: 4, ..Options::default() });
    let mut builder = ReviewBuilder::new(game);
    while let Some(request) = builder.next_search() {
        let result = engine::search(&mut searcher, builder.game(), request, limits, control);
        builder.add_result(result);
    }
    builder.finish()
}

fn records(text: &str) -> Vec<Record> {
    let games = text.split("[Silver").skip(1).map(|game| format!("[Silver{game}"));
    games.map(|game| game.parse().expect("a game record")).collect()
}

#[test]
fn a_shot_at_the_own_pyramid_and_eight_lost_pieces_are_judged_harshly() {
    let [record] = &records(include_str!("games/own_pyramid.kgn"))[..] else { panic!("one game") };
    let review = review(&record.game(), 20_000);
    let shot = &review.moves[1];
    assert_eq!((shot.mv.to_string().as_str(), shot.shot.as_str()), ("a4-", "xa5"));
    assert!(shot.mark >= Some(Mark::Mistake), "{shot:?}");
    let red = review.players.red;
    assert!(red.accuracy.is_some_and(|accuracy| accuracy < 80.0), "{red:?}");
    assert!(red.mistakes + red.blunders >= 2, "{red:?}");
    let points = review.turning_points(8);
    assert!(points.iter().any(|mv| review.player(mv) == Color::Red), "{points:?}");
}

#[test]
fn accuracy_rises_with_the_level() {
    let mut sums = [(0.0, 0.0); 11];
    for record in records(include_str!("games/levels.kgn")) {
        // More nodes than the strongest of these players searched, 6,000.
        let players = review(&record.game(), 10_000).players;
        for (tag, player) in [("Silver", players.silver), ("Red", players.red)] {
            let name = record.tag(tag).expect("a name");
            let level: usize = name.trim_start_matches("Level ").parse().expect("a level");
            sums[level].0 += player.accuracy.expect("moves");
            sums[level].1 += 1.0;
        }
    }
    let means: Vec<f64> =
        sums.iter().filter(|(_, games)| *games > 0.0).map(|(sum, games)| sum / games).collect();
    assert!(means.len() >= 4, "{means:?}");
    // With so few games, neighbouring levels can't be told apart for certain.
    assert!(means.iter().zip(&means[2..]).all(|(low, high)| low < high), "{means:?}");
    assert!(means[0] + 20.0 < means[means.len() - 1], "{means:?}");
}
