//! Arrows and circles that the viewer draws on the board with the right mouse button.
//!
//! They are notes for the viewer's own eyes: they are neither sent nor stored, and vanish with the
//! next move or click.

use super::geometry::{Orientation, short};
use super::move_marks;
use crate::rules::Square;

/// An arrow between two squares, or a circle on one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DrawnMark {
    pub(super) from: Square,
    /// The square to which the arrow points. It equals `from` for a circle.
    pub(super) to: Square,
}

/// All marks of a board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct DrawnMarks {
    finished: Vec<DrawnMark>,
    /// The mark that is being drawn.
    pub(super) current: Option<DrawnMark>,
}

impl DrawnMarks {
    /// Returns whether there is no mark.
    pub(super) fn is_empty(&self) -> bool {
        self.finished.is_empty() && self.current.is_none()
    }

    /// Adds the current mark, or removes the one that is already there.
    pub(super) fn finish(&mut self) {
        let Some(mark) = self.current.take() else { return };
        let before = self.finished.len();
        self.finished.retain(|known| *known != mark);
        if self.finished.len() == before {
            self.finished.push(mark);
        }
    }

    /// Draws all marks.
    pub(super) fn markup(&self, orientation: Orientation) -> String {
        let marks = self.finished.iter().chain(&self.current);
        marks.map(|mark| markup(*mark, orientation)).collect()
    }
}

/// Draws a mark.
fn markup(mark: DrawnMark, orientation: Orientation) -> String {
    let from = orientation.center(mark.from);
    if mark.from == mark.to {
        let (x, y) = (short(from.x), short(from.y));
        return format!(r#"<circle class="drawn-circle" cx="{x}" cy="{y}" r="44"/>"#);
    }
    move_marks::arrow("drawn-arrow", from, orientation.center(mark.to))
}

#[cfg(test)]
mod tests {
    use khet::Color;

    use super::*;

    fn mark(from: khet::Square, to: khet::Square) -> DrawnMark {
        DrawnMark { from: from.into(), to: to.into() }
    }

    fn arrow_and_circle() -> [DrawnMark; 2] {
        [mark(khet::Square::A1, khet::Square::C3), mark(khet::Square::A1, khet::Square::A1)]
    }

    #[test]
    fn drawing_a_mark_again_removes_it() {
        let mut marks = DrawnMarks::default();
        let [arrow, circle] = arrow_and_circle();
        for mark in [arrow, circle] {
            marks.current = Some(mark);
            marks.finish();
        }
        assert_eq!(marks.finished, [arrow, circle]);
        marks.current = Some(arrow);
        marks.finish();
        assert_eq!(marks.finished, [circle]);
    }

    #[test]
    fn marks_are_arrows_or_circles() {
        let orientation = Orientation::new(Color::Silver);
        let [arrow, circle] = arrow_and_circle();
        assert!(markup(arrow, orientation).contains("M254.2,545.8L"));
        assert!(markup(circle, orientation).contains(r#"cx="50" cy="750""#));
    }
}
