//! Moves one after the other, each with what its shot does, as records write them.

use khet::{Color, Move, Position, Shot};
use serde::Serialize;

/// A move and what its shot does: `xg3`, or nothing.
#[derive(Serialize)]
pub(super) struct Shown {
    pub(super) mv: Move,
    pub(super) shot: String,
}

impl Shown {
    pub(super) fn new(mv: Move, shot: &Shot) -> Shown {
        Shown { mv, shot: shot.to_string() }
    }
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(format!("{} {}", self.mv, self.shot).trim_end())
    }
}

/// Plays a line of moves and tells what their shots do. It ends where a move can't be played.
pub(super) fn shown(mut position: Position, line: &[Move]) -> Vec<Shown> {
    let play = |&mv: &Move| position.play(mv).ok().map(|shot| Shown::new(mv, &shot));
    line.iter().map_while(play).collect()
}

/// The number before a move, counted in plies from 0, Silver's being even: `1.` or `1...`
pub(super) fn number(ply: usize) -> String {
    let dots = if ply.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", ply / 2 + 1)
}

/// A line with numbers: `1... a5b5 xa4 2. j4i3 xj5`
pub(super) fn numbered(mover: Color, line: &[Shown]) -> String {
    let first = mover as usize;
    let mut text = String::new();
    for (index, shown) in line.iter().enumerate() {
        let ply = first + index;
        if index > 0 {
            text.push(' ');
        }
        if index == 0 || ply.is_multiple_of(2) {
            text.push_str(&number(ply));
            text.push(' ');
        }
        text.push_str(&shown.to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    #[test]
    fn lines_are_numbered_as_in_records() {
        let position = Setup::Classic.position();
        let line = ["h2+", "a5b5", "j4i3"].map(|mv| mv.parse().expect("a move"));
        let silver = numbered(Color::Silver, &shown(position, &line));
        assert_eq!(silver, "1. h2+ a5b5 xa4 2. j4i3 xj5");
        let mut next = position;
        next.play(line[0]).expect("a legal move");
        let red = numbered(Color::Red, &shown(next, &line[1..]));
        assert_eq!(red, "1... a5b5 xa4 2. j4i3 xj5");
    }
}
