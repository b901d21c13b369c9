//! The coordinates of a drawing, and which side of the board is at its bottom.
//!
//! A square is 100 units wide. The squares fill 0 to 1000 by 0 to 800; the wall with coordinates and
//! lasers surrounds them.

use std::fmt::{self, Write as _};

use khet::{Color, Direction, Piece, Square};

/// The width of a square.
pub const SIDE: f64 = 100.0;
/// The thickness of the wall.
pub const WALL: f64 = 40.0;
/// The width and height of the drawing, including the wall.
pub const SIZE: (f64, f64) = (10.0 * SIDE + 2.0 * WALL, 8.0 * SIDE + 2.0 * WALL);
/// The drawing's `viewBox`.
pub const VIEW_BOX: &str = "-40 -40 1080 880";

/// A point of the drawing; `x` grows to the right and `y` downwards.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// Units to the right.
    pub x: f64,
    /// Units down.
    pub y: f64,
}

impl Point {
    /// Creates a point.
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// Returns the point translated by a vector.
    pub fn plus(self, x: f64, y: f64) -> Point {
        Point::new(self.x + x, self.y + y)
    }

    /// Returns the point rotated around the origin by quarter turns clockwise.
    pub fn rotated(self, quarters: u8) -> Point {
        (0..quarters & 3).fold(self, |point, _| Point::new(-point.y, point.x))
    }

    /// Returns the distance to another point.
    pub fn distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

impl fmt::Display for Point {
    /// Writes the point as in the data of a path: `12,-3.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", short(self.x), short(self.y))
    }
}

/// Rounds a number to one decimal, which is precise enough and keeps drawings short.
pub fn short(number: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (number * 10.0).round() / 10.0 + 0.0
}

/// Returns the data of a path that joins points by lines.
pub fn path(points: &[Point]) -> String {
    let mut path = String::new();
    for (index, point) in points.iter().enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        // Writing to a string does not fail.
        let _ = write!(path, "{command}{point}");
    }
    path
}

/// The orientation of the board: which side is at the bottom.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Seat {
    bottom: Color,
}

impl Seat {
    /// Creates the orientation with this side at the bottom.
    pub const fn new(bottom: Color) -> Seat {
        Seat { bottom }
    }

    /// Returns the center of a square.
    pub fn center(self, square: Square) -> Point {
        let seen = self.flipped(square);
        Point::new(
            (f64::from(seen.file()) + 0.5) * SIDE,
            (f64::from(Square::RANKS - 1 - seen.rank()) + 0.5) * SIDE,
        )
    }

    /// Returns the square at a point.
    pub fn square_at(self, point: Point) -> Option<Square> {
        let (column, row) = ((point.x / SIDE).floor(), (point.y / SIDE).floor());
        if !(0.0..10.0).contains(&column) || !(0.0..8.0).contains(&row) {
            return None;
        }
        self.at(column as u8, row as u8)
    }

    /// Returns the square in a column from the left and a row from the top.
    pub fn at(self, column: u8, row: u8) -> Option<Square> {
        let rank = (Square::RANKS - 1).checked_sub(row)?;
        Square::new(column, rank).map(|square| self.flipped(square))
    }

    /// Returns the adjacent square in a direction of the drawing.
    pub fn neighbor(self, square: Square, direction: Direction) -> Option<Square> {
        square.neighbor(self.direction(direction))
    }

    /// Converts a direction of the board to one of the drawing, and the reverse.
    pub const fn direction(self, direction: Direction) -> Direction {
        match self.bottom {
            Color::Silver => direction,
            Color::Red => direction.opposite(),
        }
    }

    /// Returns the unit vector in the drawing of a direction of the board.
    pub fn step(self, direction: Direction) -> (f64, f64) {
        let (files, ranks) = self.direction(direction).step();
        (f64::from(files), -f64::from(ranks))
    }

    /// Returns a piece with the orientation that it has in the drawing.
    pub const fn piece(self, piece: Piece) -> Piece {
        match self.bottom {
            Color::Silver => piece,
            Color::Red => piece.rotated(2),
        }
    }

    /// Returns the square at which the drawing shows a square.
    const fn flipped(self, square: Square) -> Square {
        match self.bottom {
            Color::Silver => square,
            Color::Red => square.flipped(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_at_is_the_inverse_of_center() {
        for seat in Color::ALL.map(Seat::new) {
            for square in Square::all() {
                assert_eq!(seat.square_at(seat.center(square)), Some(square));
            }
        }
    }

    #[test]
    fn chosen_side_is_at_the_bottom() {
        assert_eq!(Seat::new(Color::Silver).center(Square::A1), Point::new(50.0, 750.0));
        assert_eq!(Seat::new(Color::Red).center(Square::A1), Point::new(950.0, 50.0));
        assert_eq!(Seat::new(Color::Red).neighbor(Square::A8, Direction::West), Some(Square::B8));
    }

    #[test]
    fn points_on_the_wall_have_no_square() {
        let seat = Seat::new(Color::Silver);
        for (x, y) in [(-1.0, 50.0), (1000.0, 50.0), (50.0, -0.1), (50.0, 800.0), (f64::NAN, 1.0)] {
            assert_eq!(seat.square_at(Point::new(x, y)), None);
        }
    }

    #[test]
    fn numbers_have_at_most_one_decimal() {
        assert_eq!(Point::new(-0.01, 12.34).to_string(), "0,12.3");
        assert_eq!(path(&[Point::new(1.0, 2.0), Point::new(3.5, 4.0)]), "M1,2L3.5,4");
    }
}
