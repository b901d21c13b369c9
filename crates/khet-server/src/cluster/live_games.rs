//! The games in progress at other nodes that may be worth watching.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use khet_protocol::GameId;

use super::NodeId;
use crate::games::LiveGameInfo;

/// The games in progress of each other node.
#[derive(Debug, Default)]
pub(crate) struct NodeGames(Mutex<HashMap<NodeId, Vec<(GameId, LiveGameInfo)>>>);

impl NodeGames {
    fn lock(&self) -> MutexGuard<'_, HashMap<NodeId, Vec<(GameId, LiveGameInfo)>>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Records the games of a node.
    pub(super) fn set(&self, node: NodeId, games: Vec<(GameId, LiveGameInfo)>) {
        self.lock().insert(node, games);
    }

    /// Forgets nodes that are gone.
    pub(super) fn retain(&self, is_alive: impl Fn(&NodeId) -> bool) {
        self.lock().retain(|node, _| is_alive(node));
    }

    /// Returns the games of all other nodes.
    pub(crate) fn all(&self) -> Vec<(GameId, LiveGameInfo)> {
        self.lock().values().flatten().cloned().collect()
    }
}
