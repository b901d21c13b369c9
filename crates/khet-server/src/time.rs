//! The server's clock, in milliseconds since 1970. It never goes backwards while the server runs.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use tokio::sync::Notify;

/// A clock that reads the system's once and then counts on its own, so that changes of the system
/// time do not affect the players' clocks.
#[derive(Clone)]
pub struct Time(Arc<TimeSource>);

struct TimeSource {
    /// The start of counting. `None` if the clock is stopped.
    started: Option<Instant>,
    /// The system time at the start.
    base: u64,
    /// Time skipped by tests.
    skipped: AtomicU64,
    skip: Notify,
}

impl Default for Time {
    fn default() -> Time {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Time::new(Some(Instant::now()), millis(since))
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Time({})", self.now())
    }
}

impl Time {
    fn new(started: Option<Instant>, base: u64) -> Time {
        Time(Arc::new(TimeSource {
            started,
            base,
            skipped: AtomicU64::new(0),
            skip: Notify::new(),
        }))
    }

    /// Creates a stopped clock, which only [`skip`](Time::skip) advances, for exact tests.
    pub fn standing(now: u64) -> Time {
        Time::new(None, now)
    }

    /// Returns the current time.
    pub fn now(&self) -> u64 {
        let TimeSource { base, skipped, started, .. } = &*self.0;
        let counted = started.map_or(0, |started| millis(started.elapsed()));
        base + skipped.load(Ordering::SeqCst) + counted
    }

    /// Advances the clock, for tests.
    pub fn skip(&self, time: Duration) {
        self.0.skipped.fetch_add(millis(time), Ordering::SeqCst);
        self.0.skip.notify_waiters();
    }

    /// Sleeps until a time, or forever if it is `None`.
    pub(crate) async fn sleep_until(&self, moment: Option<u64>) {
        let Some(moment) = moment else { return std::future::pending().await };
        loop {
            let mut skip = std::pin::pin!(self.0.skip.notified());
            // From here on no skip is missed.
            skip.as_mut().enable();
            let now = self.now();
            if now >= moment {
                return;
            }
            let passes = async {
                match self.0.started {
                    Some(_) => tokio::time::sleep(Duration::from_millis(moment - now)).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = passes => {}
                () = skip => {}
            }
        }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
