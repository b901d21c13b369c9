//! A game record as rows: pairs of moves, comments, and indented variations.

use khet::{Color, GamePosition, TreePath};

use super::analysis_tree::comment_text;
use crate::rules::{Move, Ply, Position, Record, Variation};

/// A move in a row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MoveEntry {
    /// The path to the position after it.
    pub path: TreePath,
    /// The move number, if it is shown.
    pub number: Option<String>,
    /// The side that plays it.
    pub by: Color,
    /// The move.
    pub mv: Move,
    /// The hits of its shot in notation, with the colour of the piece.
    pub hits: Vec<(String, Color)>,
    /// The annotation marks: `!?`
    pub marks: String,
}

/// A row of the move list.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MoveRow {
    /// The moves of the main line with one number. Silver's is missing if Red moves first, or if a
    /// comment or variation separates the two.
    Moves {
        /// The number.
        number: usize,
        /// The moves.
        entries: Vec<MoveEntry>,
    },
    /// A comment on the move before.
    Comment(String),
    /// Moves of a variation with comments.
    Variation {
        /// Nesting depth, from 1.
        depth: usize,
        /// The moves and comments.
        parts: Vec<VariationPart>,
    },
}

/// A part of a variation's row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum VariationPart {
    Move(MoveEntry),
    Comment(String),
}

/// The annotation marks by their numbers (NAG) from 1.
pub const MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Returns the rows of a record.
pub fn move_rows(record: &Record) -> Vec<MoveRow> {
    let mut rows = Vec::new();
    let line = record.main_line();
    push_comment(&mut rows, comment_text(&line.comments));
    let mut position = *record.start();
    let mut cursor = LineCursor { record, path: TreePath::default() };
    for ply in &line.plies {
        let (before, at) = (position, cursor.path.clone());
        let entry = cursor.entry(&mut position, ply, false);
        let number = round_number(&entry, record);
        match rows.last_mut() {
            Some(MoveRow::Moves { number: known, entries }) if *known == number => {
                entries.push(entry)
            }
            _ => rows.push(MoveRow::Moves { number, entries: vec![entry] }),
        }
        push_comment(&mut rows, comment_text(&ply.comments));
        push_variations(record, &ply.variations, &at, before, 1, &mut rows);
    }
    rows
}

/// Returns the number of the round that a move belongs to.
fn round_number(entry: &MoveEntry, record: &Record) -> usize {
    (entry.path.plies() + record.start().side_to_move() as usize - 1) / 2 + 1
}

fn push_comment(rows: &mut Vec<MoveRow>, text: String) {
    if !text.is_empty() {
        rows.push(MoveRow::Comment(text));
    }
}

/// Adds the rows of the variations that start at a path, each followed by its own variations.
fn push_variations(
    record: &Record,
    variations: &[Variation],
    at: &TreePath,
    position: Position,
    depth: usize,
    rows: &mut Vec<MoveRow>,
) {
    for (index, line) in variations.iter().enumerate() {
        let mut cursor = LineCursor { record, path: at.into_variation(index) };
        let mut position = position;
        let mut parts = Vec::new();
        let comment = comment_text(&line.comments);
        if !comment.is_empty() {
            parts.push(VariationPart::Comment(comment));
        }
        let mut interrupted = true;
        for ply in &line.plies {
            let (before, at) = (position, cursor.path.clone());
            parts.push(VariationPart::Move(cursor.entry(&mut position, ply, interrupted)));
            let comment = comment_text(&ply.comments);
            interrupted = !comment.is_empty() || !ply.variations.is_empty();
            if !comment.is_empty() {
                parts.push(VariationPart::Comment(comment));
            }
            if !ply.variations.is_empty() {
                rows.push(MoveRow::Variation { depth, parts: std::mem::take(&mut parts) });
                push_variations(record, &ply.variations, &at, before, depth + 1, rows);
            }
        }
        if !parts.is_empty() {
            rows.push(MoveRow::Variation { depth, parts });
        }
    }
}

/// A position in a line, while its entries are created in order.
struct LineCursor<'a> {
    record: &'a Record,
    path: TreePath,
}

impl LineCursor<'_> {
    /// Creates the entry of the next move and advances.
    fn entry(&mut self, position: &mut Position, ply: &Ply, interrupted: bool) -> MoveEntry {
        let by = position.side_to_move();
        self.path = self.path.next();
        // All moves of a record are legal.
        let hits = position.play(ply.mv).map(|shot| shot.hits).unwrap_or_default();
        let numbered = by == Color::Silver || interrupted;
        let mark = |&mark: &u8| match usize::from(mark).checked_sub(1).and_then(|at| MARKS.get(at))
        {
            Some(known) => (*known).to_owned(),
            None => format!("${mark}"),
        };
        MoveEntry {
            number: numbered.then(|| self.record.move_number_at(&self.path)),
            path: self.path.clone(),
            by,
            mv: ply.mv,
            hits: hits.iter().map(|hit| (hit.to_string(), hit.piece.color())).collect(),
            marks: ply.marks.iter().map(mark).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(moves: &str) -> Vec<String> {
        let record: Record =
            format!("[Setup \"Classic\"]\n\n{moves} *\n").parse().expect("a record");
        let entry = |entry: &MoveEntry| {
            assert_eq!(record.ply_at(&entry.path).map(|ply| ply.mv), Some(entry.mv));
            let number = entry.number.clone().unwrap_or_default();
            format!("{number}{}{}", entry.mv, entry.marks)
        };
        let part = |part: &VariationPart| match part {
            VariationPart::Move(mv) => entry(mv),
            VariationPart::Comment(text) => format!("{{{text}}}"),
        };
        let row = |row: &MoveRow| match row {
            MoveRow::Moves { number, entries } => {
                format!("{number}: {}", entries.iter().map(&entry).collect::<Vec<_>>().join(" "))
            }
            MoveRow::Comment(text) => format!("{{{text}}}"),
            MoveRow::Variation { depth, parts } => {
                format!(
                    "{}{}",
                    "-".repeat(*depth),
                    parts.iter().map(part).collect::<Vec<_>>().join(" ")
                )
            }
        };
        move_rows(&record).iter().map(row).collect()
    }

    #[test]
    fn main_line_is_grouped_in_pairs() {
        assert_eq!(text("1. h2+ $1 c7c6 2. h2-"), ["1: 1.h2+! c7c6", "2: 2.h2-"]);
    }

    #[test]
    fn comments_and_variations_follow_their_move() {
        let rows =
            text("{all} 1. h2+ {quiet} (1. h2g2 c7c6 (1... c7c8 2. g2h2) 2. g2h2) 1... c7c6");
        let expected = [
            "{all}",
            "1: 1.h2+",
            "{quiet}",
            "-1.h2g2 c7c6",
            "--1...c7c8 2.g2h2",
            "-2.g2h2",
            "1: c7c6",
        ];
        assert_eq!(rows, expected);
    }
}
