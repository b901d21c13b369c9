//! The game record of a match game: tags, evaluations, clocks and the reason of the result.

use khet::{AnyPosition, Comment, Record, TagError, TreePath};

use super::referee::{MatchGame, MoveNote};
use crate::date::today;

/// The longest text of an engine that is copied into a record, in characters.
const MAX_TEXT: usize = 200;

/// The tag values of a record that are not part of the game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordHeader<'a> {
    pub(crate) round: &'a str,
    /// Names of Silver and Red.
    pub(crate) names: [&'a str; 2],
    pub(crate) time_control: &'a str,
    pub(crate) seed: u64,
}

/// Returns the record of a game.
pub(crate) fn record(
    header: &RecordHeader<'_>,
    match_game: &MatchGame,
) -> Result<Record<AnyPosition>, TagError> {
    let mut record = Record::from_game(&match_game.game);
    record.set_outcome(match_game.end.outcome);
    let [silver, red] = header.names;
    for (name, value) in [
        ("Event", "Engine match"),
        ("Site", "khet"),
        ("Date", &today()),
        ("Round", header.round),
        ("Silver", silver),
        ("Red", red),
        ("TimeControl", header.time_control),
    ] {
        record.set_tag(name, &sanitize(value))?;
    }
    let mut add = |plies: usize, comment: Option<Comment>| {
        if let Some(comments) = record.comments_mut(&TreePath::main_line(plies)) {
            comments.extend(comment);
        }
    };
    let opening = match_game.opening;
    if opening > 0 {
        let text = format!("end of the random opening, seed {}", header.seed);
        add(opening, Comment::new(text).ok());
    }
    for (index, note) in match_game.notes.iter().enumerate() {
        add(opening + index + 1, comment(note));
    }
    if let Some(remark) = &match_game.end.remark {
        let termination = match_game.end.outcome.termination;
        let remark = Comment::new(format!("{termination}: {}", sanitize(remark)));
        add(match_game.game.moves().len(), remark.ok());
    }
    Ok(record)
}

/// Returns the comment of a move, with `[%clk]` and `[%eval]` as far as they are known.
fn comment(note: &MoveNote) -> Option<Comment> {
    let clock = note.clock.map(Comment::from_clock);
    let evaluation = note.evaluation.map(Comment::from_eval);
    match (clock, evaluation) {
        (Some(clock), Some(evaluation)) => {
            Comment::new(format!("{} {}", clock.text(), evaluation.text())).ok()
        }
        (clock, evaluation) => clock.or(evaluation),
    }
}

/// Makes a text of an engine safe for a record: one line of limited length, without braces.
pub(crate) fn sanitize(text: &str) -> String {
    let replace = |character: char| match character {
        '{' => '(',
        '}' => ')',
        _ if character.is_control() => ' ',
        _ => character,
    };
    text.chars().take(MAX_TEXT).map(replace).collect()
}
