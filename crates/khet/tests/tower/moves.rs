//! Moves of pieces on two levels.

use khet::{BrokenRule, Color};

use crate::drawn_tower::{assert_drawn, at, draw, moves_of, play, refusal};

#[test]
fn a_piece_moves_on_the_upper_level_as_on_the_ground() {
    let board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        1  .  .  .  .  sK .  .  .  .  .
        upper
        6  .  .    .  .  .  .
        5  .  .    #  #  .  .
        4  .  .    #  #  .  .
        3  .  sPne .  .  .  .",
        Color::Silver,
    );
    assert_eq!(moves_of(&board, "D3"), ["+", "-", "C2", "C3", "C4", "D2", "D4", "E2", "E3", "d3"]);
    // The column and the rim limit it.
    assert_eq!(refusal(&board, "D3E4"), BrokenRule::InsideColumn);
    let board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        1  .  .  .  .  sK .  .  .  .  .
        upper
        2  sO .  .  .  .  .",
        Color::Silver,
    );
    assert_eq!(moves_of(&board, "C2"), ["C3", "D2", "D3", "c2"]);
    assert_eq!(refusal(&board, "C2B2"), BrokenRule::NotOnTower);
    assert_eq!(refusal(&board, "C2c3"), BrokenRule::NotANeighbor);
}

#[test]
fn no_piece_enters_the_column_on_the_ground() {
    let board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        3  .  .  .  sO .  .  .  .  .  .
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    assert_eq!(moves_of(&board, "d3"), ["D3", "c2", "c3", "c4", "d2", "d4", "e2", "e3"]);
    assert_eq!(refusal(&board, "d3e4"), BrokenRule::InsideColumn);
}

#[test]
fn a_piece_climbs_to_the_square_straight_above_and_descends_again() {
    let ground = "
        8  .  .  .    .  rK .  .  .  .  .
        7  .  .  sPse .  .  .  .  .  .  .
        5  .  .  .    .  #  #  .  .  .  .
        4  .  .  .    .  #  #  .  .  .  .
        1  .  .  .    .  sK .  .  .  .  .";
    let upper = "
        8  .  .  .    .  rK .  .  .  .  .
        5  .  .  .    .  #  #  .  .  .  .
        4  .  .  .    .  #  #  .  .  .  .
        1  .  .  .    .  sK .  .  .  .  .
        upper
        7  sPse .  .  .  .  .";
    let mut board = draw(ground, Color::Silver);
    play(&mut board, "c7C7");
    assert_drawn(&board, upper, Color::Red);
    let mut board = draw(upper, Color::Silver);
    play(&mut board, "C7c7");
    assert_drawn(&board, ground, Color::Red);
}

#[test]
fn a_piece_climbs_only_where_the_upper_level_is() {
    let board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        7  .  sO .  .  .  .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "b7B7"), BrokenRule::NotOnTower);
}

#[test]
fn a_piece_climbs_or_descends_only_onto_an_empty_square() {
    let board = draw(
        "
        8  .  .  .    .  rK .  .  .  .  .
        7  .  .  sPse .  .  .  .  .  .  .
        6  .  .  rO   .  .  .  .  .  .  .
        5  .  .  .    .  #  #  .  .  .  .
        4  .  .  .    .  #  #  .  .  .  .
        1  .  .  .    .  sK .  .  .  .  .
        upper
        7  rPne .  .  .  .  .
        6  sPne .  .  .  .  .",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "c7C7"), BrokenRule::Occupied);
    assert_eq!(refusal(&board, "C6c6"), BrokenRule::Occupied);
}

#[test]
fn no_piece_descends_onto_a_square_reserved_for_the_other_colour() {
    // The upper level of the column on c3 lies above a1 to f6, that of g3 above e1 to j6.
    let left = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        4  .  .  #  #  .  .  .  .  .  .
        3  .  .  #  #  .  .  .  .  .  .
        1  .  .  .  .  .  .  .  sK .  .
        upper
        6  sO rO .  .  .  .
        1  .  sO .  .  .  .",
        Color::Silver,
    );
    assert_eq!(refusal(&left, "A6a6"), BrokenRule::ReservedSquare);
    assert!(moves_of(&left, "B1").contains(&"b1".to_string()));
    let right = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        4  .  .  .  .  .  .  #  #  .  .
        3  .  .  .  .  .  .  #  #  .  .
        1  .  .  .  .  sK .  .  .  .  .
        upper
        6  .  .  .  .  .  rO
        1  .  .  .  .  rO .",
        Color::Red,
    );
    assert_eq!(refusal(&right, "J6j6"), BrokenRule::ReservedSquare);
    assert!(moves_of(&right, "I1").contains(&"i1".to_string()));
}

#[test]
fn all_squares_of_the_upper_level_are_neutral() {
    let board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        4  .  .  #  #  .  .  .  .  .  .
        3  .  .  #  #  .  .  .  .  .  .
        1  .  .  .  .  .  .  .  sK .  .
        upper
        5  .  sO .  .  .  .",
        Color::Silver,
    );
    // A4 to A6 lie above squares that are reserved for Red.
    // C4 is a square of the column.
    assert_eq!(moves_of(&board, "B5"), ["A4", "A5", "A6", "B4", "B6", "C5", "C6", "b5"]);
}

#[test]
fn a_djed_or_an_eye_swaps_with_what_stands_above_or_below() {
    for swapper in [r"sD\", "sE/"] {
        for other in ["sPse", "rPnw", "sO", "rO", "sOO", "rOO"] {
            let ground_djed = "
                8  .  .  .    .  rK .  .  .  .  .
                7  .  .  ONE  .  .  .  .  .  .  .
                5  .  .  .    .  #  #  .  .  .  .
                4  .  .  .    .  #  #  .  .  .  .
                1  .  .  .    .  sK .  .  .  .  .
                upper
                7  TWO .  .  .  .  .";
            let below = ground_djed.replace("ONE", swapper).replace("TWO", other);
            let above = ground_djed.replace("ONE", other).replace("TWO", swapper);
            let mut board = draw(&below, Color::Silver);
            play(&mut board, "c7C7");
            assert_drawn(&board, &above, Color::Red);
            let mut board = draw(&above, Color::Silver);
            play(&mut board, "C7c7");
            assert_drawn(&board, &below, Color::Red);
        }
    }
}

#[test]
fn a_djed_never_swaps_with_a_pharaoh_or_another_djed_above_or_below() {
    let board = draw(
        r"
        8  .  .  .   .   .  .  .  .  .  .
        7  .  .  sD/ rK  .  .  .  .  .  .
        5  .  .  .   .   #  #  .  .  .  .
        4  .  .  .   .   #  #  .  .  .  .
        1  .  .  .   .   sK .  .  .  .  .
        upper
        7  rD\ sD/ .  .  .  .",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "c7C7"), BrokenRule::CannotSwapWith);
    assert_eq!(refusal(&board, "D7d7"), BrokenRule::CannotSwapWith);
}

#[test]
fn neither_piece_of_a_swap_between_levels_ends_on_a_square_reserved_for_the_other_colour() {
    let board = draw(
        r"
        8  .    .   .  .  rK .  .  .  .  .
        6  rPne .   .  .  .  .  .  .  .  .
        4  .    .   #  #  .  .  .  .  .  .
        3  .    .   #  #  .  .  .  .  .  .
        1  .    sD/ .  .  .  .  .  sK .  .
        upper
        6  sD\ .    .  .  .  .
        1  .   rPne .  .  .  .",
        Color::Silver,
    );
    // The djed would descend to a square of Red, the pyramid of Red to a square of Silver.
    assert_eq!(refusal(&board, "A6a6"), BrokenRule::ReservedSquare);
    assert_eq!(refusal(&board, "b1B1"), BrokenRule::SwapOntoReservedSquare);
}

#[test]
fn an_obelisk_stacks_on_one_above_or_below() {
    let single = "
        8  .  .  .   .  rK .  .  .  .  .
        7  .  .  ONE .  .  .  .  .  .  .
        5  .  .  .   .  #  #  .  .  .  .
        4  .  .  .   .  #  #  .  .  .  .
        1  .  .  .   .  sK .  .  .  .  .
        upper
        7  TWO .  .  .  .  .";
    let with = |one, two| single.replace("ONE", one).replace("TWO", two);
    let mut board = draw(&with("sO", "sO"), Color::Silver);
    play(&mut board, "c7C7");
    assert_drawn(&board, &with(". ", "sOO"), Color::Red);
    let mut board = draw(&with("sO", "sO"), Color::Silver);
    play(&mut board, "C7c7");
    assert_drawn(&board, &with("sOO", ". "), Color::Red);
    // Two is the limit, and the other colour is none to stack on.
    assert_eq!(refusal(&draw(&with("sO", "sOO"), Color::Silver), "c7C7"), BrokenRule::StackIsFull);
    assert_eq!(refusal(&draw(&with("sO", "rO"), Color::Silver), "c7C7"), BrokenRule::Occupied);
}

#[test]
fn a_stack_goes_up_or_down_as_a_whole_or_sends_its_top() {
    let drawing = "
        8  .  .  .   .  rK .  .  .  .  .
        7  .  .  ONE .  .  .  .  .  .  .
        5  .  .  .   .  #  #  .  .  .  .
        4  .  .  .   .  #  #  .  .  .  .
        1  .  .  .   .  sK .  .  .  .  .
        upper
        7  TWO .  .  .  .  .";
    let with = |one, two| drawing.replace("ONE", one).replace("TWO", two);
    for (before, mv, after) in [
        (("sOO", ". "), "c7C7", (". ", "sOO")),
        (("sOO", ". "), "c7^C7", ("sO", "sO")),
        (("sOO", "sO"), "c7^C7", ("sO", "sOO")),
        ((". ", "sOO"), "C7c7", ("sOO", ". ")),
        ((". ", "sOO"), "C7^c7", ("sO", "sO")),
        (("sO", "sOO"), "C7^c7", ("sOO", "sO")),
    ] {
        let mut board = draw(&with(before.0, before.1), Color::Silver);
        play(&mut board, mv);
        assert_drawn(&board, &with(after.0, after.1), Color::Red);
    }
    let full = draw(&with("sOO", "sOO"), Color::Silver);
    assert_eq!(refusal(&full, "c7^C7"), BrokenRule::StackIsFull);
    assert_eq!(refusal(&full, "c7C7"), BrokenRule::StackIsFull);
    assert_eq!(refusal(&draw(&with("sO", ". "), Color::Silver), "c7^C7"), BrokenRule::NotAStack);
}

#[test]
fn pieces_of_the_upper_level_rotate_swap_and_stack_there() {
    let mut board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        1  .  .  .  .  sK .  .  .  .  .
        upper
        7  sO sO .  .  .  .
        6  .  .  .  .  sPne .
        3  .  sD/ rPne .  .  .",
        Color::Silver,
    );
    for (mv, square, piece) in
        [("G6+", "G6", "P2"), ("G6-", "G6", "P4"), ("D3E3", "D3", "p1"), ("C7D7", "D7", "O2")]
    {
        let mut after = board;
        play(&mut after, mv);
        assert_eq!(after.get(at(square)).unwrap().to_string(), piece, "{mv}");
    }
    play(&mut board, "C7D7");
    play(&mut board, "e8d8");
    play(&mut board, "D7^C6");
    assert_eq!(board.get(at("C6")).unwrap().to_string(), "O1");
}

#[test]
fn a_pharaoh_may_never_stand_on_a_corner_of_the_upper_level() {
    let board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        7  .  .  sK .  .  .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "c7C7"), BrokenRule::PharaohOnTowerCorner);
    let board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        upper
        7  .  sK .  .  .  .",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "D7C7"), BrokenRule::PharaohOnTowerCorner);
    assert_eq!(moves_of(&board, "D7"), ["C6", "D6", "E6", "E7", "d7"]);
}

#[test]
fn a_pharaoh_climbs_and_descends_elsewhere() {
    let mut board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        7  .  .  .  sK .  .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .",
        Color::Silver,
    );
    play(&mut board, "d7D7");
    assert_eq!(board.pharaoh(Color::Silver), Some(at("D7")));
    play(&mut board, "e8f8");
    play(&mut board, "D7d7");
    assert_eq!(board.pharaoh(Color::Silver), Some(at("d7")));
}

#[test]
fn other_pieces_may_stand_on_the_corners() {
    let board = draw(
        "
        8  .  .  .  .  rK .  .  .  .  .
        7  .  .  sO .  .  .  .  .  .  .
        5  .  .  .  .  #  #  .  .  .  .
        4  .  .  .  .  #  #  .  .  .  .
        1  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    assert!(moves_of(&board, "c7").contains(&"C7".to_string()));
}
