//! Work that occupies a thread for a while, such as images and password hashes: few at once, and
//! few that wait.
//!
//! The permits of a job belong to the job and not to the request that waits for it. A client that
//! disconnects cancels its request, but the thread goes on; if the permits were released with the
//! request, clients that disconnect could occupy any number of threads.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

/// Longest time that a job waits for a thread.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);

/// Limits the jobs of one kind.
#[derive(Debug)]
pub(crate) struct BlockingJobs {
    /// A permit for each job that runs or waits.
    pending: Arc<Semaphore>,
    /// A permit for each job that runs.
    running: Arc<Semaphore>,
}

/// Reason why a job has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum JobError {
    /// Too many jobs are waiting, or this one waited too long.
    TooBusy,
    /// The job panicked.
    Panicked,
}

impl BlockingJobs {
    /// Allows `max_running` jobs at once and `max_waiting` in the queue.
    pub(crate) fn new(max_running: usize, max_waiting: usize) -> BlockingJobs {
        BlockingJobs {
            pending: Arc::new(Semaphore::new(max_running + max_waiting)),
            running: Arc::new(Semaphore::new(max_running)),
        }
    }

    /// Runs a job on a blocking thread when there is one for it.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JobError> {
        let pending =
            Arc::clone(&self.pending).try_acquire_owned().map_err(|_| JobError::TooBusy)?;
        let running = Arc::clone(&self.running).acquire_owned();
        let Ok(Ok(running)) = tokio::time::timeout(QUEUE_TIMEOUT, running).await else {
            return Err(JobError::TooBusy);
        };
        // The only call: every kind of blocking work must limit its number of threads.
        #[allow(clippy::disallowed_methods)]
        let job = tokio::task::spawn_blocking(move || {
            let _permits = (pending, running);
            work()
        });
        job.await.map_err(|_| JobError::Panicked)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use futures_util::FutureExt;

    use super::{BlockingJobs, JobError};

    #[tokio::test]
    async fn cancelled_requests_do_not_free_their_threads() {
        let jobs = BlockingJobs::new(2, 30);
        let started = Arc::new(AtomicUsize::new(0));
        let (release, held) = mpsc::channel::<()>();
        let held = Arc::new(std::sync::Mutex::new(held));
        for _ in 0..100 {
            let (started, held) = (Arc::clone(&started), Arc::clone(&held));
            let mut request = Box::pin(jobs.run(move || {
                started.fetch_add(1, Ordering::SeqCst);
                let _ = held.lock().unwrap().recv();
            }));
            // The client disconnects after its request was taken up.
            assert!((&mut request).now_or_never().is_none());
            drop(request);
        }
        drop(release);
        while jobs.running.available_permits() < 2 {
            tokio::task::yield_now().await;
        }
        assert_eq!(started.load(Ordering::SeqCst), 2);
        assert_eq!(jobs.run(|| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn queue_is_bounded() {
        let jobs = BlockingJobs::new(1, 2);
        let (release, held) = mpsc::channel::<()>();
        let first = jobs.run(move || held.recv().is_err());
        let mut first = std::pin::pin!(first);
        assert!((&mut first).now_or_never().is_none());
        let mut waiting = [(), ()].map(|()| Box::pin(jobs.run(|| ())));
        for request in &mut waiting {
            assert!(request.now_or_never().is_none());
        }
        assert_eq!(jobs.run(|| ()).await, Err(JobError::TooBusy));
        drop(release);
        assert_eq!(first.await, Ok(true));
        for request in waiting {
            assert_eq!(request.await, Ok(()));
        }
    }

    #[tokio::test]
    async fn panic_releases_the_thread() {
        let jobs = BlockingJobs::new(1, 0);
        assert_eq!(jobs.run(|| panic!("a bug")).await, Err::<(), _>(JobError::Panicked));
        assert_eq!(jobs.run(|| 1).await, Ok(1));
    }
}
