//! How a game ended, on the board or beside it.

use khet::{Color, Reason};

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Who has won; nobody in a draw.
    pub winner: Option<Color>,
    /// Why it is over.
    pub cause: Cause,
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// A pharaoh was lit, or both at once, by this player's laser.
    Lit {
        /// Whose laser it was.
        by: Color,
    },
    /// The player to move has no move.
    NoMoves,
    /// A player gave up.
    Resignation,
    /// A draw was claimed, because the arrangement had come back.
    Repetition,
    /// The players agreed to a draw.
    Agreement,
    /// A player had no time left.
    Time,
    /// A player left, and the other one claimed.
    Left,
    /// It ended before it really began, and does not count.
    Aborted,
    /// A record says so, and no more.
    Recorded,
}

impl Cause {
    /// The cause of an ending by the rules; `by` fired last.
    pub(crate) fn of(reason: Reason, by: Option<Color>) -> Cause {
        match (reason, by) {
            (Reason::PharaohsLit, Some(by)) => Cause::Lit { by },
            (Reason::PharaohsLit, None) => Cause::Recorded,
            (Reason::NoMoves, _) => Cause::NoMoves,
            (Reason::Resignation, _) => Cause::Resignation,
            (Reason::Repetition, _) => Cause::Repetition,
            (Reason::Agreement, _) => Cause::Agreement,
        }
    }

    /// The word for it in a record's tag `Termination`, where the moves do not tell it.
    pub fn tag(self) -> Option<&'static str> {
        match self {
            Cause::Lit { .. } | Cause::NoMoves | Cause::Recorded => None,
            Cause::Left => Some("left"),
            Cause::Aborted => Some("aborted"),
            Cause::Resignation => Some("resignation"),
            Cause::Repetition => Some("repetition"),
            Cause::Agreement => Some("agreement"),
            Cause::Time => Some("time"),
        }
    }

    /// The cause that a record's tag `Termination` names.
    pub fn from_tag(text: &str) -> Cause {
        let named = [
            Cause::Resignation,
            Cause::Repetition,
            Cause::Agreement,
            Cause::Time,
            Cause::Left,
            Cause::Aborted,
        ];
        named.into_iter().find(|cause| cause.tag() == Some(text)).unwrap_or(Cause::Recorded)
    }
}
