//! Khet 2.0, with its Anubis, scarabs and sphinxes; and the sphinx as laser of the standard game.

use khet::{
    BeamEnd, BrokenRule, Color, Direction, Kind, Piece, Position, Role, Rules, Setup, Square,
};

use crate::drawn::{arrange, assert_drawn, draw, moves_of, only_path, piece, play, refusal};

/// The setups of Khet 2.0, each with the standard one that it comes from.
const SETUPS: [(Setup, Setup); 3] = [
    (Setup::Classic, Setup::Khet2Classic),
    (Setup::Imhotep, Setup::Khet2Imhotep),
    (Setup::Dynasty, Setup::Khet2Dynasty),
];

#[test]
fn stacks_become_anubis_djeds_become_scarabs_and_the_lasers_sphinxes() {
    for (standard, khet2) in SETUPS {
        let (before, after) = (standard.placement(), khet2.placement());
        for square in Square::all() {
            let old = before.get(square).map(|piece| (piece.color(), piece.kind()));
            let expected = match (square, old) {
                (Square::J1, None) => piece("sXn"),
                (Square::A8, None) => piece("rXs"),
                (_, Some((Color::Silver, Kind::Stack))) => piece("sAn"),
                (_, Some((Color::Red, Kind::Stack))) => piece("rAs"),
                (_, Some((color, Kind::Djed(line)))) => Some(Piece::new(color, Kind::Scarab(line))),
                (_, other) => other.map(|(color, kind)| Piece::new(color, kind)),
            };
            assert_eq!(after.get(square), expected, "{khet2}: {square}");
        }
    }
}

#[test]
fn there_are_thirteen_pieces_for_each_player() {
    for (_, setup) in SETUPS {
        for color in Color::ALL {
            let placement = setup.placement();
            let own = || placement.pieces().filter(|(_, piece)| piece.color() == color);
            let count = |role| own().filter(|(_, piece)| piece.role() == role).count();
            let roles = [Role::Pharaoh, Role::Scarab, Role::Pyramid, Role::Anubis, Role::Sphinx];
            assert_eq!(roles.map(count), [1, 2, 7, 2, 1]);
            assert_eq!(own().count(), 13);
        }
    }
}

#[test]
fn classic_of_khet2_drawn() {
    let drawn = arrange(
        r"
        8 rXs  .    .    .    rAs  rK   rAs  rPse .    .
        7 .    .    rPsw .    .    .    .    .    .    .
        6 .    .    .    sPnw .    .    .    .    .    .
        5 rPne .    sPsw .    rS\  rS/  .    rPse .    sPnw
        4 rPse .    sPnw .    sS/  sS\  .    rPne .    sPsw
        3 .    .    .    .    .    .    rPse .    .    .
        2 .    .    .    .    .    .    .    sPne .    .
        1 .    .    sPnw sAn  sK   sAn  .    .    .    sXn",
        Color::Silver,
    );
    assert_eq!(Setup::Khet2Classic.placement(), drawn);
}

// Anubis.

/// Four boards on which Silver's beam enters the square `?` from the north, east, south and west.
const BEAM_FROM_NORTH: &str = "
    8  rXs .  .    .    .    rK   .   .  .  .
    7  .   .  rPse .    rPsw .    .   sK .  .
    4  .   .  .    .    ?    .    .   .  .  .
    1  .   .  sPne .    .    .    .   .  .  sXw";
const BEAM_FROM_EAST: &str = "
    8  rXs .  .    .    .    rK   .   .  .  .
    7  .   .  .    .    .    .    .   sK .  .
    4  .   .  .    .    ?    .    .   .  .  sPsw
    1  .   .  .    .    .    .    .   .  .  sXn";
const BEAM_FROM_SOUTH: &str = "
    8  rXs .  .    .    .    rK   .   .  .  .
    7  .   .  .    .    .    .    .   sK .  .
    4  .   .  .    .    ?    .    .   .  .  .
    1  .   .  .    .    rPne .    .   .  .  sXw";
const BEAM_FROM_WEST: &str = "
    8  rXs .  .    .    .    rK   .   .  .  .
    7  .   .  .    .    .    .    .   sK .  .
    4  .   .  rPse .    ?    .    .   .  .  .
    1  .   .  sPne .    .    .    .   .  .  sXw";

/// Returns the effect of a piece on a beam from the north, east, south and west: the direction
/// in which the beam leaves, `removed`, or `absorbed`.
fn beam_effects(cell: &str) -> [String; 4] {
    [BEAM_FROM_NORTH, BEAM_FROM_EAST, BEAM_FROM_SOUTH, BEAM_FROM_WEST].map(|drawing| {
        let board = draw(&drawing.replace('?', cell), Color::Silver);
        let shot = board.fire(Color::Silver);
        let steps = &shot.beams[0].steps;
        let at = steps.iter().find(|step| step.square == Square::E4).unwrap();
        match (at.leaves, shot.beams[0].end) {
            (Some(direction), _) => direction.to_string(),
            (None, BeamEnd::Hit) => {
                assert_eq!(shot.to_string(), "xe4");
                "removed".to_string()
            }
            (None, BeamEnd::Absorbed) => {
                assert_eq!(shot.hits, []);
                "absorbed".to_string()
            }
            (None, end) => panic!("{end:?}"),
        }
    })
}

#[test]
fn an_anubis_absorbs_a_beam_on_its_front_and_is_removed_on_the_other_three_sides() {
    for color in ["s", "r"] {
        //    comes by the    north       east        south       west side
        for (anubis, expected) in [
            ("An", ["absorbed", "removed", "removed", "removed"]),
            ("Ae", ["removed", "absorbed", "removed", "removed"]),
            ("As", ["removed", "removed", "absorbed", "removed"]),
            ("Aw", ["removed", "removed", "removed", "absorbed"]),
        ] {
            assert_eq!(beam_effects(&format!("{color}{anubis}")), expected, "{color}{anubis}");
        }
    }
}

#[test]
fn an_anubis_that_absorbs_a_beam_stays() {
    let before = "
        8  rXs .  .    .    .    rK   .   .  .  .
        7  .   .  .    .    .    .    .   sK .  .
        4  .   .  .    .    rAe  .    .   .  .  sPsw
        1  .   .  .    .    .    .    .   .  .  sXn";
    let mut board = draw(before, Color::Silver);
    let shot = play(&mut board, "h7h6");
    assert_eq!(only_path(&shot), "j2↑ j3↑ j4↑← i4← h4← g4← f4← e4←•");
    assert_eq!(shot.beams[0].end, BeamEnd::Absorbed);
    assert_eq!(board.get(Square::E4), piece("rAe"));
}

#[test]
fn an_anubis_moves_to_all_eight_squares_and_has_two_rotations() {
    let drawing = "
        8  rXs .  .    .    .    rK   .   .  .  .
        4  .   .  .    .    ?    .    .   .  .  .
        1  .   .  .    .    sK   .    .   .  .  sXn";
    for (before, clockwise, counterclockwise) in
        [("sAn", "sAe", "sAw"), ("sAe", "sAs", "sAn"), ("sAs", "sAw", "sAe"), ("sAw", "sAn", "sAs")]
    {
        let board = draw(&drawing.replace('?', before), Color::Silver);
        assert_eq!(
            moves_of(&board, "e4"),
            ["+", "-", "d3", "d4", "d5", "e3", "e5", "f3", "f4", "f5"]
        );
        for (mv, after) in [("e4+", clockwise), ("e4-", counterclockwise)] {
            let mut flipped = board;
            play(&mut flipped, mv);
            assert_drawn(&flipped, &drawing.replace('?', after), Color::Red);
        }
    }
}

#[test]
fn anubis_do_not_stack() {
    let board = draw(
        "
        8  rXs .  .    .    .    rK   .   .  .  .
        4  .   .  .    sAn  sAn  .    .   .  .  .
        1  .   .  .    .    sK   .    .   .  .  sXn",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "d4e4"), BrokenRule::Occupied);
    assert_eq!(refusal(&board, "d4^d5"), BrokenRule::NotAStack);
}

// Scarabs.

#[test]
fn a_scarab_always_reflects_the_beam_and_cant_be_hit() {
    for color in ["s", "r"] {
        //    comes by the    north    east     south   west side
        for (scarab, expected) in [
            (r"S\", ["east", "north", "west", "south"]),
            ("S/", ["west", "south", "east", "north"]),
        ] {
            assert_eq!(beam_effects(&format!("{color}{scarab}")), expected, "{color}{scarab}");
        }
    }
}

#[test]
fn a_scarab_swaps_with_a_pyramid_or_an_anubis_of_either_colour_and_neither_rotates() {
    for other in ["sPse", "rPnw", "sAe", "rAw"] {
        let before = r"
            8  rXs .  .    .    .    rK   .   .  .  .
            4  .   .  .    sS\  ?    .    .   .  .  .
            1  .   .  .    .    sK   .    .   .  .  sXn";
        let after = r"
            8  rXs .  .    .    .    rK   .   .  .  .
            4  .   .  .    ?    sS\  .    .   .  .  .
            1  .   .  .    .    sK   .    .   .  .  sXn";
        let mut board = draw(&before.replace('?', other), Color::Silver);
        play(&mut board, "d4e4");
        assert_drawn(&board, &after.replace('?', other), Color::Red);
    }
}

#[test]
fn a_scarab_never_swaps_with_a_pharaoh_or_another_scarab() {
    let board = draw(
        r"
        8  rXs .  .    .    .    .    .   .  .  .
        5  .   .  .    rK   sS/  rS/  .   .  .  .
        4  .   .  .    .    sS\  .    .   .  .  .
        3  .   .  .    .    sK   .    .   .  .  .
        1  .   .  .    .    .    .    .   .  .  sXn",
        Color::Silver,
    );
    for mv in ["e4d5", "e4e5", "e4f5", "e4e3"] {
        assert_eq!(refusal(&board, mv), BrokenRule::CannotSwapWith, "{mv}");
    }
}

#[test]
fn a_scarab_has_one_rotation() {
    let drawing = "
        8  rXs .  .    .    .    rK   .   .  .  .
        4  .   .  .    .    ?    .    .   .  .  .
        1  .   .  .    .    sK   .    .   .  .  sXn";
    for (before, after) in [(r"sS\", "sS/"), ("sS/", r"sS\")] {
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
fn a_scarab_swaps_within_the_limits_of_reserved_squares() {
    let board = draw(
        r"
        8  rXs  .   .   .    .    rK   .   .  .    .
        4  rPne sS/ .   .    .    .    .   .  rAn  sS\
        1  .    .   .   .    sK   .    .   .  .    sXn",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "b4a4"), BrokenRule::ReservedSquare);
    assert_eq!(refusal(&board, "j4i4"), BrokenRule::SwapOntoReservedSquare);
}

#[test]
fn in_czech_a_scarab_swaps_with_its_own_colour_only() {
    let board = draw(
        r"
        8  rXs .  .    .    .    rK   .   .  .  .
        4  .   .  .    sAn  sS/  rAn  .   .  .  .
        1  .   .  .    .    sK   .    .   .  .  sXn",
        Color::Silver,
    );
    let board = board.with_rules(Rules::Czech);
    assert_eq!(moves_of(&board, "e4"), ["+", "d3", "d4", "d5", "e3", "e5", "f3", "f5"]);
    assert_eq!(refusal(&board, "e4f4"), BrokenRule::SwapsOwnColorOnly);
}

// Sphinxes.

const TWO_SPHINXES: &str = "
    8  ?x  .  .    .    .    rK   .   .  .  .
    1  .   .  .    .    sK   .    .   .  .  ?X";

fn sphinxes(silver: &str, red: &str, side_to_move: Color) -> Position {
    draw(&TWO_SPHINXES.replace("?X", silver).replace("?x", red), side_to_move)
}

#[test]
fn the_laser_is_in_the_sphinx_and_fires_in_the_direction_it_faces() {
    let board = sphinxes("sXn", "rXs", Color::Silver);
    assert_eq!(only_path(&board.fire(Color::Silver)), "j2↑ j3↑ j4↑ j5↑ j6↑ j7↑ j8↑");
    assert_eq!(only_path(&board.fire(Color::Red)), "a7↓ a6↓ a5↓ a4↓ a3↓ a2↓ a1↓");

    let board = sphinxes("sXw", "rXe", Color::Silver);
    let shot = board.fire(Color::Silver);
    assert_eq!(only_path(&shot), "i1← h1← g1← f1← e1←•");
    assert_eq!(shot.to_string(), "xe1#");
    let shot = board.fire(Color::Red);
    assert_eq!(only_path(&shot), "b8→ c8→ d8→ e8→ f8→•");
    assert_eq!(shot.to_string(), "xf8#");
}

#[test]
fn a_sphinx_never_moves() {
    let board = sphinxes("sXn", "rXs", Color::Silver);
    for mv in ["j1j2", "j1i2"] {
        assert_eq!(refusal(&board, mv), BrokenRule::SphinxCannotMove, "{mv}");
    }
    assert_eq!(refusal(&board, "j1^j2"), BrokenRule::NotAStack);
    let board = sphinxes("sXn", "rXs", Color::Red);
    for mv in ["a8a7", "a8b7"] {
        assert_eq!(refusal(&board, mv), BrokenRule::SphinxCannotMove, "{mv}");
    }
}

#[test]
fn silvers_sphinx_rotates_between_north_and_west() {
    let mut board = sphinxes("sXn", "rXs", Color::Silver);
    assert_eq!(moves_of(&board, "j1"), ["-"]);
    assert_eq!(refusal(&board, "j1+"), BrokenRule::SphinxFacesWall);
    // The shot of this move takes the new direction already, and Silver loses.
    assert_eq!(play(&mut board, "j1-").to_string(), "xe1#");
    assert_eq!(board.get(Square::J1), piece("sXw"));

    let mut board = sphinxes("sXw", "rXs", Color::Silver);
    assert_eq!(moves_of(&board, "j1"), ["+"]);
    assert_eq!(refusal(&board, "j1-"), BrokenRule::SphinxFacesWall);
    assert_eq!(only_path(&play(&mut board, "j1+")), "j2↑ j3↑ j4↑ j5↑ j6↑ j7↑ j8↑");
    assert_drawn(
        &board,
        "
        8  rXs .  .    .    .    rK   .   .  .  .
        1  .   .  .    .    sK   .    .   .  .  sXn",
        Color::Red,
    );
}

#[test]
fn reds_sphinx_rotates_between_south_and_east() {
    let mut board = sphinxes("sXn", "rXs", Color::Red);
    assert_eq!(moves_of(&board, "a8"), ["-"]);
    assert_eq!(refusal(&board, "a8+"), BrokenRule::SphinxFacesWall);
    assert_eq!(play(&mut board, "a8-").to_string(), "xf8#");
    assert_eq!(board.get(Square::A8), piece("rXe"));

    let mut board = sphinxes("sXn", "rXe", Color::Red);
    assert_eq!(moves_of(&board, "a8"), ["+"]);
    assert_eq!(refusal(&board, "a8-"), BrokenRule::SphinxFacesWall);
    assert_eq!(only_path(&play(&mut board, "a8+")), "a7↓ a6↓ a5↓ a4↓ a3↓ a2↓ a1↓");
}

#[test]
fn a_sphinx_cant_be_swapped() {
    let drawing = "
        8  rXs .  .    .    .    rK   .   .  .  .
        7  ?   ?  .    .    .    .    .   .  .  .
        2  .   .  .    .    .    .    .   .  !  !
        1  .   .  .    .    sK   .    .   .  .  sXn";
    for (red, silver) in [("rD/", "sD/"), ("rS/", "sS/")] {
        let drawing = drawing.replace('?', red).replace('!', silver);
        let board = draw(&drawing, Color::Red);
        assert_eq!(refusal(&board, "a7a8"), BrokenRule::CannotSwapWith);
        assert_eq!(refusal(&board, "b7a8"), BrokenRule::CannotSwapWith);
        let board = draw(&drawing, Color::Silver);
        assert_eq!(refusal(&board, "i2j1"), BrokenRule::CannotSwapWith);
        assert_eq!(refusal(&board, "j2j1"), BrokenRule::CannotSwapWith);
    }
}

#[test]
fn the_other_sides_scarab_cant_swap_with_a_sphinx_either() {
    let board = draw(
        r"
        8  rXs sS/ .    .    .    rK   .   .  .    .
        7  .   sS\ .    .    .    .    .   .  .    .
        1  .   .   .    .    sK   .    .   .  .    sXn",
        Color::Silver,
    );
    assert_eq!(refusal(&board, "b8a8"), BrokenRule::ReservedSquare);
    assert_eq!(refusal(&board, "b7a8"), BrokenRule::ReservedSquare);
}

#[test]
fn a_sphinx_blocks_the_beam_and_cant_be_destroyed() {
    // Along rank 8 onto its side, and up file a onto its front.
    for (drawing, last) in [
        (
            "
            8  rXs .  .    .    .    .    .   .  .  sPsw
            6  .   .  .    .    .    rK   .   .  .  .
            3  .   .  .    .    sK   .    .   .  .  .
            1  .   .  .    .    .    .    .   .  .  sXn",
            Direction::West,
        ),
        (
            "
            8  rXs .  .    .    .    .    .   .  .  .
            6  .   .  .    .    .    rK   .   .  .  .
            3  .   .  .    .    sK   .    .   .  .  .
            1  rPne . .    .    .    .    .   .  .  sXw",
            Direction::North,
        ),
    ] {
        let mut board = draw(drawing, Color::Silver);
        let shot = play(&mut board, "e3e4");
        let step = shot.beams[0].steps.last().unwrap();
        assert_eq!((step.square, step.arrives, step.leaves), (Square::A8, last, None));
        assert_eq!(shot.beams[0].end, BeamEnd::Absorbed);
        assert_eq!(shot.hits, []);
        assert_eq!(board.get(Square::A8), piece("rXs"));
    }
}

#[test]
fn a_sphinx_blocks_its_own_beam_that_comes_from_the_side() {
    let board = draw(
        "
        8  rXs .  .    .    .    rK   .   .  .  .
        4  .   .  .    .    sPse .    .   .  .  sPsw
        2  .   .  .    .    .    sK   .   .  .  .
        1  .   .  .    .    sPne .    .   .  .  sXn",
        Color::Silver,
    );
    let shot = board.fire(Color::Silver);
    assert_eq!(
        only_path(&shot),
        "j2↑ j3↑ j4↑← i4← h4← g4← f4← e4←↓ e3↓ e2↓ e1↓→ f1→ g1→ h1→ i1→ j1→•"
    );
    assert_eq!(shot.beams[0].end, BeamEnd::Absorbed);
    assert_eq!(shot.hits, []);
}

#[test]
fn a_side_with_a_sphinx_always_has_a_move() {
    let board = draw(
        "
        8  rXs .    .    .    .   rK  .  .  .  .
        2  .   rPne rPne .    .   .   .  .  .  .
        1  .   sK   rPne .    .   .   .  .  .  sXn",
        Color::Silver,
    );
    let moves = board.legal_moves();
    assert_eq!(moves.iter().map(ToString::to_string).collect::<Vec<_>>(), ["j1-"]);
    assert_eq!(board.outcome(), None);
}

// The sphinx as laser of the standard game.

#[test]
fn every_standard_setup_can_be_played_with_sphinxes_for_lasers() {
    for setup in [Setup::Classic, Setup::Imhotep, Setup::Dynasty] {
        let mut placement = setup.placement();
        placement.set(Square::J1, piece("sXn"));
        placement.set(Square::A8, piece("rXs"));
        let start = Position::new(&placement, Rules::Standard).unwrap();
        // Each move of the wall laser's game, and the rotation of the sphinx. No piece of these
        // setups could have gone to the corner, or it would be one fewer.
        assert_eq!(start.legal_moves().len(), setup.position().legal_moves().len() + 1, "{setup}");
        assert_eq!(start.fire(Color::Silver).hits, [], "{setup}");
    }
}

#[test]
fn in_the_standard_game_the_sphinx_is_the_same_as_in_khet2() {
    let mut board = draw(
        r"
        8  rXs .    .    .    .    rK   .   .  .   .
        3  .   .    .    .    sK   .    .   .  .   .
        1  .   .    .    rOO  .    sD/  .   .  .   sXw",
        Color::Silver,
    );
    // The djed reflects the beam down, off the board; without it the stack is hit.
    assert_eq!(only_path(&board.fire(Color::Silver)), "i1← h1← g1← f1←↓");
    let shot = play(&mut board, "f1f2");
    assert_eq!(only_path(&shot), "i1← h1← g1← f1← e1← d1←•");
    assert_eq!(shot.to_string(), "xd1^");
    assert_eq!(moves_of(&board, "a8"), ["-"]);
}
