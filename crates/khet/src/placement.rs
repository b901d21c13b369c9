//! Placements of pieces, playable or not, and the notation of positions.

use std::fmt;
use std::str::FromStr;

use crate::excerpt::excerpt;
use crate::{Color, Piece, Role, Square};

/// Pieces on squares and the side to move, not checked: the data of an editor or a parser.
///
/// It may be unplayable. [`Placement::faults`] lists the reasons, and
/// [`Position::new`](crate::Position::new) creates a position from a placement without faults.
///
/// ```
/// use khet::{Color, Placement, Square};
///
/// let mut placement: Placement = "4k5/10/10/10/10/10/10/3O2K5 s".parse()?;
/// assert_eq!(placement.to_string(), "4k5/10/10/10/10/10/10/3O2K5 s");
///
/// placement.set(Square::E8, None);
/// assert_eq!(placement.faults()[0].to_string(), "red has no pharaoh");
///
/// let error = "4k5/10/10/p57/10/10/10/3O2K5 s".parse::<Placement>().unwrap_err();
/// assert_eq!(error.to_string(), r#"character 11 (rank 5): "p5": a pyramid's digit is 1 to 4"#);
/// # Ok::<_, khet::ParsePlacementError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Placement {
    board: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub side_to_move: Color,
}

impl Placement {
    /// An empty board with Silver to move.
    pub const EMPTY: Placement =
        Placement { board: [None; Square::COUNT], side_to_move: Color::Silver };

    pub(crate) const fn new(board: [Option<Piece>; Square::COUNT], side_to_move: Color) -> Self {
        Placement { board, side_to_move }
    }

    /// Returns the piece on a square.
    pub fn get(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// Places a piece on a square, or clears the square.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.board[square.index()] = piece;
    }

    /// Iterates over all pieces with their squares, from `a1` to `j8`.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::all().filter_map(|square| Some((square, self.get(square)?)))
    }

    /// Returns the placement with the board rotated by 180 degrees and the sides exchanged, as the
    /// other player sees it.
    pub fn flipped(&self) -> Placement {
        let mut flipped = Placement { side_to_move: !self.side_to_move, ..Placement::EMPTY };
        for (square, piece) in self.pieces() {
            flipped.set(square.flipped(), Some(piece.rotated(2).other_color()));
        }
        flipped
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = |file, rank| Square::new(file, rank).and_then(|square| self.get(square));
        write_ranks(f, Square::RANKS, Square::FILES, file)?;
        write!(f, " {}", self.side_to_move.letter())
    }
}

/// Writes the ranks of a level from the top, with slashes between them.
pub(crate) fn write_ranks(
    f: &mut fmt::Formatter<'_>,
    ranks: u8,
    files: u8,
    piece: impl Fn(u8, u8) -> Option<Piece>,
) -> fmt::Result {
    for rank in (0..ranks).rev() {
        let mut empty = 0;
        for file in 0..files {
            match piece(file, rank) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        write!(f, "{empty}")?;
                    }
                    empty = 0;
                    write!(f, "{piece}")?;
                }
            }
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        if rank > 0 {
            f.write_str("/")?;
        }
    }
    Ok(())
}

/// A text that is not a position, with the place and the nature of the error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsePlacementError {
    /// The number of the wrong character, counted from 1.
    pub character: usize,
    /// The rank in which it stands, 1 to 8; `None` after the ranks.
    pub rank: Option<u8>,
    /// The error.
    pub problem: PlacementProblem,
}

/// An error in the text of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlacementProblem {
    /// No piece has this letter.
    UnknownLetter(char),
    /// The digit after the letter of this role is missing or too large.
    WrongDigit(Role, String),
    /// A number of empty squares that is not 1 to 10.
    WrongNumber(String),
    /// The rank ends before file `j`.
    RankTooShort(u8),
    /// The rank goes on after file `j`.
    RankTooLong,
    /// There are fewer than eight ranks.
    MissingRanks(u8),
    /// There is a ninth rank.
    TooManyRanks,
    /// One space and `s` or `r` must follow the placement.
    WrongSide(String),
    /// Something follows the side.
    TrailingText(String),
}

impl fmt::Display for ParsePlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}", self.character)?;
        if let Some(rank) = self.rank {
            write!(f, " (rank {rank})")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl fmt::Display for PlacementProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlacementProblem::UnknownLetter(letter) => {
                write!(f, "{letter:?}: the pieces are")?;
                for role in Role::ALL {
                    write!(f, " {}", role.letter())?;
                }
                f.write_str(", in lower case Red's")
            }
            PlacementProblem::WrongDigit(role, text) => {
                let article = match role {
                    Role::Obelisk | Role::Eye | Role::Anubis => "an",
                    _ => "a",
                };
                write!(f, "{text:?}: {article} {role}'s digit is 1 to {}", role.forms())
            }
            PlacementProblem::WrongNumber(text) => {
                write!(f, "{text:?}: the number of empty squares is 1 to 10")
            }
            PlacementProblem::RankTooShort(files) => {
                write!(f, "the rank ends after {files} of 10 squares")
            }
            PlacementProblem::RankTooLong => f.write_str("the rank has more than 10 squares"),
            PlacementProblem::MissingRanks(ranks) => {
                write!(f, "the board ends after {ranks} of 8 ranks")
            }
            PlacementProblem::TooManyRanks => f.write_str("the board has more than 8 ranks"),
            PlacementProblem::WrongSide(text) => {
                write!(f, "{text:?}: one space and s or r, the side to move, end a position")
            }
            PlacementProblem::TrailingText(text) => {
                write!(f, "{text:?}: nothing may follow the side to move")
            }
        }
    }
}

impl std::error::Error for ParsePlacementError {}

/// Parses a position from left to right.
pub(crate) struct PlacementParser<'a> {
    text: &'a str,
    /// The number of bytes that have been read.
    at: usize,
    rank: Option<u8>,
}

/// The measures of a level whose ranks are read.
pub(crate) struct LevelSize {
    pub(crate) files: u8,
    pub(crate) ranks: u8,
    /// The number of its lowest rank, counted from 0.
    pub(crate) lowest_rank: u8,
    /// The character after the last rank.
    pub(crate) end: char,
}

impl<'a> PlacementParser<'a> {
    pub(crate) fn new(text: &'a str) -> PlacementParser<'a> {
        PlacementParser { text, at: 0, rank: None }
    }

    /// Returns the text that has not been read.
    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Moves on by this number of bytes.
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Returns the number of the next character, counted from 1.
    pub(crate) fn character(&self) -> usize {
        self.text[..self.at].chars().count() + 1
    }

    /// Returns the next character.
    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Returns an error at a byte of the text.
    fn error(&self, at: usize, problem: PlacementProblem) -> ParsePlacementError {
        let character = self.text[..at].chars().count() + 1;
        ParsePlacementError { character, rank: self.rank.map(|rank| rank + 1), problem }
    }

    /// Returns an error at the current byte.
    fn fail<T>(&self, problem: PlacementProblem) -> Result<T, ParsePlacementError> {
        Err(self.error(self.at, problem))
    }

    /// Reads the ranks of a level, from the top. Calls `put` with the file and the rank of each
    /// piece on the level.
    pub(crate) fn level(
        &mut self,
        size: &LevelSize,
        mut put: impl FnMut(u8, u8, Piece),
    ) -> Result<(), ParsePlacementError> {
        for rank in (0..size.ranks).rev() {
            self.rank = Some(size.lowest_rank + rank);
            self.rank(size, |file, piece| put(file, rank, piece))?;
            match self.peek() {
                Some('/') if rank > 0 => self.at += 1,
                Some('/') => return self.fail(PlacementProblem::TooManyRanks),
                _ if rank > 0 => {
                    return self.fail(PlacementProblem::MissingRanks(size.ranks - rank));
                }
                _ => {}
            }
        }
        self.rank = None;
        Ok(())
    }

    /// Reads one rank, up to the slash or the end of the level after it.
    fn rank(
        &mut self,
        size: &LevelSize,
        mut put: impl FnMut(u8, Piece),
    ) -> Result<(), ParsePlacementError> {
        let mut file = 0;
        while let Some(next) = self.peek() {
            let start = self.at;
            match next {
                '/' | ' ' => break,
                end if end == size.end => break,
                '0'..='9' => {
                    let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
                    let number = &self.rest()[..digits];
                    match number.parse::<u8>() {
                        Ok(empty)
                            if (1..=size.files).contains(&empty) && !number.starts_with('0') =>
                        {
                            file += empty;
                        }
                        _ => return self.fail(PlacementProblem::WrongNumber(excerpt(number))),
                    }
                    self.at += digits;
                }
                _ => {
                    let piece = self.piece()?;
                    if file < size.files {
                        put(file, piece);
                    }
                    file += 1;
                }
            }
            if file > size.files {
                return Err(self.error(start, PlacementProblem::RankTooLong));
            }
        }
        if file < size.files {
            return self.fail(PlacementProblem::RankTooShort(file));
        }
        Ok(())
    }

    /// Reads the side to move, after which the text must end.
    pub(crate) fn side(&mut self) -> Result<Color, ParsePlacementError> {
        let side = match self.rest().as_bytes() {
            [b' ', b's', ..] => Color::Silver,
            [b' ', b'r', ..] => Color::Red,
            _ => return self.fail(PlacementProblem::WrongSide(excerpt(self.rest()))),
        };
        self.at += 2;
        if !self.rest().is_empty() {
            return self.fail(PlacementProblem::TrailingText(excerpt(self.rest())));
        }
        Ok(side)
    }

    /// Reads a piece: its letter, and its digit unless it is a pharaoh.
    fn piece(&mut self) -> Result<Piece, ParsePlacementError> {
        let mut text = self.rest().chars();
        let (letter, digit) = (text.next().unwrap_or_default(), text.next());
        match Piece::from_chars(letter, digit) {
            Ok(piece) => {
                self.at += if piece.role() == Role::Pharaoh { 1 } else { 2 };
                Ok(piece)
            }
            Err(None) => self.fail(PlacementProblem::UnknownLetter(letter)),
            Err(Some(role)) => {
                let text = std::iter::once(letter).chain(digit).collect();
                self.fail(PlacementProblem::WrongDigit(role, text))
            }
        }
    }
}

impl FromStr for Placement {
    type Err = ParsePlacementError;

    fn from_str(text: &str) -> Result<Placement, ParsePlacementError> {
        let mut placement = Placement::EMPTY;
        let mut parser = PlacementParser::new(text);
        let size =
            LevelSize { files: Square::FILES, ranks: Square::RANKS, lowest_rank: 0, end: ' ' };
        parser.level(&size, |file, rank, piece| {
            if let Some(square) = Square::new(file, rank) {
                placement.set(square, Some(piece));
            }
        })?;
        placement.side_to_move = parser.side()?;
        Ok(placement)
    }
}
