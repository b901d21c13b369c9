//! How often something may be done, by whom.
//!
//! A [`Bucket`] fills steadily and is emptied by what is done. [`Limiter`] has one for each key (an address, a person), and forgets
//! those that are full.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Mutex;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use khet_protocol::{ApiError, ErrorCode};

use crate::app::App;
use crate::connections::Peer;
use crate::refusal::Refusal;

/// So much, in so many milliseconds.
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
}

/// How much someone has left. A bucket is told the time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bucket {
    /// In thousandths of a millisecond: until when everything that was done is paid for.
    paid_until: u64,
}

impl Bucket {
    /// Does something once, or says in how many milliseconds it may be done.
    pub(crate) fn take(&mut self, rate: Rate, now: u64) -> Result<(), u64> {
        let price = rate.within * 1000 / u64::from(rate.times.max(1));
        let now = now * 1000;
        let paid_until = self.paid_until.max(now) + price;
        let latest = now + rate.within * 1000;
        if paid_until > latest {
            return Err((paid_until - latest).div_ceil(1000));
        }
        self.paid_until = paid_until;
        Ok(())
    }

    fn is_full(self, now: u64) -> bool {
        self.paid_until <= now * 1000
    }
}

/// Buckets of many.
#[derive(Debug)]
pub(crate) struct Limiter<K> {
    rate: Rate,
    buckets: Mutex<HashMap<K, Bucket>>,
}

/// From so many on, full buckets are forgotten.
const MANY: usize = 10_000;

impl<K: Eq + Hash> Limiter<K> {
    pub(crate) fn new(rate: Rate) -> Limiter<K> {
        Limiter { rate, buckets: Mutex::new(HashMap::new()) }
    }

    /// Does something once for that key.
    pub(crate) fn take(&self, key: K, now: u64) -> Result<(), ApiError> {
        let mut buckets = self.buckets.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if buckets.len() >= MANY {
            buckets.retain(|_, bucket| !bucket.is_full(now));
        }
        buckets.entry(key).or_default().take(self.rate, now).map_err(too_many)
    }
}

/// Lets requests through as long as their address does not send too many.
pub(crate) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    if let Some(&Peer(address)) = request.extensions().get()
        && let Err(refused) = app.requests.take(address, app.time.now())
    {
        return Refusal(refused).into_response();
    }
    next.run(request).await
}

/// What is said to someone who has to wait so many milliseconds.
pub(crate) fn too_many(wait: u64) -> ApiError {
    let seconds = u32::try_from(wait.div_ceil(1000)).unwrap_or(u32::MAX).max(1);
    ApiError::new(ErrorCode::TooMany, format!("too much at once; try again in {seconds} s"))
        .retry_after(seconds)
}

#[cfg(test)]
mod tests {
    use super::{Bucket, Limiter, Rate};

    #[test]
    fn so_much_at_once_and_then_steadily() {
        let rate = Rate { times: 10, within: 1000 };
        let mut bucket = Bucket::default();
        for _ in 0..10 {
            assert_eq!(bucket.take(rate, 5000), Ok(()));
        }
        assert_eq!(bucket.take(rate, 5000), Err(100));
        assert_eq!(bucket.take(rate, 5050), Err(50));
        assert_eq!(bucket.take(rate, 5100), Ok(()));
        assert_eq!(bucket.take(rate, 5100), Err(100));
    }

    #[test]
    fn each_has_an_own_bucket() {
        let limiter = Limiter::new(Rate::per_minute(1));
        assert!(limiter.take("anna", 0).is_ok());
        let refused = limiter.take("anna", 1000).unwrap_err();
        assert_eq!(refused.retry_after, Some(59));
        assert!(limiter.take("ben", 1000).is_ok());
        assert!(limiter.take("anna", 60_000).is_ok());
    }
}
