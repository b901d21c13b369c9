//! The six kinds of moves, and what limits each.

use khet::{BrokenRule, Color, Square};

use crate::drawn::{assert_drawn, draw, is_legal, moves_of, piece, play, refusal};

// Move.

#[test]
fn a_piece_moves_to_each_of_the_eight_neighbouring_squares() {
    let around = ["d3", "d4", "d5", "e3", "e5", "f3", "f4", "f5"];
    for (cell, rotations) in [("sPne", vec!["+", "-"]), (r"sD\", vec!["+"]), ("sO", vec![])] {
        let drawing = "
            8  .  .  .  .  .  rK .  .  .  .
            4  .  .  .  .  ?  .  .  .  .  .
            1  .  .  .  .  sK .  .  .  .  .";
        let board = draw(&drawing.replace('?', cell), Color::Silver);
        let expected: Vec<&str> = rotations.into_iter().chain(around).collect();
        assert_eq!(moves_of(&board, "e4"), expected, "{cell}");
    }
}

#[test]
fn a_pharaoh_moves_like_any_other_piece() {
    let board = draw(
        "
        8  .  .  .  .  .  rK .  .  .  .
        4  .  .  .  .  sK .  .  .  .  .",
        Color::Silver,
    );
    assert_eq!(moves_of(&board, "e4"), ["d3", "d4", "d5", "e3", "e5", "f3", "f4", "f5"]);
}

#[test]
fn a_moved_piece_keeps_its_orientation() {
    let mut board = draw(
        "
        8  .  .  .  .    .  rK .  .  .  .
        4  .  .  .  sPse .  .  .  .  .  .
        1  .  .  .  .    sK .  .  .  .  .",
        Color::Silver,
    );
    play(&mut board, "d4e5");
    assert_drawn(
        &board,
        "
        8  .  .  .  .    .    rK .  .  .  .
        5  .  .  .  .    sPse .  .  .  .  .
        1  .  .  .  .    sK   .  .  .  .  .",
        Color::Red,
    );
}

#[test]
fn a_piece_moves_one_square_only() {
    let board = draw(
        "
        8  .  .  .  .  .    rK .  .  .  .
        4  .  .  .  .  sPne .  .  .  .  .
        1  .  .  .  .  sK   .  .  .  .  .",
        Color::Silver,
    );
    for target in ["e6", "g4", "c2", "f6", "a4", "e4"] {
        let mv = format!("e4{target}");
        assert_eq!(refusal(&board, &mv), BrokenRule::NotANeighbor, "{mv}");
    }
}

#[test]
fn a_square_at_the_edge_has_fewer_neighbours() {
    // Files a and j are next to nothing beyond them, and not to each other.
    let board = draw(
        "
        8  .  .  .  .  .    rK .  .  .  .
        5  rPne .  .  .  .  .  .  .  .  sPne
        1  .  .  .  .  sK   .  .  .  .  .",
        Color::Silver,
    );
    assert_eq!(moves_of(&board, "j5"), ["+", "-", "i4", "i5", "i6", "j4", "j6"]);
    assert_eq!(refusal(&board, "j5a6"), BrokenRule::NotANeighbor);

    let corner = draw(
        "
        8  .  .  .  .  .    rK .  .  .  .
        1  .  .  .  .  sK   .  .  .  .  sPsw",
        Color::Silver,
    );
    // i1 is Red's.
    assert_eq!(moves_of(&corner, "j1"), ["+", "-", "i2", "j2"]);
}

#[test]
fn a_piece_does_not_move_onto_another_piece() {
    let board = draw(
        r"
        8  .  .  .   .    .    rK  .  .  .  .
        5  .  .  .   rOO  rPne rD\ .  .  .  .
        4  .  .  .   sPne sPse rO  .  .  .  .
        3  .  .  .   sD/  sOO  sK  .  .  .  .",
        Color::Silver,
    );
    for target in ["d5", "e5", "f5", "d4", "f4", "d3", "e3", "f3"] {
        let mv = format!("e4{target}");
        assert_eq!(refusal(&board, &mv), BrokenRule::Occupied, "{mv}");
    }
    assert_eq!(moves_of(&board, "e4"), ["+", "-"]);
}

#[test]
fn a_piece_does_not_move_onto_a_square_reserved_for_the_other_colour() {
    let board = draw(
        "
        8  .  .    .  .  .    rK .  .  .    .
        7  .  .    .  .  .    .  .  .  sPne .
        4  .  sPne .  .  .    .  .  .  .    .
        2  .  sPne .  .  .    .  .  .  .    .
        1  .  .    .  .  sK   .  .  .  .    .",
        Color::Silver,
    );
    for mv in ["b4a3", "b4a4", "b4a5", "b2a1", "i7i8"] {
        assert_eq!(refusal(&board, mv), BrokenRule::ReservedSquare, "{mv}");
    }
    // Its own reserved squares are open to it.
    for mv in ["b2b1", "i7j6", "i7j7", "i7j8"] {
        assert!(is_legal(&board, mv), "{mv}");
    }
}

#[test]
fn only_own_pieces_move() {
    let board = draw(
        "
        8  .  .  .  .  .    rK .  .  .  .
        4  .  .  .  .  rPne .  .  .  .  .
        1  .  .  .  .  sK   .  .  .  .  .",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "e4e5"), BrokenRule::NotYours);
    assert_eq!(refusal(&board, "e4+"), BrokenRule::NotYours);
    assert_eq!(refusal(&board, "f8g8"), BrokenRule::NotYours);
    assert_eq!(refusal(&board, "c3c4"), BrokenRule::NoPiece);
    assert_eq!(refusal(&board, "c3+"), BrokenRule::NoPiece);
    assert_eq!(refusal(&board, "c3^c4"), BrokenRule::NoPiece);
}

#[test]
fn players_take_turns() {
    let mut board = draw(
        "
        8  .  .  .  .  .    rK .  .  .  .
        1  .  .  .  .  sK   .  .  .  .  .",
        Color::Silver,
    );
    play(&mut board, "e1e2");
    assert_eq!(board.side_to_move(), Color::Red);
    assert_eq!(refusal(&board, "e2e3"), BrokenRule::NotYours);
    play(&mut board, "f8f7");
    assert_eq!(board.side_to_move(), Color::Silver);
    assert_eq!(refusal(&board, "f7f6"), BrokenRule::NotYours);
}

// Rotate.

#[test]
fn a_pyramid_has_two_rotations_by_90_degrees() {
    for (before, clockwise, counterclockwise) in [
        ("sPne", "sPse", "sPnw"),
        ("sPse", "sPsw", "sPne"),
        ("sPsw", "sPnw", "sPse"),
        ("sPnw", "sPne", "sPsw"),
    ] {
        let drawing = "
            8  .  .  .  .  .    rK .  .  .  .
            4  .  .  .  .  ?    .  .  .  .  .
            1  .  .  .  .  sK   .  .  .  .  .";
        for (mv, after) in [("e4+", clockwise), ("e4-", counterclockwise)] {
            let mut board = draw(&drawing.replace('?', before), Color::Silver);
            play(&mut board, mv);
            assert_drawn(&board, &drawing.replace('?', after), Color::Red);
        }
    }
}

#[test]
fn a_djed_has_one_rotation() {
    let drawing = "
        8  .  .  .  .  .    rK .  .  .  .
        4  .  .  .  .  ?    .  .  .  .  .
        1  .  .  .  .  sK   .  .  .  .  .";
    for (before, after) in [(r"sD\", "sD/"), ("sD/", r"sD\")] {
        let board = draw(&drawing.replace('?', before), Color::Silver);
        let rotations = board.legal_moves().iter().filter(|mv| mv.to() == mv.from()).count();
        assert_eq!(rotations, 1);
        // Rotated in either direction it gets the other diagonal: two spellings of one move.
        for spelling in ["e4+", "e4-"] {
            let mut flipped = board;
            play(&mut flipped, spelling);
            assert_drawn(&flipped, &drawing.replace('?', after), Color::Red);
            assert_eq!(board.check(spelling.parse().unwrap()), Ok("e4+".parse().unwrap()));
        }
    }
}

#[test]
fn a_pharaoh_or_an_obelisk_cant_be_rotated() {
    let board = draw(
        "
        8  .  .  .  .  .    rK .  .  .  .
        4  .  .  .  .  sO   .  sOO .  .  .
        1  .  .  .  .  sK   .  .  .  .  .",
        Color::Silver,
    );
    for mv in ["e1+", "e1-", "e4+", "e4-", "g4+", "g4-"] {
        assert_eq!(refusal(&board, mv), BrokenRule::CannotRotate, "{mv}");
    }
}

#[test]
fn passing_is_not_allowed() {
    // Every move changes the arrangement, before the beam does anything: here it hits nothing.
    let board = draw(
        r"
        8  .  .  .  .  .    rK .   .    .   .
        4  .  .  .  .  sO   .  sOO sPne sD/ .
        1  .  .  .  .  sK   .  .   .    .   .",
        Color::Silver,
    );
    for &mv in &board.legal_moves() {
        let mut next = board;
        assert_eq!(next.play(mv).unwrap().hits, []);
        assert!(!next.repeats(&board), "{mv}");
    }
}

// Swap.

#[test]
fn a_djed_swaps_with_a_pyramid_of_either_colour_and_neither_rotates() {
    for pyramid in ["sPne", "rPse"] {
        let before = r"
            8  .  .  .   .   .    rK .  .  .  .
            5  .  .  .   .   ?    .  .  .  .  .
            4  .  .  .   sD\ .    .  .  .  .  .
            1  .  .  .   .   sK   .  .  .  .  .";
        let after = r"
            8  .  .  .   .   .    rK .  .  .  .
            5  .  .  .   .   sD\  .  .  .  .  .
            4  .  .  .   ?   .    .  .  .  .  .
            1  .  .  .   .   sK   .  .  .  .  .";
        let mut board = draw(&before.replace('?', pyramid), Color::Silver);
        play(&mut board, "d4e5");
        assert_drawn(&board, &after.replace('?', pyramid), Color::Red);
    }
}

#[test]
fn a_djed_swaps_with_an_obelisk_or_a_whole_stack_of_either_colour() {
    for obelisks in ["sO", "rO", "sOO", "rOO"] {
        let before = r"
            8  .  .  .   .   .    rK .  .  .  .
            4  .  .  .   sD/ ?    .  .  .  .  .
            1  .  .  .   .   sK   .  .  .  .  .";
        let after = r"
            8  .  .  .   .   .    rK .  .  .  .
            4  .  .  .   ?   sD/  .  .  .  .  .
            1  .  .  .   .   sK   .  .  .  .  .";
        let mut board = draw(&before.replace('?', obelisks), Color::Silver);
        play(&mut board, "d4e4");
        assert_drawn(&board, &after.replace('?', obelisks), Color::Red);
    }
}

#[test]
fn a_djed_swaps_in_all_eight_directions() {
    let board = draw(
        r"
        8  .  .  .   .    .    rK   .  .  .  .
        5  .  .  .   rPne sO   rOO  .  .  .  .
        4  .  .  .   sPne sD\  rPne .  .  .  .
        3  .  .  .   sOO  rO   sPne .  .  .  .
        1  .  .  .   .    sK   .    .  .  .  .",
        Color::Silver,
    );
    assert_eq!(moves_of(&board, "e4"), ["+", "d3", "d4", "d5", "e3", "e5", "f3", "f4", "f5"]);
}

#[test]
fn a_djed_never_swaps_with_a_pharaoh() {
    let board = draw(
        r"
        5  .  .  .   .    .    rK   .  .  .  .
        4  .  .  .   .    sD\  .    .  .  .  .
        3  .  .  .   sK   .    .    .  .  .  .",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "e4f5"), BrokenRule::CannotSwapWith);
    assert_eq!(refusal(&board, "e4d3"), BrokenRule::CannotSwapWith);
}

#[test]
fn a_djed_never_swaps_with_another_djed() {
    let board = draw(
        r"
        8  .  .  .   .    .    rK   .  .  .  .
        4  .  .  .   rD/  sD\  sD/  .  .  .  .
        1  .  .  .   .    sK   .    .  .  .  .",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "e4d4"), BrokenRule::CannotSwapWith);
    assert_eq!(refusal(&board, "e4f4"), BrokenRule::CannotSwapWith);
}

#[test]
fn only_a_djed_begins_a_swap() {
    let board = draw(
        r"
        8  .  .  .   .    .    rK   .  .  .  .
        5  .  .  .   sPne sO   sOO  .  .  .  .
        4  .  .  .   .    sD\  .    .  .  .  .
        3  .  .  .   .    sK   .    .  .  .  .",
        Color::Silver,
    );
    for mv in ["d5e4", "e5e4", "f5e4", "e3e4"] {
        assert_eq!(refusal(&board, mv), BrokenRule::Occupied, "{mv}");
    }
}

#[test]
fn a_djed_swaps_with_a_neighbour_only() {
    let board = draw(
        r"
        8  .  .  .   .    .    rK   .  .  .  .
        4  .  .  .   .    sD\  .    sO .  .  .
        1  .  .  .   .    sK   .    .  .  .  .",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "e4g4"), BrokenRule::NotANeighbor);
}

#[test]
fn a_djed_does_not_swap_onto_a_square_reserved_for_the_other_colour() {
    let board = draw(
        r"
        8  .    .   .   .  .    rK   .   .  rO  .
        7  .    .   .   .  .    .    .   .  sD/ .
        4  rPne sD\ .   .  .    .    .   .  .   .
        1  .    .   .   .  sK   .    .   .  .   .",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "b4a4"), BrokenRule::ReservedSquare);
    assert_eq!(refusal(&board, "i7i8"), BrokenRule::ReservedSquare);
}

#[test]
fn a_swap_does_not_put_the_other_piece_on_a_square_reserved_against_it() {
    let board = draw(
        r"
        8  .   .   .  .  .    rK   .   .  .    .
        4  .   .   .  .  .    .    .   .  rPne sD\
        2  .   rO  .  .  .    .    .   .  .    .
        1  .   sD/ .  .  sK   .    .   .  .    .",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "j4i4"), BrokenRule::SwapOntoReservedSquare);
    assert_eq!(refusal(&board, "b1b2"), BrokenRule::SwapOntoReservedSquare);
}

#[test]
fn own_pieces_swap_on_squares_reserved_for_their_colour() {
    let mut board = draw(
        r"
        8  .   .   .  .  .    rK   .   .  .    .
        4  .   .   .  .  .    .    .   .  sPne sD\
        1  .   .   .  .  sK   .    .   .  .    .",
        Color::Silver,
    );
    play(&mut board, "j4i4");
    // Now the beam comes to the pyramid on j4 from below, and removes it.
    assert_drawn(
        &board,
        r"
        8  .   .   .  .  .    rK   .   .  .    .
        4  .   .   .  .  .    .    .   .  sD\  .
        1  .   .   .  .  sK   .    .   .  .    .",
        Color::Red,
    );

    let red = draw(
        r"
        8  .   .   .  .  .    rK   .   .  .    .
        4  rD/ rO  .  .  .    .    .   .  .    .
        3  rOO .   .  .  .    .    .   .  .    .
        1  .   .   .  .  sK   .    .   .  .    .",
        Color::Red,
    );
    assert!(is_legal(&red, "a4b4"));
    assert!(is_legal(&red, "a4a3"));
}

// Stack.

#[test]
fn a_single_obelisk_goes_onto_a_neighbouring_single_obelisk_of_its_own_colour() {
    let mut board = draw(
        "
        8  .  .  .   .   .    rK .  .  .  .
        5  .  .  .   .   sO   .  .  .  .  .
        4  .  .  .   sO  .    .  .  .  .  .
        1  .  .  .   .   sK   .  .  .  .  .",
        Color::Silver,
    );
    play(&mut board, "d4e5");
    assert_drawn(
        &board,
        "
        8  .  .  .   .   .    rK .  .  .  .
        5  .  .  .   .   sOO  .  .  .  .  .
        1  .  .  .   .   sK   .  .  .  .  .",
        Color::Red,
    );
}

#[test]
fn an_obelisk_does_not_go_onto_one_that_is_not_next_to_it() {
    let board = draw(
        "
        8  .  .  .   .   .    rK .  .  .  .
        4  .  .  .   sO  .    sO .  .  .  .
        1  .  .  .   .   sK   .  .  .  .  .",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "d4f4"), BrokenRule::NotANeighbor);
}

#[test]
fn an_obelisk_never_goes_onto_one_of_the_other_colour() {
    let board = draw(
        "
        8  .  .  .   .   .    rK .  .  .  .
        5  .  .  .   .   rOO  .  .  .  .  .
        4  .  .  .   sO  rO   .  .  .  .  .
        1  .  .  .   .   sK   .  .  .  .  .",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "d4e4"), BrokenRule::Occupied);
    assert_eq!(refusal(&board, "d4e5"), BrokenRule::Occupied);
}

#[test]
fn an_obelisk_goes_onto_no_other_piece() {
    let board = draw(
        r"
        8  .  .  .   .   .    rK .  .  .  .
        5  .  .  .   .   sD/  .  .  .  .  .
        4  .  .  .   sO  sPne .  .  .  .  .
        3  .  .  .   .   sK   .  .  .  .  .",
        Color::Silver,
    );
    for mv in ["d4e5", "d4e4", "d4e3"] {
        assert_eq!(refusal(&board, mv), BrokenRule::Occupied, "{mv}");
    }
}

#[test]
fn two_obelisks_on_a_square_are_the_limit() {
    let board = draw(
        "
        8  .  .  .   .   .    rK .  .  .  .
        4  .  .  .   sO  sOO  .  .  .  .  .
        1  .  .  .   .   sK   .  .  .  .  .",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "d4e4"), BrokenRule::StackIsFull);
    assert_eq!(refusal(&board, "e4d4"), BrokenRule::Occupied);

    let two_stacks = draw(
        "
        8  .  .  .   .   .    rK .  .  .  .
        4  .  .  .   sOO sOO  .  .  .  .  .
        1  .  .  .   .   sK   .  .  .  .  .",
        Color::Silver,
    );
    assert_eq!(refusal(&two_stacks, "d4e4"), BrokenRule::StackIsFull);
    assert_eq!(refusal(&two_stacks, "d4^e4"), BrokenRule::StackIsFull);
}

// Move a stack.

#[test]
fn a_stack_moves_whole_to_an_empty_square() {
    let mut board = draw(
        "
        8  .  .  .   .   .    rK .  .  .  .
        4  .  .  .   sOO .    .  .  .  .  .
        1  .  .  .   .   sK   .  .  .  .  .",
        Color::Silver,
    );
    play(&mut board, "d4e5");
    assert_drawn(
        &board,
        "
        8  .  .  .   .   .    rK .  .  .  .
        5  .  .  .   .   sOO  .  .  .  .  .
        1  .  .  .   .   sK   .  .  .  .  .",
        Color::Red,
    );
}

#[test]
fn a_stack_moves_neither_onto_a_piece_nor_onto_a_square_of_the_other_colour() {
    let board = draw(
        "
        8  .  .    .    .   .    rK .  .  .  .
        4  .  sOO  rPne .   .    .  .  .  .  .
        3  .  sPne rO   .   .    .  .  .  .  .
        1  .  .    .    .   sK   .  .  .  .  .",
        Color::Silver,
    );
    for mv in ["b4c4", "b4b3", "b4c3"] {
        assert_eq!(refusal(&board, mv), BrokenRule::Occupied, "{mv}");
    }
    assert_eq!(refusal(&board, "b4a4"), BrokenRule::ReservedSquare);
    assert_eq!(refusal(&board, "b4d4"), BrokenRule::NotANeighbor);
}

// Unstack.

#[test]
fn the_top_obelisk_alone_goes_to_an_empty_square_and_the_bottom_one_stays() {
    let mut board = draw(
        "
        8  .  .  .   .   .    rK .  .  .  .
        4  .  .  .   sOO .    .  .  .  .  .
        1  .  .  .   .   sK   .  .  .  .  .",
        Color::Silver,
    );
    play(&mut board, "d4^e5");
    assert_drawn(
        &board,
        "
        8  .  .  .   .   .    rK .  .  .  .
        5  .  .  .   .   sO   .  .  .  .  .
        4  .  .  .   sO  .    .  .  .  .  .
        1  .  .  .   .   sK   .  .  .  .  .",
        Color::Red,
    );
}

#[test]
fn the_top_obelisk_goes_onto_a_single_obelisk_of_its_own_colour() {
    let mut board = draw(
        "
        8  .  .  .   .   .    rK .  .  .  .
        4  .  .  .   sOO sO   .  .  .  .  .
        1  .  .  .   .   sK   .  .  .  .  .",
        Color::Silver,
    );
    play(&mut board, "d4^e4");
    assert_drawn(
        &board,
        "
        8  .  .  .   .   .    rK .  .  .  .
        4  .  .  .   sO  sOO  .  .  .  .  .
        1  .  .  .   .   sK   .  .  .  .  .",
        Color::Red,
    );
}

#[test]
fn a_stack_has_a_move_whole_and_one_of_its_top_for_each_empty_square() {
    let board = draw(
        "
        8  .  .   .    .   .    rK .  .  .  .
        4  .  sOO .    .   .    .  .  .  .  .
        1  .  .   .    .   sK   .  .  .  .  .",
        Color::Silver,
    );
    assert_eq!(
        moves_of(&board, "b4"),
        ["^b3", "^b5", "^c3", "^c4", "^c5", "b3", "b5", "c3", "c4", "c5"]
    );
}

#[test]
fn the_top_obelisk_goes_neither_onto_another_piece_nor_onto_a_square_of_the_other_colour() {
    let board = draw(
        r"
        8  .  .    .    .   .    rK .  .  .  .
        5  .  rOO  sD/  .   .    .  .  .  .  .
        4  .  sOO  rPne .   .    .  .  .  .  .
        3  .  sPne rO   .   .    .  .  .  .  .
        1  .  .    .    .   sK   .  .  .  .  .",
        Color::Silver,
    );
    for mv in ["b4^b5", "b4^c5", "b4^c4", "b4^b3", "b4^c3"] {
        assert_eq!(refusal(&board, mv), BrokenRule::Occupied, "{mv}");
    }
    assert_eq!(refusal(&board, "b4^a4"), BrokenRule::ReservedSquare);
    assert_eq!(refusal(&board, "b4^d4"), BrokenRule::NotANeighbor);
}

#[test]
fn only_a_stack_can_be_unstacked() {
    let board = draw(
        r"
        8  .  .  .   .    .    rK  .  .  .  .
        4  .  .  .   sPne .    sO  .  .  .  .
        3  .  .  .   .    sD\  .   .  .  .  .
        1  .  .  .   .    sK   .   .  .  .  .",
        Color::Silver,
    );
    for mv in ["d4^d5", "f4^f5", "e3^e4", "e1^e2"] {
        assert_eq!(refusal(&board, mv), BrokenRule::NotAStack, "{mv}");
    }
}

#[test]
fn stacking_and_unstacking_can_be_done_again_and_again() {
    let mut board = draw(
        "
        8  .  .  .   .   .    rK .  .  .  .
        4  .  .  .   sO  sO   .  .  .  .  .
        1  .  .  .   .   sK   .  .  .  .  .",
        Color::Silver,
    );
    let start = board;
    for _ in 0..3 {
        play(&mut board, "d4e4");
        assert_eq!(board.get(Square::E4), piece("sOO"));
        play(&mut board, "f8f7");
        play(&mut board, "e4^d4");
        play(&mut board, "f7f8");
        assert_eq!(board, start);
    }
}

// Always a move.

#[test]
fn a_djed_can_rotate_when_nothing_else_can_be_done() {
    // Silver's djed and pharaoh are shut in by djeds, pharaohs, walls and reserved squares.
    let board = draw(
        r"
        3  .    .    rK   .   .   .  .  .  .  .
        2  .    rD/  rD\  .   .   .  .  .  .  .
        1  .    sD\  sK   .   .   .  .  .  .  .",
        Color::Silver,
    );
    assert_eq!(moves_of(&board, "b1"), ["+"]);
    assert_eq!(moves_of(&board, "c1"), ["d1", "d2"]);

    let board = draw(
        r"
        3  .    .    rK   .   .   .  .  .  .  .
        2  .    rD/  rD\  rO  .   .  .  .  .  .
        1  .    sD\  sK   rO  .   .  .  .  .  .",
        Color::Silver,
    );
    let moves = board.legal_moves();
    assert_eq!(moves.iter().map(ToString::to_string).collect::<Vec<_>>(), ["b1+"]);
    assert_eq!(board.outcome(), None);
}
