//! The game record of a match game: tags, evaluations, clocks and the reason of the result.

use khet::{Comment, Record, Score, TagError};

use super::referee::{Note, Played};
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
pub(crate) fn record(header: &RecordHeader<'_>, played: &Played) -> Result<Record, TagError> {
    let mut record = Record::from_game(&played.game);
    record.set_score(Score::of_winner(played.ending.winner));
    let [silver, red] = header.names;
    for (name, value) in [
        ("Event", "EngineProcess match"),
        ("Site", "khet"),
        ("Date", &today()),
        ("Round", header.round),
        ("Silver", silver),
        ("Red", red),
        ("TimeControl", header.time_control),
        ("Termination", played.ending.termination.name()),
    ] {
        record.set_tag(name, &sanitize(value))?;
    }
    let line = record.line_mut();
    if let Some(last) = line.plies.iter_mut().take(played.opening).last() {
        let text = format!("end of the random opening, seed {}", header.seed);
        last.comments.extend(Comment::new(text));
    }
    for (ply, note) in line.plies.iter_mut().skip(played.opening).zip(&played.notes) {
        ply.comments.extend(comment(note));
    }
    if let Some(remark) = &played.ending.remark {
        let remark =
            Comment::new(format!("{}: {}", played.ending.termination.name(), sanitize(remark)));
        match line.plies.last_mut() {
            Some(ply) => ply.comments.extend(remark),
            None => line.comments.extend(remark),
        }
    }
    Ok(record)
}

/// Returns the comment of a move, with `[%clk]` and `[%eval]` as far as they are known.
fn comment(note: &Note) -> Option<Comment> {
    let clock = note.clock.map(Comment::from_clock);
    let evaluation = note.evaluation.map(Comment::from_evaluation);
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
