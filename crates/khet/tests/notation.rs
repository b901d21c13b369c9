//! The notation of positions, moves and records, and the errors for wrong texts.

use std::time::Duration;

use khet::{
    BrokenRule, Color, Comment, CommentError, Direction, Fault, Game, GameResult, GameSplitter,
    IllegalMove, Kind, MAX_NESTING, Move, ParsePlacementError, ParsePositionError,
    ParseRecordError, Piece, Placement, PlacementProblem, Ply, Position, Record, RecordProblem,
    Records, Role, Rotation, Rules, Setup, SilverEval, Square, TagError, TreePath, Variation,
};

// Positions.

#[test]
fn every_setup_is_read_and_written_the_same() {
    for setup in Setup::ALL {
        let placement: Placement = setup.notation().parse().unwrap();
        assert_eq!(placement.to_string(), setup.notation());
        let position: Position = setup.notation().parse().unwrap();
        assert_eq!(position.to_string(), setup.notation());
        assert_eq!(position.rules(), Rules::Standard);
    }
}

#[test]
fn ranks_come_from_8_down_to_1_and_files_from_a_to_j() {
    let placement: Placement = "K9/10/10/4p15/10/10/10/9O1 r".parse().unwrap();
    let pieces: Vec<(Square, String)> =
        placement.pieces().map(|(square, piece)| (square, piece.to_string())).collect();
    let expected = [(Square::J1, "O1"), (Square::E5, "p1"), (Square::A8, "K")];
    assert_eq!(pieces, expected.map(|(square, name)| (square, name.to_string())));
    assert_eq!(placement.side_to_move, Color::Red);
}

#[test]
fn letters_and_digits_denote_pieces() {
    use khet::Corner::*;
    use khet::Diagonal::*;
    use khet::Direction::*;
    let pieces = [
        ("K", Kind::Pharaoh),
        ("P1", Kind::Pyramid(NorthEast)),
        ("P2", Kind::Pyramid(SouthEast)),
        ("P3", Kind::Pyramid(SouthWest)),
        ("P4", Kind::Pyramid(NorthWest)),
        ("D1", Kind::Djed(Falling)),
        ("D2", Kind::Djed(Rising)),
        ("O1", Kind::Obelisk),
        ("O2", Kind::Stack),
        ("E1", Kind::Eye(Falling)),
        ("E2", Kind::Eye(Rising)),
        ("S1", Kind::Scarab(Falling)),
        ("S2", Kind::Scarab(Rising)),
        ("A1", Kind::Anubis(North)),
        ("A2", Kind::Anubis(East)),
        ("A3", Kind::Anubis(South)),
        ("A4", Kind::Anubis(West)),
        ("X1", Kind::Sphinx(North)),
        ("X2", Kind::Sphinx(East)),
        ("X3", Kind::Sphinx(South)),
        ("X4", Kind::Sphinx(West)),
    ];
    for (name, kind) in pieces {
        for (name, color) in [(name.to_string(), Color::Silver), (name.to_lowercase(), Color::Red)]
        {
            let text = format!("10/10/10/10/10/10/10/{name}9 s");
            let placement: Placement = text.parse().unwrap();
            assert_eq!(placement.get(Square::A1), Some(Piece::new(color, kind)), "{name}");
            assert_eq!(placement.to_string(), text);
            assert_eq!(name.parse(), Ok(Piece::new(color, kind)));
        }
    }
}

#[test]
fn the_digit_after_a_letter_belongs_to_the_piece_and_the_next_is_a_number() {
    let text = "kKk1K5/P1P1p1p4p22O2o11/10/10/10/10/10/10 r";
    let placement: Placement = text.parse().unwrap();
    assert_eq!(placement.to_string(), text);
    let rank: Vec<Option<String>> = (0..10)
        .map(|file| placement.get(Square::new(file, 6).unwrap()).map(|piece| piece.to_string()))
        .collect();
    let expected = ["P1", "P1", "p1", "p4", "p2", "", "", "O2", "o1", ""].map(|name| match name {
        "" => None,
        name => Some(name.to_string()),
    });
    assert_eq!(rank, expected);
}

/// Returns the error for a wrong placement.
#[track_caller]
fn placement_error(text: &str) -> ParsePlacementError {
    let error = text.parse::<Placement>().unwrap_err();
    // Reading a playable position gives the same error.
    assert_eq!(text.parse::<Position>(), Err(ParsePositionError::Text(error.clone())));
    error
}

#[track_caller]
fn assert_placement_error(text: &str, character: usize, rank: u8, problem: PlacementProblem) {
    let rank = Some(rank).filter(|&rank| rank > 0);
    assert_eq!(placement_error(text), ParsePlacementError { character, rank, problem }, "{text}");
}

/// The rank reported for errors after the ranks.
const BEHIND: u8 = 0;

#[test]
fn an_unknown_letter_is_reported_with_its_place() {
    use PlacementProblem::UnknownLetter;
    assert_placement_error("4q5/10/10/10/10/10/10/4K5 s", 2, 8, UnknownLetter('q'));
    assert_placement_error("4k5/10/10/10/B9/10/10/4K5 s", 14, 4, UnknownLetter('B'));
    assert_placement_error("4k5/10/10/10/10/10/10/4K4. s", 26, 1, UnknownLetter('.'));
    assert_placement_error("4k5\t/10/10/10/10/10/10/4K5 s", 4, 8, UnknownLetter('\t'));
    assert_placement_error("4k5\\10\\10\\10\\10\\10\\10\\4K5 s", 4, 8, UnknownLetter('\\'));
    assert_placement_error("-4k5/10/10/10/10/10/10/4K5 s", 1, 8, UnknownLetter('-'));
}

#[test]
fn a_non_ascii_character_is_reported_with_its_place() {
    use PlacementProblem::{TrailingText, UnknownLetter, WrongDigit, WrongSide};
    assert_placement_error("4ķ5/10/10/10/10/10/10/4K5 s", 2, 8, UnknownLetter('ķ'));
    // The sign for kelvin is no K, though it looks like one, and ４ is no 4.
    assert_placement_error("4\u{212a}5/10/10/10/10/10/10/4K5 s", 2, 8, UnknownLetter('\u{212a}'));
    assert_placement_error("４k5/10/10/10/10/10/10/4K5 s", 1, 8, UnknownLetter('４'));
    let digit = WrongDigit(Role::Pyramid, "p４".to_string());
    assert_placement_error("p４9/10/10/10/10/10/10/4K5 s", 1, 8, digit);
    assert_placement_error("4k5/10/10/10/10/10/10/4K5\u{a0}s", 26, 1, UnknownLetter('\u{a0}'));
    assert_placement_error("4k5/10/10/10/10/10/10/4K5 ś", 26, BEHIND, WrongSide(" ś".to_string()));
    assert_placement_error(
        "4k5/10/10/10/10/10/10/4K5 s…",
        28,
        BEHIND,
        TrailingText("…".to_string()),
    );
}

#[test]
fn a_wrong_digit_of_a_piece_is_reported_with_its_place() {
    let roles = [
        ("P", Role::Pyramid, 4),
        ("D", Role::Djed, 2),
        ("O", Role::Obelisk, 2),
        ("E", Role::Eye, 2),
        ("S", Role::Scarab, 2),
        ("A", Role::Anubis, 4),
        ("X", Role::Sphinx, 4),
    ];
    for (letter, role, last) in roles {
        for letter in [letter.to_string(), letter.to_lowercase()] {
            for digit in 0..=9 {
                let text = format!("4k5/10/10/2{letter}{digit}7/10/10/10/4K5 s");
                if (1..=last).contains(&digit) {
                    assert_eq!(text.parse::<Placement>().unwrap().to_string(), text);
                } else {
                    let problem = PlacementProblem::WrongDigit(role, format!("{letter}{digit}"));
                    assert_placement_error(&text, 12, 5, problem);
                }
            }
        }
    }
    let error = placement_error("4k5/10/10/2p57/10/10/10/4K5 s");
    assert_eq!(error.to_string(), "character 12 (rank 5): \"p5\": a pyramid's digit is 1 to 4");
}

#[test]
fn a_missing_digit_of_a_piece_is_reported_with_its_place() {
    for (text, character, rank) in [
        ("4k4p/10/10/10/10/10/10/4K5 s", 4, 8),
        ("4k5/pp8/10/10/10/10/10/4K5 s", 5, 7),
        ("4k5/10/10/10/10/10/10/4K4p s", 26, 1),
        ("4k5/10/10/10/10/10/10/4K4p", 26, 1),
    ] {
        let error = placement_error(text);
        assert_eq!((error.character, error.rank), (character, Some(rank)), "{text}");
        assert!(
            matches!(error.problem, PlacementProblem::WrongDigit(Role::Pyramid, _)),
            "{text}: {error}"
        );
    }
}

#[test]
fn a_number_of_empty_squares_is_1_to_10() {
    let wrong = |number: &str| PlacementProblem::WrongNumber(number.to_string());
    assert_placement_error("0k9/10/10/10/10/10/10/4K5 s", 1, 8, wrong("0"));
    assert_placement_error("4k5/11/10/10/10/10/10/4K5 s", 5, 7, wrong("11"));
    assert_placement_error("4k05/10/10/10/10/10/10/4K5 s", 3, 8, wrong("05"));
    assert_placement_error("4k5/010/10/10/10/10/10/4K5 s", 5, 7, wrong("010"));
    assert_placement_error("4k5/10/10/00/10/10/10/4K5 s", 11, 5, wrong("00"));
    assert_placement_error("4k5/10/10/10/10/10/10/4K50 s", 25, 1, wrong("50"));
    assert_placement_error("4k5/10/10/10/10/10/10/K99 s", 24, 1, wrong("99"));
    // Numbers too large for any integer type.
    assert_placement_error("256/10/10/10/10/10/10/4K5 s", 1, 8, wrong("256"));
    let long = "1".repeat(50);
    assert_placement_error(
        &format!("{long}/10/10/10/10/10/10/4K5 s"),
        1,
        8,
        wrong(&format!("{}…", &long[..20])),
    );
    let error = placement_error("4k5/11/10/10/10/10/10/4K5 s");
    assert_eq!(
        error.to_string(),
        "character 5 (rank 7): \"11\": the number of empty squares is 1 to 10"
    );
}

#[test]
fn eleven_files_are_too_many() {
    let too_long = PlacementProblem::RankTooLong;
    assert_placement_error("4k6/10/10/10/10/10/10/4K5 s", 3, 8, too_long.clone());
    assert_placement_error("4k5/10p1/10/10/10/10/10/4K5 s", 7, 7, too_long.clone());
    assert_placement_error("4k5/p110/10/10/10/10/10/4K5 s", 7, 7, too_long.clone());
    assert_placement_error("4k5/10/10/10/10/10/10/KKKKKKKKKKKK s", 33, 1, too_long);
    let error = placement_error("4k6/10/10/10/10/10/10/4K5 s");
    assert_eq!(error.to_string(), "character 3 (rank 8): the rank has more than 10 squares");
}

#[test]
fn nine_files_are_too_few() {
    use PlacementProblem::RankTooShort;
    assert_placement_error("4k4/10/10/10/10/10/10/4K5 s", 4, 8, RankTooShort(9));
    assert_placement_error("4k5/10/9/10/10/10/10/4K5 s", 9, 6, RankTooShort(9));
    assert_placement_error("4k5/10/10/10/10/10/10/4K4 s", 26, 1, RankTooShort(9));
    assert_placement_error("4k5/10/10//10/10/10/4K5 s", 11, 5, RankTooShort(0));
    assert_placement_error("", 1, 8, RankTooShort(0));
    assert_placement_error(" 4k5/10/10/10/10/10/10/4K5 s", 1, 8, RankTooShort(0));
    let error = placement_error("4k4/10/10/10/10/10/10/4K5 s");
    assert_eq!(error.to_string(), "character 4 (rank 8): the rank ends after 9 of 10 squares");
}

#[test]
fn there_are_eight_ranks() {
    use PlacementProblem::{MissingRanks, RankTooShort, TooManyRanks};
    // The seventh is rank 2, and the text goes on with the side.
    assert_placement_error("4k5/10/10/10/10/10/4K5 s", 23, 2, MissingRanks(7));
    assert_placement_error("4k5 s", 4, 8, MissingRanks(1));
    assert_placement_error("4k5", 4, 8, MissingRanks(1));
    assert_placement_error("4k5/10/10/10/10/10/10/10/4K5 s", 25, 1, TooManyRanks);
    assert_placement_error("4k5/10/10/10/10/10/10/4K5/ s", 26, 1, TooManyRanks);
    assert_placement_error("4k5/10/10/10/10/10/10/ s", 23, 1, RankTooShort(0));
    let error = placement_error("4k5/10/10/10/10/10/4K5 s");
    assert_eq!(error.to_string(), "character 23 (rank 2): the board ends after 7 of 8 ranks");
    let error = placement_error("4k5/10/10/10/10/10/10/10/4K5 s");
    assert_eq!(error.to_string(), "character 25 (rank 1): the board has more than 8 ranks");
}

#[test]
fn one_space_and_the_side_end_a_position() {
    for side in ["", " ", "  s", " x", " S", " R"] {
        let text = format!("4k5/10/10/10/10/10/10/4K5{side}");
        let problem = PlacementProblem::WrongSide(side.to_string());
        assert_placement_error(&text, 26, BEHIND, problem);
    }
    let error = placement_error("4k5/10/10/10/10/10/10/4K5  s");
    assert_eq!(
        error.to_string(),
        "character 26: \"  s\": one space and s or r, the side to move, end a position"
    );
}

#[test]
fn nothing_follows_the_side() {
    for trailing in [" ", "\n", " r", "s", "ilver", " s 0 1"] {
        let text = format!("4k5/10/10/10/10/10/10/4K5 s{trailing}");
        let problem = PlacementProblem::TrailingText(trailing.to_string());
        assert_placement_error(&text, 28, BEHIND, problem);
    }
    let error = placement_error("4k5/10/10/10/10/10/10/4K5 s r");
    assert_eq!(error.to_string(), "character 28: \" r\": nothing may follow the side to move");
}

#[test]
fn an_unplayable_position_is_rejected_with_all_its_faults() {
    let text = "10/10/10/10/10/10/10/P18K s";
    assert!(text.parse::<Placement>().is_ok());
    let Err(ParsePositionError::Invalid(invalid)) = text.parse::<Position>() else {
        panic!("it was read")
    };
    let pyramid = "P1".parse().unwrap();
    assert_eq!(
        invalid.faults,
        [Fault::NoPharaoh(Color::Red), Fault::Reserved { square: Square::A1, piece: pyramid },]
    );
    assert_eq!(
        invalid.to_string(),
        "red has no pharaoh; a1 is reserved for red, and a silver pyramid stands there"
    );
}

// Moves and other small texts.

#[test]
fn every_kind_of_move_is_read_and_written() {
    let (from, to) = (Square::D1, Square::D2);
    for (text, mv) in [
        ("d1d2", Move::Step { from, to }),
        ("d1^d2", Move::Unstack { from, to }),
        ("d1+", Move::Rotate { square: from, rotation: Rotation::Clockwise }),
        ("d1-", Move::Rotate { square: from, rotation: Rotation::Counterclockwise }),
    ] {
        assert_eq!(text.parse(), Ok(mv));
        assert_eq!(mv.to_string(), text);
    }
}

#[test]
fn the_error_for_a_wrong_move_quotes_it() {
    for text in [
        "", "h2", "h2g", "h9g8", "k1j1", "a0a1", "h2*", "h2++", "h2+ ", " h2+", "H2+", "h2^",
        "h2 g2", "h2^g", "h2g2g3", "h2^^g2", "hé+", "h2–", "2h+", "h2x",
    ] {
        let error = text.parse::<Move>().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("{text:?}: a move is written like h2g2, d1^d2, h2+ or h2-")
        );
    }
}

#[test]
fn errors_quote_at_most_twenty_characters() {
    let long = "é".repeat(21);
    let error = long.parse::<Move>().unwrap_err();
    assert!(error.to_string().starts_with(&format!("\"{}…\":", "é".repeat(20))), "{error}");
    let error = "é".repeat(20).parse::<Move>().unwrap_err();
    assert!(error.to_string().starts_with(&format!("\"{}\":", "é".repeat(20))), "{error}");
}

#[test]
fn the_rotation_of_a_djed_is_written_plus_and_read_as_minus_too() {
    let record: Record = "[Setup \"Classic\"]\n\n1. f4- e5- *".parse().unwrap();
    let moves: Vec<String> =
        record.main_line().plies.iter().map(|ply| ply.mv.to_string()).collect();
    assert_eq!(moves, ["f4+", "e5+"]);
    let position = Setup::Classic.position();
    assert!(position.legal_moves().contains(&"f4+".parse().unwrap()));
    assert!(!position.legal_moves().contains(&"f4-".parse().unwrap()));
}

#[test]
fn squares_pieces_players_directions_and_names_are_read_exactly() {
    for text in ["", "a", "a0", "a9", "k1", "A1", "a10", "1a", " a1", "é1"] {
        let error = text.parse::<Square>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("{text:?}: ")), "{error}");
    }
    for text in ["", "K1", "k0", "P", "P0", "P5", "D3", "Q", "P1 ", "P11", "é1"] {
        let error = text.parse::<Piece>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("{text:?}: ")), "{error}");
    }
    for text in ["", "s", "Silver", "RED", "white", "red "] {
        let error = text.parse::<Color>().unwrap_err().to_string();
        assert_eq!(error, format!("{text:?}: a player is silver or red"));
    }
    for text in ["", "N", "North", "up"] {
        let error = text.parse::<Direction>().unwrap_err().to_string();
        assert_eq!(error, format!("{text:?}: a direction is north, east, south or west"));
    }
    for text in ["", "Standard", "czech ", "english"] {
        let error = text.parse::<Rules>().unwrap_err().to_string();
        assert_eq!(error, format!("{text:?}: the rules are standard or czech"));
    }
    for text in ["", "klassik", "khet2", "classic "] {
        let error = text.parse::<Setup>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("{text:?}: the setups are classic, ")), "{error}");
        assert!(error.ends_with(", osiris, isis"), "{error}");
    }
}

#[test]
fn setup_names_are_case_insensitive() {
    assert_eq!("Classic".parse(), Ok(Setup::Classic));
    assert_eq!("KHET2-imhotep-Eye".parse(), Ok(Setup::Khet2ImhotepEye));
}

// Records.

#[track_caller]
fn read(text: &str) -> Record {
    text.parse().unwrap_or_else(|error: ParseRecordError| panic!("{error} in\n{text}"))
}

/// Reads a record, writes it and reads it again: record and text must stay the same.
#[track_caller]
fn round_trip(text: &str) -> Record {
    let record = read(text);
    let written = record.to_string();
    assert_eq!(read(&written), record, "{written}");
    record
}

#[track_caller]
fn assert_record_error(text: &str, line: usize, column: usize, problem: RecordProblem) {
    let error = text.parse::<Record>().expect_err("it was read");
    assert_eq!(error, ParseRecordError { line, column, problem }, "{text}");
}

/// A game from the classic setup; its moves are on line 3.
fn classic(moves: &str) -> String {
    format!("[Setup \"Classic\"]\n\n{moves}")
}

/// A game from another position; its moves are on line 3.
fn from_position(position: &str, moves: &str) -> String {
    format!("[Position \"{position}\"]\n\n{moves}")
}

/// After `j4+`, Silver's pyramid on j4 reflects the beam west onto Red's pharaoh.
const PHARAOH_IN_REACH: &str = "10/10/10/10/3k5P2/10/10/4K5 s";
/// The beam ends on a stack.
const STACK_IN_REACH: &str = "5k4/10/10/10/3o25P3/10/10/4K5 s";
/// An Eye splits the beam onto a stack on d4 and Silver's own pyramid on j8.
const TWO_IN_REACH: &str = "5k3P1/10/10/10/3o25E1/10/10/4K5 s";

const FULL: &str = r#"[Event "Casual game"]
[Site "khet"]
[Date "2026.11.15"]
[Silver "Anna \"Ann\" \\ Müller"]
[Red "Computer 4"]
[Result "0-1"]
[Setup "Classic"]
[Rules "czech"]
[TimeControl "300+3"]
[Annotator "nobody"]

{Before the first move} {and more} 1. h2+ $5 {[%clk 0:04:51] quiet} (1. j5+ xj5 $2 {loses a pyramid}
1... c7c6 (1... a5b5 xa4) (1... c7d7 $4) 2. j4j3) (1. h2-) 1... a5b5 xa4 {[%eval -1.35]} 2. j4j3
c7c6 0-1
"#;

#[test]
fn a_full_record_is_read_and_written_the_same() {
    let record = round_trip(FULL);
    assert_eq!(record.to_string(), FULL);
}

#[test]
fn the_parts_of_a_full_record() {
    let record = read(FULL);
    let tags: Vec<(&str, &str)> = record.tags().collect();
    assert_eq!(tags.len(), 10);
    assert_eq!(tags[0], ("Event", "Casual game"));
    assert_eq!(record.tag("Silver"), Some(r#"Anna "Ann" \ Müller"#));
    assert_eq!(record.tag("Annotator"), Some("nobody"));
    assert_eq!(record.tag("Black"), None);
    assert_eq!(record.result(), GameResult::RedWins);
    assert_eq!(*record.start(), Setup::Classic.position().with_rules(Rules::Czech));

    let main_line = record.main_line();
    assert_eq!(texts(&main_line.comments), ["Before the first move", "and more"]);
    assert_eq!(moves(main_line), ["h2+", "a5b5", "j4j3", "c7c6"]);
    let first = &main_line.plies[0];
    assert_eq!(first.marks, [5]);
    assert_eq!(texts(&first.comments), ["[%clk 0:04:51] quiet"]);
    assert_eq!(first.comments[0].clock(), Some(Duration::from_secs(291)));
    assert_eq!(main_line.plies[1].comments[0].eval(), Some(SilverEval::Cp(-135)));

    // Variations belong to the move that they replace.
    assert_eq!(first.variations.len(), 2);
    assert_eq!(moves(&first.variations[0]), ["j5+", "c7c6", "j4j3"]);
    assert_eq!(moves(&first.variations[1]), ["h2-"]);
    let [lost, reply, _] = &first.variations[0].plies[..] else { panic!() };
    assert_eq!((&lost.marks[..], texts(&lost.comments)), (&[2][..], vec!["loses a pyramid"]));
    assert_eq!(reply.variations.len(), 2);
    assert_eq!(moves(&reply.variations[0]), ["a5b5"]);
    assert_eq!(moves(&reply.variations[1]), ["c7d7"]);
    assert_eq!(reply.variations[1].plies[0].marks, [4]);
}

fn texts(comments: &[Comment]) -> Vec<&str> {
    comments.iter().map(Comment::text).collect()
}

fn moves(variation: &Variation) -> Vec<String> {
    variation.plies.iter().map(|ply| ply.mv.to_string()).collect()
}

#[test]
fn a_record_is_written_in_one_way_for_all_spellings() {
    let written = "[Setup \"Classic\"]\n\n1. h2+ $1 {good} (1. h2-) 1... a5b5 xa4 2. f4+ *\n";
    for spelled in [
        "[Setup \"Classic\"]\n\n1. h2+ $1 {good} (1. h2-) 1... a5b5 xa4 2. f4+ *\n",
        // Without numbers and shots, with marks after the moves.
        "[Setup \"Classic\"] h2+! {good} (h2-) a5b5 f4- *",
        // Numbers without spaces, lines broken anywhere.
        "[Setup\"Classic\"]\n1.h2+!\n(\n1.h2-\n)\n{good}\n1...a5b5\nxa4\n2.f4+\n*\n\n\n",
        "\u{feff}[Setup \"Classic\" ]\r\n\r\n1. h2+ $1{good}(1. h2-)1... a5b5 xa4\r\n2. f4-\t*\r\n",
    ] {
        assert_eq!(round_trip(spelled).to_string(), written, "{spelled}");
    }
}

#[test]
fn tags_keep_the_order_of_the_text_and_the_spelling_of_names() {
    let record = round_trip("[Zebra \"1\"]\n[Setup \"cLASSIC\"]\n[Event \"\"]\n\n*");
    let tags: Vec<(&str, &str)> = record.tags().collect();
    assert_eq!(tags, [("Zebra", "1"), ("Setup", "cLASSIC"), ("Event", "")]);
}

#[test]
fn a_record_without_moves_is_valid() {
    let record = round_trip("[Setup \"Isis\"]\n\n*\n");
    assert_eq!(record.main_line().plies, []);
    assert_eq!(record.result(), GameResult::Unknown);
    let record = round_trip("[Setup \"Isis\"]\n\n{given up before the first move} 0-1\n");
    assert_eq!(record.result(), GameResult::RedWins);
}

#[test]
fn every_setup_has_a_title_in_records() {
    let titles = [
        "Classic",
        "Imhotep",
        "Dynasty",
        "Khet2-Classic",
        "Khet2-Imhotep",
        "Khet2-Dynasty",
        "Khet2-Imhotep-Eye",
        "Khet2-Dynasty-Eye",
        "Osiris",
        "Isis",
    ];
    for (setup, title) in Setup::ALL.into_iter().zip(titles) {
        let record = Record::new(setup.position());
        assert_eq!(record.tag("Setup"), Some(title));
        assert_eq!(round_trip(&record.to_string()), record);
    }
}

#[test]
fn a_game_from_another_position_gives_the_position() {
    let position: Position = STACK_IN_REACH.parse().unwrap();
    let record = Record::new(position);
    assert_eq!(record.tag("Position"), Some(STACK_IN_REACH));
    assert_eq!(record.tag("Setup"), None);
    assert_eq!(round_trip(&record.to_string()), record);
}

#[test]
fn a_game_that_red_begins_is_numbered_from_1_with_three_dots() {
    let text = from_position("4k5/10/10/10/10/10/10/4K5 r", "1... e8e7 2. e1e2 e7e8 *\n");
    assert_eq!(round_trip(&text).to_string(), text);
    assert_eq!(round_trip(&text.replace("1... ", "").replace("2. ", "")).to_string(), text);
    let text = from_position("4k5/10/10/10/10/10/10/4K5 r", "2... e8e7 *");
    let problem =
        RecordProblem::WrongNumber { written: "2...".to_string(), expected: "1".to_string() };
    assert_record_error(&text, 3, 1, problem);
    // The classic setup with Red to move is not the setup of that name.
    let mut placement = Setup::Classic.placement();
    placement.side_to_move = Color::Red;
    let record = Record::new(Position::new(&placement, Rules::Standard).unwrap());
    assert_eq!(record.tag("Setup"), None);
    assert_eq!(round_trip(&record.to_string()), record);
}

#[test]
fn the_rules_are_standard_where_a_record_does_not_name_them() {
    assert_eq!(read("[Setup \"Classic\"]\n\n*").start().rules(), Rules::Standard);
    assert_eq!(read("[Rules \"czech\"]\n[Setup \"Classic\"]\n\n*").start().rules(), Rules::Czech);
    assert_eq!(read("[Setup \"Classic\"]\n[Rules \"czech\"]\n\n*").start().rules(), Rules::Czech);
}

#[test]
fn a_swap_that_the_rules_of_the_record_forbid_is_an_error() {
    let text = "[Position \"4k5/10/10/10/3D1p25/10/10/4K5 s\"]";
    let moves = "\n\n1. d4e4 *";
    assert!(format!("{text}{moves}").parse::<Record>().is_ok());
    let illegal = IllegalMove { mv: "d4e4".parse().unwrap(), rule: BrokenRule::SwapsOwnColorOnly };
    assert_record_error(
        &format!("{text}\n[Rules \"czech\"]{moves}"),
        4,
        4,
        RecordProblem::Illegal(illegal),
    );
}

// Shots.

#[test]
fn the_shot_may_be_written_or_left_out() {
    for (position, with, without) in [
        (STACK_IN_REACH, "1. e1e2 xd4^ *\n", "1. e1e2 *"),
        (PHARAOH_IN_REACH, "1. j4+ xd4# 1-0\n", "1. j4+ 1-0"),
        (TWO_IN_REACH, "1. e1e2 xd4^ xj8 *\n", "1. e1e2 *"),
    ] {
        let text = from_position(position, with);
        assert_eq!(round_trip(&text).to_string(), text);
        assert_eq!(round_trip(&from_position(position, without)).to_string(), text);
    }
}

#[test]
fn several_hits_may_be_written_in_any_order() {
    let text = from_position(TWO_IN_REACH, "1. e1e2 xj8 xd4^ *");
    assert_eq!(round_trip(&text).to_string(), from_position(TWO_IN_REACH, "1. e1e2 xd4^ xj8 *\n"));
}

#[test]
fn a_shot_that_is_written_wrong_is_an_error() {
    let wrong = |written: &str, actual: &str| RecordProblem::WrongShot {
        written: written.to_string(),
        actual: actual.to_string(),
    };
    // It hit nothing.
    assert_record_error(&classic("1. h2+ xg3 *"), 3, 8, wrong("xg3", ""));
    assert_record_error(&classic("1. h2+ c7c6 xa4 *"), 3, 13, wrong("xa4", ""));
    // It hit something else.
    assert_record_error(&classic("1. j5+ xj4 *"), 3, 8, wrong("xj4", "xj5"));
    assert_record_error(&classic("1. j5+\nxi5 *"), 4, 1, wrong("xi5", "xj5"));
    // A sign is superfluous, missing, or another one.
    assert_record_error(&classic("1. j5+ xj5^ *"), 3, 8, wrong("xj5^", "xj5"));
    assert_record_error(&classic("1. j5+ xj5# *"), 3, 8, wrong("xj5#", "xj5"));
    let stack = |moves| from_position(STACK_IN_REACH, moves);
    assert_record_error(&stack("1. e1e2 xd4 *"), 3, 9, wrong("xd4", "xd4^"));
    assert_record_error(&stack("1. e1e2 xd4# *"), 3, 9, wrong("xd4#", "xd4^"));
    assert_record_error(&stack("1. e1e2 xd4^^ *"), 3, 9, wrong("xd4^^", "xd4^"));
    let pharaoh = |moves| from_position(PHARAOH_IN_REACH, moves);
    assert_record_error(&pharaoh("1. j4+ xd4 1-0"), 3, 8, wrong("xd4", "xd4#"));
    // One of two is missing, or one occurs twice.
    let two = |moves| from_position(TWO_IN_REACH, moves);
    assert_record_error(&two("1. e1e2 xd4^ *"), 3, 9, wrong("xd4^", "xd4^ xj8"));
    assert_record_error(&two("1. e1e2 xj8 *"), 3, 9, wrong("xj8", "xd4^ xj8"));
    assert_record_error(&two("1. e1e2 xj8 xj8 *"), 3, 9, wrong("xj8 xj8", "xd4^ xj8"));
    assert_record_error(&two("1. e1e2 xd4^ xj8 xd4^ *"), 3, 9, wrong("xd4^ xj8 xd4^", "xd4^ xj8"));
    // It is no square at all.
    for shot in ["x", "xx", "xk9", "xj", "xj55", "x-j5", "xé5", "xj5é", "xjé"] {
        assert_record_error(&classic(&format!("1. j5+ {shot} *")), 3, 8, wrong(shot, "xj5"));
    }
    let error = classic("1. h2+ xg3 *").parse::<Record>().unwrap_err();
    assert_eq!(error.to_string(), "line 3, column 8: \"xg3\": the shot hit nothing");
    let error = classic("1. j5+ xj4 *").parse::<Record>().unwrap_err();
    assert_eq!(error.to_string(), "line 3, column 8: \"xj4\": the shot did xj5");
}

#[test]
fn a_wrong_shot_in_a_variation_is_an_error_too() {
    let problem =
        RecordProblem::WrongShot { written: "xj4".to_string(), actual: "xj5".to_string() };
    assert_record_error(&classic("1. h2+ (1. j5+ xj4) *"), 3, 16, problem);
}

#[test]
fn a_shot_without_a_move_before_it_is_an_error() {
    let loose = |word: &str| RecordProblem::NoMoveBefore(word.to_string());
    assert_record_error(&classic("1. xg3 h2+ *"), 3, 4, loose("xg3"));
    assert_record_error(&classic("1. j5+ {a comment between} xj5 *"), 3, 28, loose("xj5"));
}

// Numbers.

#[test]
fn a_move_number_may_be_left_out_but_must_be_correct() {
    let wrong = |written: &str, expected: &str| RecordProblem::WrongNumber {
        written: written.to_string(),
        expected: expected.to_string(),
    };
    assert_record_error(&classic("2. h2+ *"), 3, 1, wrong("2.", "1"));
    assert_record_error(&classic("0. h2+ *"), 3, 1, wrong("0.", "1"));
    assert_record_error(&classic("1. h2+ 2... c7c6 *"), 3, 8, wrong("2...", "1"));
    assert_record_error(&classic("1. h2+ c7c6 1. h2- *"), 3, 13, wrong("1.", "2"));
    assert_record_error(&classic("1. h2+ c7c6\n3. h2- *"), 4, 1, wrong("3.", "2"));
    // Three dots announce a move of Red.
    assert_record_error(&classic("1... h2+ *"), 3, 1, wrong("1...", "1."));
    assert_record_error(&classic("1...h2+ *"), 3, 1, wrong("1...h2+", "1."));
    assert_record_error(&classic("1. h2+ c7c6 2... h2- *"), 3, 13, wrong("2...", "2."));
    assert_record_error(&classic("1. h2+ (1... h2-) *"), 3, 9, wrong("1...", "1."));
    let huge = "99999999999999999999999999";
    let quoted = format!("{}…", &huge[..20]);
    assert_record_error(&classic(&format!("{huge}. h2+ *")), 3, 1, wrong(&quoted, "1"));
    // Variations have the number of the move that they replace.
    assert!(classic("1. h2+ (1. h2-) c7c6 (1... c7d7) 2. h2- *").parse::<Record>().is_ok());
    assert_record_error(&classic("1. h2+ (2. h2-) *"), 3, 9, wrong("2.", "1"));
    let text = classic("1. h2+ c7c6 2. h2- (1. h2+) *");
    assert_record_error(&text, 3, 21, wrong("1.", "2"));
    let error = classic("2. h2+ *").parse::<Record>().unwrap_err();
    assert_eq!(error.to_string(), "line 3, column 1: \"2.\": the number of this move is 1");
}

// Results.

#[test]
fn every_result_is_read_and_written() {
    for (text, result) in [
        ("1-0", GameResult::SilverWins),
        ("0-1", GameResult::RedWins),
        ("1/2-1/2", GameResult::Draw),
        ("*", GameResult::Unknown),
    ] {
        let record = round_trip(&format!("[Result \"{text}\"]\n{}", classic(text)));
        assert_eq!(record.result(), result);
        assert_eq!(record.tag("Result"), Some(text));
        assert_eq!(result.text(), text);
    }
}

#[test]
fn two_results_that_differ_are_an_error() {
    let text = format!("[Result \"1-0\"]\n{}", classic("1. h2+ 0-1\n"));
    let problem =
        RecordProblem::ResultsDiffer { tag: GameResult::SilverWins, end: GameResult::RedWins };
    assert_record_error(&text, 4, 8, problem);
    let error = text.parse::<Record>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 4, column 8: the result is 0-1, and the tag Result says 1-0"
    );
    let text = format!("[Result \"*\"]\n{}", classic("1. h2+\n1/2-1/2"));
    let problem = RecordProblem::ResultsDiffer { tag: GameResult::Unknown, end: GameResult::Draw };
    assert_record_error(&text, 5, 1, problem);
}

#[test]
fn a_result_that_contradicts_the_board_is_an_error() {
    for result in ["0-1", "1/2-1/2", "*"] {
        let text = from_position(PHARAOH_IN_REACH, &format!("1. j4+ xd4# {result}"));
        let problem = RecordProblem::ResultContradictsBoard { actual: GameResult::SilverWins };
        assert_record_error(&text, 3, 13, problem);
    }
    // Silver's own pharaoh: Red has won.
    let text = from_position("4k5/10/10/10/10/10/10/4K4P2 s", "1. j1+ xe1# 1-0");
    let problem = RecordProblem::ResultContradictsBoard { actual: GameResult::RedWins };
    assert_record_error(&text, 3, 13, problem);
    // A running game can be resigned: any result is possible.
    assert!(classic("1. h2+ 0-1").parse::<Record>().is_ok());
    // Variations do not decide the result.
    let text = from_position(PHARAOH_IN_REACH, "1. e1e2 (1. j4+ xd4#) 0-1");
    assert!(text.parse::<Record>().is_ok());
}

#[test]
fn a_game_without_a_move_has_ended_on_the_board() {
    // Silver's pharaoh is hemmed in on b1.
    let position = "5k4/10/10/10/10/10/1p1p17/1Kp17 s";
    assert!(from_position(position, "0-1").parse::<Record>().is_ok());
    let problem = RecordProblem::ResultContradictsBoard { actual: GameResult::RedWins };
    assert_record_error(&from_position(position, "*"), 3, 1, problem);
}

#[test]
fn an_unknown_result_is_an_error() {
    let text = format!("[Event \"x\"]\n[Result \"2-0\"]\n{}", classic("*"));
    assert_record_error(&text, 2, 1, RecordProblem::UnknownResult("2-0".to_string()));
}

#[test]
fn a_move_after_the_end_of_the_game_is_an_error() {
    let text = from_position(PHARAOH_IN_REACH, "1. j4+ xd4# e1e2 1-0");
    let illegal = IllegalMove { mv: "e1e2".parse().unwrap(), rule: BrokenRule::GameOver };
    assert_record_error(&text, 3, 13, RecordProblem::Illegal(illegal));
}

#[test]
fn nothing_follows_the_result() {
    let trailing = |text: &str| RecordProblem::TrailingText(text.to_string());
    assert_record_error(&classic("1. h2+ * c7c6"), 3, 10, trailing("c7c6"));
    assert_record_error(&classic("1. h2+ *\n{late}\n"), 4, 1, trailing("{late}"));
    assert_record_error(&classic("1. h2+ * *"), 3, 10, trailing("*"));
    assert_record_error(
        &classic("1. h2+ *\n\n[Setup \"Isis\"]\n\n*"),
        5,
        1,
        trailing("[Setup \"Isis\"]\n\n*"),
    );
}

#[test]
fn a_token_that_begins_like_a_result_is_unknown() {
    assert_record_error(
        &classic("1. h2+ *foo"),
        3,
        8,
        RecordProblem::UnknownToken("*foo".to_string()),
    );
}

// Truncated records.

#[test]
fn a_record_without_a_result_is_an_error() {
    assert_record_error(&classic("1. h2+"), 3, 7, RecordProblem::MissingResult);
    assert_record_error(&classic("1. h2+ {a comment}"), 3, 19, RecordProblem::MissingResult);
    assert_record_error(&classic("1."), 3, 3, RecordProblem::MissingResult);
    assert_record_error("[Setup \"Classic\"]", 1, 18, RecordProblem::MissingResult);
}

#[test]
fn a_comment_that_is_never_closed_is_an_error_where_it_opens() {
    assert_record_error(&classic("1. h2+ {quiet 1-0\n"), 3, 8, RecordProblem::UnclosedComment);
    assert_record_error(&classic("{"), 3, 1, RecordProblem::UnclosedComment);
    assert_record_error(&classic("1. h2+ (1. h2- {a) *"), 3, 16, RecordProblem::UnclosedComment);
}

#[test]
fn a_variation_that_is_never_closed_is_an_error_where_it_opens() {
    assert_record_error(&classic("1. h2+ (1. h2-"), 3, 8, RecordProblem::UnclosedVariation);
    assert_record_error(
        &classic("1. h2+ (1. h2- c7c6\n(1... c7d7) 2. h2+"),
        3,
        8,
        RecordProblem::UnclosedVariation,
    );
    assert_record_error(
        &classic("1. h2+ (1. h2- c7c6\n(1... c7d7 2. h2+"),
        4,
        1,
        RecordProblem::UnclosedVariation,
    );
}

#[test]
fn every_beginning_of_a_record_is_read_or_refused_with_a_place_in_it() {
    for (end, _) in FULL.char_indices() {
        let text = &FULL[..end];
        match text.parse::<Record>() {
            // Only the line break after the result can be missing.
            Ok(record) => assert_eq!(record, read(FULL), "{text}"),
            Err(error) => {
                let lines: Vec<&str> = text.split('\n').collect();
                let line = lines[error.line - 1];
                assert!((1..=line.chars().count() + 1).contains(&error.column), "{error}: {text}");
            }
        }
    }
}

// Tags.

#[test]
fn a_tag_that_is_not_well_formed_is_an_error() {
    let bad = |text: &str| RecordProblem::MalformedTag(text.to_string());
    for tag in [
        "[Setup Classic]",
        "[Setup \"Classic\"",
        "[Setup \"Classic]",
        "[\"Classic\"]",
        "[ Setup \"Classic\"]",
        "[Set-up \"Classic\"]",
        "[Sétup \"Classic\"]",
        "[Setup \"Cla\\ssic\"]",
        "[Setup \"Cla\tssic\"]",
        "[Setup]",
        "[]",
        "[",
    ] {
        assert_record_error(&format!("{tag}\n\n*"), 1, 1, bad(tag));
        let text = format!("[Event \"x\"]\n{tag}\n\n*");
        assert_record_error(&text, 2, 1, bad(tag));
    }
    // A value stays on its line.
    assert_record_error(
        "[Event \"two\nlines\"]\n[Setup \"Classic\"]\n\n*",
        1,
        1,
        bad("[Event \"two"),
    );
    let error = "[Setup]".parse::<Record>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1, column 1: \"[Setup]\": a tag is written like [Name \"value\"]"
    );
}

#[test]
fn a_tag_occurs_once() {
    let text = "[Event \"x\"]\n[Setup \"Classic\"]\n[Event \"y\"]\n\n*";
    assert_record_error(text, 3, 1, RecordProblem::DuplicateTag("Event".to_string()));
    let text = "[Setup \"Classic\"] [Setup \"Classic\"]\n\n*";
    assert_record_error(text, 1, 19, RecordProblem::DuplicateTag("Setup".to_string()));
}

#[test]
fn one_tag_gives_the_starting_position() {
    assert_record_error("", 1, 1, RecordProblem::MissingStart);
    assert_record_error("[Event \"x\"]\n\n1. h2+ *", 3, 1, RecordProblem::MissingStart);
    assert_record_error("1. h2+ *", 1, 1, RecordProblem::MissingStart);
    let text = format!("[Setup \"Classic\"]\n[Position \"{STACK_IN_REACH}\"]\n\n*");
    assert_record_error(&text, 2, 1, RecordProblem::TwoStarts);
    let text = format!("[Position \"{STACK_IN_REACH}\"]\n[Setup \"Classic\"]\n\n*");
    assert_record_error(&text, 2, 1, RecordProblem::TwoStarts);
}

#[test]
fn unknown_setups_and_rules_are_errors() {
    let text = "[Event \"x\"]\n[Setup \"Klassik\"]\n[Red \"y\"]\n\n*";
    assert_record_error(text, 2, 1, RecordProblem::UnknownSetup("Klassik".to_string()));
    let text = "[Setup \"Classic\"]\n[Rules \"english\"]\n\n*";
    assert_record_error(text, 2, 1, RecordProblem::UnknownRules("english".to_string()));
    let error = text.parse::<Record>().unwrap_err();
    assert_eq!(error.to_string(), "line 2, column 1: \"english\": the rules are standard or czech");
}

#[test]
fn a_position_that_is_wrong_or_cant_be_played_is_an_error() {
    let wrong = "4k4/10/10/10/10/10/10/4K5 s";
    let problem = RecordProblem::BadPosition(wrong.parse::<Position>().unwrap_err());
    assert_record_error(&from_position(wrong, "*"), 1, 1, problem);
    let error = from_position(wrong, "*").parse::<Record>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1, column 1: the position: character 4 (rank 8): the rank ends after 9 of 10 squares"
    );
    let invalid = "4k5/10/10/10/10/10/10/10 s";
    let problem = RecordProblem::BadPosition(invalid.parse::<Position>().unwrap_err());
    let text = format!("[Event \"x\"]\n{}", from_position(invalid, "*"));
    assert_record_error(&text, 2, 1, problem);
}

// Words, marks, variations.

#[test]
fn an_unknown_token_is_an_error() {
    let unknown = |word: &str| RecordProblem::UnknownToken(word.to_string());
    assert_record_error(&classic("1. foo *"), 3, 4, unknown("foo"));
    assert_record_error(&classic("1. h2+ c7c6 2. j9j8 *"), 3, 16, unknown("j9j8"));
    assert_record_error(&classic("1. h2+ c7c6\n2. H2+ *"), 4, 4, unknown("H2+"));
    assert_record_error(&classic("1. h2+ } *"), 3, 8, unknown("}"));
    assert_record_error(&classic("1. h2+ ; rest"), 3, 8, unknown(";"));
    assert_record_error(&classic("1. h2+!!! *"), 3, 4, unknown("h2+!!!"));
    assert_record_error(&classic("1. h2+ ! *"), 3, 8, unknown("!"));
    assert_record_error(&classic("1. h2+ $x *"), 3, 8, unknown("$x"));
    assert_record_error(&classic("1. h2+ $ *"), 3, 8, unknown("$"));
    assert_record_error(&classic("1. h2+ $256 *"), 3, 8, unknown("$256"));
    assert_record_error(&classic("1. h2+ $+1 *"), 3, 8, unknown("$+1"));
    // Columns count characters.
    assert_record_error(&classic("1. h2+ {é…} foo *"), 3, 13, unknown("foo"));
    // A line ends with \n or with \r\n.
    assert_record_error("[Setup \"Classic\"]\r\n\r\n1. h2+\r\nfoo *", 4, 1, unknown("foo"));
    let error = classic("1. foo *").parse::<Record>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 3, column 4: \"foo\": a move is written like h2g2, d1^d2, h2+ or h2-"
    );
}

#[test]
fn an_unknown_mark_after_a_shot_is_reported_at_the_shot() {
    assert_record_error(
        &classic("1. j5+ xj5!!! *"),
        3,
        8,
        RecordProblem::UnknownToken("xj5!!!".to_string()),
    );
}

#[test]
fn a_move_that_is_not_legal_is_an_error() {
    let illegal =
        |mv: &str, rule| RecordProblem::Illegal(IllegalMove { mv: mv.parse().unwrap(), rule });
    assert_record_error(&classic("1. h2h4 *"), 3, 4, illegal("h2h4", BrokenRule::NotANeighbor));
    assert_record_error(
        &classic("1. h2+ {x}\n(1. c7c6) *"),
        4,
        5,
        illegal("c7c6", BrokenRule::NotYours),
    );
    let error = classic("1. h2h4 *").parse::<Record>().unwrap_err();
    assert_eq!(error.to_string(), "line 3, column 4: h2h4: h4 is not next to h2");
}

#[test]
fn marks_are_read_as_signs_and_numbers_and_written_as_numbers() {
    for (sign, number) in [("!", 1), ("?", 2), ("!!", 3), ("??", 4), ("!?", 5), ("?!", 6)] {
        let record = round_trip(&classic(&format!("1. h2+{sign} *")));
        assert_eq!(record.main_line().plies[0].marks, [number]);
        let record = round_trip(&classic(&format!("1. j5+ xj5{sign} *")));
        assert_eq!(record.main_line().plies[0].marks, [number]);
    }
    let record = round_trip(&classic("1. h2+ $13 $255 $0 *"));
    assert_eq!(record.main_line().plies[0].marks, [13, 255, 0]);
    assert_eq!(record.to_string(), classic("1. h2+ $13 $255 $0 *\n"));
}

#[test]
fn a_mark_or_a_variation_without_a_move_before_it_is_an_error() {
    let nothing = |word: &str| RecordProblem::NoMoveBefore(word.to_string());
    assert_record_error(&classic("$1 h2+ *"), 3, 1, nothing("$1"));
    assert_record_error(&classic("1. (1. h2-) h2+ *"), 3, 4, nothing("("));
    assert_record_error(&classic("1. h2+ ((1. h2-) 1. j4j3) *"), 3, 9, nothing("("));
    assert_record_error(&classic("1. h2+ ($1) *"), 3, 9, nothing("$1"));
}

#[test]
fn parentheses_come_in_pairs_around_a_move() {
    assert_record_error(&classic("1. h2+ ) *"), 3, 8, RecordProblem::UnmatchedParenthesis);
    assert_record_error(&classic("1. h2+ (1. h2-)) *"), 3, 16, RecordProblem::UnmatchedParenthesis);
    assert_record_error(&classic("1. h2+ () *"), 3, 8, RecordProblem::EmptyVariation);
    assert_record_error(&classic("1. h2+ ({x}) *"), 3, 8, RecordProblem::EmptyVariation);
}

#[test]
fn variations_can_be_nested_up_to_a_limit() {
    // Each is a variation of the first move of the one around it.
    let nested = |depth: usize| {
        let open: String = (0..depth).map(|level| ["(h2- ", "(h2+ "][level % 2]).collect();
        classic(&format!("h2+ {open}{} *", ")".repeat(depth)))
    };
    round_trip(&nested(1));
    round_trip(&nested(MAX_NESTING));
    let too_deep = 5 + 5 * MAX_NESTING;
    assert_record_error(&nested(MAX_NESTING + 1), 3, too_deep, RecordProblem::NestedTooDeep);
    // Deep enough to overflow the call stack of an unlimited reader.
    assert_record_error(&nested(1_000_000), 3, too_deep, RecordProblem::NestedTooDeep);
}

// Comments.

#[test]
fn a_comment_holds_any_text_but_its_closing_brace() {
    assert_eq!(Comment::new("a } b"), Err(CommentError));
    for text in ["", " ", "{", "(1. h2+", "[Setup \"Isis\"]", "é…\n[x]\n\n$1 \\ \"", ";"] {
        let mut record = read(&classic("1. h2+ c7c6 *"));
        let comment = Comment::new(text).unwrap();
        assert_eq!(comment.text(), text);
        record.comments_mut(&TreePath::default()).unwrap().push(comment.clone());
        record.comments_mut(&TreePath::main_line(2)).unwrap().push(comment);
        assert_eq!(round_trip(&record.to_string()), record);
    }
}

#[test]
fn a_comment_can_hold_the_clock() {
    let clock = |text: &str| Comment::new(text).unwrap().clock();
    let seconds = |seconds| Some(Duration::from_secs(seconds));
    assert_eq!(clock("[%clk 0:04:51]"), seconds(4 * 60 + 51));
    assert_eq!(clock("[%clk 12:00:00]"), seconds(12 * 3600));
    assert_eq!(clock("before [%eval 0.5][%clk 1:02:03] after"), seconds(3723));
    assert_eq!(clock("[%clk 0:00:09.5]"), Some(Duration::from_millis(9500)));
    for text in [
        "",
        "0:04:51",
        "[%clk 4:51]",
        "[%clk 0:60:00]",
        "[%clk 0:00:60]",
        "[%clk 0:-1:00]",
        "[%clk 0:00:-1]",
        "[%clk 0:00:nan]",
        "[%clk 1:2:3:4]",
        "[%clk 99999999999999999999:00:00]",
        "[%clk 18446744073709551615:00:00]",
        "[%clk 0:04:51",
        "[%clock 0:04:51]",
        "[% clk 0:04:51]",
    ] {
        assert_eq!(clock(text), None, "{text}");
    }
    let left = Duration::from_secs(3 * 3600 + 5 * 60 + 7);
    assert_eq!(Comment::from_clock(left).text(), "[%clk 3:05:07]");
    assert_eq!(Comment::from_clock(left).clock(), Some(left));
}

#[test]
fn a_comment_can_hold_an_evaluation() {
    let evaluation = |text: &str| Comment::new(text).unwrap().eval();
    assert_eq!(evaluation("[%eval 1.35]"), Some(SilverEval::Cp(135)));
    assert_eq!(evaluation("[%eval -0.05]"), Some(SilverEval::Cp(-5)));
    assert_eq!(evaluation("[%eval 2]"), Some(SilverEval::Cp(200)));
    assert_eq!(evaluation("[%eval #3]"), Some(SilverEval::MateIn(3)));
    assert_eq!(evaluation("[%eval #-3]"), Some(SilverEval::MateIn(-3)));
    assert_eq!(evaluation("[%clk 0:00:01] [%eval 0.00] even"), Some(SilverEval::Cp(0)));
    for text in
        ["", "[%eval]", "[%eval x]", "[%eval #]", "[%eval nan]", "[%eval inf]", "[%eval 1e99]"]
    {
        assert_eq!(evaluation(text), None, "{text}");
    }
    for (evaluation, text) in [
        (SilverEval::Cp(135), "[%eval 1.35]"),
        (SilverEval::Cp(-5), "[%eval -0.05]"),
        (SilverEval::Cp(0), "[%eval 0.00]"),
        (SilverEval::Cp(100_000), "[%eval 1000.00]"),
        (SilverEval::MateIn(-2), "[%eval #-2]"),
    ] {
        let comment = Comment::from_eval(evaluation);
        assert_eq!(comment.text(), text);
        assert_eq!(comment.eval(), Some(evaluation));
    }
}

// Writing.

#[test]
fn the_record_of_a_game_that_was_played() {
    let mut game = Game::new(Setup::Classic.position());
    for mv in ["j5+", "a5b5", "f4-"] {
        game.play(mv.parse().unwrap()).unwrap();
    }
    let mut record = Record::from_game(&game);
    record.set_tag("Red", "Computer 4").unwrap();
    record.set_tag("Opening", "none").unwrap();
    record.set_tag("Event", "Casual game").unwrap();
    let expected = r#"[Event "Casual game"]
[Red "Computer 4"]
[Result "*"]
[Setup "Classic"]
[Rules "standard"]
[Opening "none"]

1. j5+ xj5 a5b5 xa4 2. f4+ *
"#;
    assert_eq!(record.to_string(), expected);
    assert_eq!(read(expected), record);
    assert_eq!(record.game(), game);

    game.resign(Color::Silver).unwrap();
    assert_eq!(Record::from_game(&game).result(), GameResult::RedWins);
    assert_eq!(Record::from_game(&game).tag("Result"), Some("0-1"));
}

#[test]
fn a_game_that_ended_on_the_board_has_its_result() {
    let mut game = Game::new(PHARAOH_IN_REACH.parse().unwrap());
    game.play("j4+".parse().unwrap()).unwrap();
    let record = Record::from_game(&game);
    assert_eq!(record.result(), GameResult::SilverWins);
    assert_eq!(round_trip(&record.to_string()), record);
    assert_eq!(record.game().outcome(), game.outcome());
}

#[test]
fn moves_comments_and_variations_can_be_added() {
    let mut record = Record::new(Setup::Classic.position());
    let mut ply = Ply::new("h2+".parse().unwrap());
    ply.marks.push(1);
    ply.comments.push(Comment::new("quiet").unwrap());
    ply.variations.push(Variation::new(["j5+".parse().unwrap()]));
    let plies = vec![ply, Ply::new("c7c6".parse().unwrap())];
    record.set_main_line(Variation { comments: Vec::new(), plies }).unwrap();
    record.set_result(GameResult::Draw);
    assert_eq!(
        record.to_string(),
        "[Result \"1/2-1/2\"]\n[Setup \"Classic\"]\n[Rules \"standard\"]\n\n\
         1. h2+ $1 {quiet} (1. j5+ xj5) 1... c7c6 1/2-1/2\n"
    );
    assert_eq!(round_trip(&record.to_string()), record);
}

#[test]
fn derived_and_malformed_tags_cant_be_set() {
    let mut record = Record::new(Setup::Classic.position());
    let before = record.clone();
    for name in ["Result", "Setup", "Position", "Rules"] {
        assert_eq!(record.set_tag(name, "x"), Err(TagError::Derived(name.to_string())));
    }
    for name in ["", "Two words", "Ré", "a-b", "x]"] {
        assert_eq!(record.set_tag(name, "x"), Err(TagError::WrongName(name.to_string())));
    }
    for value in ["two\nlines", "\t", "\u{7f}"] {
        let wrong = TagError::WrongValue("Event".to_string());
        assert_eq!(record.set_tag("Event", value), Err(wrong));
    }
    assert_eq!(record, before);
    record.set_tag("Event", "\"\\] [é").unwrap();
    assert_eq!(record.tag("Event"), Some("\"\\] [é"));
    assert_eq!(round_trip(&record.to_string()), record);
}

#[test]
fn lines_are_broken_before_they_grow_longer_than_100_characters() {
    let mut game = Game::new(Setup::Classic.position());
    for _ in 0..50 {
        for mv in ["e1d2", "f8g7", "d2e1", "g7f8"] {
            game.play(mv.parse().unwrap()).unwrap();
        }
    }
    let record = Record::from_game(&game);
    let text = record.to_string();
    let widths: Vec<usize> = text.lines().map(|line| line.chars().count()).collect();
    assert!(widths.iter().all(|&width| width <= 100), "{widths:?}");
    assert!(widths.iter().filter(|&&width| width > 90).count() > 10, "{widths:?}");
    assert!(text.lines().all(|line| line.trim_end() == line));
    assert_eq!(read(&text), record);
}

// Several games.

#[test]
fn a_text_can_hold_several_games() {
    let one = classic("1. h2+ {in a comment\n[Setup \"Isis\"]\nstays there} c7c6 *\n");
    let two = from_position(STACK_IN_REACH, "1. e1e2 xd4^ *\n");
    let text = format!("{one}\n{two}\n\n{FULL}");
    let records: Vec<Record> = Records::new(&text).map(Result::unwrap).collect();
    assert_eq!(records, [read(&one), read(&two), read(FULL)]);
    assert_eq!(Records::new("").count(), 0);
    assert_eq!(Records::new(" \n\n").count(), 0);
}

#[test]
fn after_a_faulty_game_the_next_one_is_read_with_correct_line_numbers() {
    let text = format!(
        "{}\n{}\n{}\n{}",
        classic("1. h2+ *\n"),
        classic("1. h2+\nfoo *\n"),
        classic("1. h2+ (1. h2-\n"),
        classic("1. h2+ c7c6 *\n"),
    );
    let results: Vec<_> = Records::new(&text).collect();
    assert_eq!(results.len(), 4);
    assert!(results[0].is_ok());
    let unknown = RecordProblem::UnknownToken("foo".to_string());
    assert_eq!(results[1], Err(ParseRecordError { line: 8, column: 1, problem: unknown }));
    let open = RecordProblem::UnclosedVariation;
    assert_eq!(results[2], Err(ParseRecordError { line: 12, column: 8, problem: open }));
    assert_eq!(results[3], Ok(read(&classic("1. h2+ c7c6 *"))));
}

#[test]
fn an_unclosed_comment_does_not_hide_the_games_that_follow() {
    let good = classic("1. h2+ {good} c7c6 *\n");
    // The comment would end at the brace of the second game, or at the end of the text.
    for rest in [format!("{good}\n{good}"), "[Setup \"Isis\"]\n\n*\n".repeat(2)] {
        let expected: Vec<_> = Records::new(&rest).collect();
        let text = format!("{}\n{rest}", classic("1. h2+ {quiet *\n"));
        let results: Vec<_> = Records::new(&text).collect();
        let problem = RecordProblem::UnclosedComment;
        assert_eq!(results[0], Err(ParseRecordError { line: 3, column: 8, problem }));
        assert!(expected.iter().all(Result::is_ok));
        assert_eq!(results[1..], expected);
    }
}

#[test]
fn a_tag_after_a_blank_line_ends_a_comment_even_if_a_brace_follows() {
    for text in ["a\n\n[Event \"x\"]", "\n \r\n\t[Event\"x", "a\n\n\n[a_1  \"] b"] {
        assert_eq!(Comment::new(text), Err(CommentError), "{text:?}");
        let record = classic(&format!("1. h2+ {{{text}}} *"));
        assert_record_error(&record, 3, 8, RecordProblem::UnclosedComment);
        assert!(Comment::new(Comment::new_lossy(text).text()).is_ok());
    }
    // Blank lines, tags and commands by themselves are fine.
    for text in ["a\n\nb", "\n[Event \"x\"]", "a\n\n[%clk 0:00:01]", "\n\n[x]", "\n\n[] \""] {
        let comment = Comment::new(text).unwrap();
        let mut record = read(&classic("1. h2+ *"));
        record.comments_mut(&TreePath::main_line(1)).unwrap().push(comment);
        let file = format!("{record}\n{record}");
        assert_eq!(Records::new(&file).collect::<Vec<_>>(), [Ok(record.clone()), Ok(record)]);
    }
    assert_eq!(Comment::new_lossy("a } b").text(), "a ) b");
}

#[test]
fn a_game_in_a_larger_text_can_be_read_with_its_first_line() {
    let error = <Record>::read_at(&classic("1. foo *"), 41, Rules::Standard).unwrap_err();
    assert_eq!((error.line, error.column), (43, 4));
}

#[test]
fn a_byte_order_mark_before_several_games_is_skipped() {
    let text = format!("\u{feff}{FULL}\n{FULL}");
    let records: Vec<_> = Records::new(&text).collect();
    assert_eq!(records, [Ok(read(FULL)), Ok(read(FULL))]);
}

#[test]
fn the_splitter_finds_the_first_line_of_each_game() {
    let lines = [
        ("[Event \"1\"]", false),
        ("[Setup \"Classic\"]", false),
        ("", false),
        ("1. h2+ {a comment", false),
        ("[Event \"not a tag\"]", false),
        ("} c7c6", false),
        ("", false),
        ("2. h2- *", false),
        ("", false),
        ("[Event \"2\"]", true),
        ("[Setup \"Classic\"]", false),
        ("*", false),
        ("[Setup \"Classic\"]", true),
    ];
    let mut splitter = GameSplitter::default();
    for (line, starts) in lines {
        assert_eq!(splitter.starts_game(line.as_bytes()), starts, "{line}");
    }
}
