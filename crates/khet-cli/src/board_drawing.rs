//! The board drawn with characters: a grid, the pieces, and beams. The upper level of a tower is
//! drawn below the board, each of its files under the same file of the ground, or at its right, each
//! rank beside the same rank of the ground.
//!
//! A drawing has rows of cells, each a character and its kind. `khet show` turns them into text
//! with ANSI colours, `khet play` into parts of its screen.

mod piece_glyphs;

use khet::tower::{self, BoardLevel, TowerColumn};
use khet::{Beam, BeamEnd, BeamOrigin, BoardSquare, Color, Direction, Piece, Shot, Square};

/// The kind of a cell, which decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CellKind {
    /// Names of files and ranks.
    Label,
    Grid,
    /// Column of a tower.
    Column,
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

    /// Rows of the drawing of the ground.
    pub(crate) const fn rows(self) -> usize {
        self.height() * Square::RANKS as usize + 2
    }

    /// Columns and rows of the drawing of both levels.
    pub(crate) const fn with_tower(self, arrangement: LevelArrangement) -> (usize, usize) {
        let files = TowerColumn::UPPER_FILES as usize;
        match arrangement {
            LevelArrangement::Below => {
                (self.columns(), self.rows() + 1 + self.height() * files + 2)
            }
            LevelArrangement::Beside => {
                (self.columns() + LEVEL_GAP + MARGIN + self.width() * files + 1, self.rows())
            }
        }
    }
}

/// The place of the upper level in a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LevelArrangement {
    /// Below the ground, with an empty row between them.
    Below,
    /// At the right of the ground.
    Beside,
}

/// Columns at the left for the rank names.
const MARGIN: usize = 2;
/// Columns between two levels beside each other.
const LEVEL_GAP: usize = 2;

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
    /// The place of the tower.
    column: Option<TowerColumn>,
    arrangement: LevelArrangement,
    rows: Vec<Vec<CharCell>>,
}

impl BoardDrawing {
    /// Draws the pieces, the tower and the coordinates. Silver is at the bottom unless `flipped` is
    /// set, and the upper level below the ground.
    pub(crate) fn new<S: BoardSquare>(
        pieces: impl IntoIterator<Item = (S, Piece)>,
        column: Option<TowerColumn>,
        size: SquareSize,
        flipped: bool,
    ) -> BoardDrawing {
        BoardDrawing::arranged(pieces, column, size, LevelArrangement::Below, flipped)
    }

    /// Draws the same with another place of the upper level.
    pub(crate) fn arranged<S: BoardSquare>(
        pieces: impl IntoIterator<Item = (S, Piece)>,
        column: Option<TowerColumn>,
        size: SquareSize,
        arrangement: LevelArrangement,
        flipped: bool,
    ) -> BoardDrawing {
        let (width, height) = match column {
            Some(_) => size.with_tower(arrangement),
            None => (size.columns(), size.rows()),
        };
        let rows = vec![vec![(' ', CellKind::Label); width]; height];
        let mut drawing = BoardDrawing { size, flipped, column, arrangement, rows };
        drawing.draw_grid(0, 0, Square::FILES, Square::RANKS);
        for square in Square::all() {
            drawing.draw_reserved(square);
            drawing.draw_label(square, b'a', 0, size.rows() - 1);
        }
        if let Some(column) = column {
            drawing.draw_tower(column);
        }
        for (square, piece) in pieces {
            drawing.draw_piece(square, piece);
        }
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
    pub(crate) fn draw_shot<S: BoardSquare>(&mut self, shot: &Shot<S>) {
        self.draw_beams(shot, usize::MAX, CellKind::Beam(shot.by));
    }

    /// Draws the first steps of the beams of a shot, for its animation.
    pub(crate) fn draw_partial_shot<S: BoardSquare>(&mut self, shot: &Shot<S>, steps: usize) {
        self.draw_beams(shot, steps, CellKind::Beam(shot.by));
    }

    /// Draws the beams of the last shot as faint lines.
    pub(crate) fn draw_afterglow<S: BoardSquare>(&mut self, shot: &Shot<S>) {
        self.draw_beams(shot, usize::MAX, CellKind::Afterglow(shot.by));
    }

    fn draw_beams<S: BoardSquare>(&mut self, shot: &Shot<S>, steps: usize, kind: CellKind) {
        for (beam, start) in shot.beams.iter().zip(beam_starts(shot)) {
            let Some(steps) = steps.checked_sub(start).filter(|&steps| steps > 0) else { continue };
            // A built-in laser is off the board.
            if let BeamOrigin::Sphinx(origin) | BeamOrigin::Eye(origin) = beam.origin
                && !beam.steps.is_empty()
            {
                self.draw_half_segment(origin, beam.direction, kind);
            }
            // The last square and the direction in which the beam leaves it.
            let mut last = beam.eye().map(|eye| (eye, beam.direction));
            for step in beam.steps.iter().take(steps) {
                if let Some((square, travel)) = last
                    && square.board_level() != step.square.board_level()
                {
                    self.draw_periscope(square.ground(), travel, kind);
                }
                last = Some((step.square, step.leaves.unwrap_or(step.arrives)));
                self.draw_half_segment(step.square, step.arrives.opposite(), kind);
                if let Some(leaves) = step.leaves {
                    self.draw_half_segment(step.square, leaves, kind);
                }
            }
        }
    }

    /// Draws a beam inside the column on both levels, after it has left a square beside the column
    /// in a direction.
    fn draw_periscope(&mut self, beside: Square, travel: Direction, kind: CellKind) {
        let Some(inside) = beside.neighbor(travel) else { return };
        for level in BoardLevel::ALL {
            self.draw_half_segment(tower::Square::new(level, inside), travel.opposite(), kind);
        }
    }

    /// Draws a frame around a square.
    pub(crate) fn draw_cursor(&mut self, square: impl BoardSquare) {
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
    pub(crate) fn draw_mark(&mut self, square: impl BoardSquare, place: MarkPlace, sign: char) {
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
    fn middle(&self, square: impl BoardSquare) -> (usize, usize) {
        let shown_at = self.shown(square.ground());
        let (mut top_rank, mut left_file, mut first_row, mut first_column) =
            (Square::RANKS - 1, 0, 0, 0);
        if let (BoardLevel::Upper, Some(column)) = (square.board_level(), self.column) {
            let upper = || column.upper_level().into_iter().map(|square| self.shown(square));
            match self.arrangement {
                LevelArrangement::Below => {
                    top_rank = upper().map(Square::rank).max().unwrap_or(top_rank);
                    first_row = self.size.rows() + 1;
                }
                LevelArrangement::Beside => {
                    left_file = upper().map(Square::file).min().unwrap_or(left_file);
                    first_column = self.size.columns() + LEVEL_GAP;
                }
            }
        }
        let (width, height) = (self.size.width(), self.size.height());
        let from_top = usize::from(top_rank.saturating_sub(shown_at.rank()));
        let from_left = usize::from(shown_at.file().saturating_sub(left_file));
        let row = first_row + height * from_top + height / 2;
        (row, first_column + MARGIN + width * from_left + width / 2)
    }

    /// Returns the square at the place on the screen, which a flipped board rotates.
    fn shown(&self, square: Square) -> Square {
        if self.flipped { square.flipped() } else { square }
    }

    /// Draws the upper level with its coordinates, and the column on both levels. An arrow in each
    /// square of the column points to the face whose periscope is in that square.
    fn draw_tower(&mut self, column: TowerColumn) {
        let squares = column.upper_level() | column.squares();
        let corners = column
            .corners()
            .into_iter()
            .map(|square| self.middle(tower::Square::new(BoardLevel::Upper, square)));
        if let Some((row, left)) = corners.min() {
            let (files, ranks) = (TowerColumn::UPPER_FILES, TowerColumn::UPPER_FILES);
            let (top, width) = (row - self.size.height() / 2, self.size.width());
            self.draw_grid(top, left - MARGIN - width / 2, files, ranks);
            let first_column = match self.arrangement {
                LevelArrangement::Below => 0,
                LevelArrangement::Beside => self.size.columns() + LEVEL_GAP,
            };
            let last_row = top + self.size.height() * usize::from(ranks) + 1;
            for square in squares {
                let upper = tower::Square::new(BoardLevel::Upper, square);
                self.draw_label(upper, b'A', first_column, last_row);
            }
        }
        for (square, level) in column
            .squares()
            .into_iter()
            .flat_map(|square| BoardLevel::ALL.into_iter().map(move |level| (square, level)))
        {
            let (row, middle) = self.middle(tower::Square::new(level, square));
            let (up, left) = (self.size.height() / 2, self.size.width() / 2);
            for row in &mut self.rows[row - up + 1..row + up] {
                for cell in &mut row[middle - left + 1..middle - left + self.size.width()] {
                    *cell = ('░', CellKind::Column);
                }
            }
            let served = |&travel: &Direction| column.has_periscope(square, travel);
            if let Some(travel) = Direction::ALL.into_iter().find(served) {
                let face = if self.flipped { travel } else { travel.opposite() };
                self.rows[row][middle] = (piece_glyphs::arrow(face), CellKind::Column);
            }
        }
    }

    /// Draws the sign of a reserved square.
    fn draw_reserved(&mut self, square: Square) {
        if let Some(color) = square.reserved_for() {
            let (row, column) = self.middle(square);
            let character = if color == Color::Silver { '☥' } else { '◉' };
            self.rows[row][column] = (character, CellKind::Reserved(color));
        }
    }

    /// Draws a piece.
    fn draw_piece(&mut self, square: impl BoardSquare, piece: Piece) {
        let (row, column) = self.middle(square);
        if square.reserved_for().is_some() {
            self.rows[row][column] = (' ', CellKind::Grid);
        }
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

    /// Draws the name of the square's file in the row below its level, and that of its rank in the
    /// first column of its level.
    fn draw_label(
        &mut self,
        square: impl BoardSquare,
        first_file: u8,
        first_column: usize,
        last_row: usize,
    ) {
        let (row, column) = self.middle(square);
        let ground = square.ground();
        self.rows[row][first_column] = (char::from(b'1' + ground.rank()), CellKind::Label);
        self.rows[last_row][column] = (char::from(first_file + ground.file()), CellKind::Label);
    }

    /// Draws the lines between the squares of a level. `left` counts from the margin.
    fn draw_grid(&mut self, top: usize, left: usize, files: u8, ranks: u8) {
        let (width, height) = (self.size.width(), self.size.height());
        let (right, bottom) = (width * usize::from(files), height * usize::from(ranks));
        for (row, line) in self.rows[top..=top + bottom].iter_mut().enumerate() {
            for (column, cell) in line[MARGIN + left..=MARGIN + left + right].iter_mut().enumerate()
            {
                let (first, last) = (column == 0, column == right);
                let character = match (row % height, column % width) {
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
    }

    /// Draws a beam from the middle of a square to its border on one side.
    fn draw_half_segment(&mut self, square: impl BoardSquare, side: Direction, kind: CellKind) {
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
        // The arrow of a periscope shines.
        if cell.1 == CellKind::Column && cell.0 != '░' {
            cell.1 = kind;
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

/// Returns the step at which each beam of a shot starts. A beam from an Eye starts when the first
/// beam has reached that Eye.
fn beam_starts<S: BoardSquare>(shot: &Shot<S>) -> Vec<usize> {
    let mut starts: Vec<usize> = Vec::new();
    for beam in &shot.beams {
        let reaches = |(parent, start): (&Beam<S>, &usize)| {
            let arrives = parent.end == BeamEnd::Split
                && parent.steps.last().map(|step| step.square) == beam.eye();
            arrives.then_some(start + parent.steps.len())
        };
        starts.push(shot.beams.iter().zip(&starts).filter_map(reaches).min().unwrap_or(0));
    }
    starts
}

/// Returns the number of steps from the laser to the last square of a shot.
pub(crate) fn shot_length<S: BoardSquare>(shot: &Shot<S>) -> usize {
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
            let drawing = BoardDrawing::new(Setup::Osiris.placement().pieces(), None, size, false);
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
        let mut straight = BoardDrawing::new(position.pieces(), None, SquareSize::Small, false);
        let mut flipped = BoardDrawing::new(position.pieces(), None, SquareSize::Small, true);
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
            let mut drawing = BoardDrawing::new(position.pieces(), None, SquareSize::Large, false);
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

    #[test]
    fn the_upper_level_is_drawn_below_the_same_files() {
        let notation = "4k5/10/10/10/9P3/10/10/4K5+e4:6/6/6/5p3/6/P15 s";
        let position: tower::Position = notation.parse().expect("a position");
        let mut drawing =
            BoardDrawing::new(position.pieces(), Some(position.column()), SquareSize::Small, false);
        drawing.draw_shot(&position.fire(Color::Silver));
        let rows = text(&drawing);
        assert_eq!(rows.len(), SquareSize::Small.with_tower(LevelArrangement::Below).1);
        let expected = [
            "5 │ ◉  │    │    │    │░←░░│░↑░░│    │    │    │ ☥  │",
            "4 │ ◉  │    │    │    │░↓░░│░→━━━━━━━━━━━━━━━━━━━P◥ │",
            "  a    b    c    d    e    f    g    h    i    j   ",
            "7           │    │    │    │    │    │    │          ",
            "5           │    │    │░←░░│░↑░░│    │    │          ",
            "4           │    │    │░↓░░│░→━━━━━━━━━p◥ │          ",
            "              C    D    E    F    G    H             ",
        ];
        for line in expected {
            assert!(
                rows.iter().any(|row| row.contains(line.trim_end())),
                "{line}\n{}",
                rows.join("\n")
            );
        }
    }

    #[test]
    fn the_upper_level_can_be_drawn_beside_the_same_ranks() {
        let notation = "4k5/10/10/10/9P3/10/10/4K5+c3:6/6/6/5p3/6/P15 s";
        let position: tower::Position = notation.parse().expect("a position");
        for flipped in [false, true] {
            let drawing = BoardDrawing::arranged(
                position.pieces(),
                Some(position.column()),
                SquareSize::Small,
                LevelArrangement::Beside,
                flipped,
            );
            let rows = text(&drawing);
            let size = SquareSize::Small.with_tower(LevelArrangement::Beside);
            assert_eq!((rows[0].chars().count(), rows.len()), size);
            let expected: &[&str] = match flipped {
                false => &[
                    "3 │ ◉  │    │░↓░░│░→░░│    │    │    │    │    │ ☥  │  3 │    │    │░↓░░│░→░░│    │ p◥ │",
                    "    A    B    C    D    E    F",
                ],
                true => &["P◣ │", "    F    E    D    C    B    A"],
            };
            for line in expected {
                assert!(rows.iter().any(|row| row.contains(line)), "{line}\n{}", rows.join("\n"));
            }
        }
    }
}
