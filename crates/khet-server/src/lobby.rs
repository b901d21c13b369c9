//! The lobby: challenges that wait, and people who want to play whoever wants the same.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};

use khet_protocol::{
    ApiError, Challenge, ChallengeId, ColorPreference, GameId, LobbyResponse, NewChallenge,
    PersonId, PersonKind,
};
use tokio::sync::watch;

use crate::app::App;
use crate::challenges;
use crate::storage::StorageError;

/// At most so many open challenges are shown.
const SHOWN: usize = 100;

/// Who waits for whom.
#[derive(Debug, Default)]
pub(crate) struct Lobby {
    waiting: Mutex<Waiting>,
    /// Changes with what is shown.
    changes: watch::Sender<u64>,
    /// People who are connected.
    people: AtomicU32,
}

#[derive(Debug, Default)]
struct Waiting {
    /// The oldest first.
    challenges: Vec<Challenge>,
    seeks: Vec<Seek>,
}

/// Someone who looks for an opponent, as long as the connection lasts.
#[derive(Debug)]
struct Seek {
    /// The connection.
    id: u64,
    person: PersonId,
    challenge: NewChallenge,
}

/// Somebody who is connected. Counts until it is dropped.
pub(crate) struct Seat<'l>(&'l Lobby);

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.0.people.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Lobby {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Fills it with the challenges that are kept.
    pub(crate) async fn fill(&self, app: &App) -> Result<(), StorageError> {
        for stored in app.store.waiting_challenges().await? {
            let challenge = challenges::shown(app, &stored).await?;
            self.waiting().challenges.push(challenge);
        }
        Ok(())
    }

    /// Counts a connection.
    pub(crate) fn enter(&self) -> Seat<'_> {
        self.people.fetch_add(1, Ordering::Relaxed);
        Seat(self)
    }

    /// What there is to choose from.
    pub(crate) fn answer(&self, app: &App) -> LobbyResponse {
        let waiting = self.waiting();
        // Who is gone plays neither at once nor, if it is a program, later.
        let is_there = |challenge: &&Challenge| {
            let waits =
                challenge.options.time.is_real_time() || challenge.by.kind == PersonKind::Bot;
            !waits || app.notices.has_listener(challenge.by.id)
        };
        let open = waiting.challenges.iter().filter(|challenge| challenge.open).filter(is_there);
        LobbyResponse {
            challenges: open.take(SHOWN).cloned().collect(),
            games: u32::try_from(app.games.count_played()).unwrap_or(u32::MAX),
            people: self.people.load(Ordering::Relaxed),
        }
    }

    /// Changes when the answer may have changed.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Someone whose challenges may be shown has come or gone.
    pub(crate) fn attendance_changed(&self, person: PersonId) {
        if self.count_of(person) > 0 {
            self.changes.send_modify(|number| *number += 1);
        }
    }

    /// How many challenges of a person wait.
    pub(crate) fn count_of(&self, person: PersonId) -> usize {
        self.waiting().challenges.iter().filter(|challenge| challenge.by.id == person).count()
    }

    /// Challenges that wait for a person by name, or that the person made.
    pub(crate) fn concerning(&self, person: PersonId, name: Option<&str>) -> Vec<Challenge> {
        let concerns = |challenge: &&Challenge| {
            let to = challenge.to.as_ref().map(|to| to.key());
            challenge.by.id == person
                || (to.is_some() && to == name.map(|name| name.to_ascii_lowercase()))
        };
        self.waiting().challenges.iter().filter(concerns).cloned().collect()
    }

    /// A challenge waits from now on.
    pub(crate) fn add(&self, challenge: Challenge) {
        let open = challenge.open;
        self.waiting().challenges.push(challenge);
        if open {
            self.changes.send_modify(|number| *number += 1);
        }
    }

    /// A challenge no longer waits.
    pub(crate) fn remove(&self, id: ChallengeId) {
        self.waiting().challenges.retain(|challenge| challenge.id != id);
        self.changes.send_modify(|number| *number += 1);
    }

    /// Looks for someone who wants the same. If there is someone, this is the game; otherwise the seek waits.
    pub(crate) async fn seek(
        &self,
        app: &App,
        id: u64,
        person: PersonId,
        challenge: NewChallenge,
    ) -> Result<Option<GameId>, ApiError> {
        challenges::check(app, person, &challenge).await?;
        let partner = {
            let mut waiting = self.waiting();
            // One at a time: a new seek replaces the last one.
            waiting.seeks.retain(|seek| seek.id != id);
            let found = waiting
                .seeks
                .iter()
                .position(|seek| seek.person != person && fit(&seek.challenge, &challenge));
            match found {
                Some(place) => Some(waiting.seeks.remove(place)),
                None => {
                    waiting.seeks.push(Seek { id, person, challenge: challenge.clone() });
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
        let started = challenges::seats(&agreed, partner.person, person);
        app.games.create(app, started, None).await.map(Some)
    }

    /// A connection no longer looks for anyone.
    pub(crate) fn unseek(&self, id: u64) {
        self.waiting().seeks.retain(|seek| seek.id != id);
    }
}

/// Whether two people can play each other.
fn fit(one: &NewChallenge, other: &NewChallenge) -> bool {
    let colors = one.color != other.color || one.color == ColorPreference::Random;
    one.options == other.options && colors
}
