//! The Eye of Horus, which splits the beam.

use khet::{BeamEnd, BrokenRule, Color, Hit, Kind, Outcome, Piece, Placement, Position};
use khet::{Rules, Setup, Shot, Square, Termination};

use crate::drawn::{assert_drawn, draw, moves_of, path, piece, play, refusal};

/// Returns the beams that Eyes split off, each with its Eye, path and end, sorted.
fn split_beams(shot: &Shot) -> Vec<(Square, String, BeamEnd)> {
    let mut beams: Vec<_> = shot.beams[1..]
        .iter()
        .map(|beam| {
            (beam.eye().expect("only the first comes from the laser"), path(beam), beam.end)
        })
        .collect();
    beams.sort_by_key(|(eye, path, _)| (*eye, path.clone()));
    beams
}

// Moves of the Eye.

#[test]
fn an_eye_moves_and_has_one_rotation() {
    let drawing = "
        8  .  .  .   .   .   rK  .   .  .  .
        4  .  .  .   .   ?   .   .   .  .  .
        1  .  .  .   .   sK  .   .   .  .  .";
    for (before, after) in [(r"sE\", "sE/"), ("sE/", r"sE\")] {
        let board = draw(&drawing.replace('?', before), Color::Silver);
        assert_eq!(moves_of(&board, "e4"), ["+", "d3", "d4", "d5", "e3", "e5", "f3", "f4", "f5"]);
        for spelling in ["e4+", "e4-"] {
            let mut flipped = board;
            play(&mut flipped, spelling);
            assert_drawn(&flipped, &drawing.replace('?', after), Color::Red);
        }
    }
}

#[test]
fn an_eye_swaps_as_a_djed_does() {
    for other in ["sPse", "rPnw", "sO", "rO", "sOO", "rOO"] {
        let before = "
            8  .  .  .   .   .   rK  .   .  .  .
            4  .  .  .   sE/ ?   .   .   .  .  .
            1  .  .  .   .   sK  .   .   .  .  .";
        let after = "
            8  .  .  .   .   .   rK  .   .  .  .
            4  .  .  .   ?   sE/ .   .   .  .  .
            1  .  .  .   .   sK  .   .   .  .  .";
        let mut board = draw(&before.replace('?', other), Color::Silver);
        play(&mut board, "d4e4");
        assert_drawn(&board, &after.replace('?', other), Color::Red);
    }
    let mut board = draw(
        "
        8  rXs .  .   .   .   rK  .   .  .  .
        4  .   .  .   sE/ rAn .   .   .  .  .
        1  .   .  .   .   sK  .   .   .  .  sXn",
        Color::Silver,
    );
    play(&mut board, "d4e4");
    assert_eq!((board.get(Square::D4), board.get(Square::E4)), (piece("rAn"), piece("sE/")));
}

#[test]
fn an_eye_never_swaps_with_a_pharaoh_a_djed_or_another_eye() {
    let board = draw(
        r"
        8  .  .  .   .   .   .   .   .  .  .
        5  .  .  .   rK  rE\ rD/ .   .  .  .
        4  .  .  .   .   sE/ .   .   .  .  .
        3  .  .  .   sK  .   sD\ .   .  .  .",
        Color::Silver,
    );
    for mv in ["e4d5", "e4e5", "e4f5", "e4d3", "e4f3"] {
        assert_eq!(refusal(&board, mv), BrokenRule::CannotSwapWith, "{mv}");
    }
    // Nor does a djed swap with an Eye.
    assert_eq!(refusal(&board, "f3e4"), BrokenRule::CannotSwapWith);
}

#[test]
fn an_eye_never_swaps_with_a_scarab_or_a_sphinx() {
    let board = draw(
        r"
        8  rXs .  .   .   .   rK  .   .  .   .
        2  .   .  .   .   .   .   .   .  sE\ sS/
        1  .   .  .   .   sK  .   .   .  .   sXn",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "i2j2"), BrokenRule::CannotSwapWith);
    assert_eq!(refusal(&board, "j2i2"), BrokenRule::CannotSwapWith);
    assert_eq!(refusal(&board, "i2j1"), BrokenRule::CannotSwapWith);
}

#[test]
fn an_eye_swaps_within_the_limits_of_reserved_squares_and_editions() {
    let board = draw(
        r"
        8  .    .   .   .    .    rK   .   .   .    .
        4  rPne .   .   .    .    .    .   .   rO   sE\
        1  .    .   .   .    sK   .    .   .   .    .",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "j4i4"), BrokenRule::SwapOntoReservedSquare);

    let board = draw(
        r"
        8  .    .   .   .    .    rK   .   .   .    .
        4  rPne sE\ rO  .    .    .    .   .   .    .
        3  .    sO  .   .    .    .    .   .   .    .
        1  .    .   .   .    sK   .    .   .   .    .",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "b4a4"), BrokenRule::ReservedSquare);
    assert_eq!(moves_of(&board, "b4"), ["+", "b3", "b5", "c3", "c4", "c5"]);
    let czech = board.with_rules(Rules::Czech);
    assert_eq!(moves_of(&czech, "b4"), ["+", "b3", "b5", "c3", "c5"]);
}

// Splitting the beam.

#[test]
fn half_of_the_beam_is_reflected_and_half_passes_straight_on() {
    let mut board = draw(
        r"
        8  .    .   .   .    .    rK   .   .   .    .
        4  .    .   .   .    .    .    .   .   .    sE\
        1  .    .   .   .    sK   .    .   .   .    .",
        Color::Silver,
    );
    let shot = play(&mut board, "e1e2");
    assert_eq!(shot.beams[0].eye(), None);
    assert_eq!(path(&shot.beams[0]), "j1↑ j2↑ j3↑ j4↑•");
    assert_eq!(shot.beams[0].end, BeamEnd::Split);
    assert_eq!(
        split_beams(&shot),
        [
            (Square::J4, "i4← h4← g4← f4← e4← d4← c4← b4← a4←".to_string(), BeamEnd::Wall),
            (Square::J4, "j5↑ j6↑ j7↑ j8↑".to_string(), BeamEnd::Wall),
        ]
    );
    assert_eq!(shot.hits, []);
    // It can't be destroyed.
    assert_eq!(board.get(Square::J4), piece(r"sE\"));
}

/// Four boards on which Silver's beam comes to the square marked `?` by its north, east, south and
/// west side.
const BOARDS: [&str; 4] = [
    "
    8  .  .   .    .    .    rK   .   .  .  .
    7  .  .   rPse .    rPsw .    .   sK .  .
    4  .  .   .    .    ?    .    .   .  .  .
    1  .  .   sPne .    .    .    .   .  .  sPsw",
    "
    8  .  .   .    .    .    rK   .   .  .  .
    7  .  .   .    .    .    .    .   sK .  .
    4  .  .   .    .    ?    .    .   .  .  sPsw",
    "
    8  .  .   .    .    .    rK   .   .  .  .
    7  .  .   .    .    .    .    .   sK .  .
    4  .  .   .    .    ?    .    .   .  .  .
    1  .  .   .    .    rPne .    .   .  .  sPsw",
    "
    8  .  .   .    .    .    rK   .   .  .  .
    7  .  .   .    .    .    .    .   sK .  .
    4  .  .   rPse .    ?    .    .   .  .  .
    1  .  .   sPne .    .    .    .   .  .  sPsw",
];

#[test]
fn an_eye_splits_a_beam_from_every_side_and_reflects_half_as_a_djed_would() {
    for color in ["s", "r"] {
        //    comes by the     north     east      south     west side
        for (line, [north, east, south, west]) in [
            (r"E\", ["f4→ e3↓", "e5↑ d4←", "d4← e5↑", "e3↓ f4→"]),
            ("E/", ["d4← e3↓", "e3↓ d4←", "f4→ e5↑", "e5↑ f4→"]),
        ] {
            for (drawing, starts) in BOARDS.into_iter().zip([north, east, south, west]) {
                let cell = format!("{color}{line}");
                let board = draw(&drawing.replace('?', &cell), Color::Silver);
                let shot = board.fire(Color::Silver);
                assert_eq!(shot.beams[0].end, BeamEnd::Split);
                assert_eq!(shot.beams[0].steps.last().unwrap().square, Square::E4);
                assert_eq!(shot.beams[0].steps.last().unwrap().leaves, None);
                let first_step = |path: &str| path.split(' ').next().unwrap().to_string();
                let mut found: Vec<String> =
                    split_beams(&shot).iter().map(|(_, path, _)| first_step(path)).collect();
                let mut expected: Vec<&str> = starts.split(' ').collect();
                found.sort();
                expected.sort();
                assert_eq!(found, expected, "{cell}: {drawing}");
            }
        }
    }
}

#[test]
fn an_eye_at_the_wall_sends_half_of_the_beam_off_the_board() {
    let board = draw(
        r"
        8  .    .   .   .    .    rK   .   .   .    .
        4  .    .   .   .    .    .    .   .   .    sE/
        1  .    .   .   .    sK   .    .   .   .    .",
        Color::Silver,
    );
    let shot = board.fire(Color::Silver);
    assert_eq!(
        split_beams(&shot),
        [
            (Square::J4, String::new(), BeamEnd::Wall),
            (Square::J4, "j5↑ j6↑ j7↑ j8↑".to_string(), BeamEnd::Wall),
        ]
    );
}

#[test]
fn all_beams_of_a_shot_act_together() {
    let mut board = draw(
        r"
        8  .    .   .   .    .    rK   .   .   .    sPne
        4  .    .   .   rOO  .    .    .   .   .    sE\
        1  .    .   .   .    sK   .    .   .   .    .",
        Color::Silver,
    );
    let shot = play(&mut board, "e1e2");
    assert_eq!(
        shot.hits,
        [
            Hit { square: Square::D4, piece: piece("rOO").unwrap(), left: piece("rO") },
            Hit { square: Square::J8, piece: piece("sPne").unwrap(), left: None },
        ]
    );
    assert_eq!(shot.to_string(), "xd4^ xj8");
    assert_drawn(
        &board,
        r"
        8  .    .   .   .    .    rK   .   .   .    .
        4  .    .   .   rO   .    .    .   .   .    sE\
        2  .    .   .   .    sK   .    .   .   .    .",
        Color::Red,
    );
}

#[test]
fn several_eyes_split_the_beam_several_times() {
    let mut board = draw(
        r"
        8  .    .   .   .    rO   rK   .   .   .    .
        4  .    .   rO  .    rE\  .    .   .   .    sE\
        1  .    .   .   .    sK   .    .   .   .    .",
        Color::Silver,
    );
    let shot = play(&mut board, "e1d1");
    assert_eq!(shot.beams.len(), 5);
    assert_eq!(
        split_beams(&shot),
        [
            (Square::E4, "d4← c4←•".to_string(), BeamEnd::Hit),
            (Square::E4, "e5↑ e6↑ e7↑ e8↑•".to_string(), BeamEnd::Hit),
            (Square::J4, "i4← h4← g4← f4← e4←•".to_string(), BeamEnd::Split),
            (Square::J4, "j5↑ j6↑ j7↑ j8↑".to_string(), BeamEnd::Wall),
        ]
    );
    assert_eq!(shot.to_string(), "xc4 xe8");
}

#[test]
fn a_stack_loses_one_obelisk_however_many_beams_end_on_it() {
    let mut board = draw(
        r"
        8  .    .   .   .    .    rK   .   .   .    .
        6  .    .   .   .    rOO  .    .   .   .    sPsw
        4  .    .   .   .    sPne .    .   .   .    sE\
        1  .    .   .   .    sK   .    .   .   .    .",
        Color::Silver,
    );
    let shot = play(&mut board, "e1e2");
    assert_eq!(
        split_beams(&shot),
        [
            (Square::J4, "i4← h4← g4← f4← e4←↑ e5↑ e6↑•".to_string(), BeamEnd::Hit),
            (Square::J4, "j5↑ j6↑← i6← h6← g6← f6← e6←•".to_string(), BeamEnd::Hit),
        ]
    );
    let (stack, left) = (piece("rOO").unwrap(), piece("rO"));
    assert_eq!(shot.hits, [Hit { square: Square::E6, piece: stack, left }]);
    assert_eq!(board.get(Square::E6), piece("rO"));
}

#[test]
fn a_pyramid_that_one_beam_removes_still_reflects_the_others() {
    // One beam comes to e6 from below and removes the pyramid; its mirror takes the other one, from
    // the right, up to e8.
    let mut board = draw(
        r"
        8  .    .   .   .    rO   rK   .   .   .    .
        6  .    .   .   .    rPne .    .   .   .    sPsw
        4  .    .   .   .    sPne .    .   .   .    sE\
        1  .    .   .   .    sK   .    .   .   .    .",
        Color::Silver,
    );
    let shot = play(&mut board, "e1e2");
    assert_eq!(
        split_beams(&shot),
        [
            (Square::J4, "i4← h4← g4← f4← e4←↑ e5↑ e6↑•".to_string(), BeamEnd::Hit),
            (Square::J4, "j5↑ j6↑← i6← h6← g6← f6← e6←↑ e7↑ e8↑•".to_string(), BeamEnd::Hit),
        ]
    );
    assert_eq!(shot.to_string(), "xe6 xe8");
    assert_eq!((board.get(Square::E6), board.get(Square::E8)), (None, None));
}

#[test]
fn an_anubis_that_one_beam_removes_is_removed_though_it_absorbs_another() {
    let mut board = draw(
        r"
        8  rXs  .   .   .    .    rK   .   .   .    .
        6  .    .   .   .    rAe  .    .   .   .    sPsw
        4  .    .   .   .    sPne .    .   .   .    sE\
        1  .    .   .   .    sK   .    .   .   .    sXn",
        Color::Silver,
    );
    let shot = play(&mut board, "e1e2");
    assert_eq!(
        split_beams(&shot),
        [
            (Square::J4, "i4← h4← g4← f4← e4←↑ e5↑ e6↑•".to_string(), BeamEnd::Hit),
            (Square::J4, "j5↑ j6↑← i6← h6← g6← f6← e6←•".to_string(), BeamEnd::Absorbed),
        ]
    );
    assert_eq!(shot.to_string(), "xe6");
}

#[test]
fn both_pharaohs_lit_by_one_shot_is_a_draw() {
    let mut board = draw(
        r"
        8  .    .   .   .    .    .    .   .   .    sK
        4  .    .   .   rK   .    .    .   .   .    .
        3  .    .   .   .    .    .    .   .   sE\  .",
        Color::Silver,
    );
    let shot = play(&mut board, "i3j4");
    assert_eq!(shot.to_string(), "xd4# xj8#");
    let both = Outcome { winner: None, termination: Termination::PharaohHit };
    assert_eq!(shot.outcome, Some(both));
    assert_eq!(board.outcome(), Some(both));
    assert_eq!(both.result().text(), "1/2-1/2");
    assert_eq!(board.legal_moves().len(), 0);
}

#[test]
fn one_pharaoh_lit_by_one_of_several_beams_loses() {
    let mut board = draw(
        r"
        8  .    .   .   .    .    .    .   .   .    sO
        4  .    .   .   rK   .    .    .   .   .    .
        3  .    .   .   .    .    .    .   .   sE\  .
        1  .    .   .   .    sK   .    .   .   .    .",
        Color::Silver,
    );
    let shot = play(&mut board, "i3j4");
    assert_eq!(shot.to_string(), "xd4# xj8");
    let outcome = Outcome { winner: Some(Color::Silver), termination: Termination::PharaohHit };
    assert_eq!(shot.outcome, Some(outcome));

    let mut board = draw(
        r"
        8  .    .   .   .    .    rK   .   .   .    sK
        4  .    .   .   rO   .    .    .   .   .    .
        3  .    .   .   .    .    .    .   .   sE\  .",
        Color::Silver,
    );
    let shot = play(&mut board, "i3j4");
    assert_eq!(shot.to_string(), "xd4 xj8#");
    let outcome = Outcome { winner: Some(Color::Red), termination: Termination::PharaohHit };
    assert_eq!(shot.outcome, Some(outcome));
}

/// Around the Eye on g2 the beam can run in a ring through g5, d5 and d2, in both directions.
const RING: &str = r"
    8  ?x   .   .   .    .    rK   .    .   .    .
    5  .    .   .   rPse .    .    rPsw .   .    .
    2  .    .   .   rPne .    .    sE\  .   .    sPsw
    1  .    sK  .   .    .    .    .    .   .    ?X";

#[test]
fn each_square_and_direction_is_followed_once_so_that_loops_end() {
    let board = draw(&RING.replace("?x", ".").replace("?X", "."), Color::Silver);
    let shot = board.fire(Color::Silver);
    assert_eq!(path(&shot.beams[0]), "j1↑ j2↑← i2← h2← g2←•");
    let ring = "g3↑ g4↑ g5↑← f5← e5← d5←↓ d4↓ d3↓ d2↓→ e2→ f2→ g2→•";
    let ring_back = "f2← e2← d2←↑ d3↑ d4↑ d5↑→ e5→ f5→ g5→↓ g4↓ g3↓ g2↓•";
    assert_eq!(
        split_beams(&shot),
        [
            (Square::G2, ring_back.to_string(), BeamEnd::Split),
            (Square::G2, "g1↓".to_string(), BeamEnd::Wall),
            (Square::G2, ring.to_string(), BeamEnd::Split),
            (Square::G2, "h2→ i2→ j2→↓ j1↓".to_string(), BeamEnd::Wall),
        ]
    );
    assert_eq!(shot.hits, []);
}

#[test]
fn a_beam_that_comes_back_to_the_laser_ends_there() {
    let board = draw(&RING.replace("?x", ".").replace("?X", "."), Color::Silver);
    let shot = board.fire(Color::Silver);
    let back = shot.beams.iter().find(|beam| path(beam).ends_with("j1↓")).unwrap();
    assert_eq!(back.end, BeamEnd::Wall);
}

#[test]
fn a_beam_that_comes_back_to_the_sphinx_ends_there() {
    let mut board = draw(&RING.replace("?x", "rXs").replace("?X", "sXn"), Color::Silver);
    let shot = play(&mut board, "b1b2");
    let back = shot.beams.iter().find(|beam| path(beam).ends_with("j1↓•")).unwrap();
    assert_eq!(path(back), "h2→ i2→ j2→↓ j1↓•");
    assert_eq!(back.end, BeamEnd::Absorbed);
    assert_eq!(shot.hits, []);
    assert_eq!(board.get(Square::J1), piece("sXn"));
}

// Setups.

fn count(placement: &Placement, color: Color, test: impl Fn(Kind) -> bool) -> usize {
    placement.pieces().filter(|(_, piece)| piece.color() == color && test(piece.kind())).count()
}

#[test]
fn in_imhotep_and_dynasty_an_eye_takes_the_place_of_one_scarab_of_each_side() {
    for (without, with) in [
        (Setup::Khet2Imhotep, Setup::Khet2ImhotepEye),
        (Setup::Khet2Dynasty, Setup::Khet2DynastyEye),
    ] {
        let (without, with) = (without.placement(), with.placement());
        let mut replaced = Vec::new();
        for square in Square::all().filter(|&square| without.get(square) != with.get(square)) {
            let old = without.get(square).unwrap();
            let Kind::Scarab(line) = old.kind() else { panic!("{square}: {old}") };
            assert_eq!(with.get(square), Some(Piece::new(old.color(), Kind::Eye(line))));
            replaced.push(old.color());
        }
        replaced.sort();
        assert_eq!(replaced, Color::ALL);
    }
}

#[test]
fn osiris_and_isis_keep_both_scarabs() {
    for setup in [Setup::Osiris, Setup::Isis] {
        for color in Color::ALL {
            let placement = setup.placement();
            assert_eq!(count(&placement, color, |kind| matches!(kind, Kind::Scarab(_))), 2);
            assert_eq!(count(&placement, color, |kind| matches!(kind, Kind::Eye(_))), 1);
            assert_eq!(count(&placement, color, |kind| matches!(kind, Kind::Sphinx(_))), 1);
        }
    }
}

#[test]
fn in_every_standard_setup_an_eye_can_take_the_place_of_a_djed_of_each_side() {
    for setup in [Setup::Classic, Setup::Imhotep, Setup::Dynasty] {
        let djeds = |color| {
            setup
                .placement()
                .pieces()
                .filter_map(move |(square, piece)| match piece.kind() {
                    Kind::Djed(line) if piece.color() == color => Some((square, line)),
                    _ => None,
                })
                .collect::<Vec<_>>()
        };
        for (silver, silver_line) in djeds(Color::Silver) {
            for (red, red_line) in djeds(Color::Red) {
                let mut placement = setup.placement();
                placement.set(silver, Some(Piece::new(Color::Silver, Kind::Eye(silver_line))));
                placement.set(red, Some(Piece::new(Color::Red, Kind::Eye(red_line))));
                assert_eq!(placement.faults(), [], "{setup}: {silver}, {red}");
                let position = Position::new(&placement, Rules::Standard).unwrap();
                // An Eye moves as the djed did.
                let moves = setup.position().legal_moves().len();
                assert_eq!(position.legal_moves().len(), moves, "{setup}: {silver}, {red}");
            }
        }
    }
}
