//! Marks on squares.

use khet::Move;

use crate::geometry::{Orientation, Point, short};

/// Marks the squares of the last move.
pub fn last(mv: Move, orientation: Orientation) -> String {
    if mv.to() == mv.from() {
        return square_mark("last", orientation.center(mv.from()));
    }
    square_mark("last from", orientation.center(mv.from()))
        + &square_mark("last to", orientation.center(mv.to()))
}

/// Draws the frame of a marked square.
fn square_mark(class: &str, at: Point) -> String {
    let (x, y) = (short(at.x - 47.5), short(at.y - 47.5));
    format!(r#"<rect class="{class}" x="{x}" y="{y}" width="95" height="95" rx="4"/>"#)
}

#[cfg(test)]
mod tests {
    use khet::Color;

    use super::*;

    #[test]
    fn rotation_marks_one_square_and_step_two() {
        let orientation = Orientation::new(Color::Silver);
        let count =
            |mv: &str| last(mv.parse().expect("a move"), orientation).matches("<rect").count();
        assert_eq!([count("h2+"), count("h2g2")], [1, 2]);
    }
}
