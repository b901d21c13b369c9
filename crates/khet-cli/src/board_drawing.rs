//! The board drawn with characters: a grid, the pieces, and beams.
//!
//! A drawing has rows of cells, each a character and its kind. `khet show` turns them into text
//! with ANSI colours, `khet play` into parts of its screen.

mod piece_glyphs;

use khet::{BeamEnd, BeamOrigin, Color, Direction, Piece, Placement, Shot, Square};

/// The kind of a cell, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CellKind {
    /// Names of files and ranks.
    Label,
    Grid,
    Reserved(Color),
    Piece(Color),
    Beam(Color),
    /// Faint beam of the last shot.
    Afterglow(Color),
    /// Frame around the selected square.
    Cursor,
    /// Sign for a possible move, the last move, or a hit.
    Mark,
}

/// The size in which squares are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SquareSize {
    /// Pieces of two characters; the board is 53 × 18 characters.
    Small,
    /// Pieces of three rows; the board is 83 × 34 characters.
    Large,
}

impl SquareSize {
    /// Columns per square, including its border.
    const fn width(self) -> usize {
        match self {
            SquareSize::Small => 5,
            SquareSize::Large => 8,
        }
    }

    /// Rows per square, including its border. Even, so that a square has a middle row.
    const fn height(self) -> usize {
        match self {
            SquareSize::Small => 2,
            SquareSize::Large => 4,
        }
    }

    /// Columns of the drawing.
    pub(crate) const fn columns(self) -> usize {
        MARGIN + self.width() * Square::FILES as usize + 1
    }

    /// Rows of the drawing.
    pub(crate) const fn rows(self) -> usize {
        self.height() * Square::RANKS as usize + 2
    }
}

/// Columns at the left for the rank names.
const MARGIN: usize = 2;

/// The place of a mark within its square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MarkPlace {
    Left,
    Middle,
    Right,
}

/// A character and its kind.
pub(crate) type CharCell = (char, CellKind);

/// A drawing of the board.
pub(crate) struct BoardDrawing {
    size: SquareSize,
    /// True if Red is at the bottom.
    flipped: bool,
    rows: Vec<Vec<CharCell>>,
}

impl BoardDrawing {
    /// Draws the pieces and the coordinates. Silver is at the bottom unless `flipped` is set.
    pub(crate) fn new(placement: &Placement, size: SquareSize, flipped: bool) -> BoardDrawing {
        let mut drawing = BoardDrawing { size, flipped, rows: grid(size) };
        for square in Square::all() {
            drawing.draw_square(square, placement.get(square));
        }
        drawing.draw_labels();
        drawing
    }

    /// Returns the rows from top to bottom.
    pub(crate) fn rows(&self) -> &[Vec<CharCell>] {
        &self.rows
    }

    /// Draws the built-in lasers of boards without sphinxes.
    pub(crate) fn draw_lasers(&mut self) {
        for color in Color::ALL {
            let (row, column) = self.middle(Square::laser_corner(color));
            let below = (color == Color::Silver) != self.flipped;
            let (row, character) = match (self.size.height() / 2, below) {
                (half, true) => (row + half, '▲'),
                (half, false) => (row - half, '▼'),
            };
            self.rows[row][column] = (character, CellKind::Beam(color));
        }
    }

    /// Draws the beams of a shot behind the pieces.
    pub(crate) fn draw_shot(&mut self, shot: &Shot) {
        self.draw_beams(shot, usize::MAX, CellKind::Beam(shot.by));
    }

    /// Draws the first steps of the beams of a shot, for its animation.
    pub(crate) fn draw_partial_shot(&mut self, shot: &Shot, steps: usize) {
        self.draw_beams(shot, steps, CellKind::Beam(shot.by));
    }

    /// Draws the beams of the last shot as faint lines.
    pub(crate) fn draw_afterglow(&mut self, shot: &Shot) {
        self.draw_beams(shot, usize::MAX, CellKind::Afterglow(shot.by));
    }

    fn draw_beams(&mut self, shot: &Shot, steps: usize, kind: CellKind) {
        for (beam, start) in shot.beams.iter().zip(beam_starts(shot)) {
            let Some(steps) = steps.checked_sub(start).filter(|&steps| steps > 0) else { continue };
            // A built-in laser is off the board.
            if let BeamOrigin::Sphinx(origin) | BeamOrigin::Eye(origin) = beam.origin
                && !beam.steps.is_empty()
            {
                self.draw_half_segment(origin, beam.direction, kind);
            }
            for step in beam.steps.iter().take(steps) {
                self.draw_half_segment(step.square, step.arrives.opposite(), kind);
                if let Some(leaves) = step.leaves {
                    self.draw_half_segment(step.square, leaves, kind);
                }
            }
        }
    }

    /// Draws a frame around a square.
    pub(crate) fn draw_cursor(&mut self, square: Square) {
        let (row, column) = self.middle(square);
        let (top, bottom) = (row - self.size.height() / 2, row + self.size.height() / 2);
        let left = column - self.size.width() / 2;
        let right = left + self.size.width();
        for column in left..=right {
            self.rows[top][column] = ('═', CellKind::Cursor);
            self.rows[bottom][column] = ('═', CellKind::Cursor);
        }
        for row in top..=bottom {
            self.rows[row][left] = ('║', CellKind::Cursor);
            self.rows[row][right] = ('║', CellKind::Cursor);
        }
        for (row, column, corner) in
            [(top, left, '╔'), (top, right, '╗'), (bottom, left, '╚'), (bottom, right, '╝')]
        {
            self.rows[row][column] = (corner, CellKind::Cursor);
        }
    }

    /// Draws a mark on a square.
    pub(crate) fn draw_mark(&mut self, square: Square, place: MarkPlace, sign: char) {
        let (row, column) = self.middle(square);
        let left = column - self.size.width() / 2;
        let column = match place {
            MarkPlace::Left => left + 1,
            MarkPlace::Middle => column,
            MarkPlace::Right => left + self.size.width() - 1,
        };
        self.rows[row][column] = (sign, CellKind::Mark);
    }

    /// Returns the row and column of the middle of a square.
    fn middle(&self, square: Square) -> (usize, usize) {
        let shown_at = if self.flipped { square.flipped() } else { square };
        let (width, height) = (self.size.width(), self.size.height());
        let from_top = usize::from(Square::RANKS - 1 - shown_at.rank());
        let from_left = usize::from(shown_at.file());
        (height * from_top + height / 2, MARGIN + width * from_left + width / 2)
    }

    /// Draws a piece, or the sign of an empty reserved square.
    fn draw_square(&mut self, square: Square, piece: Option<Piece>) {
        let (row, column) = self.middle(square);
        let Some(piece) = piece else {
            if let Some(color) = square.reserved_for() {
                let character = if color == Color::Silver { '☥' } else { '◉' };
                self.rows[row][column] = (character, CellKind::Reserved(color));
            }
            return;
        };
        let shown = if self.flipped { piece.rotated(2) } else { piece };
        let kind = CellKind::Piece(piece.color());
        match self.size {
            SquareSize::Small => {
                self.rows[row][column] = (piece_glyphs::letter(shown), kind);
                self.rows[row][column + 1] = (piece_glyphs::orientation(shown), kind);
            }
            SquareSize::Large => {
                let glyph = piece_glyphs::large(shown);
                for (row, line) in self.rows[row - 1..].iter_mut().zip(glyph) {
                    for (cell, character) in row[column - 3..].iter_mut().zip(line) {
                        if let Some(character) = character {
                            *cell = (character, kind);
                        }
                    }
                }
            }
        }
    }

    fn draw_labels(&mut self) {
        let last = self.size.rows() - 1;
        for square in Square::all().filter(|square| square.rank() == 0 || square.file() == 0) {
            let (row, column) = self.middle(square);
            if square.file() == 0 {
                self.rows[row][0] = (char::from(b'1' + square.rank()), CellKind::Label);
            }
            if square.rank() == 0 {
                self.rows[last][column] = (char::from(b'a' + square.file()), CellKind::Label);
            }
        }
    }

    /// Draws a beam from the middle of a square to its border on one side.
    fn draw_half_segment(&mut self, square: Square, side: Direction, kind: CellKind) {
        let (row, column) = self.middle(square);
        let (up, left) = (self.size.height() / 2, self.size.width() / 2);
        let right = self.size.width() - left;
        let side = if self.flipped { side.opposite() } else { side };
        let mut draw = |row, column| self.draw_beam_cell(row, column, side, kind);
        match side {
            Direction::North => (row - up..row).for_each(|row| draw(row, column)),
            Direction::South => (row + 1..=row + up).for_each(|row| draw(row, column)),
            Direction::East => (column + 1..=column + right).for_each(|column| draw(row, column)),
            Direction::West => (column - left..column).for_each(|column| draw(row, column)),
        }
        draw(row, column);
    }

    /// Draws one character of a beam, or a crossing if another beam is there. Keeps pieces.
    fn draw_beam_cell(&mut self, row: usize, column: usize, side: Direction, kind: CellKind) {
        let cell = &mut self.rows[row][column];
        if matches!(cell.1, CellKind::Piece(_)) {
            return;
        }
        let [horizontal, vertical, both] = match kind {
            CellKind::Afterglow(_) => ['┄', '┆', '┼'],
            _ => ['━', '┃', '╋'],
        };
        let is_vertical = matches!(side, Direction::North | Direction::South);
        let (line, crossing) =
            if is_vertical { (vertical, horizontal) } else { (horizontal, vertical) };
        let crosses = cell.1 == kind && (cell.0 == crossing || cell.0 == both);
        *cell = (if crosses { both } else { line }, kind);
    }
}

/// Returns an empty board with its margins.
fn grid(size: SquareSize) -> Vec<Vec<CharCell>> {
    let (columns, rows) = (size.columns(), size.rows());
    let mut grid = vec![vec![(' ', CellKind::Label); columns]; rows];
    let (right, bottom) = (columns - MARGIN - 1, rows - 2);
    for (row, line) in grid[..=bottom].iter_mut().enumerate() {
        for (column, cell) in line[MARGIN..].iter_mut().enumerate() {
            let (first, last) = (column == 0, column == right);
            let character = match (row % size.height(), column % size.width()) {
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
            *cell = (character, CellKind::Grid);
        }
    }
    grid
}

/// Returns the step at which each beam of a shot starts. A beam from an Eye starts when the first
/// beam has reached that Eye.
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

/// Returns the number of steps from the laser to the last square of a shot.
pub(crate) fn shot_length(shot: &Shot) -> usize {
    let ends = shot.beams.iter().zip(beam_starts(shot));
    ends.map(|(beam, start)| start + beam.steps.len()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;

    fn text(drawing: &BoardDrawing) -> Vec<String> {
        drawing.rows().iter().map(|row| row.iter().map(|cell| cell.0).collect()).collect()
    }

    #[test]
    fn a_drawing_has_the_declared_size() {
        for size in [SquareSize::Small, SquareSize::Large] {
            let drawing = BoardDrawing::new(&Setup::Osiris.placement(), size, false);
            assert_eq!(drawing.rows().len(), size.rows());
            assert!(drawing.rows().iter().all(|row| row.len() == size.columns()));
        }
        assert_eq!((SquareSize::Small.columns(), SquareSize::Small.rows()), (53, 18));
        assert_eq!((SquareSize::Large.columns(), SquareSize::Large.rows()), (83, 34));
    }

    #[test]
    fn a_flipped_board_has_red_at_the_bottom() {
        let position = Setup::Classic.position();
        let shot = position.fire(Color::Silver);
        let mut straight = BoardDrawing::new(&position.placement(), SquareSize::Small, false);
        let mut flipped = BoardDrawing::new(&position.placement(), SquareSize::Small, true);
        straight.draw_shot(&shot);
        flipped.draw_shot(&shot);
        assert!(text(&straight)[15].starts_with("1 │ ◉  │ ☥  │ P◢ │"));
        assert!(text(&flipped)[1].starts_with("1 │ ┃  │ ◉  │    │"));
        assert!(text(&flipped)[1].ends_with("│ P◤ │ ☥  │ ◉  │"));
        assert!(text(&flipped)[17].starts_with("    j    i    h"));
    }

    #[test]
    fn a_partial_shot_grows_with_each_step() {
        let position = Setup::Classic.position();
        let shot = position.fire(Color::Silver);
        let beams = |steps| {
            let mut drawing = BoardDrawing::new(&position.placement(), SquareSize::Large, false);
            drawing.draw_partial_shot(&shot, steps);
            let cells = drawing.rows().iter().flatten();
            cells.filter(|cell| matches!(cell.1, CellKind::Beam(_))).count()
        };
        assert_eq!(beams(0), 0);
        assert_eq!(shot_length(&shot), 12);
        for steps in 1..=12 {
            assert!(beams(steps) > beams(steps - 1), "{steps}");
        }
        assert_eq!(beams(13), beams(12));
    }
}
