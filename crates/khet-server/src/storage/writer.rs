//! The task that writes: it commits the work of many callers in one transaction.
//!
//! While one transaction is being synced to disk, new work queues up and forms the next one. The
//! busier the server is, the more moves share an fsync, and a single move waits for no timer.
//! Waiting for more moves would take less processor time, but answers them in bursts, which keep
//! the processor busy and make the next transaction larger still.
//!
//! A panic fails the work of its transaction only. If the task can't continue, it ends, and
//! [`Store::writer_failed`] lets the server exit, so that the service manager starts it again.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use khet_protocol::{Event, GameId};
use sqlx::SqliteConnection;
use tokio::sync::{Mutex, mpsc, oneshot, watch};
use tokio::task::JoinHandle;

use super::games::{self, GameEnd};
use crate::cluster::Fence;
use super::health::{DatabaseFiles, StorageFaults, WriteHealth};
use super::recent_moves::{RecentMoveChanges, RecentMoves};
use super::{StorageError, Store, close};

/// Largest number of jobs in one transaction, so that no caller waits for a long one.
const MAX_BATCH: usize = 1024;
/// Capacity of the queue; callers wait while it is full.
const QUEUE_CAPACITY: usize = 8192;
/// Interval at which the disk is probed while nothing can be written.
const PROBE_INTERVAL: Duration = Duration::from_millis(500);
/// Size of the row that probes the disk, in bytes: more than the moves of a busy second.
const PROBE_SIZE: u32 = 256 * 1024;

/// Handle of the task.
#[derive(Clone)]
pub(super) struct Writer {
    queue: mpsc::Sender<Work>,
    task: Arc<Mutex<Option<JoinHandle<()>>>>,
    /// Becomes true when the task ends as it should. Its sender is dropped in any case.
    is_closed: watch::Receiver<bool>,
}

/// A request to the task.
enum Work {
    /// Events of a game. Nearly all work is of this kind, so it has statements for many rows.
    Append(Append),
    /// Any other change.
    Job(Box<dyn Job>),
    /// Finish the queue and stop.
    Close,
}

/// New events of a game.
pub(super) struct Append {
    pub(super) game: GameId,
    events: Vec<Event>,
    /// Events that [`games::end_game`] adds.
    added: Vec<Event>,
    end: Option<Box<GameEnd>>,
    /// The right to write, if there are several nodes.
    fence: Option<Fence>,
    reply: oneshot::Sender<Result<Vec<Event>, StorageError>>,
}

impl Append {
    /// Returns all events to insert, in order.
    pub(super) fn all_events(&self) -> impl Iterator<Item = &Event> {
        self.events.iter().chain(&self.added)
    }

    /// Returns whether the game is over after these events.
    pub(super) fn ends_game(&self) -> bool {
        self.end.is_some()
    }

    /// Sends the result to the caller.
    fn reply(mut self, committed: Result<(), StorageError>) {
        self.events.append(&mut self.added);
        // The caller may have stopped waiting.
        let _ = self.reply.send(committed.map(|()| self.events));
    }
}

/// A change of any kind. It keeps its result until the transaction is committed.
trait Job: Send {
    /// Runs the change. After an error it must be rolled back.
    fn run<'c>(
        &'c mut self,
        connection: &'c mut SqliteConnection,
    ) -> BoxFuture<'c, Result<(), StorageError>>;
    fn reply(self: Box<Self>, committed: Result<(), StorageError>);
}

struct Call<T, W> {
    work: Option<W>,
    result: Option<Result<T, StorageError>>,
    reply: oneshot::Sender<Result<T, StorageError>>,
}

impl<T, W> Job for Call<T, W>
where
    T: Send + 'static,
    W: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StorageError>> + Send,
{
    fn run<'c>(
        &'c mut self,
        connection: &'c mut SqliteConnection,
    ) -> BoxFuture<'c, Result<(), StorageError>> {
        Box::pin(async move {
            let Some(work) = self.work.take() else { return Err(StorageError::Closed) };
            let result = work(connection).await;
            let error = result.as_ref().err().cloned();
            self.result = Some(result);
            error.map_or(Ok(()), Err)
        })
    }

    fn reply(self: Box<Self>, committed: Result<(), StorageError>) {
        let result = match (committed, self.result) {
            (Ok(()), Some(result)) => result,
            (Ok(()), None) => Err(StorageError::Closed),
            (Err(error), _) => Err(error),
        };
        // The caller may have stopped waiting.
        let _ = self.reply.send(result);
    }
}

impl Store {
    /// Runs `work` in a transaction, which may also hold the work of other callers. Returns after
    /// the commit. If `work` fails, all of its changes are rolled back; those of other
    /// callers are kept.
    pub(crate) async fn write<T, W>(&self, work: W) -> Result<T, StorageError>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StorageError>>
            + Send
            + 'static,
    {
        self.health.check()?;
        let (reply, response) = oneshot::channel();
        let call = Call { work: Some(work), result: None, reply };
        self.writer.send(Work::Job(Box::new(call))).await?;
        response.await.map_err(|_| StorageError::Closed)?
    }

    /// Appends events to a game and, with its last ones, records its end: the result, the counts of
    /// its setup, the explorer's queue and both ratings change in the same transaction. Returns all
    /// appended events, including a change of ratings.
    pub(crate) async fn append(
        &self,
        game: GameId,
        events: Vec<Event>,
        end: Option<Box<GameEnd>>,
        fence: Option<Fence>,
    ) -> Result<Vec<Event>, StorageError> {
        self.health.check()?;
        let (reply, response) = oneshot::channel();
        self.writer
            .send(Work::Append(Append { game, events, added: Vec::new(), end, fence, reply }))
            .await?;
        response.await.map_err(|_| StorageError::Closed)?
    }

    /// Waits until the task has ended by a failure, after which nothing can be written.
    pub(crate) async fn writer_failed(&self) {
        let mut is_closed = self.writer.is_closed.clone();
        if is_closed.wait_for(|closed| *closed).await.is_ok() {
            std::future::pending().await
        }
    }
}

impl Writer {
    /// Starts the task that writes.
    pub(super) fn start(
        connection: SqliteConnection,
        files: DatabaseFiles,
        health: WriteHealth,
        faults: StorageFaults,
    ) -> Writer {
        let (queue, work) = mpsc::channel(QUEUE_CAPACITY);
        let recent = RecentMoves::default();
        let database =
            WritableDatabase { connection, files, health, faults, recent, is_lost: false };
        let (closed, is_closed) = watch::channel(false);
        let task = tokio::spawn(async move {
            if run(database, work).await.is_ok() {
                closed.send_replace(true);
            }
        });
        Writer { queue, task: Arc::new(Mutex::new(Some(task))), is_closed }
    }

    /// Puts work into the queue.
    async fn send(&self, work: Work) -> Result<(), StorageError> {
        self.queue.send(work).await.map_err(|_| StorageError::Closed)
    }

    /// Finishes the queued work and stops the task.
    pub(super) async fn close(&self) {
        let Some(task) = self.task.lock().await.take() else { return };
        let _ = self.send(Work::Close).await;
        let _ = task.await;
    }
}

/// The connection that writes, and what is known about its disk.
struct WritableDatabase {
    connection: SqliteConnection,
    files: DatabaseFiles,
    health: WriteHealth,
    faults: StorageFaults,
    recent: RecentMoves,
    /// SQLite's thread has ended.
    is_lost: bool,
}

/// A failure after which the connection that writes can't be used.
struct ConnectionLost;

/// Writes until the queue is closed.
async fn run(
    mut database: WritableDatabase,
    mut queue: mpsc::Receiver<Work>,
) -> Result<(), ConnectionLost> {
    let mut batch = Vec::new();
    let mut open = true;
    while open {
        let failing = database.health.failure().is_some();
        let received = tokio::select! {
            received = queue.recv_many(&mut batch, MAX_BATCH) => received,
            () = tokio::time::sleep(PROBE_INTERVAL), if failing => {
                let probed = database.probe().await;
                database.health.record(&probed);
                continue;
            }
        };
        if received == 0 {
            break;
        }
        let began = Instant::now();
        let mut appends = Vec::new();
        let mut jobs = Vec::new();
        for work in batch.drain(..) {
            match work {
                Work::Append(append) => appends.push(append),
                Work::Job(job) => jobs.push(job),
                Work::Close => open = false,
            }
        }
        metrics::histogram!("khet_commit_size").record((appends.len() + jobs.len()) as f64);
        // The callers of a transaction that panicked get an error, because their reply channels are
        // dropped with it.
        if AssertUnwindSafe(database.write(appends, jobs)).catch_unwind().await.is_err() {
            metrics::counter!("khet_writer_panics_total").increment(1);
            tracing::error!("a transaction panicked and is rolled back");
            database.roll_back().await;
        }
        if database.is_lost {
            tracing::error!("the connection to the database is lost; nothing can be stored");
            return Err(ConnectionLost);
        }
        metrics::histogram!("khet_commit_seconds").record(began.elapsed());
    }
    // Dropping the queued work drops its reply channels, which callers see as `Closed`.
    drop(queue);
    close(database.connection).await;
    Ok(())
}

impl WritableDatabase {
    /// Writes a batch in one transaction and replies to its callers.
    async fn write(&mut self, mut appends: Vec<Append>, mut jobs: Vec<Box<dyn Job>>) {
        let committed = match self.health.check() {
            Ok(()) => self.commit(&mut appends, &mut jobs).await,
            // Work that was queued before the disk failed.
            failing => failing,
        };
        let Err(error) = committed else {
            for append in appends {
                append.reply(Ok(()));
            }
            for job in jobs {
                job.reply(Ok(()));
            }
            return;
        };
        // Recorded before the replies, so that callers that try again see it.
        self.health.record(&Err(error.clone()));
        if self.health.failure().is_none() {
            tracing::error!(%error, "a transaction failed");
        }
        for job in jobs {
            job.reply(Err(error.clone()));
        }
        // One broken game must not fail the others: each gets its own transaction.
        for mut append in appends {
            let committed = match self.health.check() {
                Ok(()) => self.commit(std::slice::from_mut(&mut append), &mut []).await,
                failing => failing,
            };
            self.health.record(&committed);
            append.reply(committed);
        }
    }

    /// Writes everything in one transaction, or nothing.
    async fn commit(
        &mut self,
        appends: &mut [Append],
        jobs: &mut [Box<dyn Job>],
    ) -> Result<(), StorageError> {
        self.faults.check().await?;
        self.files.check()?;
        match run_transaction(&mut self.connection, &self.recent, appends, jobs).await {
            Ok(changes) => self.recent.apply(changes),
            Err(error) => {
                self.roll_back().await;
                return Err(error);
            }
        }
        // Only what is in the file that the next start opens is stored.
        self.files.check_after_commit()
    }

    /// Rolls a failed transaction back.
    async fn roll_back(&mut self) {
        self.recent.set_stale();
        // SQLite reports an error if `BEGIN` failed, when there is nothing to roll back.
        let result = sqlx::query("ROLLBACK").execute(&mut self.connection).await;
        self.is_lost = matches!(result, Err(sqlx::Error::WorkerCrashed));
    }

    /// Writes a row of some size and deletes it again.
    async fn probe(&mut self) -> Result<(), StorageError> {
        self.faults.check().await?;
        self.files.check()?;
        sqlx::query("INSERT OR REPLACE INTO write_probe (id, filler) VALUES (1, zeroblob($1))")
            .bind(PROBE_SIZE)
            .execute(&mut self.connection)
            .await?;
        sqlx::query("DELETE FROM write_probe").execute(&mut self.connection).await?;
        self.files.check_after_commit()
    }
}

/// Runs appends and jobs in one transaction.
async fn run_transaction(
    connection: &mut SqliteConnection,
    recent: &RecentMoves,
    appends: &mut [Append],
    jobs: &mut [Box<dyn Job>],
) -> Result<RecentMoveChanges, StorageError> {
    // Immediate: if another process (`khet moderator`) writes between a read and a write of this
    // transaction, SQLite would fail the write without waiting.
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    for append in appends.iter_mut() {
        append.added.clear();
        if let Some(end) = &append.end {
            append.added = games::end_game(connection, append.game, end, &append.events).await?;
        }
    }
    let changes = recent.write(connection, appends).await?;
    for job in jobs {
        sqlx::query("SAVEPOINT work").execute(&mut *connection).await?;
        match job.run(connection).await {
            Ok(()) => {}
            // The disk fails for all.
            Err(error @ StorageError::Unwritable(_)) => return Err(error),
            Err(_) => {
                sqlx::query("ROLLBACK TO work").execute(&mut *connection).await?;
            }
        }
        sqlx::query("RELEASE work").execute(&mut *connection).await?;
    }
    sqlx::query("COMMIT").execute(&mut *connection).await?;
    Ok(changes)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::super::{StorageError, Store};

    async fn open() -> (tempfile::TempDir, Store) {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("khet.sqlite")).await.unwrap();
        (folder, store)
    }

    #[tokio::test]
    async fn panic_fails_only_its_transaction() {
        let (_folder, store) = open().await;
        store.set_heartbeat(1).await.unwrap();
        let panicked = store.write::<(), _>(|connection| {
            Box::pin(async move {
                sqlx::query("UPDATE server SET alive = 2").execute(connection).await?;
                panic!("a bug")
            })
        });
        assert!(matches!(panicked.await, Err(StorageError::Closed)));
        assert_eq!(store.last_heartbeat().await.unwrap(), Some(1), "it is rolled back");
        store.set_heartbeat(3).await.unwrap();
        assert_eq!(store.last_heartbeat().await.unwrap(), Some(3));
        assert!(store.writer_failed().now_or_never().is_none());
        store.close().await;
    }

    #[tokio::test]
    async fn end_of_the_task_is_a_failure_unless_it_was_closed() {
        let (_folder, store) = open().await;
        store.writer.task.lock().await.as_ref().unwrap().abort();
        store.writer_failed().await;
        assert!(matches!(store.set_heartbeat(1).await, Err(StorageError::Closed)));

        let (_folder, store) = open().await;
        store.close().await;
        assert!(store.writer_failed().now_or_never().is_none());
    }
}
