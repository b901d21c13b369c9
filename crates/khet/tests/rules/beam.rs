//! The beam, and its effect on each piece.

use khet::{BeamEnd, BeamStep, Color, Direction, Hit, Setup, Square};

use crate::drawn::{assert_drawn, draw, only_path, piece, play};

/// Four boards on which Silver's beam enters the square `?` from the north, east, south and west.
const BEAM_FROM_NORTH: &str = "
    8  .  .   .    .    .    rK   .   .  .  .
    7  .  .   rPse .    rPsw .    .   sK .  .
    4  .  .   .    .    ?    .    .   .  .  .
    1  .  .   sPne .    .    .    .   .  .  sPsw";
const BEAM_FROM_EAST: &str = "
    8  .  .   .    .    .    rK   .   .  .  .
    7  .  .   .    .    .    .    .   sK .  .
    4  .  .   .    .    ?    .    .   .  .  sPsw
    1  .  .   .    .    .    .    .   .  .  .";
const BEAM_FROM_SOUTH: &str = "
    8  .  .   .    .    .    rK   .   .  .  .
    7  .  .   .    .    .    .    .   sK .  .
    4  .  .   .    .    ?    .    .   .  .  .
    1  .  .   .    .    rPne .    .   .  .  sPsw";
const BEAM_FROM_WEST: &str = "
    8  .  .   .    .    .    rK   .   .  .  .
    7  .  .   .    .    .    .    .   sK .  .
    4  .  .   rPse .    ?    .    .   .  .  .
    1  .  .   sPne .    .    .    .   .  .  sPsw";

/// Returns the effect of a piece on a beam from the north, east, south and west: the direction
/// in which the beam leaves, or `removed`.
fn beam_effects(cell: &str) -> [String; 4] {
    [BEAM_FROM_NORTH, BEAM_FROM_EAST, BEAM_FROM_SOUTH, BEAM_FROM_WEST].map(|drawing| {
        // There is one pharaoh of each colour.
        let drawing = if cell.ends_with('K') { drawing.replace(cell, ".") } else { drawing.into() };
        let board = draw(&drawing.replace('?', cell), Color::Silver);
        let shot = board.fire(Color::Silver);
        assert_eq!(shot.beams.len(), 1);
        let beam = &shot.beams[0];
        let at = beam.steps.iter().find(|step| step.square == Square::E4).unwrap();
        match at.leaves {
            Some(direction) => direction.to_string(),
            None => {
                assert_eq!(beam.steps.last(), Some(at));
                assert_eq!(beam.end, BeamEnd::Hit);
                assert_eq!(shot.hits[0].square, Square::E4);
                assert_eq!(Some(shot.hits[0].piece), piece(cell));
                "removed".to_string()
            }
        }
    })
}

#[test]
fn the_beam_enters_the_four_boards_from_the_side_in_their_names() {
    let boards = [BEAM_FROM_NORTH, BEAM_FROM_EAST, BEAM_FROM_SOUTH, BEAM_FROM_WEST];
    let directions = [Direction::South, Direction::West, Direction::North, Direction::East];
    for (drawing, direction) in boards.into_iter().zip(directions) {
        let shot = draw(&drawing.replace('?', "rO"), Color::Silver).fire(Color::Silver);
        let last = *shot.beams[0].steps.last().unwrap();
        assert_eq!(last, BeamStep { square: Square::E4, arrives: direction, leaves: None });
    }
}

#[test]
fn a_pyramid_reflects_on_the_two_sides_that_its_mirror_faces_and_is_removed_on_the_others() {
    for color in ["s", "r"] {
        //           comes by the  north      east       south      west side
        for (pyramid, goes_out) in [
            ("Pne", ["east", "north", "removed", "removed"]),
            ("Pse", ["removed", "south", "east", "removed"]),
            ("Psw", ["removed", "removed", "west", "south"]),
            ("Pnw", ["west", "removed", "removed", "north"]),
        ] {
            assert_eq!(beam_effects(&format!("{color}{pyramid}")), goes_out, "{color}{pyramid}");
        }
    }
}

#[test]
fn a_djed_always_reflects_the_beam_and_cant_be_hit() {
    for color in ["s", "r"] {
        //       comes by the   north    east     south   west side
        for (djed, goes_out) in [
            (r"D\", ["east", "north", "west", "south"]),
            ("D/", ["west", "south", "east", "north"]),
        ] {
            assert_eq!(beam_effects(&format!("{color}{djed}")), goes_out, "{color}{djed}");
        }
    }
}

#[test]
fn an_obelisk_is_removed_on_every_side() {
    assert_eq!(beam_effects("sO"), ["removed"; 4]);
    assert_eq!(beam_effects("rO"), ["removed"; 4]);
    assert_eq!(beam_effects("sOO"), ["removed"; 4]);
    assert_eq!(beam_effects("rOO"), ["removed"; 4]);
}

#[test]
fn a_pharaoh_is_lit_on_every_side() {
    assert_eq!(beam_effects("sK"), ["removed"; 4]);
    assert_eq!(beam_effects("rK"), ["removed"; 4]);
}

#[test]
fn a_pyramid_that_faces_north_east_reflects_a_beam_from_the_north_to_the_east_and_back() {
    let board = draw(
        "
        8  .  .  .  .  .  rK .  .  .  .
        5  .  .  .  .  .  .  .  .  .  sPsw
        2  .  .  .  .  .  .  .  sPne .  .
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    // The beam runs over it along rank 5, and does not touch it.
    assert_eq!(
        only_path(&board.fire(Color::Silver)),
        "j1↑ j2↑ j3↑ j4↑ j5↑← i5← h5← g5← f5← e5← d5← c5← b5← a5←"
    );

    let by_the_north = draw(
        "
        8  .  .  .  .  .  rK .  .  .  .
        5  .  .  .  .  .  .  .  sD/ .  sPsw
        2  .  .  .  .  .  .  .  sPne .  .
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    assert_eq!(
        only_path(&by_the_north.fire(Color::Silver)),
        "j1↑ j2↑ j3↑ j4↑ j5↑← i5← h5←↓ h4↓ h3↓ h2↓→ i2→ j2→"
    );

    let by_the_east = draw(
        "
        8  .  .  .  .  .  rK .  .  .  .
        2  .  .  .  .  .  .  .  sPne .  sPsw
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    assert_eq!(
        only_path(&by_the_east.fire(Color::Silver)),
        "j1↑ j2↑← i2← h2←↑ h3↑ h4↑ h5↑ h6↑ h7↑ h8↑"
    );
}

#[test]
fn a_shot_has_every_square_with_the_directions_of_arrival_and_departure() {
    let board = draw(
        "
        8  .  .  .  .  .  rK .  .  .  .
        2  .  .  .  .  .  .  .  rO .  sPsw
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    let (north, west) = (Direction::North, Direction::West);
    let shot = board.fire(Color::Silver);
    assert_eq!(
        shot.beams[0].steps,
        [
            BeamStep { square: Square::J1, arrives: north, leaves: Some(north) },
            BeamStep { square: Square::J2, arrives: north, leaves: Some(west) },
            BeamStep { square: Square::I2, arrives: west, leaves: Some(west) },
            BeamStep { square: Square::H2, arrives: west, leaves: None },
        ]
    );
    assert_eq!(shot.beams[0].end, BeamEnd::Hit);
    assert_eq!(shot.hits, [Hit { square: Square::H2, piece: piece("rO").unwrap(), left: None }]);
}

#[test]
fn the_beam_travels_along_files_and_ranks_and_turns_by_90_degrees_at_mirrors() {
    let board = draw(
        r"
        8  .  .  .    .    .   rK  .    .   .  .
        7  .  .  .    rPse .   .   .    rD\ .  .
        4  .  .  .    sPne .   .   sPnw .   .  sPsw
        2  .  .  .    .    .   .   .    sD/ .  .
        1  .  .  .    .    sK  .   .    .   .  .",
        Color::Silver,
    );
    // West along rank 4 onto the back of g4 and no further.
    let shot = board.fire(Color::Silver);
    assert_eq!(only_path(&shot), "j1↑ j2↑ j3↑ j4↑← i4← h4← g4←•");
    assert_eq!(shot.to_string(), "xg4");

    // Without it the beam goes through all mirrors.
    let board = draw(
        r"
        8  .  .  .    .    .   rK  .    .   .  .
        7  .  .  .    rPse .   .   .    rD\ .  .
        4  .  .  .    sPne .   .   .    .   .  sPsw
        2  .  .  .    .    .   .   .    sD/ .  .
        1  .  .  .    .    sK  .   .    .   .  .",
        Color::Silver,
    );
    assert_eq!(
        only_path(&board.fire(Color::Silver)),
        "j1↑ j2↑ j3↑ j4↑← i4← h4← g4← f4← e4← d4←↑ d5↑ d6↑ d7↑→ e7→ f7→ g7→ h7→↓ h6↓ h5↓ h4↓ h3↓ \
         h2↓← g2← f2← e2← d2← c2← b2← a2←"
    );
}

#[test]
fn the_beam_ends_at_the_wall() {
    let mut board = draw(
        "
        8  .  .  .  .  .  rK .  .  .  .
        4  .  .  .  .  .  .  .  .  .  sPsw
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    let shot = play(&mut board, "e1e2");
    assert_eq!(shot.beams[0].end, BeamEnd::Wall);
    assert_eq!(only_path(&shot), "j1↑ j2↑ j3↑ j4↑← i4← h4← g4← f4← e4← d4← c4← b4← a4←");
    assert_eq!(shot.hits, []);
    assert_eq!(shot.outcome, None);
    assert_eq!(shot.to_string(), "");
}

#[test]
fn a_mirror_at_the_wall_reflects_the_beam_off_the_board() {
    let board = draw(
        "
        8  .  .  .  .  .  rK .  .  .  .
        4  .  .  .  .  .  .  .  .  .  sD/
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    let shot = board.fire(Color::Silver);
    assert_eq!(only_path(&shot), "j1↑ j2↑ j3↑ j4↑→");
    assert_eq!(shot.beams[0].end, BeamEnd::Wall);
}

#[test]
fn a_piece_that_is_hit_is_removed() {
    let mut board = draw(
        "
        8  .  .  .  .  .  rK .  .  .  .
        4  .  .  .  rPnw .  .  .  .  .  sPsw
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    let shot = play(&mut board, "e1e2");
    assert_eq!(shot.beams[0].end, BeamEnd::Hit);
    assert_eq!(shot.hits, [Hit { square: Square::D4, piece: piece("rPnw").unwrap(), left: None }]);
    assert_eq!(shot.to_string(), "xd4");
    assert_drawn(
        &board,
        "
        8  .  .  .  .  .  rK .  .  .  .
        4  .  .  .  .  .  .  .  .  .  sPsw
        2  .  .  .  .  sK .  .  .  .  .",
        Color::Red,
    );
}

#[test]
fn own_pieces_are_removed_as_well() {
    let mut board = draw(
        "
        8  .  .  .  .  .  rK .  .  .  .
        4  .  .  .  .  .  .  .  .  .  sPnw
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    let shot = play(&mut board, "e1e2");
    assert_eq!(shot.hits, [Hit { square: Square::J4, piece: piece("sPnw").unwrap(), left: None }]);
    assert_drawn(
        &board,
        "
        8  .  .  .  .  .  rK .  .  .  .
        2  .  .  .  .  sK .  .  .  .  .",
        Color::Red,
    );
}

#[test]
fn a_piece_behind_a_hit_piece_is_safe() {
    let mut board = draw(
        "
        8  .  .  .  .  .  rK .  .  .  .
        4  .  .  .  rO rO .  .  .  .  sPsw
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    assert_eq!(play(&mut board, "e1e2").to_string(), "xe4");
    assert_eq!(board.get(Square::D4), piece("rO"));
}

#[test]
fn a_stack_loses_only_the_top_obelisk() {
    let mut board = draw(
        "
        8  .  .  .  .  .  rK .  .  .  .
        4  .  .  .  rOO .  .  .  .  .  sPsw
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    let shot = play(&mut board, "e1e2");
    let (stack, obelisk) = (piece("rOO").unwrap(), piece("rO"));
    assert_eq!(shot.hits, [Hit { square: Square::D4, piece: stack, left: obelisk }]);
    assert_eq!(shot.to_string(), "xd4^");
    assert_drawn(
        &board,
        "
        8  .  .  .  .  .  rK .  .  .  .
        4  .  .  .  rO .  .  .  .  .  sPsw
        2  .  .  .  .  sK .  .  .  .  .",
        Color::Red,
    );

    play(&mut board, "f8g8");
    assert_eq!(play(&mut board, "e2e1").to_string(), "xd4");
    assert_eq!(board.get(Square::D4), None);
}

#[test]
fn the_laser_fires_after_the_move_was_made() {
    // The pyramid steps out of its own beam, or into it.
    let board = draw(
        "
        8  .  .  .  .  .  rK .  .  .  .
        4  .  .  .  .  .  .  .  .  .  sPnw
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    let mut stays = board;
    assert_eq!(play(&mut stays, "e1e2").to_string(), "xj4");
    let mut leaves = board;
    assert_eq!(play(&mut leaves, "j4i4").to_string(), "");
    let mut moves = board;
    let shot = play(&mut moves, "j4-");
    assert_eq!(only_path(&shot), "j1↑ j2↑ j3↑ j4↑← i4← h4← g4← f4← e4← d4← c4← b4← a4←");
}

#[test]
fn the_laser_fires_once_after_every_move() {
    for setup in [Setup::Classic, Setup::Imhotep, Setup::Dynasty] {
        let start = setup.position();
        for &mv in &start.legal_moves() {
            let mut position = start;
            let shot = position.play(mv).unwrap();
            assert_eq!(shot.by, Color::Silver, "{mv}");
            assert_eq!(shot.beams.len(), 1, "{mv}");
            assert_eq!(shot.beams[0].steps[0].square, Square::J1, "{mv}");
            assert_eq!(position.side_to_move(), Color::Red, "{mv}");
        }
    }
}

#[test]
fn looking_where_the_beam_would_go_changes_nothing() {
    let board = draw(
        "
        8  .  .  .  .  .  rK .  .  .  .
        4  .  .  .  .  .  .  .  .  .  sPnw
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    let same = board;
    assert_eq!(board.fire(Color::Silver).to_string(), "xj4");
    assert_eq!(board, same);
}

#[test]
fn the_beam_neither_loops_nor_comes_back_into_its_own_laser() {
    // The two ends of a mirror maze are two ends, however the mirrors stand: the beam that goes in
    // at the laser comes out elsewhere. Here all sixteen ways to set four djeds are tried.
    for bits in 0..16 {
        let line = |bit: u32| if bits >> bit & 1 == 0 { r"D\" } else { "D/" };
        let drawing = format!(
            "
            8  .  .  .  .  .  rK .  .  .  .
            6  .  .  .  .  .  .  .  r{} .  sPsw
            3  .  .  .  .  .  .  .  s{} .  s{}
            2  .  .  .  .  .  .  .  r{} .  sPsw
            1  .  .  .  .  sK .  .  .  .  .",
            line(0),
            line(1),
            line(2),
            line(3),
        );
        let shot = draw(&drawing, Color::Silver).fire(Color::Silver);
        let steps = &shot.beams[0].steps;
        let mut visits: Vec<_> = steps.iter().map(|step| (step.square, step.arrives)).collect();
        assert!(!visits.contains(&(Square::J1, Direction::South)), "{drawing}");
        visits.sort();
        visits.dedup();
        assert_eq!(visits.len(), steps.len(), "{drawing}");
    }
}
