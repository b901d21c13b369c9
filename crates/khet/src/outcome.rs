//! The end of a game: its result, and why it ended.

use std::fmt;

use crate::{Color, GameResult, Termination};

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome {
    /// The winner; `None` in a draw and in an aborted game.
    pub winner: Option<Color>,
    /// The reason why the game ended.
    // Earlier versions wrote `reason`.
    #[cfg_attr(feature = "serde", serde(alias = "reason"))]
    pub termination: Termination,
}

impl Outcome {
    /// An aborted game, which has no result.
    pub const ABORTED: Outcome = Outcome { winner: None, termination: Termination::Aborted };

    /// A win.
    pub const fn win(winner: Color, termination: Termination) -> Outcome {
        Outcome { winner: Some(winner), termination }
    }

    /// A draw.
    pub const fn draw(termination: Termination) -> Outcome {
        Outcome { winner: None, termination }
    }

    /// Returns whether the game was aborted, and so counts neither as a win nor as a draw.
    pub const fn is_aborted(self) -> bool {
        matches!(self.termination, Termination::Aborted)
    }

    /// Returns the result as game records write it. An aborted game has none.
    pub const fn result(self) -> GameResult {
        if self.is_aborted() { GameResult::Unknown } else { GameResult::from_winner(self.winner) }
    }
}

impl fmt::Display for Outcome {
    /// Writes a sentence such as `Silver wins: Red resigned`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (result, loser) = match self.winner {
            Some(Color::Silver) => ("Silver wins", "Red"),
            Some(Color::Red) => ("Red wins", "Silver"),
            None if self.is_aborted() => ("No result", "a player"),
            None => ("Draw", "a player"),
        };
        f.write_str(result)?;
        match self.termination {
            Termination::PharaohHit if self.winner.is_none() => {
                f.write_str(": both pharaohs were hit")
            }
            Termination::PharaohHit => write!(f, ": {loser}'s pharaoh was hit"),
            Termination::NoLegalMove => write!(f, ": {loser} has no legal move"),
            Termination::Resignation => write!(f, ": {loser} resigned"),
            Termination::Repetition => f.write_str(": the position was repeated"),
            Termination::Agreement => f.write_str(": the players agreed"),
            Termination::Time => write!(f, ": {loser} ran out of time"),
            Termination::Abandonment => write!(f, ": {loser} left the game"),
            Termination::Aborted => f.write_str(": the game was aborted"),
            Termination::IllegalMove => write!(f, ": {loser} made an illegal move"),
            Termination::EngineCrash => write!(f, ": {loser}'s engine crashed"),
            Termination::EngineHang => write!(f, ": {loser}'s engine did not answer"),
            Termination::MoveLimit => f.write_str(": the move limit was reached"),
            Termination::Unspecified => Ok(()),
        }
    }
}
