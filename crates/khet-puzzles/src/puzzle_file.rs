//! The file format of puzzles: a header, then one puzzle per line, its fields separated by tabs.
//! `docs/puzzles.md` describes it.

use std::fmt;

use khet::{ParseMoveError, ParsePositionError, Placement, Position, Rules};

use crate::{
    MAX_RATING, MIN_RATING, ParsePuzzleSourceError, ParsePuzzleThemeError, Puzzle, PuzzleTheme,
    PuzzleThemes, SolutionError, SolutionLine,
};

/// The first line of a puzzle file: the format and its version.
pub const PUZZLE_FILE_HEADER: &str = "khet-puzzles 1";

/// An error in a puzzle file, and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleFileError {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The error.
    pub problem: PuzzleProblem,
}

/// An error in a line of a puzzle file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PuzzleProblem {
    /// The first line is not [`PUZZLE_FILE_HEADER`].
    Header,
    /// The number of fields is wrong.
    Fields(usize),
    /// The position can't be read or played.
    Position(ParsePositionError),
    /// A move can't be read.
    Move(ParseMoveError),
    /// The moves are no solution.
    Solution(SolutionError),
    /// A theme is unknown.
    Theme(String, ParsePuzzleThemeError),
    /// There is no theme, one is repeated, or they are not in their order.
    ThemeOrder,
    /// The rating is not a number in its range.
    Rating(String),
    /// The source can't be read.
    Source(ParsePuzzleSourceError),
}

impl fmt::Display for PuzzleFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for PuzzleFileError {}

impl fmt::Display for PuzzleProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PuzzleProblem::Header => {
                write!(f, "a puzzle file begins with the line {PUZZLE_FILE_HEADER:?}")
            }
            PuzzleProblem::Fields(fields) => write!(
                f,
                "{fields} fields; position, moves, themes, rating and source, separated by tabs, make a puzzle"
            ),
            PuzzleProblem::Position(error) => write!(f, "position: {error}"),
            PuzzleProblem::Move(error) => write!(f, "moves: {error}"),
            PuzzleProblem::Solution(error) => write!(f, "moves: {error}"),
            PuzzleProblem::Theme(text, error) => write!(f, "themes: {text:?}: {error}"),
            PuzzleProblem::ThemeOrder => f.write_str(
                "themes: there is at least one, none twice, in the order of the documentation",
            ),
            PuzzleProblem::Rating(text) => {
                write!(
                    f,
                    "rating: {text:?}: a rating is a number from {MIN_RATING} to {MAX_RATING}"
                )
            }
            PuzzleProblem::Source(error) => write!(f, "source: {error}"),
        }
    }
}

/// Reads the puzzles of a file, one after the other. An error in a line does not end the reading.
pub fn read_puzzles(text: &str) -> impl Iterator<Item = Result<Puzzle, PuzzleFileError>> + '_ {
    let mut lines = text.split_terminator('\n');
    let headed = lines.next() == Some(PUZZLE_FILE_HEADER);
    let header =
        (!headed).then_some(Err(PuzzleFileError { line: 1, problem: PuzzleProblem::Header }));
    let lines = lines.take_while(move |_| headed);
    let puzzles = lines.enumerate().map(|(index, line)| {
        read_puzzle(line).map_err(|problem| PuzzleFileError { line: index + 2, problem })
    });
    header.into_iter().chain(puzzles)
}

/// Reads one line of a puzzle file.
pub fn read_puzzle(line: &str) -> Result<Puzzle, PuzzleProblem> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [position, moves, themes, rating, source] = fields[..] else {
        return Err(PuzzleProblem::Fields(fields.len()));
    };
    let moves: Result<Vec<_>, _> = moves.split(' ').map(str::parse).collect();
    let moves = moves.map_err(PuzzleProblem::Move)?;
    let line = SolutionLine::new(read_position(position)?, moves);
    Ok(Puzzle {
        line: line.map_err(PuzzleProblem::Solution)?,
        themes: read_themes(themes)?,
        rating: read_rating(rating)?,
        source: source.parse().map_err(PuzzleProblem::Source)?,
    })
}

/// Reads a position in notation. The name of a setup is not accepted.
fn read_position(text: &str) -> Result<Position, PuzzleProblem> {
    let placement: Placement =
        text.parse().map_err(|error| PuzzleProblem::Position(ParsePositionError::Text(error)))?;
    Position::new(&placement, Rules::Standard)
        .map_err(|error| PuzzleProblem::Position(ParsePositionError::Invalid(error)))
}

fn read_themes(text: &str) -> Result<PuzzleThemes, PuzzleProblem> {
    let mut themes = PuzzleThemes::EMPTY;
    for name in text.split(' ') {
        let theme: PuzzleTheme =
            name.parse().map_err(|error| PuzzleProblem::Theme(name.to_string(), error))?;
        themes.insert(theme);
    }
    if themes.to_string() == text { Ok(themes) } else { Err(PuzzleProblem::ThemeOrder) }
}

fn read_rating(text: &str) -> Result<u16, PuzzleProblem> {
    let rating = text.parse().ok().filter(|rating| (MIN_RATING..=MAX_RATING).contains(rating));
    let rating = rating.filter(|rating: &u16| rating.to_string() == text);
    rating.ok_or_else(|| PuzzleProblem::Rating(text.to_string()))
}

/// Writes a file with these puzzles.
pub fn write_puzzles<'a>(puzzles: impl IntoIterator<Item = &'a Puzzle>) -> String {
    let mut text = format!("{PUZZLE_FILE_HEADER}\n");
    for puzzle in puzzles {
        text.push_str(&puzzle.to_string());
        text.push('\n');
    }
    text
}

impl fmt::Display for Puzzle {
    /// Writes the line of a puzzle file, without the line break.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t", self.line.start())?;
        for (index, mv) in self.line.moves().enumerate() {
            let space = if index > 0 { " " } else { "" };
            write!(f, "{space}{mv}")?;
        }
        write!(f, "\t{}\t{}\t{}", self.themes, self.rating, self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "4k4P2/2p27/p29/10/1d15d12/10/2P37/4K5 s\te1d1 b4+ j8+\tswap long-beam\t1200\tclassic:1:2:3";

    fn error_of(line: &str) -> String {
        let text = format!("{PUZZLE_FILE_HEADER}\n{LINE}\n{line}\n");
        let mut puzzles = read_puzzles(&text);
        assert!(puzzles.next().expect("a puzzle").is_ok());
        puzzles.next().expect("a puzzle").expect_err("an error").to_string()
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let text = format!("{PUZZLE_FILE_HEADER}\n{LINE}\n{LINE}\n");
        let puzzles: Result<Vec<Puzzle>, _> = read_puzzles(&text).collect();
        assert_eq!(write_puzzles(&puzzles.expect("two puzzles")), text);
        assert_eq!(read_puzzles(&write_puzzles([])).count(), 0);
    }

    #[test]
    fn errors_name_the_line_and_the_field() {
        for (old, new, message) in [
            ("\tclassic:1:2:3", "", "line 3: 4 fields; position, moves, themes, rating and source"),
            ("/4K5 s", "/4K4 s", "line 3: position: character "),
            ("4K5 s", "10 s", "line 3: position: silver has no pharaoh"),
            ("4k4P2/2p27/p29/10/1d15d12/10/2P37/4K5 s", "classic", "line 3: position: character 1"),
            ("e1d1", "e1x1", "line 3: moves: \"e1x1\": a move is written like"),
            ("e1d1 ", "e1d1  ", "line 3: moves: \"\": a move is written like"),
            ("e1d1", "e1e3", "line 3: moves: move 1: e1e3: e3 is not next to e1"),
            ("swap ", "swop ", "line 3: themes: \"swop\": the themes are pharaoh-in-one"),
            ("swap ", "long-beam ", "line 3: themes: there is at least one, none twice"),
            ("1200", "0700", "line 3: rating: \"0700\": a rating is a number from 600 to 2600"),
            ("1200", "2601", "line 3: rating: \"2601\""),
            ("classic:", "classic/", "line 3: source: a source is written SETUP:SEED:GAME:PLY"),
        ] {
            let line = LINE.replace(old, new);
            assert_ne!(line, LINE);
            let error = error_of(&line);
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn other_files_are_refused_at_once() {
        for text in ["", "khet-puzzles 2\n", LINE] {
            let errors: Vec<_> = read_puzzles(text).collect();
            let expected = PuzzleFileError { line: 1, problem: PuzzleProblem::Header };
            assert_eq!(errors, [Err(expected)]);
        }
    }
}
