//! The lobby of several nodes: each announces its own part, and one of them pairs the seeks of all.

use std::collections::{HashMap, HashSet};
use std::sync::MutexGuard;
use std::time::Duration;

use khet_protocol::{GameId, LobbyCounts, PersonId, Seek, SeekId, WaitingBot};
use serde::{Deserialize, Serialize};

use super::Lobby;
use crate::challenges;
use crate::cluster::{NodeId, Shard};
use crate::notices::Notice;
use crate::server_state::ServerState;
use crate::storage::StorageError;

/// Time after which a seek that is still announced although it was paired means that the notice of
/// its game was lost, in milliseconds.
const NOTICE_TIME: u64 = 3000;
/// Time for which paired seeks are remembered, in milliseconds.
const PAIRED_LIFETIME: u64 = 60_000;

/// The part of the lobby that the connections of a node make up.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct NodeLobby {
    seeks: Vec<Seek>,
    bots: Vec<WaitingBot>,
    /// The connected authors of challenges, who wait for games.
    awaiting: HashSet<PersonId>,
    counts: LobbyCounts,
}

impl NodeLobby {
    fn has_same_list(&self, other: &NodeLobby) -> bool {
        self.seeks == other.seeks && self.bots == other.bots && self.awaiting == other.awaiting
    }
}

/// The parts of all other nodes.
#[derive(Debug, Default)]
pub(super) struct OtherNodes {
    nodes: HashMap<NodeId, NodeLobby>,
    /// The seeks that this node has paired, with their games. Their nodes announce them until they know.
    paired: HashMap<SeekId, (PersonId, GameId)>,
    /// When each of them was paired, or the person was last notified. 0 if that is not known yet.
    notified: HashMap<SeekId, u64>,
}

impl OtherNodes {
    /// Remembers that a seek was paired.
    pub(super) fn set_paired(&mut self, seek: &Seek, game: GameId) {
        self.paired.insert(seek.id, (seek.by.id, game));
        self.notified.insert(seek.id, 0);
    }

    /// Returns the people whose seek is still announced although it was paired some time ago, with
    /// their games, and forgets pairs that are older.
    fn missed_notices(&mut self, now: u64) -> Vec<(PersonId, GameId)> {
        for notified in self.notified.values_mut().filter(|notified| **notified == 0) {
            *notified = now;
        }
        self.notified.retain(|_, notified| now.saturating_sub(*notified) < PAIRED_LIFETIME);
        let (paired, notified) = (&mut self.paired, &mut self.notified);
        paired.retain(|id, _| notified.contains_key(id));
        let announced = self.nodes.values().flat_map(|lobby| &lobby.seeks);
        let mut missed = Vec::new();
        for seek in announced {
            if let (Some(&pair), Some(notified)) =
                (paired.get(&seek.id), notified.get_mut(&seek.id))
                && now.saturating_sub(*notified) > NOTICE_TIME
            {
                *notified = now;
                missed.push(pair);
            }
        }
        missed
    }
}

impl Lobby {
    pub(super) fn other_nodes(&self) -> MutexGuard<'_, OtherNodes> {
        self.other_nodes.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Returns the seeks at other nodes that are not paired.
    pub(super) fn seeks_elsewhere(&self) -> Vec<Seek> {
        let other_nodes = self.other_nodes();
        let seeks = other_nodes.nodes.values().flat_map(|lobby| &lobby.seeks);
        seeks.filter(|seek| !other_nodes.paired.contains_key(&seek.id)).cloned().collect()
    }

    /// Returns the waiting bots at other nodes.
    pub(super) fn bots_elsewhere(&self) -> Vec<WaitingBot> {
        self.other_nodes().nodes.values().flat_map(|lobby| &lobby.bots).cloned().collect()
    }

    /// Returns whether a person is connected to another node and waits for games.
    pub(super) fn awaits_games_elsewhere(&self, person: PersonId) -> bool {
        self.other_nodes().nodes.values().any(|lobby| lobby.awaiting.contains(&person))
    }

    /// Returns the numbers of people and games at other nodes. A person who is connected to several
    /// nodes counts at each.
    pub(super) fn counts_elsewhere(&self) -> LobbyCounts {
        let mut sum = LobbyCounts { games: 0, people: 0 };
        for lobby in self.other_nodes().nodes.values() {
            sum.games = sum.games.saturating_add(lobby.counts.games);
            sum.people = sum.people.saturating_add(lobby.counts.people);
        }
        sum
    }

    /// Returns the part of the lobby that this node announces.
    pub(crate) fn own_part(&self, server: &ServerState) -> NodeLobby {
        let games = u32::try_from(server.games.count_in_progress()).unwrap_or(u32::MAX);
        let counts = LobbyCounts { games, people: self.people().count() };
        let requests = self.open_requests();
        let authors = requests.challenges.iter().map(|challenge| challenge.by.id);
        NodeLobby {
            awaiting: authors.filter(|author| server.notices.awaits_games(*author)).collect(),
            seeks: requests.listed_seeks().cloned().collect(),
            bots: requests.bots.iter().map(|(_, bot)| bot.clone()).collect(),
            counts,
        }
    }

    /// Records the part of another node.
    pub(crate) fn set_node(&self, node: NodeId, lobby: NodeLobby) {
        let mut other_nodes = self.other_nodes();
        let before = other_nodes.nodes.get(&node);
        let same_counts = before.is_some_and(|before| before.counts == lobby.counts);
        let same_list = before.is_some_and(|before| before.has_same_list(&lobby));
        other_nodes.nodes.insert(node, lobby);
        drop(other_nodes);
        if !same_counts {
            self.counts_changed();
        }
        if !same_list {
            self.others_changed();
        }
    }

    /// Announces to clients that the list has changed, but not to the other nodes.
    fn others_changed(&self) {
        self.changes.send_modify(|number| *number += 1);
    }

    /// Forgets nodes that are gone.
    pub(crate) fn retain_nodes(&self, is_alive: impl Fn(&NodeId) -> bool) {
        let mut other_nodes = self.other_nodes();
        let before = other_nodes.nodes.len();
        other_nodes.nodes.retain(|node, _| is_alive(node));
        let changed = other_nodes.nodes.len() < before;
        drop(other_nodes);
        if changed {
            self.others_changed();
        }
    }

    /// Ends the seeks of a person whose game has started at another node.
    pub(crate) fn game_may_have_started(&self, person: PersonId, notice: Notice) {
        if matches!(notice, Notice::GameStarted { .. }) {
            self.remove_seeks_of([person, person]);
            self.list_changed();
        }
    }

    /// Reads the open challenges again, because announcements of other nodes may have been lost.
    pub(crate) async fn refill(&self, server: &ServerState) -> Result<(), StorageError> {
        let known: HashSet<_> =
            self.open_requests().challenges.iter().map(|challenge| challenge.id).collect();
        let stored = server.store.open_challenges().await?;
        let open: HashSet<_> = stored.iter().map(|challenge| challenge.id).collect();
        for gone in known.difference(&open) {
            // It may be newer than what was read.
            let found = server.store.challenge(*gone).await?;
            if found.is_none_or(|found| found.game.is_some() || found.declined) {
                self.remove(*gone);
            }
        }
        for challenge in stored.iter().filter(|challenge| !known.contains(&challenge.id)) {
            self.add(challenges::to_challenge(server, challenge).await?);
        }
        Ok(())
    }
}

/// Pairs the seeks of all nodes, while this node owns the lobby. Runs until the server stops.
pub(crate) async fn pair_seeks(server: ServerState) {
    let mut changes = server.lobby.changes();
    loop {
        tokio::select! {
            _ = changes.changed() => {}
            () = tokio::time::sleep(Duration::from_millis(NOTICE_TIME)) => {}
        }
        if server.cluster.as_ref().is_some_and(|cluster| cluster.owns(Shard::LOBBY)) {
            server.lobby.pair_all(&server).await;
            let missed = server.lobby.other_nodes().missed_notices(server.time.now());
            for (person, game) in missed {
                server.notify(person, Notice::GameStarted { game, challenge: None });
            }
        }
    }
}
