//! Suspends a game while its events can't be written, and gives the players the time back.
//!
//! A failed write leaves the state in memory ahead of the one on disk, so the game is read again
//! before it continues. If only this game fails, it tries again after a pause that grows, so that
//! it does not keep disk and log busy.

use khet_protocol::{EventKind, GameState};
use tokio::sync::watch;

use super::actions::ActionError;
use super::{Actor, count_chat_messages};
use crate::storage::{StorageError, Store, WriteFailure};

/// Shortest and longest pause before another attempt, in milliseconds.
const RETRY_PAUSES: (u64, u64) = (1000, 60_000);

/// Whether a game is suspended.
#[derive(Debug)]
pub(super) struct Suspension {
    storage: watch::Receiver<Option<WriteFailure>>,
    /// The time from which on the players get their time back.
    since: Option<u64>,
    /// The state in memory is not the one on disk.
    is_stale: bool,
    /// Number of failures since the last success.
    failures: u32,
    /// The time of the next attempt, if only this game fails.
    retry_at: u64,
}

impl Suspension {
    pub(super) fn new(store: &Store) -> Suspension {
        Suspension {
            storage: store.write_health().subscribe(),
            since: None,
            is_stale: false,
            failures: 0,
            retry_at: 0,
        }
    }

    /// Returns whether the game is suspended.
    pub(super) fn is_suspended(&self) -> bool {
        self.since.is_some()
    }

    /// Waits until the storage fails or recovers.
    pub(super) async fn storage_changed(&mut self) {
        if self.storage.changed().await.is_err() {
            std::future::pending().await
        }
    }

    /// Returns whether the storage fails for all games.
    fn storage_fails(&self) -> bool {
        self.storage.borrow().is_some()
    }

    /// Returns the time of the next attempt to continue.
    pub(super) fn retry_at(&self) -> Option<u64> {
        (self.is_suspended() && !self.storage_fails()).then_some(self.retry_at)
    }
}

impl Actor {
    /// Suspends the game or continues it.
    pub(super) async fn update_suspension(&mut self, now: u64) {
        self.suspension.storage.mark_unchanged();
        if self.suspension.storage_fails() {
            self.suspension.since.get_or_insert(now);
            // The first attempt comes as soon as the storage has recovered. A game that makes the
            // storage fail again and again has to wait.
            if self.suspension.failures <= 1 {
                self.suspension.retry_at = 0;
            }
        } else if let Some(since) = self.suspension.since
            && now >= self.suspension.retry_at
        {
            self.resume(since, now).await;
        }
    }

    /// Records that the events of an action could not be written, which arrived at this time.
    pub(super) fn storage_failed(&mut self, error: &StorageError, arrived: u64) {
        if matches!(error, StorageError::NotOwner) {
            self.is_lost = true;
            return;
        }
        let suspension = &mut self.suspension;
        suspension.since.get_or_insert(arrived);
        suspension.is_stale = true;
        suspension.failures += 1;
        let pause = RETRY_PAUSES.0 << suspension.failures.min(10);
        suspension.retry_at = self.server.time.now() + pause.min(RETRY_PAUSES.1);
        if !suspension.storage_fails() {
            tracing::error!(id = %self.id, %error, "a game could not be stored; it tries again");
        }
    }

    /// Continues a suspended game and gives the player to move the time since then back.
    async fn resume(&mut self, since: u64, now: u64) {
        if !self.has_state().await {
            let error = StorageError::Corrupt("the game can't be read".to_owned());
            return self.storage_failed(&error, since);
        }
        if let Err(error) = self.credit(since, now).await {
            return self.storage_failed(&error, since);
        }
        self.suspension.since = None;
        self.suspension.failures = 0;
    }

    /// Gives the player to move the time since then back.
    async fn credit(&mut self, since: u64, now: u64) -> Result<(), StorageError> {
        // Time before the last event does not count on the clock.
        let last = self.events.last().map_or(0, |event| event.at);
        let time = now.saturating_sub(since.max(last));
        if time > 0 && self.state.outcome().is_none() && self.state.clock().is_some() {
            let credit = EventKind::Credited { time };
            if let Err(ActionError::Storage(error)) = self.append_event(credit, now).await {
                return Err(error);
            }
        }
        Ok(())
    }

    /// Gives the player to move the time of an outage back, in which the game was not suspended.
    pub(super) async fn credit_outage(&mut self, since: u64, now: u64) {
        if self.subscribers.restart_absences(now) {
            self.presence_changed(now, now);
        }
        // A suspended game credits the time since it was suspended.
        if !self.suspension.is_suspended()
            && let Err(error) = self.credit(since, now).await
        {
            self.storage_failed(&error, since);
        }
    }

    /// Returns whether the state in memory is the one on disk. Reads it if necessary.
    pub(super) async fn has_state(&mut self) -> bool {
        if !self.suspension.is_stale {
            return true;
        }
        let Ok(Some(stored)) = self.server.store.game(self.id).await else { return false };
        let Ok(state) = GameState::fold(&stored.events) else { return false };
        self.state = state;
        self.suspension.is_stale = false;
        self.chat_messages = count_chat_messages(&stored.events);
        // Events that are on disk although the storage reported an error.
        let now = self.server.time.now();
        for event in stored.events.into_iter().skip(self.events.len()) {
            self.publish(event, now);
        }
        self.update_info();
        true
    }
}
