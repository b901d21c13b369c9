//! The board in characters: a grid, the pieces, and beams that run over both.

use std::fmt::Write;

use khet::{Color, Corner, Diagonal, Direction, Kind, Piece, Placement, Shot, Square};

/// Columns and rows from one square to the next, its border included.
const WIDTH: usize = 5;
const HEIGHT: usize = 2;
const COLUMNS: usize = WIDTH * Square::FILES as usize + 1;
const ROWS: usize = HEIGHT * Square::RANKS as usize + 1;

/// What a character belongs to, which decides its colour.
#[derive(Clone, Copy, PartialEq)]
enum Ink {
    Grid,
    Reserved(Color),
    Piece(Color),
    Beam(Color),
}

impl Ink {
    /// The ANSI codes. They are dropped where the output is not a terminal.
    fn code(self) -> &'static str {
        match self {
            Ink::Grid => "\x1b[90m",
            Ink::Reserved(Color::Silver) => "\x1b[36m",
            Ink::Reserved(Color::Red) => "\x1b[31m",
            Ink::Piece(Color::Silver) => "\x1b[1;97m",
            Ink::Piece(Color::Red) => "\x1b[1;91m",
            Ink::Beam(Color::Silver) => "\x1b[1;96m",
            Ink::Beam(Color::Red) => "\x1b[1;95m",
        }
    }
}

struct Canvas {
    cells: [[(char, Ink); COLUMNS]; ROWS],
}

/// The drawing, with coordinates, rank 8 at the top.
pub(super) fn draw(placement: &Placement, shot: Option<&Shot>) -> String {
    let mut canvas = Canvas::grid();
    for square in Square::all() {
        canvas.square(square, placement.get(square));
    }
    for (shot, beam) in shot.iter().flat_map(|shot| shot.beams.iter().map(|beam| (*shot, beam))) {
        let ink = Ink::Beam(shot.by);
        // The sphinx or the Eye from which it comes; a laser in the wall is off the board.
        if let Some(first) = beam.steps.first()
            && let Some(origin) = first.square.neighbor(first.arrives.opposite())
        {
            canvas.beam(origin, first.arrives, ink);
        }
        for step in &beam.steps {
            canvas.beam(step.square, step.arrives.opposite(), ink);
            if let Some(leaves) = step.leaves {
                canvas.beam(step.square, leaves, ink);
            }
        }
    }
    canvas.text()
}

impl Canvas {
    fn grid() -> Canvas {
        let mut cells = [[(' ', Ink::Grid); COLUMNS]; ROWS];
        for (row, line) in cells.iter_mut().enumerate() {
            for (column, cell) in line.iter_mut().enumerate() {
                let (first, last) = (column == 0, column == COLUMNS - 1);
                cell.0 = match (row % HEIGHT, column % WIDTH) {
                    (0, 0) => match (row, first, last) {
                        (0, true, _) => '┌',
                        (0, _, true) => '┐',
                        (0, ..) => '┬',
                        (row, true, _) if row == ROWS - 1 => '└',
                        (row, _, true) if row == ROWS - 1 => '┘',
                        (row, ..) if row == ROWS - 1 => '┴',
                        (_, true, _) => '├',
                        (_, _, true) => '┤',
                        _ => '┼',
                    },
                    (0, _) => '─',
                    (_, 0) => '│',
                    _ => ' ',
                };
            }
        }
        Canvas { cells }
    }

    /// Row and column of the middle of a square.
    fn middle(square: Square) -> (usize, usize) {
        let from_top = usize::from(Square::RANKS - 1 - square.rank());
        (HEIGHT * from_top + 1, WIDTH * usize::from(square.file()) + 2)
    }

    /// The piece: its letter, and beside it how it stands.
    fn square(&mut self, square: Square, piece: Option<Piece>) {
        let (row, column) = Canvas::middle(square);
        match piece {
            Some(piece) => {
                let ink = Ink::Piece(piece.color());
                let letter = piece.to_string().chars().next().unwrap_or(' ');
                self.cells[row][column] = (letter, ink);
                self.cells[row][column + 1] = (stance(piece), ink);
            }
            None => {
                if let Some(color) = square.reserved_for() {
                    let sign = if color == Color::Silver { '☥' } else { '◉' };
                    self.cells[row][column] = (sign, Ink::Reserved(color));
                }
            }
        }
    }

    /// From the middle of a square over its border.
    fn beam(&mut self, square: Square, side: Direction, ink: Ink) {
        let (row, column) = Canvas::middle(square);
        match side {
            Direction::North => self.run(row - 1, column, side, ink),
            Direction::South => self.run(row + 1, column, side, ink),
            Direction::East => {
                (column + 1..column + WIDTH - 1).for_each(|at| self.run(row, at, side, ink));
            }
            Direction::West => {
                (column - 2..column).for_each(|at| self.run(row, at, side, ink));
            }
        }
        self.run(row, column, side, ink);
    }

    /// One character of a beam. Pieces stay visible.
    fn run(&mut self, row: usize, column: usize, side: Direction, ink: Ink) {
        let cell = &mut self.cells[row][column];
        if matches!(cell.1, Ink::Piece(_)) {
            return;
        }
        let vertical = matches!(side, Direction::North | Direction::South);
        let crossing = if vertical { '━' } else { '┃' };
        let line = if vertical { '┃' } else { '━' };
        let crosses = matches!(cell.1, Ink::Beam(_)) && (cell.0 == crossing || cell.0 == '╋');
        *cell = (if crosses { '╋' } else { line }, ink);
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (row, line) in self.cells.iter().enumerate() {
            match row % HEIGHT {
                0 => text.push_str("  "),
                _ => {
                    let _ = write!(text, "{} ", usize::from(Square::RANKS) - row / HEIGHT);
                }
            }
            let mut ink = None;
            for &(character, new) in line {
                if ink != Some(new) {
                    let _ = write!(text, "\x1b[0m{}", new.code());
                    ink = Some(new);
                }
                text.push(character);
            }
            text.push_str("\x1b[0m\n");
        }
        text.push_str("  ");
        for file in 'a'..='j' {
            let _ = write!(text, "  {file}  ");
        }
        text
    }
}

/// How a piece stands, in one character.
fn stance(piece: Piece) -> char {
    match piece.kind() {
        Kind::Pharaoh => ' ',
        Kind::Pyramid(Corner::NorthEast) => '◣',
        Kind::Pyramid(Corner::SouthEast) => '◤',
        Kind::Pyramid(Corner::SouthWest) => '◥',
        Kind::Pyramid(Corner::NorthWest) => '◢',
        Kind::Djed(line) | Kind::Eye(line) | Kind::Scarab(line) => match line {
            Diagonal::Falling => '╲',
            Diagonal::Rising => '╱',
        },
        Kind::Obelisk => '1',
        Kind::Stack => '2',
        Kind::Anubis(front) | Kind::Sphinx(front) => match front {
            Direction::North => '↑',
            Direction::East => '→',
            Direction::South => '↓',
            Direction::West => '←',
        },
    }
}
