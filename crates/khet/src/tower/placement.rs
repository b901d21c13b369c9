//! Placements of pieces on two levels, playable or not, and the notation of positions.

use std::fmt;
use std::str::FromStr;

use super::{BoardLevel, Square, TowerColumn};
use crate::excerpt::excerpt;
use crate::placement::{LevelSize, PlacementParser, write_ranks};
use crate::{BoardSquare, Color, Piece, Rotation};

const UPPER_FILES: u8 = TowerColumn::UPPER_FILES;

/// Pieces on the squares of both levels, the place of the tower, and the side to move, not checked:
/// the data of an editor or a parser.
///
/// ```
/// use khet::tower::{Placement, Square};
///
/// let text = "4k5/10/10/10/10/10/10/4K5+e4:6/4P21/6/6/1p44/6 s";
/// let placement: Placement = text.parse()?;
/// assert_eq!(placement.column().to_string(), "e4");
/// assert_eq!(placement.get("G6".parse().unwrap()).unwrap().to_string(), "P2");
/// assert_eq!(placement.to_string(), text);
///
/// let error = text.replace("e4", "h4").parse::<Placement>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     r#"character 27: "h4:": the lower left square of the column, c3 to g5, and a colon follow the +"#
/// );
/// # Ok::<_, khet::tower::ParsePlacementError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Placement {
    ground: crate::Placement,
    /// The upper level from its lower left corner, rank by rank.
    upper: [Option<Piece>; (UPPER_FILES * UPPER_FILES) as usize],
    column: TowerColumn,
}

impl Placement {
    /// Returns the placement of pieces on the ground, with an empty tower.
    pub const fn new(ground: crate::Placement, column: TowerColumn) -> Placement {
        Placement { ground, upper: [None; (UPPER_FILES * UPPER_FILES) as usize], column }
    }

    /// Returns the pieces on the ground with the side to move.
    pub fn ground(&self) -> &crate::Placement {
        &self.ground
    }

    /// Returns the place of the tower.
    pub fn column(&self) -> TowerColumn {
        self.column
    }

    /// Moves the tower with everything on it.
    pub fn set_column(&mut self, column: TowerColumn) {
        self.column = column;
    }

    /// Returns the placement with the tower rotated with everything on it.
    ///
    /// ```
    /// use khet::Rotation;
    /// use khet::tower::Placement;
    ///
    /// let placement: Placement = "4k5/10/10/10/10/10/10/4K5+e4:6/4P21/6/6/1p44/6 s".parse()?;
    /// let rotated = placement.with_tower_rotated(Rotation::Clockwise);
    /// assert_eq!(rotated.to_string(), "4k5/10/10/10/10/10/10/4K5+e4:6/1p14/6/6/4P31/6 s");
    /// # Ok::<_, khet::tower::ParsePlacementError>(())
    /// ```
    pub fn with_tower_rotated(&self, rotation: Rotation) -> Placement {
        let mut rotated = Placement::new(self.ground, self.column);
        for (square, piece) in self.pieces() {
            if square.level() == BoardLevel::Upper {
                let to = self.column.rotate(square.ground(), rotation);
                let piece = piece.rotated(rotation.quarters());
                rotated.set(Square::new(BoardLevel::Upper, to), Some(piece));
            }
        }
        rotated
    }

    /// Returns the side to move.
    pub fn side_to_move(&self) -> Color {
        self.ground.side_to_move
    }

    /// Sets the side to move.
    pub fn set_side_to_move(&mut self, side: Color) {
        self.ground.side_to_move = side;
    }

    fn upper_index(&self, square: Square) -> Option<usize> {
        let (file, rank) = self.column.upper_file_and_rank(square.ground())?;
        Some(usize::from(rank * UPPER_FILES + file))
    }

    /// Returns the piece on a square.
    pub fn get(&self, square: Square) -> Option<Piece> {
        match square.level() {
            BoardLevel::Ground => self.ground.get(square.ground()),
            BoardLevel::Upper => self.upper[self.upper_index(square)?],
        }
    }

    /// Places a piece on a square, or clears the square. Does nothing if the upper level does not
    /// reach to the square.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        match square.level() {
            BoardLevel::Ground => self.ground.set(square.ground(), piece),
            BoardLevel::Upper => {
                if let Some(index) = self.upper_index(square) {
                    self.upper[index] = piece;
                }
            }
        }
    }

    /// Iterates over all pieces with their squares: from `a1` to `j8`, then on the upper level.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        let ground = self.ground.pieces().map(|(square, piece)| (Square::from(square), piece));
        let upper = (0..UPPER_FILES * UPPER_FILES).filter_map(|index| {
            let piece = self.upper[usize::from(index)]?;
            let ground = self.column.upper_square(index % UPPER_FILES, index / UPPER_FILES);
            Some((Square::new(BoardLevel::Upper, ground), piece))
        });
        ground.chain(upper)
    }

    /// Returns the placement with the board rotated by 180 degrees and the sides exchanged, as the
    /// other player sees it.
    pub fn flipped(&self) -> Placement {
        let mut flipped = Placement::new(self.ground.flipped(), self.column.flipped());
        for (square, piece) in
            self.pieces().filter(|(square, _)| square.level() == BoardLevel::Upper)
        {
            flipped.set(square.flipped(), Some(piece.rotated(2).other_color()));
        }
        flipped
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_ranks(f, crate::Square::RANKS, crate::Square::FILES, |file, rank| {
            self.ground.get(crate::Square::new(file, rank)?)
        })?;
        write!(f, "+{}:", self.column)?;
        write_ranks(f, UPPER_FILES, UPPER_FILES, |file, rank| {
            self.upper[usize::from(rank * UPPER_FILES + file)]
        })?;
        write!(f, " {}", self.side_to_move().letter())
    }
}

/// A text that is not a position with a tower, with the place and the nature of the error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsePlacementError {
    /// The number of the wrong character, counted from 1.
    pub character: usize,
    /// The level and the rank, 1 to 8, in which it stands; `None` outside the ranks.
    pub rank: Option<(BoardLevel, u8)>,
    /// The error.
    pub problem: PlacementProblem,
}

/// An error in the text of a position with a tower.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlacementProblem {
    /// An error that a position without a tower can have too: in the ground, in a piece of either
    /// level, or in the side to move.
    Standard(crate::PlacementProblem),
    /// No `+` follows the ground.
    NoTower(String),
    /// No lower left square of a column and colon follow the `+`.
    WrongColumn(String),
    /// A number of empty squares on the upper level that is not 1 to 6.
    WrongNumber(String),
    /// A rank of the upper level ends before its sixth square.
    RankTooShort(u8),
    /// A rank of the upper level goes on after its sixth square.
    RankTooLong,
    /// The upper level has fewer than six ranks.
    MissingRanks(u8),
    /// The upper level has a seventh rank.
    TooManyRanks,
}

impl fmt::Display for ParsePlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}", self.character)?;
        match self.rank {
            Some((BoardLevel::Ground, rank)) => write!(f, " (rank {rank})")?,
            Some((BoardLevel::Upper, rank)) => write!(f, " (upper level, rank {rank})")?,
            None => {}
        }
        write!(f, ": {}", self.problem)
    }
}

impl fmt::Display for PlacementProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlacementProblem::Standard(problem) => problem.fmt(f),
            PlacementProblem::NoTower(text) => {
                write!(f, "{text:?}: + and the tower follow the ground")
            }
            PlacementProblem::WrongColumn(text) => {
                write!(f, "{text:?}: the lower left square of the column, c3 to g5, ")?;
                f.write_str("and a colon follow the +")
            }
            PlacementProblem::WrongNumber(text) => {
                write!(f, "{text:?}: the number of empty squares of the upper level is 1 to 6")
            }
            PlacementProblem::RankTooShort(files) => {
                write!(f, "the rank ends after {files} of 6 squares")
            }
            PlacementProblem::RankTooLong => f.write_str("the rank has more than 6 squares"),
            PlacementProblem::MissingRanks(ranks) => {
                write!(f, "the upper level ends after {ranks} of 6 ranks")
            }
            PlacementProblem::TooManyRanks => f.write_str("the upper level has more than 6 ranks"),
        }
    }
}

impl std::error::Error for ParsePlacementError {}

impl ParsePlacementError {
    /// An error that was found while a level was read.
    fn on_level(level: BoardLevel, error: crate::ParsePlacementError) -> ParsePlacementError {
        use crate::PlacementProblem as Standard;
        use PlacementProblem as Problem;
        let problem = match (level, error.problem) {
            (BoardLevel::Upper, Standard::WrongNumber(text)) => Problem::WrongNumber(text),
            (BoardLevel::Upper, Standard::RankTooShort(files)) => Problem::RankTooShort(files),
            (BoardLevel::Upper, Standard::RankTooLong) => Problem::RankTooLong,
            (BoardLevel::Upper, Standard::MissingRanks(ranks)) => Problem::MissingRanks(ranks),
            (BoardLevel::Upper, Standard::TooManyRanks) => Problem::TooManyRanks,
            (_, problem) => Problem::Standard(problem),
        };
        let rank = error.rank.map(|rank| (level, rank));
        ParsePlacementError { character: error.character, rank, problem }
    }
}

/// Reads `+`, the lower left square of the column, and `:`.
fn read_column(parser: &mut PlacementParser<'_>) -> Result<TowerColumn, ParsePlacementError> {
    let text = parser.rest();
    let Some(place) = text.strip_prefix('+') else {
        let problem = PlacementProblem::NoTower(excerpt(text));
        return Err(ParsePlacementError { character: parser.character(), rank: None, problem });
    };
    parser.skip(1);
    let mut bytes = place.bytes();
    // The number of characters before the first wrong one.
    let correct = match (bytes.next(), bytes.next(), bytes.next()) {
        (Some(b'c'..=b'g'), Some(b'3'..=b'5'), Some(b':')) => 3,
        (Some(b'c'..=b'g'), Some(b'3'..=b'5'), _) => 2,
        (Some(b'c'..=b'g'), ..) => 1,
        _ => 0,
    };
    let name = place.get(..2).and_then(|name| name.parse().ok());
    match name.and_then(TowerColumn::new).filter(|_| correct == 3) {
        Some(column) => {
            parser.skip(3);
            Ok(column)
        }
        None => {
            let written: String = place.chars().take(3).collect();
            parser.skip(correct.min(place.len()));
            Err(ParsePlacementError {
                character: parser.character(),
                rank: None,
                problem: PlacementProblem::WrongColumn(written),
            })
        }
    }
}

impl FromStr for Placement {
    type Err = ParsePlacementError;

    fn from_str(text: &str) -> Result<Placement, ParsePlacementError> {
        let mut parser = PlacementParser::new(text);
        let mut ground = crate::Placement::EMPTY;
        let size = LevelSize {
            files: crate::Square::FILES,
            ranks: crate::Square::RANKS,
            lowest_rank: 0,
            end: '+',
        };
        let read = parser.level(&size, |file, rank, piece| {
            if let Some(square) = crate::Square::new(file, rank) {
                ground.set(square, Some(piece));
            }
        });
        read.map_err(|error| ParsePlacementError::on_level(BoardLevel::Ground, error))?;
        let mut placement = Placement::new(ground, read_column(&mut parser)?);
        let size = LevelSize {
            files: UPPER_FILES,
            ranks: UPPER_FILES,
            lowest_rank: placement.column.upper_square(0, 0).rank(),
            end: ' ',
        };
        let read = parser.level(&size, |file, rank, piece| {
            placement.upper[usize::from(rank * UPPER_FILES + file)] = Some(piece);
        });
        read.map_err(|error| ParsePlacementError::on_level(BoardLevel::Upper, error))?;
        let side = parser
            .side()
            .map_err(|error| ParsePlacementError::on_level(BoardLevel::Ground, error))?;
        placement.set_side_to_move(side);
        Ok(placement)
    }
}
