//! A record with its variations as rows: pairs of moves, remarks, and variations in lines of their own.

use khet::{Color, Move, Position, Record, TreePath, Variation};

use super::study::said;

/// A move in a row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Entry {
    /// The place behind it.
    pub place: TreePath,
    /// Its number, where it is written.
    pub number: Option<String>,
    /// Who played it.
    pub by: Color,
    /// The move.
    pub mv: Move,
    /// What its shot hit: the notation, and whose piece that was.
    pub hits: Vec<(String, Color)>,
    /// Its marks: `!?`
    pub marks: String,
}

/// A row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Row {
    /// Moves of the game under one number; where Silver's is missing, only Red's.
    Moves {
        /// The number.
        number: usize,
        /// The moves.
        entries: Vec<Entry>,
    },
    /// What is written about the move before.
    Remark(String),
    /// Moves of a variation, with remarks between them.
    Variation {
        /// How deep it is nested, from 1.
        depth: usize,
        /// What stands in it.
        parts: Vec<Part>,
    },
}

/// A part of a variation's row.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Part {
    Move(Entry),
    Remark(String),
}

/// The marks by their numbers from 1.
pub const MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// All rows of a record.
pub fn rows(record: &Record) -> Vec<Row> {
    let mut rows = Vec::new();
    let line = record.main_line();
    push_remark(&mut rows, said(&line.comments));
    let mut position = *record.start();
    let mut places = Places { record, place: TreePath::default() };
    for ply in &line.plies {
        let (before, at) = (position, places.place.clone());
        let entry = places.entry(&mut position, ply, false);
        let number = number(&entry, record);
        match rows.last_mut() {
            Some(Row::Moves { number: known, entries }) if *known == number => entries.push(entry),
            _ => rows.push(Row::Moves { number, entries: vec![entry] }),
        }
        push_remark(&mut rows, said(&ply.comments));
        push_variations(record, &ply.variations, &at, before, 1, &mut rows);
    }
    rows
}

fn number(entry: &Entry, record: &Record) -> usize {
    (entry.place.plies() + record.start().side_to_move() as usize - 1) / 2 + 1
}

fn push_remark(rows: &mut Vec<Row>, text: String) {
    if !text.is_empty() {
        rows.push(Row::Remark(text));
    }
}

/// The variations that leave a line at a place, each with its own variations behind the move that they leave.
fn push_variations(
    record: &Record,
    variations: &[Variation],
    at: &TreePath,
    position: Position,
    depth: usize,
    rows: &mut Vec<Row>,
) {
    for (index, line) in variations.iter().enumerate() {
        let mut places = Places { record, place: at.into_variation(index) };
        let mut position = position;
        let mut parts = Vec::new();
        let remark = said(&line.comments);
        if !remark.is_empty() {
            parts.push(Part::Remark(remark));
        }
        let mut interrupted = true;
        for ply in &line.plies {
            let (before, at) = (position, places.place.clone());
            parts.push(Part::Move(places.entry(&mut position, ply, interrupted)));
            let remark = said(&ply.comments);
            interrupted = !remark.is_empty() || !ply.variations.is_empty();
            if !remark.is_empty() {
                parts.push(Part::Remark(remark));
            }
            if !ply.variations.is_empty() {
                rows.push(Row::Variation { depth, parts: std::mem::take(&mut parts) });
                push_variations(record, &ply.variations, &at, before, depth + 1, rows);
            }
        }
        if !parts.is_empty() {
            rows.push(Row::Variation { depth, parts });
        }
    }
}

/// A way along a line.
struct Places<'a> {
    record: &'a Record,
    place: TreePath,
}

impl Places<'_> {
    /// The entry of the next move.
    fn entry(&mut self, position: &mut Position, ply: &khet::Ply, interrupted: bool) -> Entry {
        let by = position.side_to_move();
        self.place = self.place.next();
        // Moves of a record are legal where they stand.
        let hits = position.play(ply.mv).map(|shot| shot.hits).unwrap_or_default();
        let numbered = by == Color::Silver || interrupted;
        let mark = |&mark: &u8| match usize::from(mark).checked_sub(1).and_then(|at| MARKS.get(at))
        {
            Some(known) => (*known).to_owned(),
            None => format!("${mark}"),
        };
        Entry {
            number: numbered.then(|| self.record.move_number_at(&self.place)),
            place: self.place.clone(),
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
        let entry = |entry: &Entry| {
            // The place leads to the move.
            assert_eq!(record.ply_at(&entry.place).map(|ply| ply.mv), Some(entry.mv));
            let number = entry.number.clone().unwrap_or_default();
            format!("{number}{}{}", entry.mv, entry.marks)
        };
        let part = |part: &Part| match part {
            Part::Move(mv) => entry(mv),
            Part::Remark(text) => format!("{{{text}}}"),
        };
        let row = |row: &Row| match row {
            Row::Moves { number, entries } => {
                format!("{number}: {}", entries.iter().map(&entry).collect::<Vec<_>>().join(" "))
            }
            Row::Remark(text) => format!("{{{text}}}"),
            Row::Variation { depth, parts } => {
                format!(
                    "{}{}",
                    "-".repeat(*depth),
                    parts.iter().map(part).collect::<Vec<_>>().join(" ")
                )
            }
        };
        rows(&record).iter().map(row).collect()
    }

    #[test]
    fn the_game_stands_in_pairs() {
        assert_eq!(text("1. h2+ $1 c7c6 2. h2-"), ["1: 1.h2+! c7c6", "2: 2.h2-"]);
    }

    #[test]
    fn remarks_and_variations_stand_behind_their_move() {
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
