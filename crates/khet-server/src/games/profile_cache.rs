//! The profiles of a game's players, cached outside of its task.

use std::sync::{Mutex, MutexGuard};

use khet_protocol::{ByColor, GameStart, PublicProfile, Speed};

use crate::people;
use crate::storage::{StorageError, Store};

/// Time for which profiles are cached, in milliseconds.
const CACHE_TIME: u64 = 30_000;

/// The profiles of a game's players, and when they expire.
#[derive(Debug, Default)]
pub(super) struct ProfileCache(Mutex<Option<(u64, ByColor<PublicProfile>)>>);

impl ProfileCache {
    /// Returns the profiles.
    pub(super) async fn get(
        &self,
        store: &Store,
        started: &GameStart,
        now: u64,
    ) -> Result<ByColor<PublicProfile>, StorageError> {
        if let Some((until, profiles)) = &*self.lock()
            && now < *until
        {
            return Ok(profiles.clone());
        }
        let speed = Speed::of(started.options.time);
        let profiles = ByColor {
            silver: people::load_public_profile(store, started.silver, speed).await?,
            red: people::load_public_profile(store, started.red, speed).await?,
        };
        *self.lock() = Some((now + CACHE_TIME, profiles.clone()));
        Ok(profiles)
    }

    /// Drops the profiles, because the ratings have changed.
    pub(super) fn clear(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<(u64, ByColor<PublicProfile>)>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
