//! Any text as a file of games.

use std::time::Duration;

use khet::{Comment, GameResult, GameSplitter, Line, Record, Records, Rules};

/// Reads all games of a text. What is read writes a text that reads as the same games.
pub fn read_record(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let _ = text.parse::<Record>();
    if let Ok(czech) = Record::read_at(text, 1, Rules::Czech) {
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
        inspect_comments(record.line());
        file.push_str(&written);
        file.push('\n');
    }
    let again: Result<Vec<Record>, _> = Records::new(&file).collect();
    assert_eq!(again, Ok(records));
}

/// How many games the splitter finds when it is fed line by line.
fn count_games(text: &str) -> usize {
    if text.trim().is_empty() {
        return 0;
    }
    let mut splitter = GameSplitter::default();
    let lines = text.split_inclusive('\n');
    1 + lines.filter(|line| splitter.starts_game(line.as_bytes())).count()
}

/// Replays the game and compares how it ended.
fn inspect_game(record: &Record) {
    let game = record.game();
    assert!(game.moves().iter().eq(record.line().plies.iter().map(|ply| &ply.mv)));
    if let Some(outcome) = game.outcome() {
        assert_eq!(record.result(), GameResult::from_winner(outcome.winner));
    }
}

fn inspect_comments(line: &Line) {
    line.comments.iter().for_each(inspect_comment);
    for ply in &line.plies {
        ply.comments.iter().for_each(inspect_comment);
        ply.variations.iter().for_each(inspect_comments);
    }
}

/// What a comment's commands say can be written again.
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
