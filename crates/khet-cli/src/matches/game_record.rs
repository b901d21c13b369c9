//! The game record of a match game: tags, evaluations, clocks and the reason of the result.

use khet::{Comment, Record, TagError};

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
) -> Result<Record, TagError> {
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
    let line = record.line_mut();
    if let Some(last) = line.plies.iter_mut().take(match_game.opening).last() {
        let text = format!("end of the random opening, seed {}", header.seed);
        last.comments.extend(Comment::new(text));
    }
    for (ply, note) in line.plies.iter_mut().skip(match_game.opening).zip(&match_game.notes) {
        ply.comments.extend(comment(note));
    }
    if let Some(remark) = &match_game.end.remark {
        let termination = match_game.end.outcome.termination;
        let remark = Comment::new(format!("{termination}: {}", sanitize(remark)));
        match line.plies.last_mut() {
            Some(ply) => ply.comments.extend(remark),
            None => line.comments.extend(remark),
        }
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
