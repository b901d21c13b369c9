//! Positions with a tower that can and can't be played, and warnings about them.

use khet::tower::{Placement, Position, Setup, Square, SquareSet, TowerColumn, TowerFault};
use khet::{AnyPlacement, AnyPosition, Color, Fault, GamePosition, Role, Rules, Warning};

use crate::drawn::piece;
use crate::drawn_tower::{arrange, at};

/// Returns the faults as texts.
fn faults(drawing: &str) -> Vec<String> {
    let placement = arrange(drawing, Color::Silver);
    let faults = placement.faults();
    assert_eq!(Position::new(&placement, Rules::Czech).is_ok(), faults.is_empty());
    faults.iter().map(ToString::to_string).collect()
}

#[test]
fn the_example_of_the_notation_can_be_played() {
    let text = "4o2ko2d22/10/3P42p13/p1P36p2P4/p2P46p1P3/3P32p23/10/2D2O2KO24\
                +e4:6/4P21/6/6/1p44/6 s";
    let placement: Placement = text.parse().unwrap();
    assert_eq!(placement.faults(), []);
}

#[test]
fn no_piece_stands_inside_the_column() {
    let mut placement = arrange(
        "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    let obelisk = piece("sO").unwrap();
    for name in ["e4", "f5", "E4", "F5"] {
        placement.set(at(name), Some(obelisk));
    }
    let faults: Vec<Fault<Square>> = ["e4", "f5", "E4", "F5"]
        .map(|name| TowerFault::InsideColumn { square: at(name), piece: obelisk })
        .map(Fault::Tower)
        .to_vec();
    assert_eq!(placement.faults(), faults);
    assert_eq!(
        faults[2].to_string(),
        "the column of the tower stands on E4, and a silver obelisk too"
    );
    assert_eq!(faults[2].squares().into_iter().collect::<Vec<_>>(), [at("E4")]);
}

#[test]
fn both_levels_together_hold_no_more_than_the_box() {
    let mut placement = arrange(
        "
        8  rPne .    rPne rPne rK rPne rPne .  .  .
        5  .    .    .    .    #  #    .    .  .  .
        4  .    .    .    .    #  #    .    .  .  .
        1  .    .    .    .    sK .    .    .  .  .
        upper
        7  rPne rPne .  .  .  .",
        Color::Silver,
    );
    assert_eq!(placement.faults(), []);
    placement.set(at("H2"), piece("rPsw"));
    let [Fault::TooMany { color: Color::Red, role: Role::Pyramid, found: 8, squares }] =
        placement.faults()[..]
    else {
        panic!("{:?}", placement.faults());
    };
    let names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
    assert_eq!(names.join(" "), "a8 c8 d8 f8 g8 H2 C7 D7");
}

#[test]
fn each_side_has_exactly_one_pharaoh_on_either_level() {
    let drawing = "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        1  .  .  .  .  ?  .  .  .  .  .
        upper
        6  !  .  .  .  .  .";
    let with = |ground, upper| faults(&drawing.replace('?', ground).replace('!', upper));
    assert_eq!(with("sK", "."), [""; 0]);
    assert_eq!(with(".", "sK"), [""; 0]);
    assert_eq!(with(".", "."), ["silver has no pharaoh"]);
    assert_eq!(
        with("sK", "sK"),
        ["silver has 2 of the piece pharaoh, on e1 C6, and a box holds 1"]
    );
}

#[test]
fn no_pharaoh_stands_on_an_upper_corner() {
    for (rank, corner) in [(7, "C7"), (2, "C2")] {
        let drawing = format!(
            "
            8  .  .  .  .  rK .  .  .  .  .
            5  .  .  .  .  #  #  .  .  .  .
            4  .  .  .  .  #  #  .  .  .  .
            upper
            {rank}  sK .  .  .  .  ."
        );
        let expected = format!("silver's pharaoh may not stand on {corner}, a corner of the tower");
        assert_eq!(faults(&drawing), [expected]);
    }
}

#[test]
fn squares_are_reserved_on_the_ground_only() {
    let drawing = "
        8  .  .  .  .  rK .  .  .  .  .
        6  ?  .  .  .  .  .  .  .  .  .
        4  .  .  #  #  .  .  .  .  .  .
        3  .  .  #  #  .  .  .  .  .  .
        1  .  .  .  .  sK .  .  .  .  .
        upper
        6  !  .  .  .  .  .";
    let with = |ground, upper| faults(&drawing.replace('?', ground).replace('!', upper));
    assert_eq!(with(".", "sO"), [""; 0]);
    assert_eq!(with("sO", "."), ["a6 is reserved for red, and a silver obelisk stands there"]);
}

#[test]
fn a_sphinx_stands_on_its_corner_of_the_ground() {
    let drawing = "
        8  rXs .  .  .  rK .  .  .  .  .
        4  .   .  .  .  .  .  #  #  .  .
        3  .   .  .  .  .  .  #  #  .  .
        1  .   .  .  .  sK .  .  .  .  ?
        upper
        1  .  .  .  .  .  !";
    let with = |ground, upper| faults(&drawing.replace('?', ground).replace('!', upper));
    assert_eq!(with("sXn", "."), [""; 0]);
    assert_eq!(with(".", "sXn"), ["silver's sphinx belongs on j1, not on J1"]);
}

fn squares(names: &[&str]) -> SquareSet {
    names.iter().map(|name| at(name)).collect()
}

fn position(text: &str) -> Position {
    text.parse().unwrap()
}

#[test]
fn pieces_that_differ_on_either_level_are_warned_of() {
    let board = position("5k4/10/10/10/10/4O15/10/4K5+e4:6/6/6/6/1p44/6 s");
    // e3 and its partner f6, D3 and its partner G6.
    let alone = Warning::NotSymmetric(squares(&["e3", "f6", "D3", "G6"]));
    assert_eq!(board.warnings(), [alone]);
    assert_eq!(alone.to_string(), "the two sides are not set up alike: e3 f6 D3 G6");
}

#[test]
fn a_tower_that_is_not_in_the_middle_is_warned_of() {
    let board = position("5k4/10/10/10/10/10/10/4K5+d4:6/6/6/6/6/6 s");
    let columns = squares(&["d4", "d5", "g4", "g5", "e4", "e5", "f4", "f5"]);
    assert_eq!(board.warnings(), [Warning::NotSymmetric(columns)]);
    let centered = position("5k4/10/10/10/10/10/10/4K5+e4:6/6/6/6/6/6 s");
    assert_eq!(centered.warnings(), []);
}

#[test]
fn a_first_shot_through_the_tower_is_warned_of() {
    // The beam turns west on j4, climbs through the east face of the column, and hits the pyramid.
    let board = position("4k5/10/10/10/9P3/10/10/4K5+e4:6/6/6/5p1/6/6 s");
    let hits = Warning::ShotHits { by: Color::Silver, squares: squares(&["H4"]) };
    assert!(board.warnings().contains(&hits), "{:?}", board.warnings());
}

/// The tower carries the pharaoh into the beam; the square of the warning is that before the move.
#[test]
fn a_pharaoh_that_can_be_lit_at_once_is_warned_of() {
    for text in [
        "x34a3p23/4p3ks23/p19/p21s17/7S11P4/3S2A1P13P3/4KP14/3P4A14X1+f4:6/1p3P43/4P21/1p44/6/6 s",
        "10/10/10/10/9P2/10/4K5/10+e4:6/6/6/5k/6/6 s",
    ] {
        let board = position(text);
        let (mv, pharaoh) = board.winning_move().unwrap();
        assert_eq!(Some(pharaoh), board.pharaoh(Color::Red));
        let shot = board.clone().play(mv).unwrap();
        assert_eq!(shot.outcome.and_then(|outcome| outcome.winner), Some(Color::Silver), "{text}");
        let warning = Warning::WinInOne { by: Color::Silver, mv, pharaoh };
        assert!(board.warnings().contains(&warning), "{:?}", board.warnings());
        assert!(board.after_null_move().warnings().contains(&warning));
        assert_eq!(AnyPosition::from(board).warnings(), board.warnings());
    }
}

#[test]
fn the_named_setups_have_nothing_to_warn_of() {
    for setup in Setup::ALL {
        assert_eq!(setup.position().warnings(), [], "{setup}");
        assert_eq!(AnyPosition::from(setup.position()).warnings(), [], "{setup}");
    }
}

#[test]
fn warnings_of_the_standard_game_are_the_same_for_any_position() {
    let board: khet::Position = "5k4/10/10/p19/10/10/10/4K4P4 s".parse().unwrap();
    let standard: Vec<String> = board.warnings().iter().map(ToString::to_string).collect();
    let any: Vec<String> =
        AnyPosition::from(board).warnings().iter().map(ToString::to_string).collect();
    assert_eq!(any, standard);
    assert!(standard.len() >= 2, "{standard:?}");
}

#[test]
fn a_placement_of_either_game_names_its_faults() {
    for text in ["4k5/10/10/10/10/10/10/P18K s", "4k5/10/10/10/10/10/10/4K4K s"] {
        let placement: khet::Placement = text.parse().unwrap();
        let expected: Vec<String> = placement.faults().iter().map(ToString::to_string).collect();
        let faults = AnyPlacement::from(placement).faults();
        assert_eq!(faults.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn pieces_under_a_tower_that_is_put_there_are_kept_and_are_faults() {
    let start: AnyPlacement = "4k5/10/10/10/4P15/10/10/4K5 s".parse().unwrap();
    let column = TowerColumn::new(khet::Square::E4);
    let mut placement = start.with_tower(column);
    assert_eq!(placement.get(at("e4")), start.get(at("e4")));
    assert_eq!(placement.faults().len(), 1);
    // Squares that the upper level does not have take no piece.
    placement.set(at("A1"), piece("sO"));
    assert_eq!(placement.get(at("A1")), None);
    placement.set(at("C2"), piece("sO"));
    placement.set(at("e4"), None);
    assert_eq!(placement.faults(), []);
    let moved = placement.with_tower(TowerColumn::new(khet::Square::F5));
    assert_eq!((moved.get(at("C2")), moved.get(at("D3"))), (None, piece("sO")));
    assert_eq!(moved.with_tower(None).get(at("D3")), None);
    assert_eq!(moved.with_tower(None).tower_column(), None);
}
