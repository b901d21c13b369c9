//! The lobby: open challenges, and seeks that are paired with equal ones.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};

use khet_protocol::{
    ApiError, Challenge, ChallengeId, ColorPreference, GameId, LobbyResponse, NewChallenge,
    PersonId, PersonKind,
};
use tokio::sync::watch;

use crate::challenges;
use crate::server_state::ServerState;
use crate::storage::StorageError;

/// Largest number of challenges in the list.
const MAX_LISTED: usize = 100;

/// The open challenges and seeks.
#[derive(Debug, Default)]
pub(crate) struct Lobby {
    open_requests: Mutex<OpenRequests>,
    /// Changes whenever the list changes.
    changes: watch::Sender<u64>,
    /// Number of open connections.
    connections: AtomicU32,
}

#[derive(Debug, Default)]
struct OpenRequests {
    /// Oldest first.
    challenges: Vec<Challenge>,
    seeks: Vec<Seek>,
}

/// A person who looks for an opponent while the connection lasts.
#[derive(Debug)]
struct Seek {
    /// The id of the connection.
    id: u64,
    person: PersonId,
    challenge: NewChallenge,
}

/// Counts a connection until it is dropped.
pub(crate) struct ConnectionGuard<'l>(&'l Lobby);

impl Drop for ConnectionGuard<'_> {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Lobby {
    fn open_requests(&self) -> MutexGuard<'_, OpenRequests> {
        self.open_requests.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Loads the open challenges from the database.
    pub(crate) async fn fill(&self, server: &ServerState) -> Result<(), StorageError> {
        for stored in server.store.open_challenges().await? {
            let challenge = challenges::to_challenge(server, &stored).await?;
            self.open_requests().challenges.push(challenge);
        }
        Ok(())
    }

    /// Counts a connection until the guard is dropped.
    pub(crate) fn count_connection(&self) -> ConnectionGuard<'_> {
        self.connections.fetch_add(1, Ordering::Relaxed);
        ConnectionGuard(self)
    }

    /// Returns the list of open challenges.
    pub(crate) fn list(&self, server: &ServerState) -> LobbyResponse {
        let open_requests = self.open_requests();
        // A real-time challenge is listed only while its author is connected; a bot's challenges
        // always need the bot.
        let is_available = |challenge: &&Challenge| {
            let needs_author =
                challenge.options.time.is_real_time() || challenge.by.kind == PersonKind::Bot;
            !needs_author || server.notices.has_subscriber(challenge.by.id)
        };
        let open =
            open_requests.challenges.iter().filter(|challenge| challenge.open).filter(is_available);
        LobbyResponse {
            challenges: open.take(MAX_LISTED).cloned().collect(),
            games: u32::try_from(server.games.count_in_progress()).unwrap_or(u32::MAX),
            people: self.connections.load(Ordering::Relaxed),
        }
    }

    /// Returns a receiver that changes when the list may have changed.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Updates the list after a person with challenges has connected or disconnected.
    pub(crate) fn presence_changed(&self, person: PersonId) {
        if self.count_challenges_of(person) > 0 {
            self.changes.send_modify(|number| *number += 1);
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

    /// Adds an open challenge.
    pub(crate) fn add(&self, challenge: Challenge) {
        let open = challenge.open;
        self.open_requests().challenges.push(challenge);
        if open {
            self.changes.send_modify(|number| *number += 1);
        }
    }

    /// Removes a challenge that is no longer open.
    pub(crate) fn remove(&self, id: ChallengeId) {
        self.open_requests().challenges.retain(|challenge| challenge.id != id);
        self.changes.send_modify(|number| *number += 1);
    }

    /// Pairs a seek with a compatible one and returns their game; otherwise the seek stays in the
    /// lobby.
    pub(crate) async fn seek(
        &self,
        server: &ServerState,
        id: u64,
        person: PersonId,
        challenge: NewChallenge,
    ) -> Result<Option<GameId>, ApiError> {
        challenges::check(server, person, &challenge).await?;
        let partner = {
            let mut open_requests = self.open_requests();
            // A connection has one seek; a new one replaces it.
            open_requests.seeks.retain(|seek| seek.id != id);
            let index = open_requests.seeks.iter().position(|seek| {
                seek.person != person && are_compatible(&seek.challenge, &challenge)
            });
            match index {
                Some(index) => Some(open_requests.seeks.remove(index)),
                None => {
                    open_requests.seeks.push(Seek { id, person, challenge: challenge.clone() });
                    None
                }
            }
        };
        let Some(partner) = partner else { return Ok(None) };
        let wish = match (partner.challenge.color, challenge.color) {
            (ColorPreference::Random, ColorPreference::Silver) => ColorPreference::Red,
            (ColorPreference::Random, ColorPreference::Red) => ColorPreference::Silver,
            (wish, _) => wish,
        };
        let agreed = NewChallenge { color: wish, ..partner.challenge };
        let started = challenges::game_start(&agreed, partner.person, person);
        server.games.create(server, started, None).await.map(Some)
    }

    /// Removes the seek of a connection.
    pub(crate) fn unseek(&self, id: u64) {
        self.open_requests().seeks.retain(|seek| seek.id != id);
    }
}

/// Returns whether two seeks can be paired.
fn are_compatible(one: &NewChallenge, other: &NewChallenge) -> bool {
    let colors = one.color != other.color || one.color == ColorPreference::Random;
    one.options == other.options && colors
}
