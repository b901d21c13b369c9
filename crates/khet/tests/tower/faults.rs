//! Positions with a tower that can and can't be played.

use khet::tower::{Placement, Position, Square, TowerFault};
use khet::{Color, Fault, Role, Rules};

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
