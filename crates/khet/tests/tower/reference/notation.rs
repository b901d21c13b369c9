//! Reads and writes positions.

use std::collections::BTreeMap;

use super::{Color, Kind, Level, Piece, Position, Square, may_stand_at};

/// The letters of Silver's pieces, each with its largest digit.
const LETTERS: [(char, Kind, u8); 8] = [
    ('K', Kind::Pharaoh, 0),
    ('P', Kind::Pyramid, 4),
    ('D', Kind::Djed, 2),
    ('O', Kind::Obelisk, 2),
    ('E', Kind::Eye, 2),
    ('S', Kind::Scarab, 2),
    ('A', Kind::Anubis, 4),
    ('X', Kind::Sphinx, 4),
];

/// Writes a piece: upper case for Silver, lower case for Red, then the digit.
pub(super) fn write_piece(piece: Piece) -> String {
    let mut text = String::new();
    for (letter, kind, _) in LETTERS {
        if kind == piece.kind {
            text.push(match piece.color {
                Color::Silver => letter,
                Color::Red => letter.to_ascii_lowercase(),
            });
        }
    }
    if piece.kind != Kind::Pharaoh {
        text.push_str(&piece.digit.to_string());
    }
    text
}

/// Reads the piece at the beginning of a text. Returns it with the number of characters.
pub(super) fn read_piece(chars: &[char]) -> Result<(Piece, usize), String> {
    let first = *chars.first().ok_or("a piece is missing")?;
    for (letter, kind, digits) in LETTERS {
        let color = if first == letter {
            Color::Silver
        } else if first == letter.to_ascii_lowercase() {
            Color::Red
        } else {
            continue;
        };
        if kind == Kind::Pharaoh {
            return Ok((Piece { color, kind, digit: 0 }, 1));
        }
        let digit = chars.get(1).and_then(|digit| digit.to_digit(10)).unwrap_or(0) as u8;
        if digit < 1 || digit > digits {
            return Err(format!("after {first:?} comes a digit from 1 to {digits}"));
        }
        return Ok((Piece { color, kind, digit }, 2));
    }
    Err(format!("{first:?} is no piece"))
}

/// Writes one rank: the pieces, and numbers of empty squares between them.
fn write_rank(rank: &[Option<Piece>]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for square in rank {
        match square {
            None => empty += 1,
            Some(piece) => {
                if empty > 0 {
                    text.push_str(&empty.to_string());
                    empty = 0;
                }
                text.push_str(&write_piece(*piece));
            }
        }
    }
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
    text
}

/// Reads one rank of that many squares.
fn read_rank(text: &str, squares: usize) -> Result<Vec<Option<Piece>>, String> {
    let chars: Vec<char> = text.chars().collect();
    let mut rank = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if chars[at].is_ascii_digit() {
            let mut number = String::new();
            while at < chars.len() && chars[at].is_ascii_digit() {
                number.push(chars[at]);
                at += 1;
            }
            let empty: usize = number.parse().map_err(|_| format!("{number} is too large"))?;
            if empty > squares {
                return Err(format!("{number} is too large"));
            }
            rank.extend(vec![None; empty]);
        } else {
            let (piece, length) = read_piece(&chars[at..])?;
            rank.push(Some(piece));
            at += length;
        }
    }
    if rank.len() != squares {
        return Err(format!("rank {text:?} has {} squares, not {squares}", rank.len()));
    }
    Ok(rank)
}

impl Position {
    /// Reads a position. Accepts only the canonical text; the position may still have faults (see
    /// `faults`).
    pub fn read(text: &str) -> Result<Position, String> {
        let (placement, side) = text.split_once(' ').ok_or("there is no side to move")?;
        let side_to_move = match side {
            "s" => Color::Silver,
            "r" => Color::Red,
            _ => return Err(format!("{side:?} is no side")),
        };
        // After the ground follow `+`, the column's lower left square, `:` and the upper level.
        let (ground, tower) = placement.split_once('+').ok_or("there is no tower")?;
        let (column, upper) = tower.split_once(':').ok_or("there is no colon after the column")?;
        let column = Square::from_name(column).ok_or("the column stands on no square")?;
        if !may_stand_at(column) {
            return Err(format!("the column can't stand on {}", column.name()));
        }
        let mut position = Position { pieces: BTreeMap::new(), column, side_to_move };

        // The ranks of the ground from 8 down to 1, with a slash between them, ten squares each.
        let ranks: Vec<&str> = ground.split('/').collect();
        if ranks.len() != 8 {
            return Err(format!("the ground has {} ranks, not 8", ranks.len()));
        }
        for (nth, rank_text) in ranks.iter().enumerate() {
            for (file, piece) in read_rank(rank_text, 10)?.into_iter().enumerate() {
                let (file, rank) = (file as i32, 7 - nth as i32);
                position.set(Square { level: Level::Ground, file, rank }, piece);
            }
        }

        // The six ranks of the upper level from the top, six squares each.
        let ranks: Vec<&str> = upper.split('/').collect();
        if ranks.len() != 6 {
            return Err(format!("the upper level has {} ranks, not 6", ranks.len()));
        }
        for (nth, rank_text) in ranks.iter().enumerate() {
            for (nth_file, piece) in read_rank(rank_text, 6)?.into_iter().enumerate() {
                let file = column.file - 2 + nth_file as i32;
                let rank = column.rank + 3 - nth as i32;
                position.set(Square { level: Level::Upper, file, rank }, piece);
            }
        }

        // There is exactly one way to write a position.
        if position.write() != text {
            return Err(format!("the canonical text is {:?}", position.write()));
        }
        Ok(position)
    }

    /// Writes the position.
    pub fn write(&self) -> String {
        let side = match self.side_to_move {
            Color::Silver => 's',
            Color::Red => 'r',
        };
        format!("{} {side}", self.arrangement())
    }

    /// Writes the arrangement, which is what repetitions count: the same pieces and colours on the
    /// same squares in the same orientations and the tower at the same place, whoever is to move.
    pub fn arrangement(&self) -> String {
        let mut ground = Vec::new();
        for rank in (0..8).rev() {
            let square = |file| Square { level: Level::Ground, file, rank };
            let pieces: Vec<_> = (0..10).map(|file| self.get(square(file))).collect();
            ground.push(write_rank(&pieces));
        }
        let mut upper = Vec::new();
        for rank in (self.column.rank - 2..self.column.rank + 4).rev() {
            let square = |file| Square { level: Level::Upper, file, rank };
            let files = self.column.file - 2..self.column.file + 4;
            let pieces: Vec<_> = files.map(|file| self.get(square(file))).collect();
            upper.push(write_rank(&pieces));
        }
        format!("{}+{}:{}", ground.join("/"), self.column.name(), upper.join("/"))
    }
}
