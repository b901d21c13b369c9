//! The coordinates of a drawing, and which side of the board is at its bottom.
//!
//! A square is 100 units wide. The squares fill 0 to 1000 by 0 to 800, or 0 to 800 by 0 to 1000 if
//! the board stands upright; the wall with coordinates and lasers surrounds them. The upper level of
//! a tower is drawn above the ground, moved by [`LIFT`]; it stays within the wall.

use std::fmt::{self, Write as _};

use khet::tower::{self, BoardLevel, TowerColumn};
use khet::{BoardSquare, Color, Direction, Piece, Square};

/// The width of a square.
pub const SIDE: f64 = 100.0;
/// The thickness of the wall.
pub const WALL: f64 = 40.0;
/// The width and height of the drawing, including the wall.
pub const SIZE: (f64, f64) = (10.0 * SIDE + 2.0 * WALL, 8.0 * SIDE + 2.0 * WALL);
/// The vector from a square of the ground to the square above it. It is oblique, so that beams on
/// both levels never cover each other, and less than the thickness of the wall. Its direction is
/// (0.6, -0.8), which [`along`] writes without loss.
pub const LIFT: (f64, f64) = (28.5, -38.0);
/// The drawing's `viewBox`.
pub const VIEW_BOX: &str = "-40 -40 1080 880";
/// The `viewBox` of the drawing of an upright board.
const UPRIGHT_VIEW_BOX: &str = "-40 -40 880 1080";

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
        vector_length(self.x - other.x, self.y - other.y)
    }
}

impl fmt::Display for Point {
    /// Writes the point as in the data of a path: `12,-3.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", short(self.x), short(self.y))
    }
}

/// Returns the length of a vector. A square root is one instruction; `f64::hypot` would be linked
/// into the app.
pub fn vector_length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// Returns the `transform` of a drawing that starts at a point and extends to the right, such that it
/// extends to another point. The points are those of a beam: the line between them is parallel to an
/// edge of the board or to [`LIFT`].
pub fn along(from: Point, to: Point) -> String {
    let length = from.distance(to).max(f64::EPSILON);
    let (x, y) = ((to.x - from.x) / length, (to.y - from.y) / length);
    format!(
        "matrix({} {} {} {} {} {})",
        short(x),
        short(y),
        short(-y),
        short(x),
        short(from.x),
        short(from.y)
    )
}

/// Returns the clockwise angle of a horizontal or vertical segment, in degrees from the right.
pub fn axis_angle(from: Point, to: Point) -> i32 {
    let (x, y) = (to.x - from.x, to.y - from.y);
    match (x.abs() > y.abs(), x + y > 0.0) {
        (true, true) => 0,
        (true, false) => 180,
        (false, true) => 90,
        (false, false) => -90,
    }
}

/// A coordinate as drawings write it: with at most one decimal, which is precise enough.
///
/// The standard formatting of floats would add 14 KB to the app.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coordinate {
    tenths: i32,
}

impl fmt::Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.tenths < 0 { "-" } else { "" };
        let (whole, tenth) = (self.tenths.unsigned_abs() / 10, self.tenths.unsigned_abs() % 10);
        write!(f, "{sign}{whole}")?;
        if tenth != 0 { write!(f, ".{tenth}") } else { Ok(()) }
    }
}

/// Rounds a number to one decimal.
pub fn short(number: f64) -> Coordinate {
    Coordinate { tenths: (number * 10.0).round() as i32 }
}

/// Returns the `transform` that moves a drawing to a point.
pub fn translate(at: Point) -> String {
    format!("translate({} {})", short(at.x), short(at.y))
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

/// The orientation of the board in a drawing: which side is at the bottom, and whether the board
/// is upright.
///
/// An upright board is turned clockwise by a quarter and then 8 squares wide and 10 high, so that
/// its squares are larger on a phone. The back ranks are then its left and right edges, because the
/// long edges of a board are those of the back ranks. Of the two ways to turn it, this one has the
/// laser and the reserved file of the side at the bottom at the lower edge, next to their player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Orientation {
    bottom: Color,
    upright: bool,
}

impl Orientation {
    /// Creates the orientation of a lying board with this side at the bottom.
    pub const fn new(bottom: Color) -> Orientation {
        Orientation { bottom, upright: false }
    }

    /// Returns the orientation of an upright or a lying board.
    #[must_use]
    pub const fn upright(self, upright: bool) -> Orientation {
        Orientation { upright, ..self }
    }

    /// Returns whether the board stands upright.
    pub const fn is_upright(self) -> bool {
        self.upright
    }

    /// Returns the width and height of the drawing, including the wall.
    pub const fn size(self) -> (f64, f64) {
        if self.upright { (SIZE.1, SIZE.0) } else { SIZE }
    }

    /// Returns the width and height of the squares together, without the wall.
    pub const fn squares_size(self) -> (f64, f64) {
        let (width, height) = self.size();
        (width - 2.0 * WALL, height - 2.0 * WALL)
    }

    /// Returns the drawing's `viewBox`.
    pub const fn view_box(self) -> &'static str {
        if self.upright { UPRIGHT_VIEW_BOX } else { VIEW_BOX }
    }

    /// Returns the number of columns and of rows of the drawing.
    pub const fn columns_and_rows(self) -> (u8, u8) {
        if self.upright { (Square::RANKS, Square::FILES) } else { (Square::FILES, Square::RANKS) }
    }

    /// Returns the center of a square, which is moved by [`LIFT`] on the upper level.
    pub fn center(self, square: impl BoardSquare) -> Point {
        let center = self.ground_center(square.ground());
        match square.board_level() {
            BoardLevel::Ground => center,
            BoardLevel::Upper => center.plus(LIFT.0, LIFT.1),
        }
    }

    /// Returns the center of the ground squares on which the column of a tower stands. That of its
    /// upper level is moved by [`LIFT`].
    pub fn column_center(self, column: TowerColumn) -> Point {
        let mut sum = Point::default();
        for square in column.squares() {
            let center = self.ground_center(square);
            sum = sum.plus(center.x, center.y);
        }
        Point::new(sum.x / 4.0, sum.y / 4.0)
    }

    fn ground_center(self, square: Square) -> Point {
        let center = |index: u8| (f64::from(index) + 0.5) * SIDE;
        let lying = Point::new(center(square.file()), center(Square::RANKS - 1 - square.rank()));
        let from_middle = lying.plus(-5.0 * SIDE, -4.0 * SIDE).rotated(self.quarters());
        let (width, height) = self.squares_size();
        from_middle.plus(width / 2.0, height / 2.0)
    }

    /// Returns the square at a point.
    pub fn square_at(self, point: Point) -> Option<Square> {
        let (column, row) = ((point.x / SIDE).floor(), (point.y / SIDE).floor());
        let (columns, rows) = self.columns_and_rows();
        if !(0.0..f64::from(columns)).contains(&column) || !(0.0..f64::from(rows)).contains(&row) {
            return None;
        }
        self.at(column as u8, row as u8)
    }

    /// Returns the square of a board with a tower at a point: one of the upper level, including the
    /// four of the column, where it is drawn, and otherwise one of the ground.
    pub fn tower_square_at(self, point: Point, column: TowerColumn) -> Option<tower::Square> {
        let beneath = self.square_at(point.plus(-LIFT.0, -LIFT.1));
        let is_upper = |square: &Square| (column.upper_level() | column.squares()).has(*square);
        match beneath.filter(is_upper) {
            Some(ground) => Some(tower::Square::new(BoardLevel::Upper, ground)),
            None => self.square_at(point).map(tower::Square::from),
        }
    }

    /// Returns the square in a column from the left and a row from the top.
    pub fn at(self, column: u8, row: u8) -> Option<Square> {
        let (columns, rows) = self.columns_and_rows();
        if column >= columns || row >= rows {
            return None;
        }
        let (file, row) = if self.upright { (row, columns - 1 - column) } else { (column, row) };
        let square = Square::new(file, Square::RANKS - 1 - row)?;
        Some(match self.bottom {
            Color::Silver => square,
            Color::Red => square.flipped(),
        })
    }

    /// Returns the adjacent square in a direction of the drawing.
    pub fn neighbor(self, square: Square, direction: Direction) -> Option<Square> {
        let backwards = (4 - self.quarters()) & 3;
        square.neighbor((0..backwards).fold(direction, |direction, _| direction.clockwise()))
    }

    /// Returns the direction that a direction of the board has in the drawing.
    pub fn direction(self, direction: Direction) -> Direction {
        (0..self.quarters()).fold(direction, |direction, _| direction.clockwise())
    }

    /// Returns the unit vector in the drawing of a direction of the board.
    pub fn step(self, direction: Direction) -> (f64, f64) {
        let (files, ranks) = self.direction(direction).step();
        (f64::from(files), -f64::from(ranks))
    }

    /// Returns a piece with the orientation that it has in the drawing.
    pub const fn piece(self, piece: Piece) -> Piece {
        piece.rotated(self.quarters())
    }

    /// Returns the number of quarter turns clockwise from a lying board with Silver at the bottom.
    const fn quarters(self) -> u8 {
        let half = match self.bottom {
            Color::Silver => 0,
            Color::Red => 2,
        };
        half + self.upright as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Orientation; 4] = [
        Orientation::new(Color::Silver),
        Orientation::new(Color::Red),
        Orientation::new(Color::Silver).upright(true),
        Orientation::new(Color::Red).upright(true),
    ];

    #[test]
    fn coordinates_are_written_with_one_decimal_at_most() {
        let written = [0.0, -0.04, 12.0, -3.54, 47.25, -0.2, 1040.0].map(|x| short(x).to_string());
        assert_eq!(written, ["0", "0", "12", "-3.5", "47.3", "-0.2", "1040"]);
        assert_eq!(translate(Point::new(-7.5, 100.0)), "translate(-7.5 100)");
    }

    #[test]
    fn axis_angles_are_clockwise_from_the_right() {
        let angle = |x, y| axis_angle(Point::new(50.0, 50.0), Point::new(50.0 + x, 50.0 + y));
        assert_eq!(
            [angle(9.0, 0.0), angle(0.0, 9.0), angle(-9.0, 0.0), angle(0.0, -9.0)],
            [0, 90, 180, -90]
        );
    }

    #[test]
    fn square_at_is_the_inverse_of_center() {
        for orientation in ALL {
            for square in Square::all() {
                assert_eq!(orientation.square_at(orientation.center(square)), Some(square));
            }
        }
    }

    #[test]
    fn upper_squares_are_found_where_they_are_drawn() {
        for orientation in ALL {
            for column in TowerColumn::all() {
                for square in column.upper_level() {
                    let upper = tower::Square::new(BoardLevel::Upper, square);
                    let at = orientation.center(upper);
                    assert_eq!(orientation.tower_square_at(at, column), Some(upper));
                    let (width, height) = orientation.squares_size();
                    assert!(at.y - SIDE / 2.0 > -WALL && at.x + SIDE / 2.0 < width + WALL);
                    assert!(at.y < height && at.x > 0.0);
                }
                let corner = Square::laser_corner(Color::Silver);
                if !column.upper_level().has(corner) {
                    let at = orientation.center(corner);
                    assert_eq!(orientation.tower_square_at(at, column), Some(corner.into()));
                }
            }
        }
    }

    #[test]
    fn drawings_along_beams_keep_their_length() {
        let from = Point::new(50.0, 60.0);
        let lines = [(0.0, 200.0), (-30.0, 0.0), LIFT, (-LIFT.0, -LIFT.1)];
        let transforms = lines.map(|(x, y)| along(from, from.plus(x, y)));
        assert_eq!(
            transforms,
            [
                "matrix(0 1 -1 0 50 60)",
                "matrix(-1 0 0 -1 50 60)",
                "matrix(0.6 -0.8 0.8 0.6 50 60)",
                "matrix(-0.6 0.8 -0.8 -0.6 50 60)"
            ]
        );
    }

    #[test]
    fn steps_and_neighbors_agree_with_centers() {
        for orientation in ALL {
            for direction in Direction::ALL {
                let Some(next) = Square::E4.neighbor(direction) else { continue };
                let (x, y) = orientation.step(direction);
                let expected = orientation.center(Square::E4).plus(x * SIDE, y * SIDE);
                assert_eq!(orientation.center(next), expected, "{orientation:?} {direction}");
                let seen = orientation.direction(direction);
                assert_eq!(orientation.neighbor(Square::E4, seen), Some(next));
            }
        }
    }

    #[test]
    fn upright_board_has_the_own_laser_at_the_bottom() {
        for color in Color::ALL {
            let orientation = Orientation::new(color).upright(true);
            let laser = orientation.center(Square::laser_corner(color));
            assert_eq!(laser, Point::new(50.0, 950.0), "{color:?}");
            assert_eq!(orientation.view_box(), "-40 -40 880 1080");
        }
        let upright = Orientation::new(Color::Silver).upright(true);
        assert_eq!(upright.direction(Direction::North), Direction::East);
        let pyramid = Piece::new(Color::Silver, khet::Kind::Pyramid(khet::Corner::NorthEast));
        assert_eq!(upright.piece(pyramid).kind(), khet::Kind::Pyramid(khet::Corner::SouthEast));
    }

    #[test]
    fn chosen_side_is_at_the_bottom() {
        assert_eq!(Orientation::new(Color::Silver).center(Square::A1), Point::new(50.0, 750.0));
        assert_eq!(Orientation::new(Color::Red).center(Square::A1), Point::new(950.0, 50.0));
        assert_eq!(
            Orientation::new(Color::Red).neighbor(Square::A8, Direction::West),
            Some(Square::B8)
        );
    }

    #[test]
    fn points_on_the_wall_have_no_square() {
        let orientation = Orientation::new(Color::Silver);
        for (x, y) in [(-1.0, 50.0), (1000.0, 50.0), (50.0, -0.1), (50.0, 800.0), (f64::NAN, 1.0)] {
            assert_eq!(orientation.square_at(Point::new(x, y)), None);
        }
    }

    #[test]
    fn numbers_have_at_most_one_decimal() {
        assert_eq!(Point::new(-0.01, 12.34).to_string(), "0,12.3");
        assert_eq!(path(&[Point::new(1.0, 2.0), Point::new(3.5, 4.0)]), "M1,2L3.5,4");
    }
}
