//! A slow, plain reference implementation of the expansion "Tower of Kadesh", which tests compare
//! the fast library with.
//!
//! It is written from the rule page and the notation page alone and shares no code with the
//! library. A position is a map from squares to pieces, and every rule is spelled out where it is
//! used. Anything that needs the history of a game (draws by repetition or agreement, resignation)
//! is not here.
//!
//! Positions, moves and hits go in and out as text in the notation.

// Each test that includes this module uses a part of it.
#![allow(dead_code, unused_imports)]

use std::collections::BTreeMap;

pub use faults::is_valid;
pub use moves::MoveEffect;
pub use random::{Rng, random_position};
pub use shot::{Beam, BeamEnd, Shot};

mod faults;
mod moves;
mod notation;
mod random;
mod shot;

/// The printed rules whose swap applies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edition {
    /// A djed swaps with pieces of either colour.
    Standard,
    /// A djed swaps with pieces of its own colour only.
    Czech,
}

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Color {
    Silver,
    Red,
}

impl Color {
    pub fn other(self) -> Color {
        match self {
            Color::Silver => Color::Red,
            Color::Red => Color::Silver,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Color::Silver => "silver",
            Color::Red => "red",
        }
    }

    /// The ground square at which the laser is: Silver's at `j1`, Red's at `a8`.
    fn laser_corner(self) -> Square {
        match self {
            Color::Silver => Square { level: Level::Ground, file: 9, rank: 0 },
            Color::Red => Square { level: Level::Ground, file: 0, rank: 7 },
        }
    }

    /// The two directions that look into the board from the corner of the laser.
    fn sphinx_directions(self) -> [Direction; 2] {
        match self {
            Color::Silver => [Direction::N, Direction::W],
            Color::Red => [Direction::S, Direction::E],
        }
    }
}

/// The direction in which a beam travels, or a side of a piece, or a face of the column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Direction {
    N,
    E,
    S,
    W,
}

impl Direction {
    fn letter(self) -> char {
        match self {
            Direction::N => 'N',
            Direction::E => 'E',
            Direction::S => 'S',
            Direction::W => 'W',
        }
    }

    fn opposite(self) -> Direction {
        match self {
            Direction::N => Direction::S,
            Direction::E => Direction::W,
            Direction::S => Direction::N,
            Direction::W => Direction::E,
        }
    }

    /// Reads the digit of an Anubis (its front) or a sphinx (the direction in which it fires).
    fn from_digit(digit: u8) -> Direction {
        match digit {
            1 => Direction::N,
            2 => Direction::E,
            3 => Direction::S,
            4 => Direction::W,
            _ => panic!("{digit} is no direction"),
        }
    }

    /// The number of files to the east and of ranks to the north of one step.
    fn offset(self) -> (i32, i32) {
        match self {
            Direction::N => (0, 1),
            Direction::E => (1, 0),
            Direction::S => (0, -1),
            Direction::W => (-1, 0),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    Ground,
    Upper,
}

impl Level {
    fn other(self) -> Level {
        match self {
            Level::Ground => Level::Upper,
            Level::Upper => Level::Ground,
        }
    }
}

/// A square of one of the two levels, in the ground's coordinates: file 0 is `a`, 9 is `j`; rank 0
/// is `1`, 7 is `8`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Square {
    level: Level,
    file: i32,
    rank: i32,
}

impl Square {
    /// A small file letter on the ground, a capital one on the upper level.
    fn name(self) -> String {
        let first = match self.level {
            Level::Ground => b'a',
            Level::Upper => b'A',
        };
        let file = char::from(first + self.file as u8);
        let rank = char::from(b'1' + self.rank as u8);
        [file, rank].iter().collect()
    }

    /// Reads the name of a square within the 10x8 squares of the board, of either level.
    fn from_name(name: &str) -> Option<Square> {
        let &[file, rank] = name.as_bytes() else { return None };
        let (level, file) = match file {
            b'a'..=b'j' => (Level::Ground, file - b'a'),
            b'A'..=b'J' => (Level::Upper, file - b'A'),
            _ => return None,
        };
        let rank = match rank {
            b'1'..=b'8' => rank - b'1',
            _ => return None,
        };
        Some(Square { level, file: file.into(), rank: rank.into() })
    }

    /// Returns the square `east` files to the right and `north` ranks up, on the same level. It may
    /// lie outside the board.
    fn offset(self, east: i32, north: i32) -> Square {
        Square { level: self.level, file: self.file + east, rank: self.rank + north }
    }

    /// The square straight above or below.
    fn on_other_level(self) -> Square {
        Square { level: self.level.other(), ..self }
    }

    /// Returns the only colour that may stand on the square, none if it is neutral.
    fn reserved_for(self) -> Option<Color> {
        match self.level {
            // All squares of the upper level are neutral.
            Level::Upper => None,
            Level::Ground => {
                let name = self.name();
                // a1 to a8, i1 and i8 are for Red only.
                if name.starts_with('a') || name == "i1" || name == "i8" {
                    Some(Color::Red)
                // j1 to j8, b1 and b8 are for Silver only.
                } else if name.starts_with('j') || name == "b1" || name == "b8" {
                    Some(Color::Silver)
                } else {
                    None
                }
            }
        }
    }

    fn is_reserved_for_other_than(self, color: Color) -> bool {
        self.reserved_for() == Some(color.other())
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Pharaoh,
    Pyramid,
    Djed,
    Obelisk,
    Eye,
    Scarab,
    Anubis,
    Sphinx,
}

/// A piece, or a stack of two obelisks, which is an obelisk with the digit 2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Piece {
    color: Color,
    kind: Kind,
    /// The digit of the notation; 0 for a pharaoh, which has none.
    digit: u8,
}

/// The digit after a quarter turn clockwise, where the digits 1 to 4 go round clockwise.
fn next_of_four(digit: u8) -> u8 {
    match digit {
        1 => 2,
        2 => 3,
        3 => 4,
        4 => 1,
        _ => panic!("{digit} is not one of four orientations"),
    }
}

/// The digit of the other one of the two lines `\` and `/`.
fn other_of_two(digit: u8) -> u8 {
    match digit {
        1 => 2,
        2 => 1,
        _ => panic!("{digit} is not one of two lines"),
    }
}

impl Piece {
    fn is_single_obelisk(self) -> bool {
        self.kind == Kind::Obelisk && self.digit == 1
    }

    fn is_stack(self) -> bool {
        self.kind == Kind::Obelisk && self.digit == 2
    }

    /// Returns the piece rotated by 90 degrees clockwise.
    fn rotated_clockwise(self) -> Piece {
        let digit = match self.kind {
            // They look the same from all sides.
            Kind::Pharaoh | Kind::Obelisk => self.digit,
            // A quarter turn takes `\` to `/` and `/` to `\`.
            Kind::Djed | Kind::Eye | Kind::Scarab => other_of_two(self.digit),
            // NE, SE, SW, NW and N, E, S, W are in clockwise order.
            Kind::Pyramid | Kind::Anubis | Kind::Sphinx => next_of_four(self.digit),
        };
        Piece { digit, ..self }
    }

    fn rotated_counterclockwise(self) -> Piece {
        self.rotated_clockwise().rotated_clockwise().rotated_clockwise()
    }
}

/// A position with the tower.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// The pieces of both levels.
    pieces: BTreeMap<Square, Piece>,
    /// The ground square in the south-west of the column.
    column: Square,
    side_to_move: Color,
}

impl Position {
    /// Returns a position without pieces. Panics if the column can't stand there.
    pub fn empty(column: &str, side_to_move: Color) -> Position {
        let column = Square::from_name(column).expect("a square for the column");
        assert!(may_stand_at(column), "the column can't stand on {}", column.name());
        Position { pieces: BTreeMap::new(), column, side_to_move }
    }

    /// Puts a piece such as `P2` on a square such as `G6`, even where it may not stand.
    pub fn put(&mut self, piece: &str, square: &str) {
        let chars: Vec<char> = piece.chars().collect();
        let (piece, length) = notation::read_piece(&chars).expect("a piece");
        assert_eq!(length, chars.len(), "one piece");
        let square = Square::from_name(square).expect("a square");
        assert!(
            square.level == Level::Ground || self.is_within_upper_level(square),
            "{} is not on the upper level",
            square.name()
        );
        self.pieces.insert(square, piece);
    }

    /// Returns the pieces and their squares in notation, for example `("P2", "G6")`.
    pub fn pieces(&self) -> Vec<(String, String)> {
        let in_notation =
            |(square, piece): (&Square, &Piece)| (notation::write_piece(*piece), square.name());
        self.pieces.iter().map(in_notation).collect()
    }

    /// Returns the lower left ground square of the column.
    pub fn column(&self) -> String {
        self.column.name()
    }

    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Returns the names of all squares on which pieces can stand: 76 on the ground, 32 above.
    pub fn squares(&self) -> Vec<String> {
        self.all_squares().into_iter().map(Square::name).collect()
    }

    fn get(&self, square: Square) -> Option<Piece> {
        self.pieces.get(&square).copied()
    }

    fn set(&mut self, square: Square, piece: Option<Piece>) {
        match piece {
            Some(piece) => self.pieces.insert(square, piece),
            None => self.pieces.remove(&square),
        };
    }

    /// Is the square, of whichever level, one of the 2x2 squares of the column?
    fn is_column(&self, square: Square) -> bool {
        let east = square.file - self.column.file;
        let north = square.rank - self.column.rank;
        (0..2).contains(&east) && (0..2).contains(&north)
    }

    /// The 6x6 squares of the upper level are centred on the column, so they begin two files to the
    /// left of it and two ranks below it.
    fn is_within_upper_level(&self, square: Square) -> bool {
        let east = square.file - (self.column.file - 2);
        let north = square.rank - (self.column.rank - 2);
        square.level == Level::Upper && (0..6).contains(&east) && (0..6).contains(&north)
    }

    /// Is there such a square: on the board or on the upper level, and not taken by the column?
    fn has_square(&self, square: Square) -> bool {
        let is_inside = match square.level {
            Level::Ground => is_on_board(square),
            Level::Upper => self.is_within_upper_level(square),
        };
        is_inside && !self.is_column(square)
    }

    fn all_squares(&self) -> Vec<Square> {
        let mut squares = Vec::new();
        for level in [Level::Ground, Level::Upper] {
            for rank in 0..8 {
                for file in 0..10 {
                    let square = Square { level, file, rank };
                    if self.has_square(square) {
                        squares.push(square);
                    }
                }
            }
        }
        squares
    }

    /// Is it one of the four corners of the upper level, where no pharaoh may stand?
    fn is_upper_corner(&self, square: Square) -> bool {
        let (west, east) = (self.column.file - 2, self.column.file + 3);
        let (south, north) = (self.column.rank - 2, self.column.rank + 3);
        square.level == Level::Upper
            && (square.file == west || square.file == east)
            && (square.rank == south || square.rank == north)
    }

    /// Counts the pieces of one kind and colour on both levels; a stack is two obelisks.
    fn count(&self, color: Color, kind: Kind) -> usize {
        let mut count = 0;
        for piece in self.pieces.values() {
            if piece.color == color && piece.kind == kind {
                count += if piece.is_stack() { 2 } else { 1 };
            }
        }
        count
    }
}

/// Is the square, of whichever level, within the 10x8 squares of the board?
fn is_on_board(square: Square) -> bool {
    (0..10).contains(&square.file) && (0..8).contains(&square.rank)
}

/// May the column have this lower left square? It stands on four neutral ground squares, and the
/// upper level, two squares wider on each side, lies wholly above the board.
fn may_stand_at(column: Square) -> bool {
    let stands_on =
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(east, north)| column.offset(east, north));
    let lower_left = column.offset(-2, -2);
    let upper_right = column.offset(3, 3);
    column.level == Level::Ground
        && is_on_board(lower_left)
        && is_on_board(upper_right)
        && stands_on.iter().all(|square| square.reserved_for().is_none())
}
