//! Marks on squares.

use khet::tower::{BoardLevel, TowerColumn};
use khet::{BoardSquare, Move};

use crate::geometry::{LIFT, Orientation, Point, short};

/// Half of the width of a mark on a square, and on the column of a tower.
const SQUARE: f64 = 47.5;
const COLUMN: f64 = 97.5;

/// Marks the squares of the last move that are on a level. A move of the tower marks the top of its
/// column.
pub fn last<S: BoardSquare>(
    mv: Move<S>,
    column: Option<TowerColumn>,
    level: BoardLevel,
    orientation: Orientation,
) -> String {
    let mark = |class, square: S| {
        if square.board_level() != level {
            return String::new();
        }
        frame(class, orientation.center(square), SQUARE)
    };
    match (mv.squares(), column) {
        (Some([from, to]), _) if from == to => mark("last", from),
        (Some([from, to]), _) => mark("last from", from) + &mark("last to", to),
        (None, Some(column)) if level == BoardLevel::Upper => {
            frame("last", orientation.column_center(column).plus(LIFT.0, LIFT.1), COLUMN)
        }
        (None, _) => String::new(),
    }
}

/// Draws a square frame around a point.
fn frame(class: &str, at: Point, half: f64) -> String {
    let (x, y, width) = (short(at.x - half), short(at.y - half), short(2.0 * half));
    format!(r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{width}" rx="4"/>"#)
}

#[cfg(test)]
mod tests {
    use khet::{Color, Square, tower};

    use super::*;

    /// Returns the number of marks on both levels.
    fn marks<S: BoardSquare>(mv: Move<S>) -> [usize; 2] {
        let orientation = Orientation::new(Color::Silver);
        let column = TowerColumn::new(Square::E4);
        BoardLevel::ALL.map(|level| last(mv, column, level, orientation).matches("<rect").count())
    }

    #[test]
    fn rotation_marks_one_square_and_step_two() {
        let count = |mv: &str| marks::<Square>(mv.parse().expect("a move"));
        assert_eq!([count("h2+"), count("h2g2")], [[1, 0], [2, 0]]);
    }

    #[test]
    fn climbing_marks_both_levels_and_the_tower_its_column() {
        let count = |mv: &str| marks::<tower::Square>(mv.parse().expect("a move"));
        assert_eq!(["c7C7", "C7D6", "T+", "Te5"].map(count), [[1, 1], [0, 2], [0, 1], [0, 1]]);
    }
}
