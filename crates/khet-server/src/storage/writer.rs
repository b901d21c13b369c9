//! The task that writes: it commits the work of many callers in one transaction.
//!
//! While one transaction is being synced to disk, new work queues up and forms the next one. The
//! busier the server is, the more moves share an fsync, and a single move waits for no timer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use khet_protocol::{Event, GameId};
use sqlx::SqliteConnection;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;

use super::games::{self, GameEnd};
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
    ) -> Result<Vec<Event>, StorageError> {
        self.health.check()?;
        let (reply, response) = oneshot::channel();
        self.writer
            .send(Work::Append(Append { game, events, added: Vec::new(), end, reply }))
            .await?;
        response.await.map_err(|_| StorageError::Closed)?
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
        let database = WritableDatabase { connection, files, health, faults, recent };
        let task = tokio::spawn(run(database, work));
        Writer { queue, task: Arc::new(Mutex::new(Some(task))) }
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
}

async fn run(mut database: WritableDatabase, mut queue: mpsc::Receiver<Work>) {
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
        database.write(appends, jobs).await;
        metrics::histogram!("khet_commit_seconds").record(began.elapsed());
    }
    // Dropping the queued work drops its reply channels, which callers see as `Closed`.
    drop(queue);
    close(database.connection).await;
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
                self.recent.set_stale();
                // Fails if `BEGIN` failed, when there is nothing to roll back.
                let _ = sqlx::query("ROLLBACK").execute(&mut self.connection).await;
                return Err(error);
            }
        }
        // Only what is in the file that the next start opens is stored.
        self.files.check_after_commit()
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
