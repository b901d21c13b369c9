//! Checks the claims of the texts about the Tower of Kadesh.

use khet::tower::{self, BoardLevel, TowerColumn};
use khet::{BeamEnd, Color, Direction, GamePosition, Kind, Piece, Setup, Square, Termination};

use super::lesson_game::LessonGame;
use super::lesson_tests::{is_legal, lesson, play, play_solution, start, won};
use crate::rules::{Position, Shot};

fn parse(position: &str) -> Position {
    position.parse().expect(position)
}

/// Returns the shot of the last move.
fn last_shot(game: &LessonGame) -> &Shot {
    &game.last().expect("a move was played").1.shot
}

/// Returns the squares that the first beam crosses, in notation.
fn path(shot: &Shot) -> String {
    let squares: Vec<_> = shot.beams[0].steps.iter().map(|step| step.square.to_string()).collect();
    squares.join(" ")
}

/// Returns the shot after a move that leaves the task of a lesson unsolved.
fn shot_after(anchor: &str, mv: &str) -> Shot {
    start(anchor).play(mv.parse().expect(mv)).expect(mv)
}

/// Returns the pieces of the upper level.
fn upper_pieces(position: &tower::Position) -> Vec<(tower::Square, Piece)> {
    position.pieces().filter(|(square, _)| square.level() == BoardLevel::Upper).collect()
}

/// Returns the number of pieces of a side for which a condition holds.
fn count(position: &tower::Position, side: Color, is_kind: impl Fn(Kind) -> bool) -> usize {
    let pieces = position.pieces().filter(|(_, piece)| piece.color() == side);
    pieces.filter(|(_, piece)| is_kind(piece.kind())).count()
}

#[test]
fn upper_level_has_32_squares_and_the_beam_passes_below_it() {
    let Position::Tower(position) = start("tower") else { panic!("it has a tower") };
    assert_eq!(position.column().squares().len(), 4);
    assert_eq!(position.column().upper_level().len(), 32);
    let (game, shots) = play_solution("tower");
    assert_eq!(shots, ["xb3"]);
    assert_eq!(path(last_shot(&game)), "j1 j2 j3 i3 h3 g3 f3 e3 d3 c3 b3");
}

#[test]
fn periscopes() {
    let shot = shot_after("periscopes", "e1e2");
    assert_eq!(shot.beams[0].end, BeamEnd::Column);
    assert!(shot.hits.is_empty());
    let (game, shots) = play_solution("periscopes");
    assert_eq!(shots, ["xH4"]);
    assert!(path(last_shot(&game)).ends_with("g4 G4 H4"));
}

#[test]
fn squares_of_the_periscopes() {
    let Position::Tower(position) = start("periscopes") else { panic!("it has a tower") };
    for (square, travel) in [
        (Square::F4, Direction::West),
        (Square::F5, Direction::South),
        (Square::E5, Direction::East),
        (Square::E4, Direction::North),
    ] {
        for direction in Direction::ALL {
            let has_periscope = position.column().has_periscope(square, direction);
            assert_eq!(has_periscope, direction == travel, "{square} {direction:?}");
        }
    }
}

#[test]
fn beam_ends_at_the_rim_or_goes_down_again() {
    let shot = shot_after("upper-level", "e1e2");
    assert!(path(&shot).ends_with("F6 F7"));
    assert_eq!(shot.beams[0].end, BeamEnd::Wall);
    let (game, shots) = play_solution("upper-level");
    assert_eq!(shots, ["xf8#"]);
    assert_eq!(path(last_shot(&game)), "j1 j2 j3 j4 i4 h4 g4 G4 H4 H5 H6 G6 F6 f6 f7 f8");
    assert_eq!(game.outcome(), won(Color::Silver, Termination::PharaohHit));
}

#[test]
fn climbing() {
    let position = start("climb");
    assert!(!is_legal(&position, "c2C2") && is_legal(&position, "c2c3"));
    let (mut game, shots) = play_solution("climb");
    assert_eq!(shots, ["xH7"]);
    assert!(is_legal(game.position(), "H4h4"));
    // Beside the corner the pharaoh may climb, but not go on to the corner.
    for mv in ["c2d2", "d2D2"] {
        game.play(mv.parse().unwrap());
    }
    assert!(is_legal(game.position(), "D2d2") && !is_legal(game.position(), "D2C2"));
    // Above squares of Red, Silver's pieces can't go down.
    let edge = parse("4k5/10/10/10/10/10/10/9K+c3:6/6/P14p1/6/6/6 s");
    assert!(is_legal(&edge, "A4B4") && !is_legal(&edge, "A4a4"));
}

#[test]
fn swapping_and_stacking_between_levels() {
    let position = start("levels");
    assert!(is_legal(&position, "c6C6") && is_legal(&position, "C6c6"));
    let mut stacked = position;
    assert_eq!(play(&mut stacked, "c6C6"), "");
    let stacked = stacked.after_null_move();
    assert!(is_legal(&stacked, "C6c6") && is_legal(&stacked, "C6^c6"));
    let eye = parse("4k5/10/10/10/10/6p23/10/4K5+e4:6/6/6/6/4E11/6 s");
    assert!(is_legal(&eye, "G3g3"));
    let (game, shots) = play_solution("levels");
    assert_eq!(shots, ["xg8#"]);
    assert!(path(last_shot(&game)).ends_with("g3 g4 g5 g6 g7 g8"));
}

#[test]
fn shifting_the_tower() {
    let position = start("shift");
    for mv in ["Te3", "Tf3", "Td3", "Tf4", "Te5", "Tf5"] {
        assert!(is_legal(&position, mv), "{mv}");
    }
    for mv in ["Td4", "Td5"] {
        assert!(!is_legal(&position, mv), "{mv}");
    }
    let (game, shots) = play_solution("shift");
    assert_eq!(shots, ["xH5"]);
    // The upper level would not stay above the board.
    assert!(TowerColumn::new(Square::E6).is_none());
    assert!(is_legal(game.position(), "Te4"));
    // Red may shift it too.
    assert!(is_legal(&position.after_null_move(), "Te5"));
}

#[test]
fn rotating_the_tower() {
    let position = start("tower-rotate");
    assert!(is_legal(&position, "T+") && is_legal(&position, "T-"));
    let (game, shots) = play_solution("tower-rotate");
    assert_eq!(shots, ["xH6#"]);
    assert!(path(last_shot(&game)).ends_with("G4 H4 H5 H6"));
    assert_eq!(game.outcome(), won(Color::Silver, Termination::PharaohHit));
    // Nothing on the upper level: a rotation would change nothing.
    let empty = parse("4k5/10/10/10/10/10/10/4K5+e4:6/6/6/6/6/6 s");
    assert!(!is_legal(&empty, "T+") && !is_legal(&empty, "T-") && is_legal(&empty, "Te5"));
    // The place of the tower counts for repetition.
    let Position::Tower(position) = empty else { panic!("it has a tower") };
    let Position::Tower(shifted) = parse("4k5/10/10/10/10/10/10/4K5+e5:6/6/6/6/6/6 s") else {
        panic!("it has a tower")
    };
    assert!(position.repeats(&position) && !position.repeats(&shifted));
}

#[test]
fn tower_and_eye() {
    let (game, shots) = play_solution("tower-eye");
    assert_eq!(shots, ["xh7 xH4"]);
    assert_eq!(last_shot(&game).hits.len(), 2);
}

#[test]
fn setups_with_a_tower() {
    let positions: Vec<_> = lesson("tower-setups").starts.iter().map(|s| s.position()).collect();
    let [Position::Tower(orontes), Position::Tower(ramesses), Position::Tower(nefertari)] =
        positions[..]
    else {
        panic!("three positions with a tower")
    };
    let is_djed = |kind| matches!(kind, Kind::Djed(_));
    let is_pyramid = |kind| matches!(kind, Kind::Pyramid(_));

    // Orontes: Classic with the four djeds on the upper level.
    let mut classic = Setup::Classic.placement();
    for square in orontes.column().squares() {
        assert!(classic.get(square).is_some_and(|piece| is_djed(piece.kind())));
        classic.set(square, None);
    }
    assert_eq!(*orontes.placement().ground(), classic);
    let upper = upper_pieces(&orontes);
    assert!(upper.len() == 4 && upper.iter().all(|(_, piece)| is_djed(piece.kind())));

    // Ramesses: close to Imhotep, with one djed fewer, and a pyramid in the opponent's half.
    let mut imhotep = Setup::Imhotep.placement();
    for square in ramesses.column().squares() {
        imhotep.set(square, None);
    }
    assert_eq!(*ramesses.placement().ground(), imhotep);
    let upper = upper_pieces(&ramesses);
    assert!(upper.len() == 2 && upper.iter().all(|(_, piece)| is_pyramid(piece.kind())));
    for (square, piece) in upper {
        let is_in_reds_half = square.ground().rank() >= 4;
        assert_eq!(is_in_reds_half, piece.color() == Color::Silver, "{square}");
    }

    // Nefertari: an Eye in place of a djed, and two pyramids on the upper level.
    let upper = upper_pieces(&nefertari);
    assert!(upper.len() == 4 && upper.iter().all(|(_, piece)| is_pyramid(piece.kind())));
    for side in Color::ALL {
        assert_eq!(count(&ramesses, side, is_djed), 1);
        assert_eq!(count(&nefertari, side, is_djed), 1);
        assert_eq!(count(&nefertari, side, |kind| matches!(kind, Kind::Eye(_))), 1);
        assert_eq!(upper.iter().filter(|(_, piece)| piece.color() == side).count(), 2);
    }
}

#[test]
fn setups_with_a_tower_are_symmetrical_as_the_rules_document_says() {
    for setup in tower::Setup::ALL {
        let mut flipped = setup.placement().flipped();
        flipped.set_side_to_move(Color::Silver);
        assert_eq!(flipped, setup.placement(), "{setup}");
    }
}
