//! Effects: requests of the state to its caller, and their results.

use khet::tower::Square;
use khet::{AnyPosition, Game, Move};
use khet_engine::Level;

/// A request that the state can't carry out itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// Let the engine choose a move at a level, and pass it to [`super::PlayState::receive_reply`].
    ChooseMove {
        ticket: u64,
        game: Game<AnyPosition>,
        level: Level,
    },
    /// Find the best move, and pass it to [`super::PlayState::receive_reply`].
    FindHint {
        ticket: u64,
        game: Game<AnyPosition>,
    },
    /// Stop the running search.
    StopSearch,
    /// Write the game record to a file, and pass the result to [`super::PlayState::saved`].
    Save {
        name: String,
        overwrite: bool,
    },
    /// Show the start screen.
    NewGame,
    Quit,
}

/// The result of [`Effect::Save`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SaveResult {
    Saved,
    /// A file of that name exists, and was not overwritten.
    Exists,
    /// Writing failed, for this reason.
    Failed(String),
}

/// The engine's answer to [`Effect::ChooseMove`] or [`Effect::FindHint`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EngineReply {
    pub(crate) ticket: u64,
    pub(crate) mv: Option<Move<Square>>,
    /// The engine claims a draw instead of playing the move.
    pub(crate) claims_draw: bool,
}
