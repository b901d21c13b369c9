//! The board: its squares, who may stand on them, and the lasers in its wall.

use khet::{
    BeamEnd, BrokenRule, Color, Direction, Fault, Placement, Position, Rules, Setup, Square,
};

use crate::drawn::{draw, only_path, piece, play, with_side};

const RED_ONLY: [&str; 10] = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "i1", "i8"];
const SILVER_ONLY: [&str; 10] = ["j1", "j2", "j3", "j4", "j5", "j6", "j7", "j8", "b1", "b8"];

/// Nothing but the two pharaohs, in the middle of the board.
const TWO_PHARAOHS: &str = "
    6  .  .  .  .  rK .  .  .  .  .
    3  .  .  .  .  .  sK .  .  .  .";

fn two_pharaohs_and(cell: &str, square: Square) -> Placement {
    let mut placement = draw(TWO_PHARAOHS, Color::Silver).placement();
    placement.set(square, piece(cell));
    placement
}

fn is_reserved(square: Square) -> bool {
    RED_ONLY.contains(&square.to_string().as_str())
        || SILVER_ONLY.contains(&square.to_string().as_str())
}

#[test]
fn the_board_has_ten_files_and_eight_ranks() {
    let mut names = Vec::new();
    for rank in '1'..='8' {
        for file in 'a'..='j' {
            names.push(format!("{file}{rank}"));
        }
    }
    assert_eq!(names.len(), 80);
    assert_eq!(Square::all().map(|square| square.to_string()).collect::<Vec<_>>(), names);
}

#[test]
fn files_go_from_left_to_right_and_ranks_up_from_silvers_side() {
    assert_eq!(Square::A1.neighbor(Direction::East), Some(Square::B1));
    assert_eq!(Square::A1.neighbor(Direction::North), Some(Square::A2));
    assert_eq!(Square::A1.neighbor(Direction::West), None);
    assert_eq!(Square::A1.neighbor(Direction::South), None);
    assert_eq!(Square::J8.neighbor(Direction::East), None);
    assert_eq!(Square::J8.neighbor(Direction::North), None);

    let start = Setup::Classic.position();
    assert_eq!(start.pharaoh(Color::Silver), Some(Square::E1));
    assert_eq!(start.pharaoh(Color::Red), Some(Square::F8));
}

#[test]
fn ten_squares_are_reserved_for_red_ten_for_silver_and_sixty_are_neutral() {
    for square in Square::all() {
        let name = square.to_string();
        let expected = if RED_ONLY.contains(&name.as_str()) {
            Some(Color::Red)
        } else if SILVER_ONLY.contains(&name.as_str()) {
            Some(Color::Silver)
        } else {
            None
        };
        assert_eq!(square.reserved_for(), expected, "{square}");
    }
    assert_eq!(Square::all().filter(|square| square.reserved_for().is_none()).count(), 60);
}

#[test]
fn only_red_stands_on_reds_squares() {
    for square in RED_ONLY.map(|name| name.parse().unwrap()) {
        let fault = Fault::Reserved { square, piece: piece("sPne").unwrap() };
        assert_eq!(two_pharaohs_and("sPne", square).faults(), [fault]);
        assert_eq!(two_pharaohs_and("rPne", square).faults(), []);
    }
}

#[test]
fn only_silver_stands_on_silvers_squares() {
    for square in SILVER_ONLY.map(|name| name.parse().unwrap()) {
        let fault = Fault::Reserved { square, piece: piece("rPne").unwrap() };
        assert_eq!(two_pharaohs_and("rPne", square).faults(), [fault]);
        assert_eq!(two_pharaohs_and("sPne", square).faults(), []);
    }
}

#[test]
fn both_colours_stand_on_neutral_squares() {
    let occupied = ["e6", "f3"];
    for square in Square::all().filter(|&square| !is_reserved(square)) {
        if !occupied.contains(&square.to_string().as_str()) {
            assert_eq!(two_pharaohs_and("sPne", square).faults(), []);
            assert_eq!(two_pharaohs_and("rPne", square).faults(), []);
        }
    }
}

/// Tries to step onto the square with a pyramid of that colour from everywhere around it.
fn steps_onto(target: Square, color: Color) -> Vec<Result<(), BrokenRule>> {
    let mut results = Vec::new();
    for (files, ranks) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
        let Some(from) = target.offset(files, ranks) else { continue };
        let cell = if color == Color::Silver { "sPne" } else { "rPne" };
        let placement = with_side(two_pharaohs_and(cell, from), color);
        // The pyramid may not stand on squares that are reserved for the other colour.
        let Ok(position) = Position::new(&placement, Rules::Standard) else { continue };
        let mv = format!("{from}{target}").parse().unwrap();
        results.push(position.check(mv).map(|_| ()).map_err(|error| error.rule));
    }
    results
}

#[test]
fn no_piece_moves_onto_a_square_reserved_for_the_other_colour() {
    for (squares, owner) in [(RED_ONLY, Color::Red), (SILVER_ONLY, Color::Silver)] {
        for square in squares.map(|name| name.parse().unwrap()) {
            let of_owner = steps_onto(square, owner);
            assert!(of_owner.len() >= 2 && of_owner.iter().all(Result::is_ok), "{square}");
            let of_other = steps_onto(square, !owner);
            assert!(!of_other.is_empty(), "{square}");
            for result in of_other {
                assert_eq!(result, Err(BrokenRule::ReservedSquare), "{square}");
            }
        }
    }
}

#[test]
fn silvers_laser_shines_into_j1_going_north() {
    let board = draw(TWO_PHARAOHS, Color::Silver);
    let shot = board.fire(Color::Silver);
    assert_eq!(only_path(&shot), "j1↑ j2↑ j3↑ j4↑ j5↑ j6↑ j7↑ j8↑");
    assert_eq!(shot.beams[0].end, BeamEnd::Wall);
}

#[test]
fn reds_laser_shines_into_a8_going_south() {
    let board = draw(TWO_PHARAOHS, Color::Red);
    let shot = board.fire(Color::Red);
    assert_eq!(only_path(&shot), "a8↓ a7↓ a6↓ a5↓ a4↓ a3↓ a2↓ a1↓");
    assert_eq!(shot.beams[0].end, BeamEnd::Wall);
}

#[test]
fn a_laser_shines_onto_a_piece_in_its_corner() {
    let board = draw(
        "
        8  rO .  .  .  .  .  .  .  .  .
        6  .  .  .  .  rK .  .  .  .  .
        3  .  .  .  .  .  sK .  .  .  .
        1  .  .  .  .  .  .  .  .  .  sPsw",
        Color::Silver,
    );
    assert_eq!(only_path(&board.fire(Color::Red)), "a8↓•");
    assert_eq!(board.fire(Color::Red).to_string(), "xa8");
    assert_eq!(only_path(&board.fire(Color::Silver)), "j1↑← i1← h1← g1← f1← e1← d1← c1← b1← a1←");
}

#[test]
fn each_player_fires_only_their_own_laser() {
    // An obelisk stands in each beam.
    let mut board = draw(
        "
        6  .  .  .  .  rK .  .  .  .  .
        5  rO .  .  .  .  .  .  .  .  .
        4  .  .  .  .  .  .  .  .  .  sO
        3  .  .  .  .  .  sK .  .  .  .",
        Color::Silver,
    );
    let shot = play(&mut board, "f3f2");
    assert_eq!((shot.by, shot.to_string().as_str()), (Color::Silver, "xj4"));
    assert_eq!(board.get(Square::A5), piece("rO"));

    let shot = play(&mut board, "e6e7");
    assert_eq!((shot.by, shot.to_string().as_str()), (Color::Red, "xa5"));
}

#[test]
fn the_lasers_never_move() {
    for (side, square, direction) in
        [(Color::Silver, Square::J1, Direction::North), (Color::Red, Square::A8, Direction::South)]
    {
        let placement = with_side(Setup::Classic.placement(), side);
        let start = Position::new(&placement, Rules::Standard).unwrap();
        for &mv in &start.legal_moves() {
            let mut position = start;
            let shot = position.play(mv).unwrap();
            let first = shot.beams[0].steps[0];
            assert_eq!((first.square, first.arrives), (square, direction), "{mv}");
        }
    }
}
