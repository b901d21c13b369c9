//! The setups that have a name.

use khet::{Color, Kind, Placement, Position, Role, Rules, Setup, perft};

use crate::drawn::{arrange, only_path, with_side};

/// The three setups of the standard game.
const STANDARD: [Setup; 3] = [Setup::Classic, Setup::Imhotep, Setup::Dynasty];

/// Counts the pieces of a colour that pass the test.
fn count(placement: &Placement, color: Color, test: impl Fn(Kind) -> bool) -> usize {
    placement.pieces().filter(|(_, piece)| piece.color() == color && test(piece.kind())).count()
}

#[test]
fn each_player_has_one_pharaoh_two_djeds_seven_pyramids_and_two_stacks_of_two_obelisks() {
    for setup in STANDARD {
        let placement = setup.placement();
        for color in Color::ALL {
            assert_eq!(count(&placement, color, |kind| kind == Kind::Pharaoh), 1);
            assert_eq!(count(&placement, color, |kind| matches!(kind, Kind::Djed(_))), 2);
            assert_eq!(count(&placement, color, |kind| matches!(kind, Kind::Pyramid(_))), 7);
            assert_eq!(count(&placement, color, |kind| kind == Kind::Stack), 2);
            assert_eq!(count(&placement, color, |_| true), 12);
        }
    }
}

#[test]
fn a_box_holds_fourteen_standard_pieces_for_each_player() {
    let standard = [Role::Pharaoh, Role::Djed, Role::Pyramid, Role::Obelisk];
    assert_eq!(standard.map(Role::count_per_box), [1, 2, 7, 4]);
    assert_eq!(standard.map(Role::count_per_box).into_iter().sum::<u32>(), 14);
}

#[test]
fn classic_as_it_is_drawn_is_classic_as_it_is_written() {
    let drawn = arrange(
        r"
        8 .    .    .    .    rOO  rK   rOO  rPse .    .
        7 .    .    rPsw .    .    .    .    .    .    .
        6 .    .    .    sPnw .    .    .    .    .    .
        5 rPne .    sPsw .    rD\  rD/  .    rPse .    sPnw
        4 rPse .    sPnw .    sD/  sD\  .    rPne .    sPsw
        3 .    .    .    .    .    .    rPse .    .    .
        2 .    .    .    .    .    .    .    sPne .    .
        1 .    .    sPnw sOO  sK   sOO  .    .    .    .",
        Color::Silver,
    );
    let written = "4o2ko2p22/2p37/3P46/p11P31d1d21p21P4/p21P41D2D11p11P3/6p23/7P12/2P4O2KO24 s";
    assert_eq!(drawn.to_string(), written);
    assert_eq!(written.parse(), Ok(drawn));
    assert_eq!(Setup::Classic.placement(), drawn);
}

#[test]
fn imhotep_drawn() {
    let drawn = arrange(
        r"
        8 .    .    .    .    rOO  rK   rOO  rD/  .    .
        6 .    .    .    sPnw .    .    rPne .    .    .
        5 rPne sPsw .    .    sPse rD/  .    .    rPse sPnw
        4 rPse sPnw .    .    sD/  rPnw .    .    rPne sPsw
        3 .    .    .    sPsw .    .    rPse .    .    .
        1 .    .    sD/  sOO  sK   sOO  .    .    .    .",
        Color::Silver,
    );
    assert_eq!(Setup::Imhotep.placement(), drawn);
}

#[test]
fn dynasty_drawn() {
    let drawn = arrange(
        r"
        8 .    .    .    .    rPsw rOO  rPse .    .    .
        7 .    .    .    .    .    rK   .    .    .    .
        6 rPne .    .    .    rPsw rOO  rD/  .    .    .
        5 rPse .    rD\  .    sPnw .    sPse .    .    .
        4 .    .    .    rPnw .    rPse .    sD\  .    sPnw
        3 .    .    .    sD/  sOO  sPne .    .    .    sPsw
        2 .    .    .    .    sK   .    .    .    .    .
        1 .    .    .    sPnw sOO  sPne .    .    .    .",
        Color::Silver,
    );
    assert_eq!(Setup::Dynasty.placement(), drawn);
}

#[test]
fn all_ten_setups_can_be_played_and_silver_begins() {
    for setup in Setup::ALL {
        let placement: Placement = setup.notation().parse().unwrap();
        assert_eq!(placement.to_string(), setup.notation());
        assert_eq!(placement.faults(), [], "{setup}");
        assert_eq!(placement.side_to_move, Color::Silver, "{setup}");
        assert_eq!(Position::new(&placement, Rules::Standard), Ok(setup.position()));
        assert_eq!(setup.position().rules(), Rules::Standard);
        assert_eq!(setup.position().outcome(), None);
    }
}

#[test]
fn all_ten_setups_are_known_by_their_names() {
    let names = [
        "classic",
        "imhotep",
        "dynasty",
        "khet2-classic",
        "khet2-imhotep",
        "khet2-dynasty",
        "khet2-imhotep-eye",
        "khet2-dynasty-eye",
        "osiris",
        "isis",
    ];
    assert_eq!(Setup::ALL.map(|setup| setup.to_string()), names);
    for setup in Setup::ALL {
        assert_eq!(setup.name().parse(), Ok(setup));
        assert_eq!(Setup::of(&setup.placement()), Some(setup));
    }
    assert_eq!(Setup::of(&Placement::EMPTY), None);
}

#[test]
fn all_setups_are_symmetrical_under_a_half_turn_with_the_colours_exchanged() {
    for setup in Setup::ALL {
        let placement = setup.placement();
        for (square, piece) in placement.pieces() {
            let partner = placement.get(square.flipped());
            assert_eq!(partner, Some(piece.other_color().rotated(2)), "{setup}: {square}");
        }
        // On the rotated board it is Red's turn.
        assert_eq!(placement.flipped(), with_side(placement, Color::Red), "{setup}");
    }
}

#[test]
fn the_number_of_first_moves() {
    assert_eq!(STANDARD.map(|setup| setup.position().legal_moves().len()), [79, 75, 70]);
    assert_eq!(STANDARD.map(|setup| setup.position().count_legal_moves()), [79, 75, 70]);
}

#[test]
fn the_number_of_moves_two_plies_deep() {
    assert_eq!(STANDARD.map(|setup| perft(&setup.position(), 2)), [6228, 5635, 4849]);
}

#[test]
fn the_first_shot_hits_nothing() {
    for setup in STANDARD {
        let start = setup.position();
        assert_eq!(start.fire(Color::Silver).hits, [], "{setup}");
        assert_eq!(start.fire(Color::Red).hits, [], "{setup}");
        assert_eq!(start.warnings(), [], "{setup}");
    }
}

#[test]
fn in_classic_the_first_shot_would_run_by_j4_h4_h5_and_j5_and_out_at_j8() {
    assert_eq!(
        only_path(&Setup::Classic.position().fire(Color::Silver)),
        "j1↑ j2↑ j3↑ j4↑← i4← h4←↑ h5↑→ i5→ j5→↑ j6↑ j7↑ j8↑"
    );
    // Red's beam has the same path, seen from the other side.
    assert_eq!(
        only_path(&Setup::Classic.position().fire(Color::Red)),
        "a8↓ a7↓ a6↓ a5↓→ b5→ c5→↓ c4↓← b4← a4←↓ a3↓ a2↓ a1↓"
    );
}
