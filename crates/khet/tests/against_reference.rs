//! Compares the library with the slow reference implementation: moves, positions, beams and results
//! must agree.
//!
//! `KHET_CASES` sets the number of random positions; the full run takes 100,000 of them.

use std::collections::BTreeSet;

use khet::{Color, Placement, Position, Rules, Shot, Square};

use random::Rng;
use reference::{Board, Edition};

mod random;
mod reference;

fn cases() -> usize {
    match std::env::var("KHET_CASES") {
        Ok(number) => number.parse().expect("KHET_CASES is a number"),
        Err(_) => 2_000,
    }
}

fn edition(rules: Rules) -> Edition {
    match rules {
        Rules::Standard => Edition::Standard,
        Rules::Czech => Edition::Czech,
    }
}

/// Returns the path in the form of the reference implementation: every square with the direction of
/// arrival.
fn visited(shot: &Shot) -> BTreeSet<(String, char)> {
    let steps = shot.beams.iter().flat_map(|beam| &beam.steps);
    steps.map(|step| (step.square.to_string(), step.arrives.letter())).collect()
}

/// Returns the hits in the form of the reference implementation.
fn removed(shot: &Shot) -> Vec<String> {
    let mut texts: Vec<String> =
        shot.hits.iter().map(|hit| hit.to_string().trim_start_matches('x').to_string()).collect();
    texts.sort();
    texts
}

fn compare(position: &Position) {
    let text = position.to_string();
    let board = Board::read(&text);
    assert_eq!(board.write(), text);
    assert!(board.playable(), "{text}");

    for color in Color::ALL {
        let (shot, fired) = (position.fire(color), board.fire(color == Color::Silver));
        assert_eq!(visited(&shot), fired.visited, "{color} fires in {position:?}");
        assert_eq!(removed(&shot), fired.removed, "{color} fires in {position:?}");
    }

    let moves = position.legal_moves();
    let mut names: Vec<String> = moves.iter().map(ToString::to_string).collect();
    names.sort();
    assert_eq!(names, board.moves(edition(position.rules())), "{position:?}");

    for &mv in &moves {
        let mut next = *position;
        let shot = next.play(mv).expect("a listed move is legal");
        let played = board.play(&mv.to_string());
        assert_eq!(next.to_string(), played.board.write(), "{mv} in {position:?}");
        assert_eq!(visited(&shot), played.fired.visited, "{mv} in {position:?}");
        assert_eq!(removed(&shot), played.fired.removed, "{mv} in {position:?}");
        let result = shot.outcome.map(|outcome| match outcome.winner {
            Some(Color::Silver) => "silver",
            Some(Color::Red) => "red",
            None => "draw",
        });
        assert_eq!(result, played.result, "{mv} in {position:?}");
    }
}

#[test]
fn moves_shots_and_results_agree() {
    let mut rng = Rng::new(20261115);
    for _ in 0..cases() {
        compare(&random::random_position(&mut rng));
    }
}

/// Makes a few random changes to a placement, after which it may be unplayable.
fn mutate(rng: &mut Rng, mut placement: Placement) -> Placement {
    for _ in 0..rng.below(4) {
        let donor = random::random_placement(rng);
        let pieces: Vec<_> = donor.pieces().collect();
        let &(home, piece) = rng.pick(&pieces);
        let anywhere = Square::from_index(rng.below(Square::COUNT)).expect("a square");
        match rng.below(4) {
            0 => placement.set(anywhere, None),
            1 => placement.set(home, Some(piece)),
            2 => placement.set(anywhere, Some(piece.other_color())),
            _ => placement.set(anywhere, Some(piece.rotated(rng.below(4) as u8))),
        }
    }
    placement
}

#[test]
fn playable_positions_agree() {
    let mut rng = Rng::new(5);
    let mut faulty = 0;
    for _ in 0..cases() {
        let start = random::random_placement(&mut rng);
        let placement = mutate(&mut rng, start);
        let faults = placement.faults();
        let board = Board::read(&placement.to_string());
        assert_eq!(faults.is_empty(), board.playable(), "{placement}: {faults:?}");
        faulty += usize::from(!faults.is_empty());
    }
    assert!(faulty > 0 && faulty < cases(), "both kinds must occur: {faulty} faulty");
}

#[test]
fn setups_agree_three_plies_deep() {
    for setup in khet::Setup::ALL {
        for rules in Rules::ALL {
            let position = setup.position().with_rules(rules);
            let board = Board::read(setup.notation());
            assert_eq!(
                khet::perft(&position, 3),
                board.perft(3, edition(rules)),
                "{setup} {rules}"
            );
        }
    }
}
