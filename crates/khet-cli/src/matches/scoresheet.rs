//! The record of a game of the match.

use khet::{Comment, Record, TagError, TreePath};

use super::referee::{Note, Played};
use crate::date::today;

/// What an engine says is repeated up to this length.
const MAX_TEXT: usize = 200;

/// What the record tells about a game besides the game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heading<'a> {
    pub(crate) round: &'a str,
    /// The names of Silver and Red.
    pub(crate) names: [&'a str; 2],
    pub(crate) time_control: &'a str,
    pub(crate) seed: u64,
}

/// Writes a game down.
pub(crate) fn record(heading: &Heading<'_>, played: &Played) -> Result<Record, TagError> {
    let mut record = Record::from_game(&played.game);
    record.set_outcome(played.end.outcome);
    let [silver, red] = heading.names;
    for (name, value) in [
        ("Event", "Engine match"),
        ("Site", "khet"),
        ("Date", &today()),
        ("Round", heading.round),
        ("Silver", silver),
        ("Red", red),
        ("TimeControl", heading.time_control),
    ] {
        record.set_tag(name, &plain(value))?;
    }
    let mut add = |plies: usize, comment: Option<Comment>| {
        if let Some(comments) = record.comments_mut(&TreePath::main_line(plies)) {
            comments.extend(comment);
        }
    };
    let opening = played.opening;
    if opening > 0 {
        let text = format!("end of the random opening, seed {}", heading.seed);
        add(opening, Comment::new(text).ok());
    }
    for (index, note) in played.notes.iter().enumerate() {
        add(opening + index + 1, comment(note));
    }
    if let Some(remark) = &played.end.remark {
        let termination = played.end.outcome.termination;
        let remark = Comment::new(format!("{termination}: {}", plain(remark)));
        add(played.game.moves().len(), remark.ok());
    }
    Ok(record)
}

/// What the engine and its clock said to a move.
fn comment(note: &Note) -> Option<Comment> {
    let clock = note.clock.map(Comment::from_clock);
    let evaluation = note.evaluation.map(Comment::from_eval);
    match (clock, evaluation) {
        (Some(clock), Some(evaluation)) => {
            Comment::new(format!("{} {}", clock.text(), evaluation.text())).ok()
        }
        (clock, evaluation) => clock.or(evaluation),
    }
}

/// One line without braces, whatever an engine wrote.
pub(crate) fn plain(text: &str) -> String {
    let tame = |letter: char| match letter {
        '{' => '(',
        '}' => ')',
        _ if letter.is_control() => ' ',
        _ => letter,
    };
    text.chars().take(MAX_TEXT).map(tame).collect()
}
