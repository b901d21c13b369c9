//! Tests of the reference implementation of the tower itself, worked out by hand from the rules.
//!
//! Most tests have the column on e4, f4, e5 and f5. Its upper level then lies above c2 to h7, and a
//! beam finds these halves of its faces:
//!
//! ```text
//!        north face: e blank, f periscope
//!                     e   f
//!   periscope   5   [ W | N ]   5  blank
//!   blank       4   [ S | E ]   4  periscope
//!                     e   f
//!        south face: e periscope, f blank
//! ```

use std::collections::BTreeSet;

use crate::reference::{
    Beam, BeamEnd, Color, Edition, Position, Rng, Shot, is_valid, random_position,
};

/// Builds a position from pieces with their squares: `P2G6` is Silver's pyramid `P2` on `G6`.
#[track_caller]
fn position(column: &str, pieces: &str, side_to_move: Color) -> Position {
    let mut position = Position::empty(column, side_to_move);
    for text in pieces.split_whitespace() {
        let (piece, square) = text.split_at(text.len() - 2);
        position.put(piece, square);
    }
    position
}

/// Builds a valid position with Silver to move and the column on e4.
#[track_caller]
fn silver(pieces: &str) -> Position {
    let position = position("e4", pieces, Color::Silver);
    assert_eq!(position.faults(), [""; 0]);
    position
}

/// Returns the pieces as `position` takes them, sorted.
fn pieces(position: &Position) -> Vec<String> {
    let mut pieces: Vec<String> =
        position.pieces().iter().map(|(piece, square)| format!("{piece}{square}")).collect();
    pieces.sort();
    pieces
}

#[track_caller]
fn assert_pieces(position: &Position, expected: &str) {
    let mut expected: Vec<&str> = expected.split_whitespace().collect();
    expected.sort();
    assert_eq!(pieces(position), expected);
}

/// Returns the legal moves of the piece on a square, without the square.
fn moves_of(position: &Position, square: &str, edition: Edition) -> String {
    let moves = position.legal_moves(edition);
    let moves: Vec<&str> = moves.iter().filter_map(|mv| mv.strip_prefix(square)).collect();
    moves.join(" ")
}

#[track_caller]
fn assert_moves_of(position: &Position, square: &str, expected: &str) {
    assert_eq!(moves_of(position, square, Edition::Standard), expected, "from {square}");
}

#[track_caller]
fn assert_tower_moves(position: &Position, expected: &str) {
    assert_eq!(moves_of(position, "T", Edition::Standard), expected);
}

fn path(beam: &Beam) -> String {
    let steps: Vec<String> =
        beam.path.iter().map(|(square, direction)| format!("{square}{direction}")).collect();
    steps.join(" ")
}

/// Proves the path and the end of a shot that is one beam.
#[track_caller]
fn assert_beam(shot: &Shot, expected_path: &str, end: BeamEnd, level_changes: usize) {
    assert_eq!(shot.beams.len(), 1);
    assert_eq!(path(&shot.beams[0]), expected_path);
    assert_eq!((shot.beams[0].end, shot.level_changes()), (end, level_changes));
}

/// Proves the beams that leave Eyes: Eye and direction, path and end.
#[track_caller]
fn assert_split_beams(shot: &Shot, expected: &[(&str, &str, BeamEnd)]) {
    let beams: Vec<(String, String, BeamEnd)> = shot.beams[1..]
        .iter()
        .map(|beam| {
            let eye = beam.eye.as_ref().expect("the other beams come from Eyes");
            (format!("{eye}{}", beam.leaves), path(beam), beam.end)
        })
        .collect();
    let expected: Vec<(String, String, BeamEnd)> =
        expected.iter().map(|&(eye, path, end)| (eye.to_string(), path.to_string(), end)).collect();
    assert_eq!(beams, expected);
}

// The tower.

#[test]
fn the_upper_level_has_32_squares_wherever_the_tower_stands() {
    for file in ["c", "d", "e", "f", "g"] {
        for rank in ["3", "4", "5"] {
            let tower = Position::empty(&format!("{file}{rank}"), Color::Silver);
            let squares = tower.squares();
            let is_upper = |name: &&String| name.starts_with(|c: char| c.is_ascii_uppercase());
            assert_eq!(squares.iter().filter(is_upper).count(), 32);
            assert_eq!(squares.len(), 32 + 80 - 4);
        }
    }
}

#[test]
fn the_upper_level_is_centred_on_the_column() {
    let squares = Position::empty("e4", Color::Silver).squares();
    for name in ["C2", "H2", "C7", "H7", "D4", "D5", "G4", "G5", "E3", "F3", "E6", "F6"] {
        assert!(squares.contains(&name.to_string()), "{name}");
    }
    for name in ["B2", "C1", "I7", "H8", "E4", "F4", "E5", "F5", "e4", "f4", "e5", "f5"] {
        assert!(!squares.contains(&name.to_string()), "{name}");
    }
}

#[test]
fn all_squares_of_the_upper_level_are_neutral() {
    // Above the reserved squares in the four corners of the board.
    for (column, pharaohs) in
        [("c3", "Kd7 ke7"), ("c5", "Kd2 ke2"), ("g3", "Kd7 ke7"), ("g5", "Kd2 ke2")]
    {
        for name in Position::empty(column, Color::Silver).squares() {
            if name.starts_with(|c: char| c.is_ascii_uppercase()) {
                for piece in ["P1", "p1"] {
                    let pieces = format!("{pharaohs} {piece}{name}");
                    assert_eq!(position(column, &pieces, Color::Silver).faults(), [""; 0]);
                }
            }
        }
    }
}

// Notation.

const EXAMPLE: &str = "4o2ko2d22/10/3P42p13/p1P36p2P4/p2P46p1P3/3P32p23/10/2D2O2KO24\
                       +e4:6/4P21/6/6/1p44/6 s";

#[test]
fn the_example_of_the_rules_is_read_and_written() {
    let example = Position::read(EXAMPLE).unwrap();
    assert_eq!(example.write(), EXAMPLE);
    assert_eq!(example.faults(), [""; 0]);
    assert_eq!(example.column(), "e4");
    assert_eq!(example.side_to_move(), Color::Silver);
    let pieces = pieces(&example);
    assert!(pieces.contains(&"P2G6".to_string()));
    assert!(pieces.contains(&"p4D3".to_string()));
    assert!(pieces.contains(&"Ke1".to_string()));
    let upper = |text: &&String| text[text.len() - 2..].starts_with(|c: char| c < 'a');
    assert_eq!(pieces.iter().filter(upper).count(), 2);
}

#[test]
fn there_is_exactly_one_way_to_write_a_position() {
    let ground = "5k4/10/10/10/10/10/10/4K5";
    let text = format!("{ground}+e4:6/6/6/6/6/6 s");
    assert!(is_valid(&text));
    assert_eq!(silver("Ke1 kf8").write(), text);
    for wrong in [
        format!("{ground} s"),
        format!("{ground}+e4 s"),
        format!("{ground}+e4: s"),
        format!("{ground}+e4:6/6/6/6/6 s"),
        format!("{ground}+e4:6/6/6/6/6/6/6 s"),
        format!("{ground}+e4:6/6/6/6/6/5 s"),
        format!("{ground}+e4:6/6/6/6/6/7 s"),
        format!("{ground}+e4:6/6/6/6/6/33 s"),
        format!("{ground}+e4:6/6/6/6/6/06 s"),
        format!("{ground}+E4:6/6/6/6/6/6 s"),
        format!("{ground}+e4:6/6/6/6/6/6"),
        format!("{ground}+e4:6/6/6/6/6/6 x"),
        format!("{ground}+e4:6/6/6/6/6/6  s"),
        format!("{ground}+e4:6/6/6/6/6/P51 s"),
        format!("{ground}+e4:6/6/6/6/6/Q15 s"),
        format!("{ground}/10+e4:6/6/6/6/6/6 s"),
    ] {
        assert!(Position::read(&wrong).is_err(), "{wrong}");
    }
}

#[test]
fn repetition_counts_the_place_of_the_tower_and_not_the_side_to_move() {
    let start = silver("Ki5 kb5");
    let red_to_move = position("e4", "Ki5 kb5", Color::Red);
    assert_eq!(start.arrangement(), red_to_move.arrangement());
    assert_ne!(start.write(), red_to_move.write());
    let shifted = start.play("Te5").position;
    assert_ne!(start.arrangement(), shifted.arrangement());
    assert_eq!(start.arrangement(), shifted.play("Te4").position.arrangement());
}

// Valid positions.

#[track_caller]
fn assert_fault(position: &Position, expected: &str) {
    let faults = position.faults();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].contains(expected), "{faults:?}");
    assert!(!is_valid(&position.write()));
}

#[test]
fn the_upper_level_lies_above_the_board() {
    for column in ["b3", "h3", "c2", "c6", "g2", "g6", "b5", "h5", "a1", "j8"] {
        let text = format!("5k4/10/10/10/10/10/10/4K5+{column}:6/6/6/6/6/6 s");
        assert!(!is_valid(&text), "{column}");
    }
    for column in ["c3", "c5", "g3", "g5", "d3", "e4"] {
        let text = format!("5k4/10/10/10/10/10/10/4K5+{column}:6/6/6/6/6/6 s");
        assert!(is_valid(&text), "{column}");
    }
}

#[test]
fn no_piece_stands_on_the_column() {
    for square in ["e4", "f4", "e5", "f5", "E4", "F4", "E5", "F5"] {
        let occupied = position("e4", &format!("Ke1 kf8 P1{square}"), Color::Silver);
        assert_fault(&occupied, "the column is there");
    }
}

#[test]
fn no_pharaoh_stands_on_an_upper_corner() {
    for square in ["C2", "C7", "H2", "H7"] {
        assert_fault(&position("e4", &format!("K{square} kf8"), Color::Silver), "corner");
        assert_fault(&position("e4", &format!("Ke1 k{square}"), Color::Silver), "corner");
        // Other pieces may, and a pharaoh may stand on the ground below.
        assert!(position("e4", &format!("Ke1 kf8 o2{square}"), Color::Silver).faults().is_empty());
        let below = square.to_lowercase();
        assert!(position("e4", &format!("Ke1 k{below}"), Color::Silver).faults().is_empty());
    }
}

#[test]
fn both_levels_together_hold_no_more_than_the_box() {
    let seven = "Ke1 kf8 P1c3 P1d3 P1g3 P1h3 P1C3 P1D3 P1E3";
    assert!(position("e4", seven, Color::Silver).faults().is_empty());
    assert_fault(&position("e4", &format!("{seven} P1F3"), Color::Silver), "8");
    assert_fault(&position("e4", "Ke1 kf8 o2d3 o2D3 o1G6", Color::Silver), "5");
    assert_fault(&position("e4", "Ke1 kf8 d1d3 d1D3 d2G6", Color::Silver), "3");
    assert_fault(&position("e4", "Ke1 kf8 E1d3 E1D3", Color::Silver), "2");
    assert_fault(&position("e4", "Ke1 kf8 KD3", Color::Silver), "2");
    assert_fault(&position("e4", "kf8 P1D3", Color::Silver), "no pharaoh");
    assert!(position("e4", "KE3 kF6", Color::Silver).faults().is_empty());
}

#[test]
fn the_usual_rules_for_positions_hold_on_the_ground() {
    // With the column on c4 the upper level lies above a2 to f7.
    assert_fault(&position("c4", "Ke1 kf8 P1a4", Color::Silver), "reserved");
    assert!(position("c4", "Ke1 kf8 P1A4", Color::Silver).faults().is_empty());
    assert!(position("e4", "Ke1 kf8 X1j1 x2a8", Color::Silver).faults().is_empty());
    assert_fault(&position("e4", "Ke1 kf8 X1j1", Color::Silver), "no sphinx");
    assert_fault(&position("e4", "Ke1 kf8 X2j1 x2a8", Color::Silver), "wall");
    assert_fault(&position("g3", "Ke1 kf8 X1J1 x2a8", Color::Silver), "corner");
    assert!(position("e4", "Ke1 kf8 X1j1 x2a8 S1D3", Color::Silver).faults().is_empty());
    assert_fault(&position("e4", "Ke1 kf8 S1D3", Color::Silver), "without sphinxes");
    assert_fault(&position("e4", "Ke1 kf8 X1j1 x2a8 S1D3 d1G6", Color::Silver), "two boxes");
}

// Periscopes.

/// The beginnings of shots of Silver that go up through each face: face, pieces, path.
const UP: [(&str, &str, &str); 4] = [
    ("south", "Kb3 kb6 P3j2 P1e2", "j1N j2N i2W h2W g2W f2W e2W e3N E3S E2S"),
    (
        "west",
        "Kb3 kb6 P3j1 P1c1 P2c5",
        "j1N i1W h1W g1W f1W e1W d1W c1W c2N c3N c4N c5N d5E D5W C5W",
    ),
    ("north", "Kb3 kb6 P3j7 P2f7", "j1N j2N j3N j4N j5N j6N j7N i7W h7W g7W f7W f6S F6N F7N"),
    ("east", "Kb3 kb6 P3j4", "j1N j2N j3N j4N i4W h4W g4W G4E H4E"),
];

#[track_caller]
fn up(face: &str) -> (&'static str, &'static str) {
    let (_, pieces, path) = UP.into_iter().find(|up| up.0 == face).expect("a face");
    (pieces, path)
}

#[test]
fn a_beam_goes_up_through_the_left_half_of_each_face_and_ends_at_the_rim() {
    for (_, pieces, path) in UP {
        assert_beam(&silver(pieces).fire(Color::Silver), path, BeamEnd::Rim, 1);
    }
}

#[test]
fn a_beam_comes_down_through_the_left_half_of_each_face() {
    // Mirrors on the upper level lead the beam from the face where it went up to another one.
    for (up_face, mirrors, rest) in [
        // Down through the east face.
        ("south", "P1E2 P4G2 P3G4", "F2E G2E G3N G4N g4E h4E i4E j4E"),
        // Down through the south face.
        ("east", "P3H4 P4H2 P1E2", "H3S H2S G2W F2W E2W E3N e3S e2S e1S"),
        // Down through the west face.
        ("north", "P3F7 P2C7 P1C5", "E7W D7W C7W C6S C5S D5E d5W c5W b5W a5W"),
        // Down through the north face.
        ("west", "P1C5 P2C7 P3F7", "C6N C7N D7E E7E F7E F6S f6N f7N f8N"),
    ] {
        let (pieces, path) = up(up_face);
        let shot = silver(&format!("{pieces} {mirrors}")).fire(Color::Silver);
        assert_beam(&shot, &format!("{path} {rest}"), BeamEnd::Wall, 2);
    }
}

#[test]
fn the_right_half_of_each_face_is_a_blank_wall_on_the_ground() {
    for (pieces, path) in [
        ("Kb3 kb6 P3j2 P1f2", "j1N j2N i2W h2W g2W f2W f3N"),
        ("Kb3 kb6 P3j1 P1c1 P2c4", "j1N i1W h1W g1W f1W e1W d1W c1W c2N c3N c4N d4E"),
        ("Kb3 kb6 P3j7 P2e7", "j1N j2N j3N j4N j5N j6N j7N i7W h7W g7W f7W e7W e6S"),
        ("Kb3 kb6 P3j5", "j1N j2N j3N j4N j5N i5W h5W g5W"),
    ] {
        let shot = silver(pieces).fire(Color::Silver);
        assert_beam(&shot, path, BeamEnd::BlankWall, 0);
        assert_eq!(shot.hits, [""; 0]);
    }
}

#[test]
fn the_right_half_of_each_face_is_a_blank_wall_on_the_upper_level() {
    for (face, mirrors, rest) in [
        ("south", "P1E2 P4F2", "F2E F3N"),
        ("west", "P2C5 P1C4", "C4S D4E"),
        ("north", "P3F7 P2E7", "E7W E6S"),
        ("east", "P4H4 P3H5", "H5N G5W"),
    ] {
        let (pieces, path) = up(face);
        let shot = silver(&format!("{pieces} {mirrors}")).fire(Color::Silver);
        assert_beam(&shot, &format!("{path} {rest}"), BeamEnd::BlankWall, 1);
        assert_eq!(shot.hits, [""; 0]);
    }
}

#[test]
fn periscopes_move_with_the_tower() {
    // With the column on d3 the west face has its periscope on rank 4 and the east face on rank 3.
    let shot = position("d3", "Kb7 kb6 P3j3", Color::Silver).fire(Color::Silver);
    let path = "j1N j2N j3N i3W h3W g3W f3W F3E G3E";
    assert_beam(&shot, path, BeamEnd::Rim, 1);
    let shot = position("d3", "Kb7 kb6 P3j4", Color::Silver).fire(Color::Silver);
    assert_beam(&shot, "j1N j2N j3N j4N i4W h4W g4W f4W", BeamEnd::BlankWall, 0);
}

#[test]
fn a_beam_that_is_reflected_next_to_the_column_goes_through_it() {
    let shot = silver("Kb7 kb6 P3j3 P1e3").fire(Color::Silver);
    assert_beam(&shot, "j1N j2N j3N i3W h3W g3W f3W e3W E3S E2S", BeamEnd::Rim, 1);
}

#[test]
fn a_beam_can_change_levels_four_times() {
    // Up through the south face, down through the east, up through the north, down through the
    // west.
    let position = silver("Kb3 kc8 P3j2 P1e2 P1E2 P4G2 P3G4 p4h4 p3h7 p2f7 p3F7 P2C7 P1C5");
    let path = "j1N j2N i2W h2W g2W f2W e2W e3N E3S E2S F2E G2E G3N G4N g4E h4E h5N h6N h7N g7W \
                f7W f6S F6N F7N E7W D7W C7W C6S C5S D5E d5W c5W b5W a5W";
    assert_beam(&position.fire(Color::Silver), path, BeamEnd::Wall, 4);
}

#[test]
fn reds_beam_uses_the_periscopes_too() {
    let shot = silver("Kb3 kc8 p1a5").fire(Color::Red);
    assert_beam(&shot, "a8S a7S a6S a5S b5E c5E d5E D5W C5W", BeamEnd::Rim, 1);
}

#[test]
fn the_beam_of_a_sphinx_uses_the_periscopes_too() {
    let shot = silver("Kb3 kc8 X4j1 x2a8 P1e1").fire(Color::Silver);
    assert_beam(&shot, "i1W h1W g1W f1W e1W e2N e3N E3S E2S", BeamEnd::Rim, 1);
    let shot = silver("Kb3 kc6 X4j1 x2a8 p3f8").fire(Color::Red);
    assert_beam(&shot, "b8E c8E d8E e8E f8E f7S f6S F6N F7N", BeamEnd::Rim, 1);
}

#[test]
fn beams_on_the_ground_pass_below_the_upper_level() {
    let shot = silver("Kb7 kb6 P3j3 O1G3 o2D3 p1C3").fire(Color::Silver);
    let path = "j1N j2N j3N i3W h3W g3W f3W e3W d3W c3W b3W a3W";
    assert_beam(&shot, path, BeamEnd::Wall, 0);
}

#[test]
fn beams_on_the_upper_level_pass_above_the_ground() {
    let (pieces, path) = up("east");
    let shot = silver(&format!("{pieces} P3H4 o1h3 o2h2")).fire(Color::Silver);
    assert_beam(&shot, &format!("{path} H3S H2S"), BeamEnd::Rim, 1);
}

#[test]
fn a_piece_in_front_of_the_periscope_meets_the_beam_that_comes_out() {
    let (pieces, _) = up("south");
    // The beam comes out travelling south, hence enters E3 by the north side.
    let path = "j1N j2N i2W h2W g2W f2W e2W e3N E3S";
    let shot = silver(&format!("{pieces} p2E3")).fire(Color::Silver);
    assert_beam(&shot, path, BeamEnd::Hit, 1);
    assert_eq!(shot.hits, ["xE3"]);
    let shot = silver(&format!("{pieces} p1E3")).fire(Color::Silver);
    assert_beam(&shot, &format!("{path} F3E G3E H3E"), BeamEnd::Rim, 1);
    let shot = silver(&format!("{pieces} d2E3")).fire(Color::Silver);
    assert_beam(&shot, &format!("{path} D3W C3W"), BeamEnd::Rim, 1);
}

#[test]
fn pieces_on_the_upper_level_are_hit_as_on_the_ground() {
    let (pieces, path) = up("east");
    for (target, hit, left) in [
        ("p1H4", "xH4", ""),
        ("P1H4", "xH4", ""),
        ("o1H4", "xH4", ""),
        ("O2H4", "xH4^", "O1H4"),
        ("o2H4", "xH4^", "o1H4"),
    ] {
        let effect = silver(&format!("{pieces} {target}")).play("b3b4");
        assert_beam(&effect.shot, path, BeamEnd::Hit, 1);
        assert_eq!(effect.shot.hits, [hit]);
        assert_pieces(&effect.position, &format!("Kb4 kb6 P3j4 {left}"));
        assert_eq!(effect.position.side_to_move(), Color::Red);
        assert_eq!(effect.result, None);
    }
}

#[test]
fn a_beam_that_has_come_down_hits_pieces_on_the_ground() {
    let (pieces, _) = up("south");
    let effect = silver(&format!("{pieces} P1E2 P4G2 P3G4 o2h4")).play("b3b4");
    assert_eq!(effect.shot.hits, ["xh4^"]);
    assert_eq!(effect.shot.level_changes(), 2);
    assert_pieces(&effect.position, "Kb4 kb6 P3j2 P1e2 P1E2 P4G2 P3G4 o1h4");
}

// The Eye of Horus and periscopes.

#[test]
fn an_eye_next_to_the_column_sends_a_half_through_the_periscope() {
    let shot = silver("Kb7 kb6 P3j3 E1e3").fire(Color::Silver);
    assert_eq!(path(&shot.beams[0]), "j1N j2N j3N i3W h3W g3W f3W e3W");
    assert_eq!(shot.beams[0].end, BeamEnd::Split);
    assert_split_beams(
        &shot,
        &[("e3N", "E3S E2S", BeamEnd::Rim), ("e3W", "d3W c3W b3W a3W", BeamEnd::Wall)],
    );
    assert_eq!(shot.level_changes(), 1);
}

#[test]
fn an_eye_next_to_a_blank_wall_sends_a_half_into_it() {
    let shot = silver("Kb7 kb6 P3j3 E1f3").fire(Color::Silver);
    assert_split_beams(
        &shot,
        &[("f3N", "", BeamEnd::BlankWall), ("f3W", "e3W d3W c3W b3W a3W", BeamEnd::Wall)],
    );
    assert_eq!((shot.level_changes(), shot.hits.len()), (0, 0));
}

#[test]
fn an_eye_on_the_upper_level_splits_the_beam() {
    let (pieces, _) = up("east");
    let shot = silver(&format!("{pieces} e2G4")).fire(Color::Silver);
    assert_split_beams(
        &shot,
        &[("G4E", "H4E", BeamEnd::Rim), ("G4N", "G5N G6N G7N", BeamEnd::Rim)],
    );
}

#[test]
fn beams_that_loop_over_both_levels_are_followed_once() {
    // From the Eye on e3 a ring goes up through the south face, round the west of the upper level,
    // down through the west face and back along c5 and c3. Both halves of the split beam follow it,
    // one each way round.
    let position = silver("Kb7 kb6 P3j3 E1e3 P4E2 P1C2 P2C5 P2c5 P1c3");
    let shot = position.fire(Color::Silver);
    assert_eq!(path(&shot.beams[0]), "j1N j2N j3N i3W h3W g3W f3W e3W");
    assert_split_beams(
        &shot,
        &[
            ("e3E", "f3E g3E h3E i3E j3E j2S j1S", BeamEnd::Wall),
            ("e3N", "E3S E2S D2W C2W C3N C4N C5N D5E d5W c5W c4S c3S d3E e3E", BeamEnd::Split),
            ("e3S", "e2S e1S", BeamEnd::Wall),
            ("e3W", "d3W c3W c4N c5N d5E D5W C5W C4S C3S C2S D2E E2E E3N e3S", BeamEnd::Split),
        ],
    );
    let level_changes: Vec<usize> = shot.beams.iter().map(|beam| beam.level_changes).collect();
    assert_eq!(level_changes, [0, 0, 2, 0, 2]);
    assert_eq!(shot.hits, [""; 0]);

    // The half that comes back to the laser ends at the sphinx if there is one.
    let position = silver("Kb7 kb6 X1j1 x3a8 P3j3 E1e3 P4E2 P1C2 P2C5 P2c5 P1c3");
    let shot = position.fire(Color::Silver);
    assert_eq!(path(&shot.beams[0]), "j2N j3N i3W h3W g3W f3W e3W");
    assert_eq!(path(&shot.beams[1]), "f3E g3E h3E i3E j3E j2S j1S");
    assert_eq!(shot.beams[1].end, BeamEnd::Absorbed);
    assert_eq!(shot.hits, [""; 0]);
}

#[test]
fn with_an_eye_the_halves_can_use_all_four_periscopes_both_ways() {
    // The four level changes of `a_beam_can_change_levels_four_times`, closed to a ring at the Eye
    // on h2.
    let position = silver(
        "Kb7 kb6 E1h2 P3j2 P1e2 P1E2 P4G2 P3G4 p4h4 p3h7 p2f7 p3F7 P2C7 P1C5 p2c5 p1c3 p3h3",
    );
    let shot = position.fire(Color::Silver);
    assert_eq!(path(&shot.beams[0]), "j1N j2N i2W h2W");
    let ring = "g2W f2W e2W e3N E3S E2S F2E G2E G3N G4N g4E h4E h5N h6N h7N g7W f7W f6S F6N F7N \
                E7W D7W C7W C6S C5S D5E d5W c5W c4S c3S d3E e3E f3E g3E h3E h2S";
    let ring_back = "h3N g3W f3W e3W d3W c3W c4N c5N d5E D5W C5W C6N C7N D7E E7E F7E F6S f6N f7N \
                     g7E h7E h6S h5S h4S g4W G4E G3S G2S F2W E2W E3N e3S e2S f2E g2E h2E";
    assert_split_beams(
        &shot,
        &[
            ("h2E", "i2E j2E j1S", BeamEnd::Wall),
            ("h2N", ring_back, BeamEnd::Split),
            ("h2S", "h1S", BeamEnd::Wall),
            ("h2W", ring, BeamEnd::Split),
        ],
    );
    assert_eq!(shot.level_changes(), 8);
}

// The usual moves, on both levels.

#[test]
fn a_piece_climbs_to_the_square_straight_above() {
    // e4 is the column.
    let start = silver("Kb1 kb6 P1d3");
    assert_moves_of(&start, "d3", "+ - D3 c2 c3 c4 d2 d4 e2 e3");
    assert_pieces(&start.play("d3D3").position, "Kb1 kb6 P1D3");
    // Nothing is above b4.
    assert_moves_of(&silver("Kb1 kb7 P1b4"), "b4", "+ - b3 b5 c3 c4 c5");
}

#[test]
fn a_piece_moves_on_the_upper_level_and_descends() {
    let start = silver("Kb1 kb6 P1D3");
    assert_moves_of(&start, "D3", "+ - C2 C3 C4 D2 D4 E2 E3 d3");
    assert_pieces(&start.play("D3d3").position, "Kb1 kb6 P1d3");
    assert_pieces(&start.play("D3C4").position, "Kb1 kb6 P1C4");
    assert_pieces(&start.play("D3+").position, "Kb1 kb6 P2D3");
    assert_pieces(&start.play("D3-").position, "Kb1 kb6 P4D3");
    // At the rim, and between the rim and the column.
    assert_moves_of(&silver("Kb1 kb6 P1H5"), "H5", "+ - G4 G5 G6 H4 H6 h5");
    assert_moves_of(&silver("Kb1 kb6 P1G5"), "G5", "+ - F6 G4 G6 H4 H5 H6 g5");
    assert_moves_of(&silver("Kb1 kb6 P1H7"), "H7", "+ - G6 G7 H6 h7");
}

#[test]
fn no_piece_moves_straight_above_or_below_onto_an_occupied_square() {
    for other in ["P1", "p1", "O1", "o1", "O2", "o2", "D1", "d1", "E1", "e1"] {
        assert_moves_of(
            &silver(&format!("Kb1 kb7 P1d3 {other}D3")),
            "d3",
            "+ - c2 c3 c4 d2 d4 e2 e3",
        );
        assert_moves_of(
            &silver(&format!("Kb1 kb7 {other}d3 P1D3")),
            "D3",
            "+ - C2 C3 C4 D2 D4 E2 E3",
        );
    }
}

#[test]
fn no_piece_descends_to_a_square_that_is_reserved_for_the_other_colour() {
    // With the column on c4 the upper level lies above a2 to f7.
    let silver_on_a = position("c4", "Kh1 kh8 P1A4", Color::Silver);
    assert_moves_of(&silver_on_a, "A4", "+ - A3 A5 B3 B4 B5");
    let red_on_a = position("c4", "Kh1 kh8 p1A4", Color::Red);
    assert_moves_of(&red_on_a, "A4", "+ - A3 A5 B3 B4 B5 a4");
    // With the column on g5 it lies above e3 to j8.
    let red_on_j = position("g5", "Kc1 kc8 p1J5 p1I8", Color::Red);
    assert_moves_of(&red_on_j, "J5", "+ - I4 I5 I6 J4 J6");
    assert_moves_of(&red_on_j, "I8", "+ - H7 H8 I7 J7 J8 i8");
    let silver_on_j = position("g5", "Kc1 kc8 P1J5 P1I8", Color::Silver);
    assert_moves_of(&silver_on_j, "J5", "+ - I4 I5 I6 J4 J6 j5");
    assert_moves_of(&silver_on_j, "I8", "+ - H7 H8 I7 J7 J8");
}

#[test]
fn a_djed_or_an_eye_swaps_with_the_piece_straight_above_or_below() {
    for swapper in ["D1", "E2"] {
        for other in ["P2", "p2", "O1", "o1", "O2", "o2"] {
            let start = silver(&format!("Kb1 kb7 {swapper}d3 {other}D3"));
            assert_moves_of(&start, "d3", "+ D3 c2 c3 c4 d2 d4 e2 e3");
            let swapped = start.before_shot("d3D3");
            assert_pieces(&swapped, &format!("Kb1 kb7 {other}d3 {swapper}D3"));
            let start = silver(&format!("Kb1 kb7 {other}d3 {swapper}D3"));
            assert_moves_of(&start, "D3", "+ C2 C3 C4 D2 D4 E2 E3 d3");
            let swapped = start.before_shot("D3d3");
            assert_pieces(&swapped, &format!("Kb1 kb7 {swapper}d3 {other}D3"));
        }
        for other in ["d1", "e1", "k"] {
            let king = if other == "k" { "" } else { "kb7" };
            let start = silver(&format!("Kb1 {king} {swapper}d3 {other}D3"));
            assert_moves_of(&start, "d3", "+ c2 c3 c4 d2 d4 e2 e3");
        }
    }
}

#[test]
fn a_djed_swaps_with_a_neighbour_on_the_upper_level() {
    let start = silver("Kb1 kb7 D1G6 p3G5 P1g5");
    assert_moves_of(&start, "G6", "+ F6 F7 G5 G7 H5 H6 H7 g6");
    assert_pieces(&start.before_shot("G6G5"), "Kb1 kb7 p3G6 D1G5 P1g5");
    // The one rotation may be written with a minus too.
    assert_pieces(&start.before_shot("G6-"), "Kb1 kb7 D2G6 p3G5 P1g5");
}

#[test]
fn in_the_czech_edition_a_djed_swaps_with_its_own_colour_only() {
    let start = silver("Kb1 kb7 D1d3 p2D3 D1g3 P2G3");
    assert_eq!(moves_of(&start, "d3", Edition::Czech), "+ c2 c3 c4 d2 d4 e2 e3");
    assert_eq!(moves_of(&start, "d3", Edition::Standard), "+ D3 c2 c3 c4 d2 d4 e2 e3");
    assert_eq!(moves_of(&start, "g3", Edition::Czech), "+ G3 f2 f3 g2 g4 h2 h3 h4");
    assert_eq!(moves_of(&start, "g3", Edition::Standard), "+ G3 f2 f3 g2 g4 h2 h3 h4");
}

#[test]
fn neither_piece_of_a_swap_ends_on_a_square_that_is_reserved_for_the_other_colour() {
    let start = position("c4", "Kh1 kh8 D1A4 p1a4", Color::Silver);
    assert_moves_of(&start, "A4", "+ A3 A5 B3 B4 B5");
    let start = position("c4", "Kh1 kh8 P1A4 d1a4", Color::Red);
    assert_moves_of(&start, "a4", "+ a3 a5 b3 b4 b5");
    let start = position("c4", "Kh1 kh8 p1A4 d1a4", Color::Red);
    assert_moves_of(&start, "a4", "+ A4 a3 a5 b3 b4 b5");
}

#[test]
fn an_obelisk_stacks_on_one_of_its_colour_straight_above_or_below() {
    let start = silver("Kb1 kb7 O1d3 O1D3");
    assert_moves_of(&start, "d3", "D3 c2 c3 c4 d2 d4 e2 e3");
    assert_pieces(&start.play("d3D3").position, "Kb1 kb7 O2D3");
    assert_moves_of(&start, "D3", "C2 C3 C4 D2 D4 E2 E3 d3");
    assert_pieces(&start.play("D3d3").position, "Kb1 kb7 O2d3");
    for other in ["o1", "O2", "o2", "P1", "p1"] {
        let start = silver(&format!("Kb1 kb7 O1d3 {other}D3"));
        assert_moves_of(&start, "d3", "c2 c3 c4 d2 d4 e2 e3");
    }
}

#[test]
fn a_stack_goes_up_or_down_whole_or_sends_its_top() {
    let start = silver("Kb1 kb7 O2h7");
    assert_moves_of(&start, "h7", "H7 ^H7 ^g6 ^g7 ^g8 ^h6 ^h8 ^i6 ^i7 g6 g7 g8 h6 h8 i6 i7");
    assert_pieces(&start.play("h7H7").position, "Kb1 kb7 O2H7");
    assert_pieces(&start.play("h7^H7").position, "Kb1 kb7 O1h7 O1H7");
    let start = silver("Kb1 kb7 O2H7");
    assert_moves_of(&start, "H7", "G6 G7 H6 ^G6 ^G7 ^H6 ^h7 h7");
    assert_pieces(&start.play("H7h7").position, "Kb1 kb7 O2h7");
    assert_pieces(&start.play("H7^h7").position, "Kb1 kb7 O1h7 O1H7");
    // The top goes onto a single obelisk of its own colour.
    let start = silver("Kb1 kb7 O2H7 O1h7");
    assert_moves_of(&start, "H7", "G6 G7 H6 ^G6 ^G7 ^H6 ^h7");
    assert_pieces(&start.play("H7^h7").position, "Kb1 kb7 O2h7 O1H7");
    for other in ["o1", "o2", "O2", "P1", "p1"] {
        let start = silver(&format!("Kb1 kb7 O2H7 {other}h7"));
        assert_moves_of(&start, "H7", "G6 G7 H6 ^G6 ^G7 ^H6");
    }
}

#[test]
fn a_pharaoh_never_goes_to_an_upper_corner() {
    // C2 is a corner.
    assert_moves_of(&silver("Kd3 kb7"), "d3", "D3 c2 c3 c4 d2 d4 e2 e3");
    assert_moves_of(&silver("KD3 kb7"), "D3", "C3 C4 D2 D4 E2 E3 d3");
    assert_moves_of(&silver("Kc2 kb7"), "c2", "b1 b2 b3 c1 c3 d1 d2 d3");
    assert_moves_of(&silver("KG6 kb7"), "G6", "F6 F7 G5 G7 H5 H6 g6");
    // Other pieces do.
    assert_moves_of(&silver("Kb1 kb7 O1c2"), "c2", "C2 b2 b3 c1 c3 d1 d2 d3");
    assert_moves_of(&silver("Kb1 kb7 O1D3"), "D3", "C2 C3 C4 D2 D4 E2 E3 d3");
}

#[test]
fn a_sphinx_below_the_tower_neither_climbs_nor_is_swapped() {
    // With the column on g3 the upper level lies above e1 to j6.
    let start = position("g3", "Kc1 kc8 X1j1 x3a8 D1J1", Color::Silver);
    assert_eq!(start.faults(), [""; 0]);
    assert_moves_of(&start, "j1", "-");
    assert_moves_of(&start, "J1", "+ I1 I2 J2");
    assert_moves_of(&position("g3", "Kc1 kc8 X1j1 x3a8", Color::Silver), "j1", "-");
}

// The moves of the tower.

#[test]
fn the_tower_is_shifted_in_eight_directions_by_either_player() {
    for side in [Color::Silver, Color::Red] {
        assert_tower_moves(&position("e4", "Kb1 kb7", side), "d3 d4 d5 e3 e5 f3 f4 f5");
        assert_tower_moves(&position("c3", "Ki2 ki7", side), "c4 d3 d4");
        assert_tower_moves(&position("g5", "Kb1 kb7", side), "f4 f5 g4");
        assert_tower_moves(&position("e3", "Kb1 kb7", side), "d3 d4 e4 f3 f4");
        assert_tower_moves(&position("c4", "Ki2 ki7", side), "c3 c5 d3 d4 d5");
    }
}

#[test]
fn the_tower_is_shifted_only_onto_empty_ground() {
    for piece in ["P1", "p1", "O2", "d1"] {
        // e6 is needed to the north (e5, f5, e6, f6) and north-west (d5, e5, d6, e6).
        let start = silver(&format!("Kb1 kb7 {piece}e6"));
        assert_tower_moves(&start, "d3 d4 e3 f3 f4 f5");
        // g6 is needed to the north-east only.
        assert_tower_moves(&silver(&format!("Kb1 kb7 {piece}g6")), "d3 d4 d5 e3 e5 f3 f4");
        // A piece that is not next to the column does not matter.
        assert_tower_moves(&silver(&format!("Kb1 kb7 {piece}e7")), "d3 d4 d5 e3 e5 f3 f4 f5");
        // Nor does one on the upper level; it can be rotated with the tower.
        let start = silver(&format!("Kb1 kb7 {piece}E6"));
        assert_tower_moves(&start, "+ - d3 d4 d5 e3 e5 f3 f4 f5");
    }
    // One piece at each face stops all shifts.
    assert_tower_moves(&silver("Kb1 kb7 P1e6 p1g5 O1f3 o1d4"), "");
}

#[test]
fn everything_on_the_tower_is_shifted_with_it() {
    let start = silver("Kd7 kb7 P2G6 o2C2 d1h7 e2E3");
    let shifted = start.play("Tf5").position;
    assert_eq!(shifted.column(), "f5");
    assert_pieces(&shifted, "Kd7 kb7 P2H7 o2D3 d1h7 e2F4");
    let shifted = start.play("Te3").position;
    assert_eq!(shifted.column(), "e3");
    assert_pieces(&shifted, "Kd7 kb7 P2G5 o2C1 d1h7 e2E2");
    let shifted = start.play("Td4").position;
    assert_eq!(shifted.column(), "d4");
    assert_pieces(&shifted, "Kd7 kb7 P2F6 o2B2 d1h7 e2D3");
}

#[test]
fn pieces_on_the_tower_change_squares_about_the_centre() {
    let start = silver("Kb1 kb7 P2G6 p4D3 P1g6");
    assert_pieces(&start.before_shot("T+"), "Kb1 kb7 P3G3 p1D6 P1g6");
    assert_pieces(&start.before_shot("T-"), "Kb1 kb7 P1D6 p3G3 P1g6");
    // D2 is next to the lower left corner. Clockwise follow C6, G7 and H3.
    let mut tower = silver("Kb1 kb7 O1D2");
    for square in ["C6", "G7", "H3", "D2"] {
        tower = tower.before_shot("T+");
        assert_pieces(&tower, &format!("Kb1 kb7 O1{square}"));
    }
}

#[test]
fn orientations_turn_with_the_tower() {
    for (piece, clockwise, counterclockwise) in [
        ("P1", "P2", "P4"),
        ("p2", "p3", "p1"),
        ("P3", "P4", "P2"),
        ("p4", "p1", "p3"),
        ("D1", "D2", "D2"),
        ("d2", "d1", "d1"),
        ("E1", "E2", "E2"),
        ("e2", "e1", "e1"),
        ("O1", "O1", "O1"),
        ("o2", "o2", "o2"),
    ] {
        // E3 is next to the south face; clockwise follow D5, F6 and G4.
        let start = silver(&format!("Kb1 kb7 {piece}E3"));
        assert_pieces(&start.before_shot("T+"), &format!("Kb1 kb7 {clockwise}D5"));
        assert_pieces(&start.before_shot("T-"), &format!("Kb1 kb7 {counterclockwise}G4"));
    }
    assert_pieces(&silver("KE3 kb7").before_shot("T+"), "KD5 kb7");
}

#[test]
fn a_rotation_that_changes_nothing_is_no_move() {
    assert_tower_moves(&silver("Kb1 kb7 P1c5"), "d3 d4 d5 e3 e5 f3 f4 f5");
    let symmetric = [
        "O1D2 O1C6 O1G7 O1H3",
        "P1D2 P2C6 P3G7 P4H3",
        "p3C2 p4C7 p1H7 p2H2 o1D3 o1D6 o1G6 o1G3",
        "O1E3 O1D5 O1F6 O1G4 o1D4 o1E6 o1G5 o1F3",
    ];
    for pieces in symmetric {
        let start = silver(&format!("Kb1 kb7 {pieces}"));
        assert_tower_moves(&start, "d3 d4 d5 e3 e5 f3 f4 f5");
    }
    let asymmetric = [
        "P1E3",
        "O1D2 O1C6 O1G7",
        "O1D2 O1C6 O1G7 o1H3",
        "P1D2 P1C6 P1G7 P1H3",
        "P1D2 P4C6 P3G7 P2H3",
        "O1D2 O1C6 O1G7 O1H3 p1D3",
    ];
    for pieces in asymmetric {
        let start = silver(&format!("Kb1 kb7 {pieces}"));
        assert_tower_moves(&start, "+ - d3 d4 d5 e3 e5 f3 f4 f5");
    }
}

#[test]
fn both_rotations_are_moves_even_where_they_lead_to_the_same_arrangement() {
    for (pieces, rotated) in
        [("D1D2 D1G7", "D2C6 D2H3"), ("P1D2 P3G7", "P2C6 P4H3"), ("o2C2 o2H7", "o2C7 o2H2")]
    {
        let start = silver(&format!("Kb1 kb7 {pieces}"));
        assert_tower_moves(&start, "+ - d3 d4 d5 e3 e5 f3 f4 f5");
        assert_pieces(&start.before_shot("T+"), &format!("Kb1 kb7 {rotated}"));
        assert_eq!(start.before_shot("T+"), start.before_shot("T-"));
    }
}

#[test]
fn the_laser_fires_after_a_move_of_the_tower() {
    // The beam along rank 5 ends at the blank half of the east face. Once the tower is shifted to
    // e5, it goes up there and hits the pharaoh that came along.
    let start = silver("Kb1 kH4 P3j5");
    assert_beam(
        &start.fire(Color::Silver),
        "j1N j2N j3N j4N j5N i5W h5W g5W",
        BeamEnd::BlankWall,
        0,
    );
    let effect = start.play("Te5");
    assert_beam(&effect.shot, "j1N j2N j3N j4N j5N i5W h5W g5W G5E H5E", BeamEnd::Hit, 1);
    assert_eq!(effect.shot.hits, ["xH5#"]);
    assert_eq!(effect.result, Some("silver"));
    assert_pieces(&effect.position, "Kb1 P3j5");
    assert_eq!(effect.position.legal_moves(Edition::Standard), [""; 0]);

    // Clockwise, F7 goes to H4.
    let effect = silver("Kb1 kF7 P3j4").play("T+");
    assert_eq!((effect.shot.hits, effect.result), (vec!["xH4#".to_string()], Some("silver")));
    let effect = silver("Kb1 kF7 P3j4").play("T-");
    assert_eq!((effect.shot.hits, effect.result), (vec![], None));

    // The player to move fires: here Red moves the tower and hits Silver's pharaoh on D5 upstairs.
    let effect = position("e5", "KD6 kb7 p1a5", Color::Red).play("Te4");
    assert_eq!((effect.shot.hits, effect.result), (vec!["xD5#".to_string()], Some("red")));
}

// The end.

#[test]
fn a_player_who_hits_their_own_pharaoh_on_the_upper_level_loses() {
    let effect = silver("KH4 kb7 P3j4 P1b3").play("b3+");
    assert_eq!((effect.shot.hits, effect.result), (vec!["xH4#".to_string()], Some("red")));
}

#[test]
fn both_pharaohs_lit_on_different_levels_is_a_draw() {
    let effect = silver("Kh6 kH4 P3j4 E1h4 P1b3").play("b3+");
    assert_eq!(path(&effect.shot.beams[0]), "j1N j2N j3N j4N i4W h4W");
    assert_split_beams(
        &effect.shot,
        &[("h4N", "h5N h6N", BeamEnd::Hit), ("h4W", "g4W G4E H4E", BeamEnd::Hit)],
    );
    assert_eq!(effect.shot.hits, ["xH4#", "xh6#"]);
    assert_eq!(effect.result, Some("draw"));
    assert_eq!(effect.position.legal_moves(Edition::Standard), [""; 0]);
}

#[test]
fn a_stack_loses_one_obelisk_however_many_beams_end_on_it() {
    // One half goes up at the east face to H4. The other goes along h7 and f7 up at the north face,
    // then from F7 along G7 and H7 to H4 from the north.
    let start = silver("Kb1 kb7 P3j4 E1h4 P3h7 P2f7 P2F7 P3H7 o2H4 P1b3");
    let effect = start.play("b3+");
    assert_split_beams(
        &effect.shot,
        &[
            ("h4N", "h5N h6N h7N g7W f7W f6S F6N F7N G7E H7E H6S H5S H4S", BeamEnd::Hit),
            ("h4W", "g4W G4E H4E", BeamEnd::Hit),
        ],
    );
    assert_eq!(effect.shot.hits, ["xH4^"]);
    assert_pieces(&effect.position, "Kb1 kb7 P3j4 E1h4 P3h7 P2f7 P2F7 P3H7 o1H4 P2b3");
}

#[test]
fn a_player_without_a_legal_move_loses() {
    // Silver's pharaoh on b1 is hemmed in, and pieces on f5 and g4 stop the tower on g5.
    let start = position("g5", "Kb1 p1b2 p1c1 p1c2 p1f5 p1g4 kd8", Color::Red);
    assert_eq!(start.faults(), [""; 0]);
    let effect = start.play("d8c8");
    assert_eq!(effect.shot.hits, [""; 0]);
    assert_eq!(effect.position.legal_moves(Edition::Standard), [""; 0]);
    assert_eq!(effect.result, Some("red"));
    // A piece on the upper level lets Silver rotate the tower.
    let start = position("g5", "Kb1 p1b2 p1c1 p1c2 p1f5 p1g4 p1F4 kd8", Color::Red);
    let effect = start.play("d8c8");
    assert_eq!(effect.position.legal_moves(Edition::Standard), ["T+", "T-"]);
    assert_eq!(effect.result, None);
}

#[test]
fn move_sequences_are_counted() {
    // The pharaoh on i5 has 8 steps and the tower 8 shifts.
    let start = silver("Ki5 kb5");
    assert_eq!(start.perft(0, Edition::Standard), 1);
    assert_eq!(start.perft(1, Edition::Standard), 16);
    // Three steps lead into Silver's own beam on file j and end the game. After the five others Red
    // has 8 + 8 moves. After a shift to file d (d3, d4, d5) Red's pharaoh has 9 moves, because the
    // upper level is above it, otherwise 8; the tower has 8 shifts on rank 4 and 5 on ranks 3 and 5.
    let after_steps = 5 * 16;
    let after_shifts = (9 + 5) + (9 + 8) + (9 + 5) + 4 * (8 + 5) + (8 + 8);
    assert_eq!(start.perft(2, Edition::Standard), after_steps + after_shifts);
}

// Random positions.

#[test]
fn random_positions_are_valid_and_different() {
    let mut rng = Rng::new(2008);
    let mut texts = BTreeSet::new();
    let (mut eyes, mut sphinxes, mut split, mut stuck, mut symmetric) = (0, 0, 0, 0, 0);
    let mut level_changes = [0; 9];
    let mut upper_pieces = BTreeSet::new();
    for _ in 0..20_000 {
        let position = random_position(&mut rng);
        let text = position.write();
        assert_eq!(position.faults(), [""; 0], "{text}");
        assert_eq!(Position::read(&text).as_ref(), Ok(&position));
        let pieces = position.pieces();
        let has = |letter| pieces.iter().any(|(piece, _)| piece.to_uppercase().starts_with(letter));
        for color in [Color::Silver, Color::Red] {
            let shot = position.fire(color);
            if !has('E') {
                assert_eq!(shot.beams.len(), 1, "{text}");
                assert!(shot.level_changes() <= 4, "{text}");
            }
            level_changes[shot.level_changes()] += 1;
            split += usize::from(shot.beams.len() > 1);
        }
        eyes += usize::from(has('E'));
        sphinxes += usize::from(has('X'));
        let moves = position.legal_moves(Edition::Standard);
        stuck += usize::from(moves.is_empty());
        let is_upper = |square: &str| square.starts_with(|c: char| c.is_ascii_uppercase());
        let has_upper_pieces = pieces.iter().any(|(_, square)| is_upper(square));
        symmetric += usize::from(has_upper_pieces && !moves.contains(&"T+".to_string()));
        for (piece, square) in pieces {
            if is_upper(&square) {
                upper_pieces.insert(piece);
            }
        }
        texts.insert(text);
    }
    assert_eq!(texts.len(), 20_000);
    assert!(eyes > 5_000 && sphinxes > 5_000 && split > 500 && stuck > 50 && symmetric > 200);
    assert!(level_changes[1] > 1_000 && level_changes[2] > 300 && level_changes[3] > 20);
    assert!(level_changes[4] > 5, "{level_changes:?}");
    // All pieces except sphinxes in all orientations: pharaoh, 4 pyramids, 2 djeds, obelisk, stack,
    // 2 Eyes, 2 scarabs and 4 Anubis of both colours.
    assert_eq!(upper_pieces.len(), 2 * 17);
}

/// Returns the name of the square after a half turn of the board.
fn half_turned_square(name: &str) -> String {
    let bytes = name.as_bytes();
    let (first, last) = if bytes[0] < b'a' { (b'A', b'J') } else { (b'a', b'j') };
    let file = char::from(first + last - bytes[0]);
    let rank = char::from(b'1' + b'8' - bytes[1]);
    format!("{file}{rank}")
}

/// Returns the lower left square of the column after a half turn: the upper right one before.
fn half_turned_column(name: &str) -> String {
    let bytes = name.as_bytes();
    let upper_right = [bytes[0] + 1, bytes[1] + 1].map(char::from);
    half_turned_square(&upper_right.iter().collect::<String>())
}

fn half_turned_move(mv: &str) -> String {
    if let Some(column) = mv.strip_prefix('T') {
        let is_shift = column.len() == 2;
        return if is_shift { format!("T{}", half_turned_column(column)) } else { mv.to_string() };
    }
    let (from, rest) = mv.split_at(2);
    let from = half_turned_square(from);
    match rest.strip_prefix('^') {
        Some(to) => format!("{from}^{}", half_turned_square(to)),
        None if rest.len() == 2 => format!("{from}{}", half_turned_square(rest)),
        None => format!("{from}{rest}"),
    }
}

/// Returns the position after a half turn of the board with the colours exchanged.
fn half_turned(position: &Position) -> Position {
    let column = half_turned_column(&position.column());
    let mut turned = Position::empty(&column, position.side_to_move().other());
    for (piece, square) in position.pieces() {
        let letter = piece.chars().next().expect("a letter");
        let letter = if letter.is_ascii_uppercase() {
            letter.to_ascii_lowercase()
        } else {
            letter.to_ascii_uppercase()
        };
        let digit = match (letter.to_ascii_uppercase(), &piece[1..]) {
            ('P' | 'X' | 'A', "1") => "3",
            ('P' | 'X' | 'A', "2") => "4",
            ('P' | 'X' | 'A', "3") => "1",
            ('P' | 'X' | 'A', "4") => "2",
            (_, digit) => digit,
        };
        turned.put(&format!("{letter}{digit}"), &half_turned_square(&square));
    }
    turned
}

#[test]
fn the_game_is_the_same_after_a_half_turn_with_the_colours_exchanged() {
    let mut rng = Rng::new(7);
    for _ in 0..300 {
        let position = random_position(&mut rng);
        let turned = half_turned(&position);
        assert_eq!(half_turned(&turned), position);
        for edition in [Edition::Standard, Edition::Czech] {
            let mut moves: Vec<String> =
                position.legal_moves(edition).iter().map(|mv| half_turned_move(mv)).collect();
            moves.sort();
            assert_eq!(turned.legal_moves(edition), moves, "{}", position.write());
        }
        for mv in position.legal_moves(Edition::Standard) {
            let effect = position.play(&mv);
            let turned_effect = turned.play(&half_turned_move(&mv));
            let context = || format!("{mv} in {}", position.write());
            assert_eq!(half_turned(&effect.position), turned_effect.position, "{}", context());
            let result = effect.result.map(|result| match result {
                "silver" => "red",
                "red" => "silver",
                other => other,
            });
            assert_eq!(turned_effect.result, result, "{}", context());
            assert_eq!(turned_effect.shot.level_changes(), effect.shot.level_changes());
        }
    }
}

#[test]
fn moves_keep_positions_valid() {
    let mut rng = Rng::new(9);
    for _ in 0..300 {
        let position = random_position(&mut rng);
        for mv in position.legal_moves(Edition::Standard) {
            let before_shot = position.before_shot(&mv);
            assert_ne!(before_shot, position, "{mv} in {} is a pass", position.write());
            assert_eq!(before_shot.faults(), [""; 0], "{mv} in {}", position.write());
        }
    }
}
