//! The result of a game, as records write it.

use std::fmt;

use crate::Color;

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// `1-0`: Silver won.
    SilverWins,
    /// `0-1`: Red won.
    RedWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: not over, aborted, or not known.
    #[default]
    Unknown,
}

impl GameResult {
    const ALL: [GameResult; 4] =
        [GameResult::SilverWins, GameResult::RedWins, GameResult::Draw, GameResult::Unknown];

    /// Returns the result of a game with this winner; `None` is a draw.
    pub const fn from_winner(winner: Option<Color>) -> GameResult {
        match winner {
            Some(Color::Silver) => GameResult::SilverWins,
            Some(Color::Red) => GameResult::RedWins,
            None => GameResult::Draw,
        }
    }

    /// Its text form.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::SilverWins => "1-0",
            GameResult::RedWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }

    /// Reads the text form.
    pub(super) fn from_text(text: &str) -> Option<GameResult> {
        GameResult::ALL.into_iter().find(|result| result.text() == text)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}
