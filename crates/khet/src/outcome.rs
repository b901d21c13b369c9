//! How a game ends.

use std::fmt;

use crate::Color;

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome {
    /// Who has won; nobody in a draw.
    pub winner: Option<Color>,
    /// Why it is over.
    pub reason: Reason,
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Reason {
    /// A pharaoh was lit, or with an Eye of Horus both at once.
    PharaohsLit,
    /// The player to move has no legal move, and loses.
    NoMoves,
    /// A player gave up.
    Resignation,
    /// The arrangement had come back often enough, and the player to move claimed a draw.
    Repetition,
    /// The players agreed to a draw.
    Agreement,
}

impl Outcome {
    /// `1-0` when Silver has won, `0-1` when Red has, `1/2-1/2` for a draw.
    pub const fn score(self) -> &'static str {
        match self.winner {
            Some(Color::Silver) => "1-0",
            Some(Color::Red) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.winner {
            Some(Color::Silver) => "Silver wins: ",
            Some(Color::Red) => "Red wins: ",
            None => "Draw: ",
        })?;
        f.write_str(match self.reason {
            Reason::PharaohsLit if self.winner.is_none() => "both pharaohs are lit",
            Reason::PharaohsLit => "a pharaoh is lit",
            Reason::NoMoves => "no legal move is left",
            Reason::Resignation => "the other player resigned",
            Reason::Repetition => "the arrangement came back, and it was claimed",
            Reason::Agreement => "the players agreed",
        })
    }
}
