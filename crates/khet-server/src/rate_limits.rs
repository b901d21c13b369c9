//! Rate limits: how often an address or a person may do something.
//!
//! A [`TokenBucket`] refills steadily and is drained by requests; a [`Limiter`] has one per key and
//! drops full ones. It is written by hand because it is small, takes the time as an argument (which
//! tests need), and returns when to try again.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::Mutex;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use khet_protocol::{Action, ApiError, ErrorCode, PersonId};

use crate::config::ServerLimits;
use crate::connections::Peer;
use crate::error_response::ErrorResponse;
use crate::server_state::ServerState;

/// Password attempts per hour for one name from one address. Attempts from other addresses do not
/// count, so that nobody can lock another person out.
const PASSWORD_ATTEMPTS_PER_HOUR: u32 = 20;

/// Number of times that an address may do what one person may do once: people share addresses.
const PEOPLE_PER_ADDRESS: u32 = 4;
/// The same for WebSocket messages, of which active players send few.
const MESSAGE_SENDERS_PER_ADDRESS: u32 = 10;

/// Additions of time per minute by one person.
const TIME_ADDITIONS_PER_MINUTE: u32 = 20;

/// Reports of setups per hour by one person.
const SETUP_REPORTS_PER_HOUR: u32 = 30;

/// Attempts at puzzles per minute by one person.
const PUZZLE_ATTEMPTS_PER_MINUTE: u32 = 60;
/// Requests per hour by one person that add the puzzles of a device to an account.
const PUZZLE_MERGES_PER_HOUR: u32 = 120;

/// Number of buckets from which on full ones are dropped.
const MAX_BUCKETS: usize = 10_000;

/// All rate limits of the server.
pub(crate) struct RateLimits {
    pub(crate) requests_by_address: Limiter<IpAddr>,
    pub(crate) requests_by_person: Limiter<PersonId>,
    pub(crate) new_guests: Limiter<IpAddr>,
    pub(crate) sign_ups: Limiter<IpAddr>,
    pub(crate) sign_ins: Limiter<IpAddr>,
    /// By the key of the name, and the address.
    pub(crate) password_attempts: Limiter<(String, Option<IpAddr>)>,
    pub(crate) exports: Limiter<IpAddr>,
    pub(crate) searches: Limiter<IpAddr>,
    pub(crate) reviews_by_address: Limiter<IpAddr>,
    pub(crate) reviews_by_person: Limiter<PersonId>,
    /// Challenges and seeks.
    pub(crate) new_challenges: Limiter<PersonId>,
    /// Accepted challenges and seeks, and rematches.
    new_games: LimiterPair,
    time_additions: Limiter<PersonId>,
    /// Messages over WebSockets.
    pub(crate) messages: LimiterPair,
    /// Subscriptions over WebSockets and streams.
    pub(crate) subscriptions: LimiterPair,
    pub(crate) new_setups: Limiter<PersonId>,
    pub(crate) setup_reports: Limiter<PersonId>,
    pub(crate) puzzle_attempts: Limiter<PersonId>,
    pub(crate) puzzle_merges: Limiter<PersonId>,
}

impl RateLimits {
    pub(crate) fn new(limits: &ServerLimits) -> RateLimits {
        fn per_minute<K: Eq + Hash>(times: u32) -> Limiter<K> {
            Limiter::new(Rate::per_minute(times))
        }
        fn per_hour<K: Eq + Hash>(times: u32) -> Limiter<K> {
            Limiter::new(Rate::per_hour(times))
        }
        RateLimits {
            requests_by_address: per_minute(limits.requests_per_minute),
            requests_by_person: per_minute(limits.requests_per_minute_and_person),
            new_guests: per_hour(limits.guests_per_hour),
            sign_ups: per_hour(limits.sign_ups_per_hour),
            sign_ins: per_hour(limits.sign_ins_per_hour),
            password_attempts: per_hour(PASSWORD_ATTEMPTS_PER_HOUR),
            exports: per_hour(limits.exports_per_hour),
            searches: per_minute(limits.searches_per_minute),
            reviews_by_address: per_hour(limits.reviews_per_hour),
            reviews_by_person: per_hour(limits.reviews_per_hour),
            new_challenges: per_minute(limits.challenges_per_minute),
            new_games: LimiterPair::new(
                Rate::per_minute(limits.games_per_minute),
                Rate::per_minute(limits.games_per_minute).times(PEOPLE_PER_ADDRESS),
            ),
            time_additions: per_minute(TIME_ADDITIONS_PER_MINUTE),
            messages: LimiterPair::new(
                message_rate(limits),
                message_rate(limits).times(MESSAGE_SENDERS_PER_ADDRESS),
            ),
            subscriptions: LimiterPair::new(
                Rate::per_minute(limits.subscriptions_per_minute),
                Rate::per_minute(limits.subscriptions_per_minute),
            ),
            new_setups: per_hour(limits.setups_per_hour),
            setup_reports: per_hour(SETUP_REPORTS_PER_HOUR),
            puzzle_attempts: per_minute(PUZZLE_ATTEMPTS_PER_MINUTE),
            puzzle_merges: per_hour(PUZZLE_MERGES_PER_HOUR),
        }
    }

    /// Counts a game that a person starts.
    pub(crate) fn take_new_game(
        &self,
        person: PersonId,
        address: Option<IpAddr>,
        now: u64,
    ) -> Result<(), ApiError> {
        self.new_games.take(Some(person), address, now)
    }

    /// Counts actions that cost more than a message.
    pub(crate) fn take_action(
        &self,
        person: PersonId,
        address: Option<IpAddr>,
        action: &Action,
        now: u64,
    ) -> Result<(), ApiError> {
        match action {
            Action::Rematch => self.take_new_game(person, address, now),
            Action::AddTime => self.time_additions.take(person, now),
            _ => Ok(()),
        }
    }
}

/// Returns the rate of a person's WebSocket messages: bursts of two seconds.
fn message_rate(limits: &ServerLimits) -> Rate {
    Rate { times: limits.messages_per_second.saturating_mul(2), within: 2000 }
}

/// A number of times within a number of milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    pub(crate) times: u32,
    pub(crate) within: u64,
}

impl Rate {
    pub(crate) const fn per_minute(times: u32) -> Rate {
        Rate { times, within: 60_000 }
    }

    pub(crate) const fn per_hour(times: u32) -> Rate {
        Rate { times, within: 3_600_000 }
    }

    /// Returns the rate at which this many may do it.
    const fn times(self, factor: u32) -> Rate {
        Rate { times: self.times.saturating_mul(factor), within: self.within }
    }
}

/// A limit per person and one per address: neither many connections nor many guests get around
/// both.
#[derive(Debug)]
pub(crate) struct LimiterPair {
    by_person: Limiter<PersonId>,
    by_address: Limiter<IpAddr>,
}

impl LimiterPair {
    fn new(person: Rate, address: Rate) -> LimiterPair {
        LimiterPair { by_person: Limiter::new(person), by_address: Limiter::new(address) }
    }

    /// Takes one token of the person and one of the address, as far as they are known.
    pub(crate) fn take(
        &self,
        person: Option<PersonId>,
        address: Option<IpAddr>,
        now: u64,
    ) -> Result<(), ApiError> {
        person.map_or(Ok(()), |person| self.by_person.take(person, now))?;
        address.map_or(Ok(()), |address| self.by_address.take(address, now))
    }
}

/// A token bucket.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TokenBucket {
    /// The time at which the bucket is full again, in microseconds.
    full_at: u64,
}

impl TokenBucket {
    /// Takes one token, or returns the number of milliseconds until there is one.
    pub(crate) fn take(&mut self, rate: Rate, now: u64) -> Result<(), u64> {
        let token_time = rate.within * 1000 / u64::from(rate.times.max(1));
        let now = now * 1000;
        let full_at = self.full_at.max(now) + token_time;
        let latest = now + rate.within * 1000;
        if full_at > latest {
            return Err((full_at - latest).div_ceil(1000));
        }
        self.full_at = full_at;
        Ok(())
    }

    /// Returns whether all requests are available again.
    fn is_full(self, now: u64) -> bool {
        self.full_at <= now * 1000
    }
}

/// A bucket per key.
#[derive(Debug)]
pub(crate) struct Limiter<K> {
    rate: Rate,
    buckets: Mutex<HashMap<K, TokenBucket>>,
}

impl<K: Eq + Hash> Limiter<K> {
    pub(crate) fn new(rate: Rate) -> Limiter<K> {
        Limiter { rate, buckets: Mutex::new(HashMap::new()) }
    }

    /// Takes one token from the bucket of a key.
    pub(crate) fn take(&self, key: K, now: u64) -> Result<(), ApiError> {
        let mut buckets = self.buckets.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // Visits all buckets only when their number has doubled since the last time, so that many
        // addresses at once do not slow each other down.
        if buckets.len() >= MAX_BUCKETS && buckets.len() == buckets.capacity() {
            buckets.retain(|_, bucket| !bucket.is_full(now));
        }
        buckets.entry(key).or_default().take(self.rate, now).map_err(too_many)
    }
}

/// Rejects requests of addresses that exceed the rate limit.
pub(crate) async fn check(
    State(server): State<ServerState>,
    request: Request,
    next: Next,
) -> Response {
    if let Some(&Peer(address)) = request.extensions().get()
        && let Err(refused) =
            server.rate_limits.requests_by_address.take(address, server.time.now())
    {
        return ErrorResponse(refused).into_response();
    }
    next.run(request).await
}

/// Returns the error for a client that has to wait this many milliseconds.
pub(crate) fn too_many(wait: u64) -> ApiError {
    let seconds = u32::try_from(wait.div_ceil(1000)).unwrap_or(u32::MAX).max(1);
    ApiError::new(ErrorCode::TooMany, format!("too many requests; try again in {seconds} s"))
        .retry_after(seconds)
}

#[cfg(test)]
mod tests {
    use super::{Limiter, Rate, TokenBucket};

    #[test]
    fn burst_then_steady_rate() {
        let rate = Rate { times: 10, within: 1000 };
        let mut bucket = TokenBucket::default();
        for _ in 0..10 {
            assert_eq!(bucket.take(rate, 5000), Ok(()));
        }
        assert_eq!(bucket.take(rate, 5000), Err(100));
        assert_eq!(bucket.take(rate, 5050), Err(50));
        assert_eq!(bucket.take(rate, 5100), Ok(()));
        assert_eq!(bucket.take(rate, 5100), Err(100));
    }

    #[test]
    fn each_key_has_its_own_bucket() {
        let limiter = Limiter::new(Rate::per_minute(1));
        assert!(limiter.take("anna", 0).is_ok());
        let refused = limiter.take("anna", 1000).unwrap_err();
        assert_eq!(refused.retry_after, Some(59));
        assert!(limiter.take("ben", 1000).is_ok());
        assert!(limiter.take("anna", 60_000).is_ok());
    }
}
