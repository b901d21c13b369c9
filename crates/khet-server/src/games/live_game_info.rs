//! The data of a game in lists of live games, readable without a message to its task.

use khet::AnyPlacement;
use khet_protocol::{GameStart, GameState};
use serde::{Deserialize, Serialize};

/// The data of a game in lists of live games.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LiveGameInfo {
    pub(crate) started: GameStart,
    pub(crate) started_at: u64,
    pub(crate) moved_at: u64,
    pub(crate) moves: u32,
    pub(crate) position: AnyPlacement,
    pub(crate) spectators: u32,
    pub(crate) over: bool,
}

impl LiveGameInfo {
    pub(super) fn of(state: &GameState, spectators: u32) -> LiveGameInfo {
        LiveGameInfo {
            started: state.start().clone(),
            started_at: state.started_at(),
            moved_at: state.moved_at(),
            moves: state.game().ply() as u32,
            position: state.game().position().placement(),
            spectators,
            over: state.outcome().is_some(),
        }
    }
}
