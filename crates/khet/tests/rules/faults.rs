//! Faults, which make a starting position unplayable, and warnings, which do not.

use khet::{
    Bitboard, Color, Fault, PieceBox, Position, Role, Rules, Setup, Square, Warning, random_setup,
};

use crate::drawn::{arrange, draw, piece, with_side};

/// Returns the faults of a drawn placement, which are also the reasons why it is no position.
#[track_caller]
fn faults(drawing: &str) -> Vec<Fault> {
    let placement = arrange(drawing, Color::Silver);
    let faults = placement.faults();
    for rules in Rules::ALL {
        let refused = Position::new(&placement, rules).map_err(|error| error.faults);
        assert_eq!(refused.err().unwrap_or_default(), faults);
    }
    faults
}

/// Proves that these are the faults, all of them and no others, in whatever order.
#[track_caller]
fn assert_faults(drawing: &str, expected: &[Fault]) {
    let found = faults(drawing);
    for fault in expected {
        assert!(found.contains(fault), "{fault} is missing: {found:?}");
    }
    assert_eq!(found.len(), expected.len(), "{found:?}");
}

fn squares(names: &[&str]) -> Bitboard {
    names.iter().map(|name| name.parse::<Square>().unwrap()).collect()
}

fn too_many(color: Color, role: Role, found: u32, names: &[&str]) -> Fault {
    Fault::TooMany { color, role, found, squares: squares(names) }
}

#[test]
fn each_side_needs_a_pharaoh() {
    assert_faults(
        "
        8  .  .  .  .   .   rK  .  .  .  .
        1  .  .  .  .   sPne .  .  .  .  .",
        &[Fault::NoPharaoh(Color::Silver)],
    );
    assert_faults(
        "
        8  .  .  .  .   .   rPne .  .  .  .
        1  .  .  .  .   sK  .   .  .  .  .",
        &[Fault::NoPharaoh(Color::Red)],
    );
    assert_faults("", &[Fault::NoPharaoh(Color::Silver), Fault::NoPharaoh(Color::Red)]);
}

#[test]
fn each_side_has_only_one_pharaoh() {
    assert_faults(
        "
        8  .  .  .  .   .   rK  .  .  .  .
        1  .  .  .  .   sK  .   sK .  .  .",
        &[too_many(Color::Silver, Role::Pharaoh, 2, &["e1", "g1"])],
    );
}

#[test]
fn no_piece_stands_on_a_square_reserved_for_the_other_colour() {
    // Every kind of piece, on some of the squares; the rest is proved with the board.
    let reserved = |square, cell| Fault::Reserved { square, piece: piece(cell).unwrap() };
    assert_faults(
        r"
        8  sOO  rPne .   .  .    rK   .   .  sD/  .
        5  sPse .    .   .  .    .    .   .  .    rO
        1  .    rE/  .   .  sK   .    .   .  .    .",
        &[
            reserved(Square::A8, "sOO"),
            reserved(Square::B8, "rPne"),
            reserved(Square::I8, "sD/"),
            reserved(Square::A5, "sPse"),
            reserved(Square::J5, "rO"),
            reserved(Square::B1, "rE/"),
        ],
    );
}

#[test]
fn a_side_has_at_most_two_djeds() {
    assert_faults(
        r"
        8  .  .  .   .   .   rK  .  .  .  .
        4  .  .  sD/ sD\ sD/ .   .  .  .  .
        1  .  .  .   .   sK  .   .  .  .  .",
        &[too_many(Color::Silver, Role::Djed, 3, &["c4", "d4", "e4"])],
    );
}

#[test]
fn a_side_has_at_most_seven_pyramids() {
    assert_faults(
        r"
        8  .  .    .    .    .    rK   .    .    .    .
        4  .  rPne rPse rPsw rPnw rPne rPse rPsw rPnw .
        1  .  .    .    .    sK   .    .    .    .    .",
        &[too_many(
            Color::Red,
            Role::Pyramid,
            8,
            &["b4", "c4", "d4", "e4", "f4", "g4", "h4", "i4"],
        )],
    );
}

#[test]
fn a_side_has_at_most_four_obelisks_and_a_stack_is_two() {
    assert_faults(
        r"
        8  .  .  .   .   .   rK  .   .  .  .
        4  .  .  sOO .   sO  .   sOO .  .  .
        1  .  .  .   .   sK  .   .   .  .  .",
        &[too_many(Color::Silver, Role::Obelisk, 5, &["c4", "e4", "g4"])],
    );
    assert_faults(
        r"
        8  .  .  .   .   .   rK  .   .  .  .
        4  .  .  rO  rO  rO  rO  rO  .  .  .
        1  .  .  .   .   sK  .   .   .  .  .",
        &[too_many(Color::Red, Role::Obelisk, 5, &["c4", "d4", "e4", "f4", "g4"])],
    );
    // Four in any shape are no fault.
    for four in ["sOO sOO .   .", "sOO sO  sO  .", "sO  sO  sO  sO"] {
        let drawing = "
            8  .  .  .   .   .   rK  .   .  .  .
            4  .  .  ? .   .  .  .
            1  .  .  .   .   sK  .   .   .  .  .";
        assert_faults(&drawing.replace('?', four), &[]);
    }
}

#[test]
fn a_side_has_at_most_one_eye() {
    assert_faults(
        r"
        8  .  .  .   .   .   rK  .  .  .  .
        4  .  .  rE/ .   rE\ .   .  .  .  .
        1  .  .  .   .   sK  .   .  .  .  .",
        &[too_many(Color::Red, Role::Eye, 2, &["c4", "e4"])],
    );
}

#[test]
fn in_khet2_a_side_has_at_most_two_scarabs_and_two_anubis() {
    assert_faults(
        r"
        8  rXs .  .   .   .   rK  .  .  .  .
        4  .   .  sS/ sS\ sS/ .   .  .  .  .
        3  .   .  rAn rAe rAs .   .  .  .  .
        1  .   .  .   .   sK  .   .  .  .  sXn",
        &[
            too_many(Color::Silver, Role::Scarab, 3, &["c4", "d4", "e4"]),
            too_many(Color::Red, Role::Anubis, 3, &["c3", "d3", "e3"]),
        ],
    );
}

#[test]
fn full_boxes_are_no_fault() {
    assert_faults(
        r"
        8  rXs  .    .    .    rOO  rK   rOO  rPse .    .
        7  .    .    rPsw rE\  .    .    .    .    .    .
        6  .    .    .    sPnw .    .    .    .    .    .
        5  rPne .    sPsw .    rD\  rD/  .    rPse .    sPnw
        4  rPse .    sPnw .    sD/  sD\  .    rPne .    sPsw
        3  .    .    .    .    .    .    rPse .    .    .
        2  .    .    .    .    .    .    sE/  sPne .    .
        1  .    .    sPnw sOO  sK   sOO  .    .    .    sXw",
        &[],
    );
    assert_faults(
        r"
        8  rXe  .    .    .    rAs  rK   rAs  rPse .    .
        7  .    .    rPsw rE\  .    .    .    .    .    .
        6  .    .    .    sPnw .    .    .    .    .    .
        5  rPne .    sPsw .    rS\  rS/  .    rPse .    sPnw
        4  rPse .    sPnw .    sS/  sS\  .    rPne .    sPsw
        3  .    .    .    .    .    .    rPse .    .    .
        2  .    .    .    .    .    .    sE/  sPne .    .
        1  .    .    sPnw sAn  sK   sAn  .    .    .    sXn",
        &[],
    );
}

#[test]
fn a_side_may_have_lost_everything_but_its_pharaoh() {
    assert_faults(
        "
        8  .  .  .   .   .   rK  .  .  .  .
        1  .  .  .   .   sK  .   .  .  .  .",
        &[],
    );
}

#[test]
fn standard_pieces_and_pieces_of_khet2_are_not_mixed() {
    for (standard, khet2) in [("sD/", "sS/"), ("sD/", "rAn"), ("sO", r"rS\"), ("rOO", "rAw")] {
        let drawing = "
            8  rXs .  .   .   .   rK  .  .  .  .
            4  .   .  ?1  .   ?2  .   .  .  .  .
            1  .   .  .   .   sK  .   .  .  .  sXn";
        assert_faults(
            &drawing.replace("?1", standard).replace("?2", khet2),
            &[Fault::MixedBoxes { standard: squares(&["c4"]), khet2: squares(&["e4"]) }],
        );
    }
}

#[test]
fn pyramids_and_an_eye_join_either_box() {
    for (one, other) in [(r"sD\", "rO"), (r"sS\", "rAn")] {
        let drawing = r"
            8  rXs .  .    .   .   rK  .  .  .  .
            4  .   .  sPne sE/ ?1  ?2  .  .  .  .
            1  .   .  rPne rE/ sK  .   .  .  .  sXn";
        assert_faults(&drawing.replace("?1", one).replace("?2", other), &[]);
    }
}

#[test]
fn khet2_needs_both_sphinxes() {
    assert_faults(
        r"
        8  .  .  .   .   .   rK  .  .  .  .
        4  .  .  sS/ .   .   .   .  .  .  .
        1  .  .  .   .   sK  .   .  .  .  .",
        &[Fault::NoSphinx(Color::Silver), Fault::NoSphinx(Color::Red)],
    );
}

#[test]
fn sphinxes_have_both_sides_or_neither() {
    assert_faults(
        r"
        8  .  .  .   .   .   rK  .  .  .  .
        4  .  .  sD/ .   .   .   .  .  .  .
        1  .  .  .   .   sK  .   .  .  .  sXn",
        &[Fault::NoSphinx(Color::Red)],
    );
    assert_faults(
        r"
        8  rXs .  .   .   .   rK  .  .  .  .
        1  .   .  .   .   sK  .   .  .  .  .",
        &[Fault::NoSphinx(Color::Silver)],
    );
}

#[test]
fn a_side_has_exactly_one_sphinx() {
    assert_faults(
        r"
        8  rXs .  .   .   .   rK  .  .  .  .
        4  .   .  .   .   .   .   .  .  .  sXn
        1  .   .  .   .   sK  .   .  .  .  sXn",
        &[
            too_many(Color::Silver, Role::Sphinx, 2, &["j1", "j4"]),
            Fault::SphinxOffCorner { square: Square::J4, color: Color::Silver },
        ],
    );
}

#[test]
fn each_sphinx_stands_on_its_own_corner() {
    assert_faults(
        r"
        8  .   .  .   .   .   rK  .  .  .  .
        7  rXs .  .   .   .   .   .  .  .  .
        1  .   .  .   .   sK  .   .  .  .  sXn",
        &[Fault::SphinxOffCorner { square: Square::A7, color: Color::Red }],
    );
    // On each other's corners they also stand on reserved squares.
    assert_faults(
        r"
        8  sXs .  .   .   .   rK  .  .  .  .
        1  .   .  .   .   sK  .   .  .  .  rXn",
        &[
            Fault::Reserved { square: Square::A8, piece: piece("sXs").unwrap() },
            Fault::Reserved { square: Square::J1, piece: piece("rXn").unwrap() },
            Fault::SphinxOffCorner { square: Square::A8, color: Color::Silver },
            Fault::SphinxOffCorner { square: Square::J1, color: Color::Red },
        ],
    );
}

#[test]
fn each_sphinx_faces_into_the_board() {
    let faces_wall = |square, color| Fault::SphinxFacesWall { square, color };
    for (silver, silver_is_right) in [("n", true), ("w", true), ("e", false), ("s", false)] {
        for (red, red_is_right) in [("n", false), ("w", false), ("e", true), ("s", true)] {
            let drawing = format!(
                "
                8  rX{red} .  .   .   .   rK  .  .  .  .
                1  .   .  .   .   sK  .   .  .  .  sX{silver}"
            );
            let mut expected = Vec::new();
            if !silver_is_right {
                expected.push(faces_wall(Square::J1, Color::Silver));
            }
            if !red_is_right {
                expected.push(faces_wall(Square::A8, Color::Red));
            }
            assert_faults(&drawing, &expected);
        }
    }
}

#[test]
fn all_faults_are_named_at_once() {
    let drawing = r"
        8  .    .   .    .    .    rK   .    .    .   .
        7  .    .   .    rXs  .    .    .    .    .   .
        5  .    rD/ rD\  rD/  .    .    .    .    .   .
        4  sPne .   .    .    .    rK   .    .    .   rAs
        1  .    .   sE/  sE\  .    .    .    .    .   sXe";
    let expected = [
        Fault::NoPharaoh(Color::Silver),
        too_many(Color::Silver, Role::Eye, 2, &["c1", "d1"]),
        too_many(Color::Red, Role::Pharaoh, 2, &["f8", "f4"]),
        too_many(Color::Red, Role::Djed, 3, &["b5", "c5", "d5"]),
        Fault::Reserved { square: Square::A4, piece: piece("sPne").unwrap() },
        Fault::Reserved { square: Square::J4, piece: piece("rAs").unwrap() },
        Fault::MixedBoxes { standard: squares(&["b5", "c5", "d5"]), khet2: squares(&["j4"]) },
        Fault::SphinxFacesWall { square: Square::J1, color: Color::Silver },
        Fault::SphinxOffCorner { square: Square::D7, color: Color::Red },
    ];
    assert_faults(drawing, &expected);

    // Each fault has a message, and the error lists all messages.
    let placement = arrange(drawing, Color::Silver);
    let message = Position::new(&placement, Rules::Standard).unwrap_err().to_string();
    for fault in expected {
        assert!(message.contains(&fault.to_string()), "{fault} is not in {message}");
    }
}

#[test]
fn a_fault_knows_its_squares() {
    let reserved = Fault::Reserved { square: Square::A4, piece: piece("sPne").unwrap() };
    assert_eq!(reserved.squares(), squares(&["a4"]));
    let missing: [Fault; 2] = [Fault::NoPharaoh(Color::Red), Fault::NoSphinx(Color::Red)];
    assert_eq!(missing.map(|fault| fault.squares()), [Bitboard::EMPTY; 2]);
    assert_eq!(too_many(Color::Red, Role::Eye, 2, &["c1", "d1"]).squares(), squares(&["c1", "d1"]));
    let mixed: Fault = Fault::MixedBoxes { standard: squares(&["c4"]), khet2: squares(&["e4"]) };
    assert_eq!(mixed.squares(), squares(&["c4", "e4"]));
    let wall = Fault::SphinxFacesWall { square: Square::J1, color: Color::Silver };
    assert_eq!(wall.squares(), squares(&["j1"]));
    let off = Fault::SphinxOffCorner { square: Square::D7, color: Color::Red };
    assert_eq!(off.squares(), squares(&["d7"]));
}

#[test]
fn an_asymmetric_setup_is_only_warned_of() {
    let board = draw(
        "
        8  .  .  .   .   .   rK  .  .  .  .
        5  .  .  .   .   rPne .  .  .  .  .
        2  .  .  .   .   .   sO  .  .  .  .
        1  .  .  .   .   sK  .   .  .  .  .",
        Color::Silver,
    );
    // e5 and its partner f4, f2 and its partner e7.
    let alone = squares(&["e5", "f4", "f2", "e7"]);
    assert_eq!(board.warnings(), [Warning::NotSymmetric(alone)]);
}

#[test]
fn an_orientation_can_spoil_the_symmetry() {
    let drawing = "
        8  .  .  .   .   .   rK  .  .  .  .
        5  .  .  .   .   rPne .  .  .  .  .
        4  .  .  .   .   .   ?   .  .  .  .
        1  .  .  .   .   sK  .   .  .  .  .";
    let alike = draw(&drawing.replace('?', "sPsw"), Color::Silver);
    assert_eq!(alike.warnings(), []);
    let unlike = draw(&drawing.replace('?', "sPse"), Color::Silver);
    assert_eq!(unlike.warnings(), [Warning::NotSymmetric(squares(&["e5", "f4"]))]);
}

#[test]
fn a_first_shot_that_hits_something_is_only_warned_of() {
    let board = draw(
        "
        8  .   .  .   .   .   rK  .  .  .  .
        5  rO  .  .   .   .   .   .  .  .  .
        4  .   .  .   .   .   .   .  .  .  sO
        1  .   .  .   .   sK  .   .  .  .  .",
        Color::Silver,
    );
    assert_eq!(
        board.warnings(),
        [
            Warning::ShotHits { by: Color::Silver, squares: squares(&["j4"]) },
            Warning::ShotHits { by: Color::Red, squares: squares(&["a5"]) },
        ]
    );
}

#[test]
fn a_first_shot_that_lights_a_pharaoh_is_only_warned_of() {
    let board = draw(
        "
        8  .   .  .   .   .   rK  .  .  .  .
        4  .   .  .   .   .   .   .  .  .  sK",
        Color::Silver,
    );
    let hits = Warning::ShotHits { by: Color::Silver, squares: squares(&["j4"]) };
    assert!(board.warnings().contains(&hits));
    assert_eq!(board.outcome(), None);
}

#[test]
fn red_may_be_the_one_to_begin() {
    let placement = with_side(Setup::Classic.placement(), Color::Red);
    assert_eq!(placement.faults(), []);
    let position = Position::new(&placement, Rules::Standard).unwrap();
    assert_eq!(position.side_to_move(), Color::Red);
    assert_eq!(position.legal_moves().len(), 79);
}

#[test]
fn a_pharaoh_that_can_be_lit_at_once_is_only_warned_of() {
    // When Silver's djed on j2 is rotated, it reflects the beam along rank 2 to the pharaoh on b2.
    let board = draw(
        r"
        8  .  .  .   .   .   .   .  .  .  .
        2  .  rK .   .   .   .   .  .  .  sD/
        1  .  .  .   .   sK  .   .  .  .  .",
        Color::Red,
    );
    let warning =
        Warning::WinInOne { by: Color::Silver, mv: "j2+".parse().unwrap(), pharaoh: Square::B2 };
    assert!(board.warnings().contains(&warning), "{:?}", board.warnings());
    assert_eq!(warning.to_string(), "silver's move j2+ would hit the pharaoh on b2 at once");
    assert_eq!(warning.squares(), squares(&["b2"]));
    assert_eq!(board.winning_move(), None, "Red has no such move");
}

#[test]
fn no_named_setup_lets_a_pharaoh_be_lit_at_once() {
    for setup in Setup::ALL {
        for start in [setup.position(), setup.position().after_null_move()] {
            assert_eq!(start.winning_move(), None, "{setup}");
        }
    }
}

#[test]
fn random_setups_can_be_played_and_have_nothing_to_warn_of() {
    for pieces in PieceBox::ALL {
        for eye in [false, true] {
            let setups = (0..50).map(|seed| random_setup(pieces, eye, seed));
            let setups: Vec<_> = setups.map(|setup| setup.to_string()).collect();
            for text in &setups {
                let position: Position = text.parse().unwrap();
                assert_eq!(position.warnings(), [], "{text}");
                assert_eq!(PieceBox::of(&position.placement()), Some(pieces), "{text}");
                let own = position.of_color(Color::Silver).len();
                assert_eq!(own, if pieces == PieceBox::Standard { 12 } else { 13 }, "{text}");
                assert_eq!(text.contains('E'), eye, "{text}");
            }
            let different: std::collections::HashSet<_> = setups.iter().collect();
            assert_eq!(different.len(), setups.len());
        }
    }
}
