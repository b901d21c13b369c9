//! The tower with the editions of the rules and with other expansions.

use khet::tower::Position;
use khet::{BeamEnd, BeamOrigin, BrokenRule, Color, Outcome, Rules, Termination};

use crate::drawn::path;
use crate::drawn_tower::{at, draw, moves_of, only_path, play, refusal};

// The Czech edition.

#[test]
fn in_the_czech_edition_a_djed_swaps_between_levels_with_its_own_colour_only() {
    let board = draw(
        "
        8  .  .  .   .   rK .  .  .  .  .
        7  .  .  sD/ sD/ .  .  .  .  .  .
        5  .  .  .   .   #  #  .  .  .  .
        4  .  .  .   .   #  #  .  .  .  .
        1  .  .  .   .   sK .  .  .  .  .
        upper
        7  rPne sPne .  .  .  .",
        Color::Silver,
    );
    assert!(moves_of(&board, "c7").contains(&"C7".to_string()));
    let czech = board.with_rules(Rules::Czech);
    assert_eq!(refusal(&czech, "c7C7"), BrokenRule::SwapsOwnColorOnly);
    assert!(moves_of(&czech, "d7").contains(&"D7".to_string()));
}

// Sphinxes as lasers.

#[test]
fn a_sphinx_fires_under_the_tower_and_never_climbs() {
    let mut board = draw(
        "
        8  rXs .  .  .  rK .  .  .  .  .
        4  .   .  .  .  .  .  #  #  .  .
        3  .   .  .  .  .  .  #  #  .  .
        1  .   .  .  sO sK .  .  .  .  sXn
        upper
        5  .  .  .  .  .  rO",
        Color::Silver,
    );
    assert_eq!(moves_of(&board, "j1"), ["-"]);
    assert_eq!(refusal(&board, "j1J1"), BrokenRule::SphinxCannotMove);
    let shot = play(&mut board, "j1-");
    assert_eq!(shot.beams[0].origin, BeamOrigin::Sphinx(at("j1")));
    assert_eq!(only_path(&shot), "i1← h1← g1← f1← e1←•");
    assert_eq!(shot.to_string(), "xe1#");
}

#[test]
fn a_beam_that_comes_back_to_a_sphinx_ends_there() {
    let board = draw(
        "
        8  rXs .  .  .  rK .  .  .    .  .
        5  .   .  .  .  #  #  .  .    .  .
        4  .   .  .  .  #  #  .  .    .  .
        2  .   .  .  .  sE/ . .  .    .  sPsw
        1  .   .  .  .  sPne . .  sK  .  sXn",
        Color::Silver,
    );
    // The Eye sends one half up file e and the other on to the west.
    let shot = board.fire(Color::Silver);
    let paths: Vec<String> = shot.beams.iter().map(path).collect();
    assert_eq!(paths[0], "j2↑← i2← h2← g2← f2← e2←•");
    assert_eq!(paths[1], "d2← c2← b2← a2←");
    assert_eq!(paths[2], "e1↓→ f1→ g1→ h1→•");
}

// The Eye of Horus.

#[test]
fn half_of_the_beam_of_an_eye_goes_up_the_tower() {
    let mut board = draw(
        r"
        8  .  .  .  .  rK .  .   .  .  .
        5  .  .  .  .  #  #  .   .  .  .
        4  .  .  .  .  #  #  sE\ .  .  sPsw
        1  .  .  .  .  sK .  .   .  .  .
        upper
        4  .  .  #  #  .  rO",
        Color::Silver,
    );
    let shot = play(&mut board, "e1d1");
    let paths: Vec<String> = shot.beams.iter().map(path).collect();
    assert_eq!(paths, ["j1↑ j2↑ j3↑ j4↑← i4← h4← g4←•", "G4→ H4→•", "g5↑ g6↑ g7↑ g8↑"]);
    assert_eq!(shot.beams[1].origin, BeamOrigin::Eye(at("g4")));
    assert_eq!(shot.beams[1].end, BeamEnd::Hit);
    assert_eq!(shot.to_string(), "xH4");
}

#[test]
fn an_eye_upstairs_sends_half_of_the_beam_down() {
    let board = draw(
        r"
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  sPsw
        1  .  .  .  .  sK .  .  .  .  .
        upper
        7  .  .  .  sPse sPsw .
        5  .  .  #  #    .    .
        4  .  .  #  #    sE/  .",
        Color::Silver,
    );
    let shot = board.fire(Color::Silver);
    let paths: Vec<String> = shot.beams.iter().map(path).collect();
    assert_eq!(
        paths,
        ["j1↑ j2↑ j3↑ j4↑← i4← h4← g4← G4→•", "H4→", "G5↑ G6↑ G7↑← F7←↓ F6↓ f6↑ f7↑ f8↑",]
    );
}

#[test]
fn each_square_is_followed_once_in_each_direction() {
    // Both halves of the beam run round through the tower and come back to the Eye.
    let board = draw(
        r"
        8  .  .  rK .  .  .    .    .  .  .
        7  .  .  .  .  .  sPse sPsw .  .  .
        5  .  .  .  .  #  #    .    .  .  .
        4  .  .  .  .  #  #    sE\  .  .  sPsw
        1  .  .  .  .  sK .    .    .  .  .
        upper
        7  .  .  .  sPse .  sPsw
        5  .  .  #  #    .  .
        4  .  .  #  #    .  sPnw",
        Color::Silver,
    );
    let shot = board.fire(Color::Silver);
    let paths: Vec<String> = shot.beams.iter().map(path).collect();
    assert_eq!(
        paths,
        [
            "j1↑ j2↑ j3↑ j4↑← i4← h4← g4←•",
            "G4→ H4→↑ H5↑ H6↑ H7↑← G7← F7←↓ F6↓ f6↑ f7↑→ g7→↓ g6↓ g5↓ g4↓•",
            "g3↓ g2↓ g1↓",
            "h4→ i4→ j4→↓ j3↓ j2↓ j1↓",
            "g5↑ g6↑ g7↑← f7←↓ f6↓ F6↑ F7↑→ G7→ H7→↓ H6↓ H5↓ H4↓← G4← g4→•",
        ]
    );
}

#[test]
fn both_pharaohs_hit_by_one_shot_are_a_draw() {
    let mut board = draw(
        r"
        8  .  .  .  .  .  .  rK  .  .  .
        5  .  .  .  .  #  #  .   .  .  .
        4  .  .  .  .  #  #  sE\ .  .  sPsw
        1  .  .  .  .  .  .  .   sO .  .
        upper
        4  .  .  #  #  .  sK",
        Color::Silver,
    );
    let shot = play(&mut board, "h1i2");
    assert_eq!(shot.to_string(), "xg8# xH4#");
    assert_eq!(shot.outcome, Some(Outcome::draw(Termination::PharaohHit)));
}

// Khet 2.0.

#[test]
fn pieces_of_khet_2_climb_and_swap_like_those_of_the_standard_game() {
    let mut board: Position = "x33k5/2A17/10/10/10/10/10/4K4X1+e4:S15/6/6/6/6/6 s".parse().unwrap();
    assert!(moves_of(&board, "c7").contains(&"b7".to_string()));
    play(&mut board, "C7c7");
    assert_eq!(board.get(at("C7")).unwrap().to_string(), "A1");
    assert_eq!(board.get(at("c7")).unwrap().to_string(), "S1");
}
