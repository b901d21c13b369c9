//! Moves of the tower itself.

use khet::{BrokenRule, Color};

use crate::drawn_tower::{assert_drawn, at, draw, only_path, play, refusal, tower_moves};

const LONELY: &str = "
    8  .  .  .  .  rK .  .  .  .  .
    5  .  .  .  .  #  #  .  .  .  .
    4  .  .  .  .  #  #  .  .  .  .
    1  .  .  .  .  sK .  .  .  .  .";

// Shifts.

#[test]
fn either_player_shifts_the_tower_by_one_square_in_any_of_the_eight_directions() {
    for side in Color::ALL {
        let board = draw(LONELY, side);
        assert_eq!(tower_moves(&board), ["d3", "d4", "d5", "e3", "e5", "f3", "f4", "f5"]);
        let mut board = board;
        play(&mut board, "Td5");
        assert_drawn(
            &board,
            "
            8  .  .  .  .  rK .  .  .  .  .
            6  .  .  .  #  #  .  .  .  .  .
            5  .  .  .  #  #  .  .  .  .  .
            1  .  .  .  .  sK .  .  .  .  .",
            !side,
        );
    }
}

#[test]
fn the_tower_shifts_by_one_square_only() {
    let board = draw(LONELY, Color::Silver);
    for mv in ["Te4", "Tc4", "Tg4", "Tg5", "Tc3"] {
        assert_eq!(refusal(&board, mv), BrokenRule::TowerNotANeighbor, "{mv}");
    }
}

#[test]
fn everything_on_the_tower_is_shifted_with_it() {
    let mut board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        7  .  .  rO .  .  .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        1  .  .  .  .  sK .  .  .  .  .
        upper
        7  sPse .  .  .  .  .
        4  .    .  #  #  rD/ .",
        Color::Silver,
    );
    play(&mut board, "Tf3");
    assert_drawn(
        &board,
        "
        8  .  .  .  .  rK .  .  .  .  .
        7  .  .  rO .  .  .  .  .  .  .
        4  .  .  .  .  .  #  #  .  .  .
        3  .  .  .  .  .  #  #  .  .  .
        1  .  .  .  .  sK .  .  .  .  .
        upper
        6  sPse .  .  .  .  .
        3  .    .  #  #  rD/ .",
        Color::Red,
    );
}

#[test]
fn a_piece_under_the_new_place_of_the_column_blocks_the_shift() {
    let board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        6  .  .  .  .  .  .  rO .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        3  .  .  .  .  .  sO .  .  .  .
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    // f3 is in the way of e3 and f3, g6 in that of f5.
    assert_eq!(tower_moves(&board), ["d3", "d4", "d5", "e5", "f4"]);
    for mv in ["Te3", "Tf3", "Tf5"] {
        assert_eq!(refusal(&board, mv), BrokenRule::TowerBlocked, "{mv}");
    }
}

#[test]
fn the_squares_that_the_column_leaves_count_as_empty() {
    // Every shift but the diagonal ones puts the column on two squares that it has left.
    let mut board = draw(LONELY, Color::Silver);
    play(&mut board, "Te5");
    assert_eq!(board.column().to_string(), "e5");
}

#[test]
fn the_upper_level_stays_above_the_board() {
    for (drawing, moves, off) in [
        (
            "
            8  .  .  .  .  rK .  .  .  .  .
            4  .  .  #  #  .  .  .  .  .  .
            3  .  .  #  #  .  .  .  .  .  .
            1  .  .  .  .  sK .  .  .  .  .",
            ["c4", "d3", "d4"],
            ["Tb3", "Tb4", "Tc2", "Td2", "Tb2"],
        ),
        (
            "
            8  .  .  .  .  rK .  .  .  .  .
            6  .  .  .  .  .  .  #  #  .  .
            5  .  .  .  .  .  .  #  #  .  .
            1  .  .  .  .  sK .  .  .  .  .",
            ["f4", "f5", "g4"],
            ["Th5", "Th4", "Tg6", "Tf6", "Th6"],
        ),
    ] {
        let board = draw(drawing, Color::Silver);
        assert_eq!(tower_moves(&board), moves);
        for mv in off {
            assert_eq!(refusal(&board, mv), BrokenRule::TowerOffBoard, "{mv}");
        }
    }
}

// Rotations.

#[test]
fn a_rotation_carries_the_pieces_about_the_centre_and_turns_them() {
    let before = "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        1  .  .  .  .  sK .  .  .  .  .
        upper
        7  sPne sD/ .  .  .  .
        6  .    .   .  .  .  rOO";
    let clockwise = "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        1  .  .  .  .  sK .  .  .  .  .
        upper
        7  .  .  .  .  .   sPse
        6  .  .  .  .  .   sD\\
        2  .  .  .  .  rOO .";
    let counterclockwise = "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        1  .  .  .  .  sK .  .  .  .  .
        upper
        7  .    rOO .  .  .  .
        3  sD\\ .   .  .  .  .
        2  sPnw .   .  .  .  .";
    for side in Color::ALL {
        for (mv, after) in [("T+", clockwise), ("T-", counterclockwise)] {
            let mut board = draw(before, side);
            play(&mut board, mv);
            assert_drawn(&board, after, !side);
        }
    }
}

#[test]
fn a_rotation_of_an_empty_tower_is_no_move() {
    let board = draw(LONELY, Color::Silver);
    assert_eq!(refusal(&board, "T+"), BrokenRule::TowerLooksTheSame);
    assert_eq!(refusal(&board, "T-"), BrokenRule::TowerLooksTheSame);
}

#[test]
fn a_rotation_that_leaves_the_arrangement_as_it_was_is_no_move() {
    let symmetrical = "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        1  .  .  .  .  sK .  .  .  .  .
        upper
        7  sPnw .  .  .  .  sPne
        2  sPsw .  .  .  .  sPse";
    assert_eq!(refusal(&draw(symmetrical, Color::Silver), "T+"), BrokenRule::TowerLooksTheSame);
    // One that looks otherwise after a quarter turn makes both rotations moves.
    for other in ["sPsw", "sO  ", "rPse"] {
        let board = draw(&symmetrical.replace("sPse", other), Color::Silver);
        let moves = tower_moves(&board);
        assert!(moves.contains(&"+".to_string()) && moves.contains(&"-".to_string()), "{other}");
    }
}

#[test]
fn both_rotations_are_moves_even_where_they_lead_to_the_same_arrangement() {
    let board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        1  .  .  .  .  sK .  .  .  .  .
        upper
        7  sO .  .  .  .  .
        2  .  .  .  .  .  sO",
        Color::Silver,
    );
    let after = ["T+", "T-"].map(|mv| {
        let mut after = board;
        play(&mut after, mv);
        after
    });
    assert_eq!(after[0], after[1]);
    assert_eq!(tower_moves(&board), ["+", "-", "d3", "d4", "d5", "e3", "e5", "f3", "f4", "f5"]);
}

#[test]
fn corners_go_to_corners_so_a_pharaoh_never_lands_on_one() {
    let mut board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        upper
        7  .  sK .  .  .  .",
        Color::Silver,
    );
    for square in ["H6", "G2", "C3", "D7"] {
        play(&mut board, "T+");
        assert_eq!(board.pharaoh(Color::Silver), Some(at(square)));
        assert_eq!(board.placement().faults(), []);
    }
}

#[test]
fn the_laser_of_the_player_fires_after_a_move_of_the_tower() {
    let mut board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  sPsw
        1  .  .  .  .  sK .  .  .  .  .
        upper
        7  .  .  .  .  rO .",
        Color::Silver,
    );
    // The obelisk goes from G7 to H3, out of the way.
    let shot = play(&mut board, "T+");
    assert_eq!(shot.by, Color::Silver);
    assert_eq!(only_path(&shot), "j1↑ j2↑ j3↑ j4↑← i4← h4← g4← G4→ H4→");
    // Red shifts it into the beam of the next move.
    play(&mut board, "Te5");
    assert_eq!(board.get(at("H4")).unwrap().to_string(), "o1");
}
