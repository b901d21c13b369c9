//! Lines of moves with the effect of each shot, in the notation of game records.

use khet::tower::Square;
use khet::{AnyPosition, Color, GamePosition, Move, Shot};
use serde::Serialize;

/// A move of a line, with the effect of its shot: `xg3`, or an empty string.
#[derive(Serialize)]
pub(super) struct LineMove {
    #[serde(rename = "move")]
    pub(super) mv: Move<Square>,
    pub(super) shot: String,
}

impl LineMove {
    fn new(mv: Move<Square>, shot: &Shot<Square>) -> LineMove {
        LineMove { mv, shot: shot.to_string() }
    }
}

impl std::fmt::Display for LineMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(format!("{} {}", self.mv, self.shot).trim_end())
    }
}

/// Plays a line to find the effect of each shot. Stops at the first illegal move.
pub(super) fn play_line(mut position: AnyPosition, line: &[Move<Square>]) -> Vec<LineMove> {
    let play = |&mv: &Move<Square>| position.play(mv).ok().map(|shot| LineMove::new(mv, &shot));
    line.iter().map_while(play).collect()
}

/// Returns the move number of a ply, `1.` or `1...`. Plies count from 0; even plies are Silver's.
pub(super) fn move_number(ply: usize) -> String {
    let dots = if ply.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", ply / 2 + 1)
}

/// Returns a line with move numbers: `1... a5b5 xa4 2. j4i3 xj5`
pub(super) fn numbered_line(side_to_move: Color, line: &[LineMove]) -> String {
    let first_ply = side_to_move as usize;
    let mut text = String::new();
    for (index, mv) in line.iter().enumerate() {
        let ply = first_ply + index;
        if index > 0 {
            text.push(' ');
        }
        if index == 0 || ply.is_multiple_of(2) {
            text.push_str(&move_number(ply));
            text.push(' ');
        }
        text.push_str(&mv.to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    #[test]
    fn lines_are_numbered_as_in_records() {
        let position = AnyPosition::from(Setup::Classic.position());
        let line = ["h2+", "a5b5", "j4i3"].map(|mv| mv.parse().expect("a move"));
        let silver = numbered_line(Color::Silver, &play_line(position, &line));
        assert_eq!(silver, "1. h2+ a5b5 xa4 2. j4i3 xj5");
        let mut next = position;
        next.play(line[0]).expect("a legal move");
        let red = numbered_line(Color::Red, &play_line(next, &line[1..]));
        assert_eq!(red, "1... a5b5 xa4 2. j4i3 xj5");
    }

    #[test]
    fn a_move_is_called_move_in_json() {
        let line = play_line(Setup::Classic.position().into(), &["j4i3".parse().expect("a move")]);
        let json = serde_json::to_string(&line).expect("JSON");
        assert_eq!(json, r#"[{"move":"j4i3","shot":"xj5"}]"#);
    }
}
