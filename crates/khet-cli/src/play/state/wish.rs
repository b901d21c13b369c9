//! What the state asks of the world, and what it is told.

use khet::{Game, Move};
use khet_engine::Level;

/// What the state can't do itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Wish {
    /// Choose a move as that level does, and bring it to [`super::State::answered`].
    Think {
        ticket: u64,
        game: Game,
        level: Level,
    },
    /// Find the best move within a second, for [`super::State::answered`] too.
    Hint {
        ticket: u64,
        game: Game,
    },
    /// Forget what was asked before.
    Stop,
    /// Write the record to a file, and say to [`super::State::saved`] what came of it.
    Save {
        name: String,
        overwrite: bool,
    },
    /// Show the start screen.
    NewGame,
    Quit,
}

/// What became of [`Wish::Save`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Saved {
    Done,
    /// There is a file of that name, which was left alone.
    Exists,
    /// It can't be written, for that reason.
    Failed(String),
}

/// What the computer says to [`Wish::Think`] or [`Wish::Hint`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reply {
    pub(crate) ticket: u64,
    pub(crate) mv: Option<Move>,
    /// It would rather claim the draw that it may claim.
    pub(crate) claims_draw: bool,
}
