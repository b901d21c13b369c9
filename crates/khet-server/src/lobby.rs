//! The lobby: open challenges, people who seek an opponent, bots that wait for challenges, and the
//! numbers of people and games.
//!
//! | module | content |
//! |---|---|
//! | `pairing` | seeks, and the games that start from them |
//! | `people_count` | the number of connected people |
//! | `other_nodes` | the parts of the lobby at other nodes, and pairing for all of them |

mod other_nodes;
mod pairing;
mod people_count;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use khet::TimeControl;
use khet_protocol::{
    Challenge, ChallengeId, LobbyCounts, LobbyResponse, PersonId, PersonKind, PublicProfile, Seek,
    WaitingBot,
};
use tokio::sync::watch;

use self::other_nodes::OtherNodes;
pub(crate) use self::other_nodes::{NodeLobby, pair_seeks};
pub(crate) use self::pairing::StartingGame;
use self::pairing::WaitingSeek;
use self::people_count::PeopleCount;
use crate::challenges;
use crate::server_state::ServerState;
use crate::storage::StorageError;

/// Largest number of challenges in the list, and of seeks.
const MAX_LISTED: usize = 100;
/// Largest number of challenges of one person in the list, and of seeks.
const MAX_LISTED_PER_PERSON: usize = 3;
/// Largest number of bots in the list.
const MAX_LISTED_BOTS: usize = 20;

/// The open challenges, the seeks, the waiting bots, and who is connected.
#[derive(Debug, Default)]
pub(crate) struct Lobby {
    open_requests: Mutex<OpenRequests>,
    people: Mutex<PeopleCount>,
    /// What is at other nodes.
    other_nodes: Mutex<OtherNodes>,
    /// Changes whenever the list changes.
    changes: watch::Sender<u64>,
    /// Changes whenever the number of people or games changes.
    count_changes: watch::Sender<u64>,
    /// Changes whenever the part of the list that is at this node changes.
    own_changes: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct OpenRequests {
    /// Oldest first.
    challenges: Vec<Challenge>,
    /// Oldest first.
    seeks: Vec<WaitingSeek>,
    /// The streams of bots that accept challenges, with the id of each stream.
    bots: Vec<(u64, WaitingBot)>,
    /// The number of games that start for each person right now.
    starting: HashMap<PersonId, u32>,
}

impl Lobby {
    fn open_requests(&self) -> MutexGuard<'_, OpenRequests> {
        self.open_requests.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Loads the open challenges from the database.
    pub(crate) async fn fill(&self, server: &ServerState) -> Result<(), StorageError> {
        for stored in server.store.open_challenges().await? {
            let challenge = challenges::to_challenge(server, &stored).await?;
            self.add(challenge);
        }
        Ok(())
    }

    /// Returns everything that the lobby shows.
    pub(crate) fn list(&self, server: &ServerState) -> LobbyResponse {
        let counts = self.counts(server);
        let open_requests = self.open_requests();
        // Newest first and few per person, so that nobody pushes others off the list.
        let challenges = open_requests
            .challenges
            .iter()
            .rev()
            .filter(|challenge| self.is_listed(server, challenge))
            .filter(few_per_person(|challenge: &&Challenge| challenge.by.id));
        let (seeks_elsewhere, bots_elsewhere) = (self.seeks_elsewhere(), self.bots_elsewhere());
        let mut seeks: Vec<&Seek> = open_requests.listed_seeks().chain(&seeks_elsewhere).collect();
        seeks.sort_by_key(|seek| seek.at);
        let seeks = seeks.into_iter().rev().filter(few_per_person(|seek: &&Seek| seek.by.id));
        let mut bots: Vec<WaitingBot> = Vec::new();
        for bot in open_requests.bots.iter().map(|(_, bot)| bot).chain(&bots_elsewhere) {
            if bots.len() < MAX_LISTED_BOTS
                && bots.iter().all(|listed| listed.profile.id != bot.profile.id)
            {
                bots.push(bot.clone());
            }
        }
        LobbyResponse {
            challenges: challenges.take(MAX_LISTED).cloned().collect(),
            seeks: seeks.take(MAX_LISTED).cloned().collect(),
            bots,
            counts,
        }
    }

    /// Returns the numbers of people and games.
    pub(crate) fn counts(&self, server: &ServerState) -> LobbyCounts {
        let elsewhere = self.counts_elsewhere();
        let games = u32::try_from(server.games.count_in_progress()).unwrap_or(u32::MAX);
        LobbyCounts {
            games: games.saturating_add(elsewhere.games),
            people: self.people().count().saturating_add(elsewhere.people),
        }
    }

    /// Returns a receiver that changes when the list may have changed.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Returns a receiver that changes when the number of people or games may have changed.
    pub(crate) fn count_changes(&self) -> watch::Receiver<u64> {
        self.count_changes.subscribe()
    }

    /// Returns a receiver that changes when the part of the list that is at this node may have
    /// changed.
    pub(crate) fn own_changes(&self) -> watch::Receiver<u64> {
        self.own_changes.subscribe()
    }

    fn list_changed(&self) {
        self.own_changes.send_modify(|number| *number += 1);
        self.changes.send_modify(|number| *number += 1);
    }

    /// Announces that the number of people or games has changed.
    pub(crate) fn counts_changed(&self) {
        self.count_changes.send_modify(|number| *number += 1);
    }

    /// Updates the list after a person with challenges has connected or disconnected. A challenge
    /// that is listed again may match a seek.
    pub(crate) fn presence_changed(&self, server: &ServerState, person: PersonId) {
        if self.count_challenges_of(person) > 0 {
            self.list_changed();
            if !server.pairs_seeks() {
                return;
            }
            // There is no runtime when the last connections are dropped.
            if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                let server = server.clone();
                runtime
                    .spawn(async move { server.lobby.pair_challenges_of(&server, person).await });
            }
        }
    }

    /// Returns the number of a person's open challenges.
    pub(crate) fn count_challenges_of(&self, person: PersonId) -> usize {
        self.open_requests().challenges.iter().filter(|challenge| challenge.by.id == person).count()
    }

    /// Returns the challenges by a person or to a name.
    pub(crate) fn challenges_of(&self, person: PersonId, name: Option<&str>) -> Vec<Challenge> {
        let concerns = |challenge: &&Challenge| {
            let to = challenge.to.as_ref().map(|to| to.key());
            challenge.by.id == person
                || (to.is_some() && to == name.map(|name| name.to_ascii_lowercase()))
        };
        self.open_requests().challenges.iter().filter(concerns).cloned().collect()
    }

    /// Adds an open challenge, unless it is there already.
    pub(crate) fn add(&self, challenge: Challenge) {
        let open = challenge.open;
        let mut requests = self.open_requests();
        if requests.challenges.iter().any(|known| known.id == challenge.id) {
            return;
        }
        requests.challenges.push(challenge);
        drop(requests);
        if open {
            self.list_changed();
        }
    }

    /// Removes a challenge that is no longer open.
    pub(crate) fn remove(&self, id: ChallengeId) {
        self.open_requests().challenges.retain(|challenge| challenge.id != id);
        self.list_changed();
    }

    /// Removes challenges created before a time.
    pub(crate) fn remove_old_challenges(&self, before: u64) {
        let mut requests = self.open_requests();
        let count = requests.challenges.len();
        requests.challenges.retain(|challenge| challenge.at >= before);
        let removed = requests.challenges.len() < count;
        drop(requests);
        if removed {
            self.list_changed();
        }
    }

    /// Lists a bot that accepts challenges with these time controls, until
    /// [`remove_bot`](Lobby::remove_bot) is called with the id of its stream.
    pub(crate) fn add_bot(&self, stream: u64, profile: PublicProfile, times: Vec<TimeControl>) {
        self.open_requests().bots.push((stream, WaitingBot { profile, times }));
        self.list_changed();
    }

    /// Returns whether a person is connected, at any node, and waits for games.
    pub(crate) fn awaits_games(&self, server: &ServerState, person: PersonId) -> bool {
        server.notices.awaits_games(person) || self.awaits_games_elsewhere(person)
    }

    /// Returns whether a challenge is in the list. A real-time challenge is listed only while its
    /// author is connected; a bot's challenges always need the bot.
    fn is_listed(&self, server: &ServerState, challenge: &Challenge) -> bool {
        let needs_author =
            challenge.options.time.is_real_time() || challenge.by.kind == PersonKind::Bot;
        challenge.open && (!needs_author || self.awaits_games(server, challenge.by.id))
    }

    /// Removes a bot whose stream has ended.
    pub(crate) fn remove_bot(&self, stream: u64) {
        self.open_requests().bots.retain(|(id, _)| *id != stream);
        self.list_changed();
    }
}

/// Returns a filter that lets the first [`MAX_LISTED_PER_PERSON`] entries of each person pass.
fn few_per_person<T>(person: impl Fn(&T) -> PersonId) -> impl FnMut(&T) -> bool {
    let mut counts: HashMap<PersonId, usize> = HashMap::new();
    move |entry| {
        let count = counts.entry(person(entry)).or_default();
        *count += 1;
        *count <= MAX_LISTED_PER_PERSON
    }
}
