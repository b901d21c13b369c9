//! Game records of games with a tower.

use khet::tower::Position;
use khet::{AnyPosition, BrokenRule, Color, Game, Record, RecordProblem, Records, TreePath};

const TAGS: &str = r#"[Result "*"]
[Position "4k5/10/10/10/9P2/10/3O26/3K6+e4:6/6/6/5p1/6/6 s"]
[Rules "standard"]

"#;
const MOVES: &str =
    "1. d2^D2 e8d8 2. j4+ xH4 $1 {from below} 2... Te5 (2... T+ 3. C6c6) 3. D3d3 d8e8 *\n";

#[test]
fn a_record_is_written_as_it_was_read() {
    let text = format!("{TAGS}{MOVES}");
    let mut record: Record<Position> = text.parse().unwrap();
    assert_eq!(record.to_string(), text);
    assert_eq!(record.main_line().plies.len(), 6);
    // The tree is edited as in the standard game.
    let path = TreePath::main_line(4);
    assert_eq!(record.children(&TreePath::main_line(3)).len(), 2);
    let added = record.play_at(&path, "Td4".parse().unwrap()).unwrap();
    assert_eq!(record.game_at(&added).unwrap().position().column().to_string(), "d4");
}

#[test]
fn the_record_of_a_game_replays_the_same_game() {
    let start: Position = "4k5/10/10/10/9P2/10/3O26/3K6+e4:6/6/6/5p1/6/6 s".parse().unwrap();
    let mut game = Game::new(start);
    for mv in ["d2^D2", "e8d8", "j4+", "Te5"] {
        game.play(mv.parse().unwrap()).unwrap();
    }
    game.resign(Color::Silver).unwrap();
    let record = Record::from_game(&game);
    let read: Record<Position> = record.to_string().parse().unwrap();
    assert_eq!(read, record);
    assert_eq!(read.game().positions(), game.positions());
    assert_eq!(read.outcome(), game.outcome());
    assert!(record.to_string().contains("2. j4+ xH4 Te5 0-1"), "{record}");
}

/// Returns the problem of a record with these moves.
#[track_caller]
fn problem(moves: &str) -> RecordProblem {
    format!("{TAGS}{moves} *").parse::<Record<Position>>().unwrap_err().problem
}

#[test]
fn a_wrong_move_or_shot_is_an_error() {
    let RecordProblem::IllegalWithTower(error) = problem("1. Te6") else { panic!() };
    assert_eq!(error.rule, BrokenRule::TowerOffBoard);
    for shot in ["xG4", "xh4", "xH4^", "xH4 xG4"] {
        let RecordProblem::WrongShot { written, actual } = problem(&format!("1. j4+ {shot}"))
        else {
            panic!("{shot}");
        };
        assert_eq!((written.as_str(), actual.as_str()), (shot, "xH4"));
    }
    assert!(matches!(problem("1. te5"), RecordProblem::UnknownToken(_)));
}

#[test]
fn a_position_that_cannot_be_played_is_an_error() {
    let text = format!("{TAGS}*").replace("3K6", "10");
    let error = text.parse::<Record<Position>>().unwrap_err();
    assert!(matches!(error.problem, RecordProblem::BadTowerPosition(_)), "{error}");
    assert_eq!(error.to_string(), "line 2, column 1: the position: silver has no pharaoh");
}

#[test]
fn a_file_may_hold_games_with_and_without_a_tower() {
    let text = format!("{TAGS}{MOVES}\n[Setup \"Classic\"]\n\n1. h2+ 1-0\n\n{TAGS}1. T+ T- *\n");
    let records: Vec<Record<AnyPosition>> = Records::any(&text).map(Result::unwrap).collect();
    let with_tower = |record: &Record<AnyPosition>| record.start().placement().has_tower();
    assert_eq!(records.iter().map(with_tower).collect::<Vec<_>>(), [true, false, true]);
    assert_eq!(records[0].to_string(), format!("{TAGS}{MOVES}"));
    assert_eq!(records[1].result().text(), "1-0");
    assert_eq!(records[2].tag("Result"), Some("*"));
    // A reader of the standard game alone names the place of the error.
    let errors: Vec<_> = Records::new(&text).map(|record| record.err().map(|it| it.line)).collect();
    assert_eq!(errors, [Some(2), None, Some(12)]);
}

#[test]
fn a_move_of_the_tower_in_a_game_without_one_is_an_error() {
    for mv in ["Te5", "T+", "c7C7"] {
        let text = format!("[Setup \"Classic\"]\n\n1. {mv} *");
        let error = text.parse::<Record<AnyPosition>>().unwrap_err();
        assert_eq!(error.to_string(), format!("line 3, column 4: {mv}: this game has no tower"));
        assert!(text.parse::<Record>().is_err());
    }
}
