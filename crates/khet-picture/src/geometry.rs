//! Where things are in the picture of a board, whoever sits at its bottom.
//!
//! A square is 100 units wide. The squares fill 0 to 1000 by 0 to 800; the wall with coordinates and
//! lasers lies around them.

use std::fmt::{self, Write as _};

use khet::{Color, Direction, Piece, Square};

/// The side of a square.
pub const SIDE: f64 = 100.0;
/// How thick the wall is.
pub const WALL: f64 = 40.0;
/// The width and height of the whole picture.
pub const SIZE: (f64, f64) = (10.0 * SIDE + 2.0 * WALL, 8.0 * SIDE + 2.0 * WALL);
/// The part of the plane that the picture shows, as `viewBox` has it.
pub const VIEW_BOX: &str = "-40 -40 1080 880";

/// A point of the picture: units to the right and down.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// Units to the right.
    pub x: f64,
    /// Units down.
    pub y: f64,
}

impl Point {
    /// The point there.
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// This point, moved.
    pub fn plus(self, x: f64, y: f64) -> Point {
        Point::new(self.x + x, self.y + y)
    }

    /// The point after quarter turns clockwise around the middle.
    pub fn turned(self, quarters: u8) -> Point {
        (0..quarters & 3).fold(self, |point, _| Point::new(-point.y, point.x))
    }

    /// How far the other point is.
    pub fn distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

impl fmt::Display for Point {
    /// As paths have it: `12,-3.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", short(self.x), short(self.y))
    }
}

/// A number with at most one decimal: pictures need no more, and stay short.
pub fn short(number: f64) -> f64 {
    // Adding zero makes 0 of -0.
    (number * 10.0).round() / 10.0 + 0.0
}

/// The points of a path, joined by lines.
pub fn path(points: &[Point]) -> String {
    let mut path = String::new();
    for (index, point) in points.iter().enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{command}{point}"); // writing to a string can't fail
    }
    path
}

/// How the board lies before the person who looks at it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Seat {
    bottom: Color,
}

impl Seat {
    /// The seat of the player whose side is at the bottom.
    pub const fn new(bottom: Color) -> Seat {
        Seat { bottom }
    }

    /// The middle of a square.
    pub fn center(self, square: Square) -> Point {
        let seen = self.turned(square);
        Point::new(
            (f64::from(seen.file()) + 0.5) * SIDE,
            (f64::from(Square::RANKS - 1 - seen.rank()) + 0.5) * SIDE,
        )
    }

    /// The square at a point.
    pub fn square_at(self, point: Point) -> Option<Square> {
        let (column, row) = ((point.x / SIDE).floor(), (point.y / SIDE).floor());
        if !(0.0..10.0).contains(&column) || !(0.0..8.0).contains(&row) {
            return None;
        }
        self.at(column as u8, row as u8)
    }

    /// The square in a column from the left and a row from the top.
    pub fn at(self, column: u8, row: u8) -> Option<Square> {
        let rank = (Square::RANKS - 1).checked_sub(row)?;
        Square::new(column, rank).map(|square| self.turned(square))
    }

    /// The square next to this one, in the picture.
    pub fn neighbor(self, square: Square, way: Direction) -> Option<Square> {
        square.neighbor(self.way(way))
    }

    /// A direction of the board as it is seen, and a seen one as it is on the board.
    pub const fn way(self, way: Direction) -> Direction {
        match self.bottom {
            Color::Silver => way,
            Color::Red => way.opposite(),
        }
    }

    /// How many units one step in a direction of the board goes to the right and down.
    pub fn step(self, way: Direction) -> (f64, f64) {
        let (files, ranks) = self.way(way).step();
        (f64::from(files), -f64::from(ranks))
    }

    /// A piece as it is seen.
    pub const fn piece(self, piece: Piece) -> Piece {
        match self.bottom {
            Color::Silver => piece,
            Color::Red => piece.rotated(2),
        }
    }

    const fn turned(self, square: Square) -> Square {
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
    fn every_square_is_found_where_it_is_drawn() {
        for seat in Color::ALL.map(Seat::new) {
            for square in Square::all() {
                assert_eq!(seat.square_at(seat.center(square)), Some(square));
            }
        }
    }

    #[test]
    fn a_players_own_side_is_at_the_bottom() {
        assert_eq!(Seat::new(Color::Silver).center(Square::A1), Point::new(50.0, 750.0));
        assert_eq!(Seat::new(Color::Red).center(Square::A1), Point::new(950.0, 50.0));
        assert_eq!(Seat::new(Color::Red).neighbor(Square::A8, Direction::West), Some(Square::B8));
    }

    #[test]
    fn the_wall_is_no_square() {
        let seat = Seat::new(Color::Silver);
        for (x, y) in [(-1.0, 50.0), (1000.0, 50.0), (50.0, -0.1), (50.0, 800.0), (f64::NAN, 1.0)] {
            assert_eq!(seat.square_at(Point::new(x, y)), None);
        }
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(Point::new(-0.01, 12.34).to_string(), "0,12.3");
        assert_eq!(path(&[Point::new(1.0, 2.0), Point::new(3.5, 4.0)]), "M1,2L3.5,4");
    }
}
