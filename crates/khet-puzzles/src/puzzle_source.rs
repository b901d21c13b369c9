//! The game that a puzzle comes from.

use std::fmt;
use std::str::FromStr;

use khet::Setup;

/// The longest name of a record file.
const MAX_NAME: usize = 40;

/// The game and the ply at which the generator found a puzzle.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PuzzleSource {
    /// A game of the engine's levels against each other, written `classic:7:1234:56`.
    SelfPlay {
        /// The setup from which it began.
        setup: Setup,
        /// The seed of the generator.
        seed: u64,
        /// The number of the game.
        game: u32,
        /// The number of plies played before the position.
        ply: u16,
    },
    /// A game from a record file, written `club-games:12:56`.
    Record {
        /// The name of the file without its ending.
        file: String,
        /// The number of the game in the file, counted from 1.
        game: u32,
        /// The number of plies played before the position.
        ply: u16,
    },
}

impl PuzzleSource {
    /// Returns the name that stands for a record file: that of the file without its ending, with
    /// hyphens in place of everything but ASCII letters, digits, and `_`.
    pub fn file_name(stem: &str) -> String {
        let plain = |letter: char| match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => letter,
            _ => '-',
        };
        let name: String = stem.chars().take(MAX_NAME).map(plain).collect();
        if name.is_empty() { "-".to_string() } else { name }
    }
}

impl fmt::Display for PuzzleSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PuzzleSource::SelfPlay { setup, seed, game, ply } => {
                write!(f, "{setup}:{seed}:{game}:{ply}")
            }
            PuzzleSource::Record { file, game, ply } => write!(f, "{file}:{game}:{ply}"),
        }
    }
}

/// A text that is not the source of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsePuzzleSourceError;

impl fmt::Display for ParsePuzzleSourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a source is written SETUP:SEED:GAME:PLY or FILE:GAME:PLY")
    }
}

impl std::error::Error for ParsePuzzleSourceError {}

impl FromStr for PuzzleSource {
    type Err = ParsePuzzleSourceError;

    fn from_str(text: &str) -> Result<PuzzleSource, ParsePuzzleSourceError> {
        let parts: Vec<&str> = text.split(':').collect();
        let source = match parts[..] {
            [setup, seed, game, ply] => PuzzleSource::SelfPlay {
                setup: setup.parse().map_err(|_| ParsePuzzleSourceError)?,
                seed: number(seed)?,
                game: number(game)?,
                ply: number(ply)?,
            },
            [file, game, ply] if PuzzleSource::file_name(file) == file => PuzzleSource::Record {
                file: file.to_string(),
                game: number(game)?,
                ply: number(ply)?,
            },
            _ => return Err(ParsePuzzleSourceError),
        };
        // Each source has one text form: no upper case in a setup, no zeros before a number.
        if source.to_string() == text { Ok(source) } else { Err(ParsePuzzleSourceError) }
    }
}

fn number<N: FromStr>(text: &str) -> Result<N, ParsePuzzleSourceError> {
    text.parse().map_err(|_| ParsePuzzleSourceError)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_has_one_text_form() {
        for text in ["classic:7:1234:56", "khet2-dynasty-eye:0:0:0", "club_games-2:12:56"] {
            assert_eq!(
                text.parse::<PuzzleSource>().map(|source| source.to_string()),
                Ok(text.into())
            );
        }
        for wrong in
            ["", "classic", "a:b", "Classic:7:1:2", "a:01:2", "a b:1:2", "a:1:70000", "a:1:2:3:4"]
        {
            assert_eq!(wrong.parse::<PuzzleSource>(), Err(ParsePuzzleSourceError), "{wrong}");
        }
        assert_eq!(PuzzleSource::file_name("Club games: May"), "Club-games--May");
    }
}
