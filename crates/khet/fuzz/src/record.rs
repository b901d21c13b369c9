//! Fuzz target: any text, read as a file of games.

use std::time::Duration;

use khet::{Comment, GameSplitter, Record, Records, Rules, Variation};

/// Reads all games of a text, writes them, and reads them again: they must be the same.
pub fn read_record(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let _ = text.parse::<Record>();
    if let Ok(czech) = <Record>::read_at(text, 1, Rules::Czech) {
        assert_eq!(czech.to_string().parse(), Ok(czech));
    }

    let lines = text.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let mut results = 0;
    let mut records = Vec::new();
    for result in Records::new(text) {
        results += 1;
        assert!(results <= text.len(), "a game has at least one character");
        match result {
            Ok(record) => records.push(record),
            Err(error) => {
                assert!((1..=lines).contains(&error.line) && error.column > 0, "{error}");
                assert!(!error.to_string().is_empty());
            }
        }
    }
    assert_eq!(results, count_games(text));

    let mut file = String::new();
    for record in &records {
        let written = record.to_string();
        let again: Record = written.parse().expect("a record writes what can be read");
        assert_eq!(again, *record);
        assert_eq!(again.to_string(), written);
        inspect_game(record);
        inspect_comments(record.main_line());
        file.push_str(&written);
        file.push('\n');
    }
    let again: Result<Vec<Record>, _> = Records::new(&file).collect();
    assert_eq!(again, Ok(records));
}

/// Counts the games that the splitter finds line by line.
fn count_games(text: &str) -> usize {
    if text.trim().is_empty() {
        return 0;
    }
    let mut splitter = GameSplitter::default();
    let lines = text.split_inclusive('\n');
    1 + lines.filter(|line| splitter.starts_game(line.as_bytes())).count()
}

/// Replays the game and compares its outcome with the record.
fn inspect_game(record: &Record) {
    let game = record.game();
    assert!(game.moves().iter().eq(record.main_line().plies.iter().map(|ply| &ply.mv)));
    if let Some(outcome) = game.outcome() {
        assert_eq!(record.result(), outcome.result());
        assert_eq!(record.outcome(), Some(outcome));
    }
}

fn inspect_comments(variation: &Variation) {
    variation.comments.iter().for_each(inspect_comment);
    for ply in &variation.plies {
        ply.comments.iter().for_each(inspect_comment);
        ply.variations.iter().for_each(inspect_comments);
    }
}

/// Checks that the commands in a comment survive being written again.
fn inspect_comment(comment: &Comment) {
    assert_eq!(Comment::new(comment.text()).as_ref(), Ok(comment));
    if let Some(left) = comment.clock() {
        let whole = Duration::from_secs(left.as_secs());
        assert_eq!(Comment::from_clock(left).clock(), Some(whole));
    }
    if let Some(evaluation) = comment.eval() {
        assert_eq!(Comment::from_eval(evaluation).eval(), Some(evaluation));
    }
}
