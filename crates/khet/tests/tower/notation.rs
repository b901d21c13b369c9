//! The notation of positions and moves with a tower.

use khet::tower::{
    BoardLevel, ParsePlacementError, Placement, PlacementProblem, Position, Square, TowerMove,
};
use khet::{Move, Role, Rotation};

use crate::drawn_tower::at;

const EXAMPLE: &str = "4o2ko2d22/10/3P42p13/p1P36p2P4/p2P46p1P3/3P32p23/10/2D2O2KO24\
                       +e4:6/4P21/6/6/1p44/6 s";

#[test]
fn the_example_has_a_pyramid_of_each_side_upstairs() {
    let placement: Placement = EXAMPLE.parse().unwrap();
    let upstairs: Vec<String> = placement
        .pieces()
        .filter(|(square, _)| square.level() == BoardLevel::Upper)
        .map(|(square, piece)| format!("{square} {piece}"))
        .collect();
    assert_eq!(upstairs, ["D3 p4", "G6 P2"]);
    assert_eq!(placement.column().to_string(), "e4");
    assert_eq!(placement.to_string(), EXAMPLE);
    assert_eq!(EXAMPLE.parse::<Position>().unwrap().to_string(), EXAMPLE);
}

#[test]
fn squares_of_the_upper_level_have_a_capital_letter() {
    assert_eq!(at("C7"), Square::new(BoardLevel::Upper, khet::Square::C7));
    assert_eq!(at("c7"), Square::new(BoardLevel::Ground, khet::Square::C7));
    for index in 0..Square::COUNT {
        let square = Square::from_index(index).unwrap();
        assert_eq!(square.index(), index);
        assert_eq!(square.to_string().parse(), Ok(square));
    }
    for text in ["", "c", "K1", "c9", "C0", "c77", "ü", "T4"] {
        assert!(text.parse::<Square>().is_err(), "{text}");
    }
}

#[test]
fn moves_between_levels_and_of_the_tower_are_written_as_in_the_rules() {
    for (text, mv) in [
        ("C7D6", Move::Step { from: at("C7"), to: at("D6") }),
        ("c7C7", Move::Step { from: at("c7"), to: at("C7") }),
        ("C7c7", Move::Step { from: at("C7"), to: at("c7") }),
        ("c7^C7", Move::Unstack { from: at("c7"), to: at("C7") }),
        ("G6+", Move::Rotate { square: at("G6"), rotation: Rotation::Clockwise }),
        ("h2-", Move::Rotate { square: at("h2"), rotation: Rotation::Counterclockwise }),
        ("Te5", Move::Tower(TowerMove::Shift(khet::Square::E5))),
        ("T+", Move::Tower(TowerMove::Rotate(Rotation::Clockwise))),
        ("T-", Move::Tower(TowerMove::Rotate(Rotation::Counterclockwise))),
    ] {
        assert_eq!(text.parse(), Ok(mv));
        assert_eq!(mv.to_string(), text);
    }
    for text in ["", "T", "T*", "te5", "TE5", "Te5+", "T+ ", "Tk5", "c7^", "c7C7C7", "c7*C7"] {
        let error = text.parse::<Move<Square>>().unwrap_err();
        assert!(error.to_string().contains("Te5, T+ or T-"), "{error}");
    }
}

#[test]
fn moves_of_the_tower_are_no_moves_of_the_standard_game() {
    for text in ["Te5", "T+", "C7c7", "G6+"] {
        assert!(text.parse::<Move>().is_err(), "{text}");
    }
    assert!(EXAMPLE.parse::<khet::Placement>().is_err());
}

/// Asserts that a text is wrong at a character, counted from 1, and returns the error.
#[track_caller]
fn error(text: &str, character: usize) -> ParsePlacementError {
    let error = text.parse::<Placement>().unwrap_err();
    assert_eq!(error.character, character, "{error}");
    error
}

const GROUND: &str = "4k5/10/10/10/10/10/10/4K5";

#[test]
fn a_wrong_tower_is_rejected_with_the_wrong_character() {
    assert_eq!(GROUND.len(), 25);
    for (rest, character, problem) in [
        (" s", 26, PlacementProblem::NoTower(" s".to_string())),
        ("", 26, PlacementProblem::NoTower(String::new())),
        ("+", 27, PlacementProblem::WrongColumn(String::new())),
        ("+b4:6/6/6/6/6/6 s", 27, PlacementProblem::WrongColumn("b4:".to_string())),
        ("+h4:6/6/6/6/6/6 s", 27, PlacementProblem::WrongColumn("h4:".to_string())),
        ("+E4:6/6/6/6/6/6 s", 27, PlacementProblem::WrongColumn("E4:".to_string())),
        ("+e6:6/6/6/6/6/6 s", 28, PlacementProblem::WrongColumn("e6:".to_string())),
        ("+e2:6/6/6/6/6/6 s", 28, PlacementProblem::WrongColumn("e2:".to_string())),
        ("+e", 28, PlacementProblem::WrongColumn("e".to_string())),
        ("+e4/6/6/6/6/6/6 s", 29, PlacementProblem::WrongColumn("e4/".to_string())),
        ("+éé:6/6/6/6/6/6 s", 27, PlacementProblem::WrongColumn("éé:".to_string())),
    ] {
        let error = error(&format!("{GROUND}{rest}"), character);
        assert_eq!((error.rank, error.problem), (None, problem), "{rest}");
    }
}

#[test]
fn a_wrong_upper_level_is_rejected_with_the_wrong_character() {
    use PlacementProblem::*;
    let wrong_number = |text: &str| WrongNumber(text.to_string());
    for (upper, character, rank, problem) in [
        ("7/6/6/6/6/6 s", 30, 7, wrong_number("7")),
        ("6/10/6/6/6/6 s", 32, 6, wrong_number("10")),
        ("6/6/0P15/6/6/6 s", 34, 5, wrong_number("0")),
        ("33/6/6/6/6/6 s", 30, 7, wrong_number("33")),
        ("5/6/6/6/6/6 s", 31, 7, RankTooShort(5)),
        ("6/6P1/6/6/6/6 s", 33, 6, RankTooLong),
        ("6/2P14/6/6/6/6 s", 35, 6, RankTooLong),
        ("6/6/6/6/6 s", 39, 3, MissingRanks(5)),
        ("6/6/6/6/6/6/6 s", 41, 2, TooManyRanks),
        (
            "6/6/6/P5/6/6 s",
            36,
            4,
            Standard(khet::PlacementProblem::WrongDigit(Role::Pyramid, "P5".to_string())),
        ),
        ("6/6/6/#5/6/6 s", 36, 4, Standard(khet::PlacementProblem::UnknownLetter('#'))),
    ] {
        let error = error(&format!("{GROUND}+e4:{upper}"), character);
        assert_eq!(
            (error.rank, error.problem),
            (Some((BoardLevel::Upper, rank)), problem),
            "{upper}"
        );
    }
}

#[test]
fn the_ground_and_the_side_are_checked_as_without_a_tower() {
    use khet::PlacementProblem::{
        RankTooLong, RankTooShort, TooManyRanks, TrailingText, WrongSide,
    };
    let upper = "+e4:6/6/6/6/6/6";
    for (text, character, rank, problem) in [
        (format!("4k4/10/10/10/10/10/10/4K5{upper} s"), 4, Some(8), RankTooShort(9)),
        (format!("4k6/10/10/10/10/10/10/4K5{upper} s"), 3, Some(8), RankTooLong),
        (format!("{GROUND}/10{upper} s"), 26, Some(1), TooManyRanks),
        (format!("{GROUND}{upper}"), 41, None, WrongSide(String::new())),
        (format!("{GROUND}{upper} x"), 41, None, WrongSide(" x".to_string())),
        (format!("{GROUND}{upper} s "), 43, None, TrailingText(" ".to_string())),
    ] {
        let error = error(&text, character);
        assert_eq!(error.rank, rank.map(|rank| (BoardLevel::Ground, rank)), "{text}");
        assert_eq!(error.problem, PlacementProblem::Standard(problem), "{text}");
    }
}

#[test]
fn an_error_says_where_and_why() {
    let error = error(&format!("{GROUND}+e4:6/6/6/6/7/6 s"), 38);
    assert_eq!(
        error.to_string(),
        "character 38 (upper level, rank 3): \"7\": the number of empty squares of the upper level \
         is 1 to 6"
    );
}
