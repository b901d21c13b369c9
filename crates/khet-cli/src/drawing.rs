//! The board in characters: a grid, the pieces, and beams that run over both.
//!
//! A drawing is rows of characters that know what they belong to. `khet show` turns them into text
//! for any terminal, `khet play` into parts of its screen.

mod figures;

use khet::{BeamEnd, BeamOrigin, Color, Direction, Piece, Placement, Shot, Square};

/// What a character belongs to, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ink {
    /// The names of files and ranks.
    Label,
    Grid,
    Reserved(Color),
    Piece(Color),
    Beam(Color),
    /// Where the last beam has been.
    Afterglow(Color),
    /// The frame around the square that keys act on.
    Cursor,
    /// What may be done, or has been done, on a square.
    Mark,
}

/// How large a square is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Size {
    /// A letter and a sign; the board is 53 × 18 characters.
    Small,
    /// Figures of three rows; the board is 83 × 34 characters.
    Large,
}

impl Size {
    /// Columns from one square to the next, its border included.
    const fn width(self) -> usize {
        match self {
            Size::Small => 5,
            Size::Large => 8,
        }
    }

    /// The same for rows: even, so that a square has a row in its middle.
    const fn height(self) -> usize {
        match self {
            Size::Small => 2,
            Size::Large => 4,
        }
    }

    /// Columns of the whole drawing.
    pub(crate) const fn columns(self) -> usize {
        MARGIN + self.width() * Square::FILES as usize + 1
    }

    /// Rows of the whole drawing.
    pub(crate) const fn rows(self) -> usize {
        self.height() * Square::RANKS as usize + 2
    }
}

/// Columns at the left for the names of the ranks.
const MARGIN: usize = 2;

/// Where in a square a mark goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Spot {
    Left,
    Middle,
    Right,
}

/// A character and what it belongs to.
pub(crate) type Cell = (char, Ink);

/// The board, drawn.
pub(crate) struct Drawing {
    size: Size,
    /// Whether Red sits below.
    flipped: bool,
    rows: Vec<Vec<Cell>>,
}

impl Drawing {
    /// The pieces on the board, with coordinates; Silver sits below unless it is flipped.
    pub(crate) fn new(placement: &Placement, size: Size, flipped: bool) -> Drawing {
        let mut drawing = Drawing { size, flipped, rows: grid(size) };
        for square in Square::all() {
            drawing.square(square, placement.get(square));
        }
        drawing.labels();
        drawing
    }

    /// The rows, from the top.
    pub(crate) fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    /// The lasers in the wall, for boards without sphinxes.
    pub(crate) fn lasers(&mut self) {
        for color in Color::ALL {
            let (row, column) = self.middle(Square::laser_corner(color));
            let below = (color == Color::Silver) != self.flipped;
            let (row, sign) = match (self.size.height() / 2, below) {
                (half, true) => (row + half, '▲'),
                (half, false) => (row - half, '▼'),
            };
            self.rows[row][column] = (sign, Ink::Beam(color));
        }
    }

    /// The beams of a shot. Pieces stay visible.
    pub(crate) fn shot(&mut self, shot: &Shot) {
        self.beams(shot, usize::MAX, Ink::Beam(shot.by));
    }

    /// The beams as far as they have come after so many steps.
    pub(crate) fn shot_after(&mut self, shot: &Shot, steps: usize) {
        self.beams(shot, steps, Ink::Beam(shot.by));
    }

    /// Faint lines where the beams have been.
    pub(crate) fn afterglow(&mut self, shot: &Shot) {
        self.beams(shot, usize::MAX, Ink::Afterglow(shot.by));
    }

    fn beams(&mut self, shot: &Shot, steps: usize, ink: Ink) {
        for (beam, start) in shot.beams.iter().zip(beam_starts(shot)) {
            let Some(steps) = steps.checked_sub(start).filter(|&steps| steps > 0) else { continue };
            // A laser in the wall is off the board.
            if let BeamOrigin::Sphinx(origin) | BeamOrigin::Eye(origin) = beam.origin
                && !beam.steps.is_empty()
            {
                self.beam(origin, beam.direction, ink);
            }
            for step in beam.steps.iter().take(steps) {
                self.beam(step.square, step.arrives.opposite(), ink);
                if let Some(leaves) = step.leaves {
                    self.beam(step.square, leaves, ink);
                }
            }
        }
    }

    /// A frame around a square.
    pub(crate) fn cursor(&mut self, square: Square) {
        let (row, column) = self.middle(square);
        let (top, bottom) = (row - self.size.height() / 2, row + self.size.height() / 2);
        let left = column - self.size.width() / 2;
        let right = left + self.size.width();
        for column in left..=right {
            self.rows[top][column] = ('═', Ink::Cursor);
            self.rows[bottom][column] = ('═', Ink::Cursor);
        }
        for row in top..=bottom {
            self.rows[row][left] = ('║', Ink::Cursor);
            self.rows[row][right] = ('║', Ink::Cursor);
        }
        for (row, column, corner) in
            [(top, left, '╔'), (top, right, '╗'), (bottom, left, '╚'), (bottom, right, '╝')]
        {
            self.rows[row][column] = (corner, Ink::Cursor);
        }
    }

    /// A mark on a square.
    pub(crate) fn mark(&mut self, square: Square, spot: Spot, sign: char) {
        let (row, column) = self.middle(square);
        let left = column - self.size.width() / 2;
        let column = match spot {
            Spot::Left => left + 1,
            Spot::Middle => column,
            Spot::Right => left + self.size.width() - 1,
        };
        self.rows[row][column] = (sign, Ink::Mark);
    }

    /// Where a square is drawn, as if the board were not flipped.
    fn place(&self, square: Square) -> Square {
        if self.flipped { square.flipped() } else { square }
    }

    /// Row and column of the middle of a square.
    fn middle(&self, square: Square) -> (usize, usize) {
        let place = self.place(square);
        let (width, height) = (self.size.width(), self.size.height());
        let from_top = usize::from(Square::RANKS - 1 - place.rank());
        let from_left = usize::from(place.file());
        (height * from_top + height / 2, MARGIN + width * from_left + width / 2)
    }

    /// The piece, or the sign of a reserved square.
    fn square(&mut self, square: Square, piece: Option<Piece>) {
        let (row, column) = self.middle(square);
        let Some(piece) = piece else {
            if let Some(color) = square.reserved_for() {
                let sign = if color == Color::Silver { '☥' } else { '◉' };
                self.rows[row][column] = (sign, Ink::Reserved(color));
            }
            return;
        };
        let seen = if self.flipped { piece.rotated(2) } else { piece };
        let ink = Ink::Piece(piece.color());
        match self.size {
            Size::Small => {
                self.rows[row][column] = (figures::letter(seen), ink);
                self.rows[row][column + 1] = (figures::stance(seen), ink);
            }
            Size::Large => {
                let figure = figures::large(seen);
                for (row, line) in self.rows[row - 1..].iter_mut().zip(figure) {
                    for (cell, sign) in row[column - 3..].iter_mut().zip(line) {
                        if let Some(sign) = sign {
                            *cell = (sign, ink);
                        }
                    }
                }
            }
        }
    }

    fn labels(&mut self) {
        let last = self.size.rows() - 1;
        for square in Square::all().filter(|square| square.rank() == 0 || square.file() == 0) {
            let (row, column) = self.middle(square);
            if square.file() == 0 {
                self.rows[row][0] = (char::from(b'1' + square.rank()), Ink::Label);
            }
            if square.rank() == 0 {
                self.rows[last][column] = (char::from(b'a' + square.file()), Ink::Label);
            }
        }
    }

    /// From the middle of a square over its border.
    fn beam(&mut self, square: Square, side: Direction, ink: Ink) {
        let (row, column) = self.middle(square);
        let (up, left) = (self.size.height() / 2, self.size.width() / 2);
        let right = self.size.width() - left;
        let side = if self.flipped { side.opposite() } else { side };
        match side {
            Direction::North => (row - up..row).for_each(|row| self.run(row, column, side, ink)),
            Direction::South => {
                (row + 1..=row + up).for_each(|row| self.run(row, column, side, ink));
            }
            Direction::East => {
                (column + 1..=column + right).for_each(|column| self.run(row, column, side, ink));
            }
            Direction::West => {
                (column - left..column).for_each(|column| self.run(row, column, side, ink));
            }
        }
        self.run(row, column, side, ink);
    }

    /// One character of a beam.
    fn run(&mut self, row: usize, column: usize, side: Direction, ink: Ink) {
        let cell = &mut self.rows[row][column];
        if matches!(cell.1, Ink::Piece(_)) {
            return;
        }
        let [across, along, both] = match ink {
            Ink::Afterglow(_) => ['┄', '┆', '┼'],
            _ => ['━', '┃', '╋'],
        };
        let vertical = matches!(side, Direction::North | Direction::South);
        let (line, crossing) = if vertical { (along, across) } else { (across, along) };
        let crosses = cell.1 == ink && (cell.0 == crossing || cell.0 == both);
        *cell = (if crosses { both } else { line }, ink);
    }
}

/// An empty board with its margins.
fn grid(size: Size) -> Vec<Vec<Cell>> {
    let (columns, rows) = (size.columns(), size.rows());
    let mut grid = vec![vec![(' ', Ink::Label); columns]; rows];
    let (right, bottom) = (columns - MARGIN - 1, rows - 2);
    for (row, line) in grid[..=bottom].iter_mut().enumerate() {
        for (column, cell) in line[MARGIN..].iter_mut().enumerate() {
            let (first, last) = (column == 0, column == right);
            let sign = match (row % size.height(), column % size.width()) {
                (0, 0) => match (row, first, last) {
                    (0, true, _) => '┌',
                    (0, _, true) => '┐',
                    (0, ..) => '┬',
                    (row, true, _) if row == bottom => '└',
                    (row, _, true) if row == bottom => '┘',
                    (row, ..) if row == bottom => '┴',
                    (_, true, _) => '├',
                    (_, _, true) => '┤',
                    _ => '┼',
                },
                (0, _) => '─',
                (_, 0) => '│',
                _ => ' ',
            };
            *cell = (sign, Ink::Grid);
        }
    }
    grid
}

/// After how many steps each beam of a shot starts: those out of an Eye when the first beam has
/// come to it.
fn beam_starts(shot: &Shot) -> Vec<usize> {
    let mut starts: Vec<usize> = Vec::new();
    for beam in &shot.beams {
        let reaches = |(parent, start): (&khet::Beam, &usize)| {
            let arrives = parent.end == BeamEnd::Split
                && parent.steps.last().map(|step| step.square) == beam.eye();
            arrives.then_some(start + parent.steps.len())
        };
        starts.push(shot.beams.iter().zip(&starts).filter_map(reaches).min().unwrap_or(0));
    }
    starts
}

/// How many steps a shot takes from the laser to its last square.
pub(crate) fn shot_length(shot: &Shot) -> usize {
    let ends = shot.beams.iter().zip(beam_starts(shot));
    ends.map(|(beam, start)| start + beam.steps.len()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    fn text(drawing: &Drawing) -> Vec<String> {
        drawing.rows().iter().map(|row| row.iter().map(|cell| cell.0).collect()).collect()
    }

    #[test]
    fn drawings_have_the_size_they_say() {
        for size in [Size::Small, Size::Large] {
            let drawing = Drawing::new(&Setup::Osiris.placement(), size, false);
            assert_eq!(drawing.rows().len(), size.rows());
            assert!(drawing.rows().iter().all(|row| row.len() == size.columns()));
        }
        assert_eq!((Size::Small.columns(), Size::Small.rows()), (53, 18));
        assert_eq!((Size::Large.columns(), Size::Large.rows()), (83, 34));
    }

    #[test]
    fn a_flipped_board_is_the_other_players_view() {
        let position = Setup::Classic.position();
        let shot = position.fire(Color::Silver);
        let mut straight = Drawing::new(&position.placement(), Size::Small, false);
        let mut flipped = Drawing::new(&position.placement(), Size::Small, true);
        straight.shot(&shot);
        flipped.shot(&shot);
        assert!(text(&straight)[15].starts_with("1 │ ◉  │ ☥  │ P◢ │"));
        assert!(text(&flipped)[1].starts_with("1 │ ┃  │ ◉  │    │"));
        assert!(text(&flipped)[1].ends_with("│ P◤ │ ☥  │ ◉  │"));
        assert!(text(&flipped)[17].starts_with("    j    i    h"));
    }

    #[test]
    fn the_beam_grows_step_by_step() {
        let position = Setup::Classic.position();
        let shot = position.fire(Color::Silver);
        let beams = |steps| {
            let mut drawing = Drawing::new(&position.placement(), Size::Large, false);
            drawing.shot_after(&shot, steps);
            let cells = drawing.rows().iter().flatten();
            cells.filter(|cell| matches!(cell.1, Ink::Beam(_))).count()
        };
        assert_eq!(beams(0), 0);
        assert_eq!(shot_length(&shot), 12);
        for steps in 1..=12 {
            assert!(beams(steps) > beams(steps - 1), "{steps}");
        }
        assert_eq!(beams(13), beams(12));
    }
}
