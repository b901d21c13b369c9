//! Beams on two levels: periscopes, blank halves and the rim.

use khet::tower::TowerColumn;
use khet::{BeamEnd, Color, Direction, Square};

use crate::drawn_tower::{at, draw, only_path, play};

// The tower.

#[test]
fn the_upper_level_has_six_by_six_squares_without_the_four_of_the_column() {
    let column = TowerColumn::new(Square::E4).unwrap();
    let names = |squares: khet::Bitboard| {
        squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(column.squares()), "e4 f4 e5 f5");
    assert_eq!(
        names(column.upper_level()),
        "c2 d2 e2 f2 g2 h2 c3 d3 e3 f3 g3 h3 c4 d4 g4 h4 c5 d5 g5 h5 \
         c6 d6 e6 f6 g6 h6 c7 d7 e7 f7 g7 h7"
    );
    assert_eq!(names(column.corners()), "c2 h2 c7 h7");
}

#[test]
fn the_column_has_fifteen_places_all_on_neutral_squares() {
    let names: Vec<String> = TowerColumn::all().map(|column| column.to_string()).collect();
    assert_eq!(names.join(" "), "c3 d3 e3 f3 g3 c4 d4 e4 f4 g4 c5 d5 e5 f5 g5");
    for column in TowerColumn::all() {
        assert_eq!(column.squares().len(), 4);
        assert_eq!(column.upper_level().len(), 32);
        assert!(column.squares().into_iter().all(|square| square.reserved_for().is_none()));
        assert_eq!(TowerColumn::new(column.lower_left()), Some(column));
    }
    let places = Square::all().filter_map(TowerColumn::new).count();
    assert_eq!(places, TowerColumn::COUNT);
}

#[test]
fn each_square_of_the_column_serves_one_face() {
    let column = TowerColumn::new(Square::E4).unwrap();
    for (square, travel) in [
        (Square::E4, Direction::North),
        (Square::E5, Direction::East),
        (Square::F5, Direction::South),
        (Square::F4, Direction::West),
    ] {
        for direction in Direction::ALL {
            assert_eq!(column.has_periscope(square, direction), direction == travel, "{square}");
        }
    }
}

// Up.

#[test]
fn a_beam_at_the_left_half_of_the_east_face_comes_out_above_and_travels_back() {
    let board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  sPsw
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    let shot = board.fire(Color::Silver);
    assert_eq!(only_path(&shot), "j1↑ j2↑ j3↑ j4↑← i4← h4← g4← G4→ H4→");
    assert_eq!(shot.beams[0].end, BeamEnd::Wall);
    assert_eq!(shot.hits, []);
}

#[test]
fn a_beam_at_the_left_half_of_the_west_face_goes_up() {
    let board = draw(
        "
        8  .    .  .  .  rK .  .  .  .  .
        5  rPne .  .  .  #  #  .  .  .  .
        4  .    .  .  .  #  #  .  .  .  .
        1  .    .  .  .  sK .  .  .  .  .",
        Color::Red,
    );
    let shot = board.fire(Color::Red);
    assert_eq!(only_path(&shot), "a8↓ a7↓ a6↓ a5↓→ b5→ c5→ d5→ D5← C5←");
}

#[test]
fn a_beam_at_the_left_half_of_the_south_face_goes_up() {
    let board = draw(
        "
        8  .  .  .  .  rK   .  .  .  .  .
        5  .  .  .  .  #    #  .  .  .  .
        4  .  .  .  .  #    #  .  .  .  .
        2  .  .  .  .  sPne .  .  .  .  sPsw
        1  .  .  .  .  sK   .  .  .  .  .",
        Color::Silver,
    );
    let shot = board.fire(Color::Silver);
    assert_eq!(only_path(&shot), "j1↑ j2↑← i2← h2← g2← f2← e2←↑ e3↑ E3↓ E2↓");
}

#[test]
fn a_beam_at_the_left_half_of_the_north_face_goes_up() {
    let board = draw(
        "
        8  .  .  .  .  rK .    .  .  .  .
        7  .  .  .  .  .  sPse .  .  .  sPsw
        5  .  .  .  .  #  #    .  .  .  .
        4  .  .  .  .  #  #    .  .  .  .
        1  .  .  .  .  sK .    .  .  .  .",
        Color::Silver,
    );
    let shot = board.fire(Color::Silver);
    assert_eq!(only_path(&shot), "j1↑ j2↑ j3↑ j4↑ j5↑ j6↑ j7↑← i7← h7← g7← f7←↓ f6↓ F6↑ F7↑");
}

// Blank halves.

#[test]
fn a_beam_that_arrives_at_a_blank_half_ends_there_and_harms_nothing() {
    for (drawing, path) in [
        (
            "
            8  .  .  .  .  rK .  .  .  .  .
            5  .  .  .  .  #  #  .  .  .  sPsw
            4  .  .  .  .  #  #  .  .  .  .
            1  .  .  .  .  sK .  .  .  .  .",
            "j1↑ j2↑ j3↑ j4↑ j5↑← i5← h5← g5←",
        ),
        (
            "
            8  .  .  .  .  rK .    .  .  .  .
            5  .  .  .  .  #  #    .  .  .  .
            4  .  .  .  .  #  #    .  .  .  .
            2  .  .  .  .  .  sPne .  .  .  sPsw
            1  .  .  .  .  sK .    .  .  .  .",
            "j1↑ j2↑← i2← h2← g2← f2←↑ f3↑",
        ),
        (
            "
            8  .  .  .  .  rK   .  .  .  .  .
            7  .  .  .  .  sPse .  .  .  .  sPsw
            5  .  .  .  .  #    #  .  .  .  .
            4  .  .  .  .  #    #  .  .  .  .
            1  .  .  .  .  sK   .  .  .  .  .",
            "j1↑ j2↑ j3↑ j4↑ j5↑ j6↑ j7↑← i7← h7← g7← f7← e7←↓ e6↓",
        ),
        (
            "
            8  .  .  .  .    rK .  .  .  .  .
            7  .  .  sPse .  .  .  .  .  .  sPsw
            5  .  .  .    .  #  #  .  .  .  .
            4  .  .  sPne .  #  #  .  .  .  .
            1  .  .  .    .  sK .  .  .  .  .",
            "j1↑ j2↑ j3↑ j4↑ j5↑ j6↑ j7↑← i7← h7← g7← f7← e7← d7← c7←↓ c6↓ c5↓ c4↓→ d4→",
        ),
    ] {
        let board = draw(drawing, Color::Silver);
        let shot = board.fire(Color::Silver);
        assert_eq!(only_path(&shot), path);
        assert_eq!(shot.beams[0].end, BeamEnd::Column);
        assert_eq!(shot.hits, []);
    }
}

#[test]
fn a_beam_that_arrives_at_a_blank_half_of_the_upper_level_ends_there() {
    let board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  sPsw
        1  .  .  .  .  sK .  .  .  .  .
        upper
        5  .  .  #  #  .  sPsw
        4  .  .  #  #  .  sPnw",
        Color::Silver,
    );
    let shot = board.fire(Color::Silver);
    assert_eq!(only_path(&shot), "j1↑ j2↑ j3↑ j4↑← i4← h4← g4← G4→ H4→↑ H5↑← G5←");
    assert_eq!(shot.beams[0].end, BeamEnd::Column);
}

// On the upper level, and down.

#[test]
fn a_beam_behaves_on_the_upper_level_as_on_the_ground() {
    let mut board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  sPsw
        1  .  .  .  .  sK .  .  .  .  .
        upper
        7  .  .  .  .  .  rOO
        4  .  .  #  #  .  sPnw",
        Color::Silver,
    );
    let shot = play(&mut board, "e1d1");
    assert_eq!(only_path(&shot), "j1↑ j2↑ j3↑ j4↑← i4← h4← g4← G4→ H4→↑ H5↑ H6↑ H7↑•");
    assert_eq!(shot.to_string(), "xH7^");
    assert_eq!(board.get(at("H7")).unwrap().to_string(), "o1");
}

#[test]
fn a_beam_ends_at_the_rim_of_the_upper_level() {
    let board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  sPsw
        1  .  .  .  .  sK .  .  .  .  .
        upper
        4  .  .  #  #  sPnw .",
        Color::Silver,
    );
    let shot = board.fire(Color::Silver);
    assert_eq!(only_path(&shot), "j1↑ j2↑ j3↑ j4↑← i4← h4← g4← G4→↑ G5↑ G6↑ G7↑");
    assert_eq!(shot.beams[0].end, BeamEnd::Wall);
}

#[test]
fn a_piece_right_above_the_periscope_is_met_from_the_column() {
    let mut board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  sPsw
        1  .  .  .  .  sK .  .  .  .  .
        upper
        4  .  .  #  #  rPne .",
        Color::Silver,
    );
    let shot = play(&mut board, "e1d1");
    assert_eq!(only_path(&shot), "j1↑ j2↑ j3↑ j4↑← i4← h4← g4← G4→•");
    assert_eq!(shot.to_string(), "xG4");
}

#[test]
fn a_beam_comes_down_from_the_upper_level() {
    let board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  sPsw
        1  .  .  .  .  sK .  .  .  .  .
        upper
        7  .  .  .  sPse .  sPsw
        5  .  .  #  #    .  .
        4  .  .  #  #    .  sPnw",
        Color::Silver,
    );
    let shot = board.fire(Color::Silver);
    assert_eq!(
        only_path(&shot),
        "j1↑ j2↑ j3↑ j4↑← i4← h4← g4← G4→ H4→↑ H5↑ H6↑ H7↑← G7← F7←↓ F6↓ f6↑ f7↑ f8↑"
    );
}

#[test]
fn a_shot_can_change_levels_four_times() {
    let board = draw(
        "
        8  .  .  sPse .  .  sPsw .  rK .  .
        5  .  .  sPne .  #  #    .  .  .  .
        4  .  .  .    .  #  #    .  .  .  sPsw
        1  .  .  .    .  .  .    sK .  .  .
        upper
        7  .    .  .    sPse .  sPsw
        5  rPse .  #    #    .  .
        4  .    .  #    #    .  sPnw
        2  rPne .  rPnw .    .  .",
        Color::Silver,
    );
    let shot = board.fire(Color::Silver);
    assert_eq!(
        only_path(&shot),
        "j1↑ j2↑ j3↑ j4↑← i4← h4← g4← G4→ H4→↑ H5↑ H6↑ H7↑← G7← F7←↓ F6↓ f6↑ f7↑ f8↑← e8← d8← c8←↓ \
         c7↓ c6↓ c5↓→ d5→ D5← C5←↓ C4↓ C3↓ C2↓→ D2→ E2→↑ E3↑ e3↓ e2↓ e1↓"
    );
}

#[test]
fn pieces_and_beams_on_the_ground_pass_below_the_upper_level_as_usual() {
    let mut board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        3  .  .  rO .  .  .  .  .  .  sPsw
        1  .  .  .  .  sK .  .  .  .  .
        upper
        3  .  sO .  .  .  .",
        Color::Silver,
    );
    let shot = play(&mut board, "e1d1");
    assert_eq!(only_path(&shot), "j1↑ j2↑ j3↑← i3← h3← g3← f3← e3← d3← c3←•");
    assert_eq!(shot.to_string(), "xc3");
    play(&mut board, "e8d8");
    // The tower is no obstacle for pieces beneath it either.
    play(&mut board, "d1d2");
}

#[test]
fn the_place_of_the_tower_decides_which_beams_it_meets() {
    let mut board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        3  .  .  .  .  .  .  .  .  .  sPsw
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    // The column moves into the beam.
    let shot = play(&mut board, "Te3");
    assert_eq!(only_path(&shot), "j1↑ j2↑ j3↑← i3← h3← g3← G3→ H3→");
}
