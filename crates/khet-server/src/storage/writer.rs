//! The task that writes: it commits the work of many callers in one transaction.
//!
//! While one transaction is being synced to disk, new work queues up and forms the next one. The
//! busier the server is, the more moves share an fsync, and a single move waits for no timer.
//! Waiting for more moves would take less processor time, but answers them in bursts, which keep
//! the processor busy and make the next transaction larger still.
//!
//! A panic fails the work of its transaction only. If the task can't continue, it ends, and
//! [`Store::writer_failed`] lets the server exit, so that the service manager starts it again.
//!
//! # PostgreSQL
//!
//! A SQLite database has one writer. A PostgreSQL database has two per node: one for events of games
//! that go on, and one for everything else, so that no other work delays a move.
//!
//! - *Events of games that go on* are only inserted, in one statement for all games of the
//!   transaction. A game has one task, which writes its next events after the commit of the last
//!   ones. If two tasks ever wrote one game, the primary key (game, number) would refuse the second.
//! - *Everything else* (ends of games with ratings, counts and the explorer's queue; jobs) reads what
//!   it changes. Such a transaction begins with a lock that only one in the whole database can have,
//!   and holds it until after its commit. In the isolation level `READ COMMITTED` each of its
//!   statements sees all that earlier holders of the lock have committed, so these transactions have
//!   the same effect as one after the other, as on SQLite. A game's end finds its own change of
//!   ratings if it was applied before, two games of a player both count, and the numbers of finished
//!   games are committed in their order.
//! - *The two together* are safe because they share no rows but events, of which a game's end inserts
//!   the last ones. Jobs change events only to hide chat messages of the past.
//!
//! If the connection is lost during a commit, nobody knows its result. Callers get an error, and the
//! games read their events again before they continue. Before that, the writer connects again and
//! ends its lost session, so that a transaction that was still running can't be committed later.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use khet_protocol::{Event, GameId};
use tokio::sync::{Mutex, mpsc, oneshot, watch};
use tokio::task::JoinHandle;

use super::games::{self, GameEnd, GameEvent};
use super::health::{DatabaseFiles, StorageFaults, WriteHealth, WriterRole};
use super::leases;
use super::postgres::{self, BackendSession, PostgresServer};
use super::recent_moves::{RecentMoveChanges, RecentMoves};
use super::sql::{DatabaseConnection, query};
use super::{StorageError, Store};
use crate::cluster::Fence;

/// Largest number of jobs in one transaction, so that no caller waits for a long one.
const MAX_BATCH: usize = 1024;
/// Capacity of the queue; callers wait while it is full.
const QUEUE_CAPACITY: usize = 8192;
/// Interval at which the disk is probed while nothing can be written.
const PROBE_INTERVAL: Duration = Duration::from_millis(500);
/// Longest interval between two attempts to connect to PostgreSQL.
const MAX_PROBE_INTERVAL: Duration = Duration::from_secs(4);
/// Size of the row that probes the disk, in bytes: more than the moves of a busy second.
const PROBE_SIZE: usize = 256 * 1024;

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
    /// Another node has the right to write. Nothing is inserted.
    is_lost: bool,
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
        let committed = if self.is_lost { Err(StorageError::NotOwner) } else { committed };
        // The caller may have stopped waiting.
        let _ = self.reply.send(committed.map(|()| self.events));
    }
}

/// A change of any kind. It keeps its result until the transaction is committed.
trait Job: Send {
    /// Runs the change. After an error it must be rolled back.
    fn run<'c>(
        &'c mut self,
        connection: &'c mut DatabaseConnection,
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
    W: for<'c> FnOnce(&'c mut DatabaseConnection) -> BoxFuture<'c, Result<T, StorageError>> + Send,
{
    fn run<'c>(
        &'c mut self,
        connection: &'c mut DatabaseConnection,
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
        W: for<'c> FnOnce(&'c mut DatabaseConnection) -> BoxFuture<'c, Result<T, StorageError>>
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
        let writer = if end.is_some() { &self.writer } else { &self.move_writer };
        let (added, is_lost) = (Vec::new(), false);
        let append = Append { game, events, added, end, fence, is_lost, reply };
        writer.send(Work::Append(append)).await?;
        response.await.map_err(|_| StorageError::Closed)?
    }

    /// Waits until the task has ended by a failure, after which nothing can be written.
    pub(crate) async fn writer_failed(&self) {
        tokio::select! {
            () = self.writer.failed() => {}
            () = self.move_writer.failed() => {}
        }
    }
}

impl Writer {
    /// Starts the task that writes to a file.
    pub(super) fn start(
        connection: DatabaseConnection,
        files: DatabaseFiles,
        health: WriteHealth,
        faults: StorageFaults,
    ) -> Writer {
        let medium = Medium::File { files, recent: RecentMoves::default() };
        let role = WriterRole::Everything;
        Writer::spawn(WritableDatabase { connection, medium, role, health, faults, is_lost: false })
    }

    /// Starts a task that writes to a PostgreSQL server.
    pub(super) async fn start_postgres(
        mut connection: DatabaseConnection,
        server: PostgresServer,
        role: WriterRole,
        health: WriteHealth,
        faults: StorageFaults,
    ) -> Result<Writer, StorageError> {
        let session = postgres::session(&mut connection).await?;
        let medium = Medium::Server { server, session };
        let is_lost = false;
        Ok(Writer::spawn(WritableDatabase { connection, medium, role, health, faults, is_lost }))
    }

    fn spawn(database: WritableDatabase) -> Writer {
        let (queue, work) = mpsc::channel(QUEUE_CAPACITY);
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

    /// Waits until the task has ended by a failure.
    async fn failed(&self) {
        let mut is_closed = self.is_closed.clone();
        if is_closed.wait_for(|closed| *closed).await.is_ok() {
            std::future::pending().await
        }
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
    connection: DatabaseConnection,
    medium: Medium,
    role: WriterRole,
    health: WriteHealth,
    faults: StorageFaults,
    /// The connection can't be used any more.
    is_lost: bool,
}

/// The place of a database.
enum Medium {
    /// A SQLite file.
    File { files: DatabaseFiles, recent: RecentMoves },
    /// A PostgreSQL server, and the last session of the writer there.
    Server { server: PostgresServer, session: BackendSession },
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
    let mut pause = PROBE_INTERVAL;
    while open {
        let failing = database.health.failure().is_some();
        let received = tokio::select! {
            received = queue.recv_many(&mut batch, MAX_BATCH) => received,
            () = tokio::time::sleep(pause), if failing => {
                let probed = database.probe().await;
                pause = match probed {
                    Err(StorageError::Disconnected(_)) => (2 * pause).min(MAX_PROBE_INTERVAL),
                    _ => PROBE_INTERVAL,
                };
                database.health.record(database.role, &probed);
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
        if database.is_lost && matches!(database.medium, Medium::File { .. }) {
            tracing::error!("the connection to the database is lost; nothing can be stored");
            return Err(ConnectionLost);
        }
        metrics::histogram!("khet_commit_seconds").record(began.elapsed());
    }
    // Dropping the queued work drops its reply channels, which callers see as `Closed`.
    drop(queue);
    database.connection.close().await;
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
        self.health.record(self.role, &Err(error.clone()));
        if self.health.failure().is_none() {
            tracing::error!(%error, "a transaction failed");
        }
        for job in jobs {
            job.reply(Err(error.clone()));
        }
        // One broken game must not fail the others: each gets its own transaction. But all of these
        // would wait for the same lock, one after the other.
        let fails_all = matches!(error, StorageError::Locked);
        for mut append in appends {
            let committed = match self.health.check() {
                Ok(()) if fails_all => Err(error.clone()),
                Ok(()) => self.commit(std::slice::from_mut(&mut append), &mut []).await,
                failing => failing,
            };
            self.health.record(self.role, &committed);
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
        self.reconnect_if_lost().await?;
        let committed = match &mut self.medium {
            Medium::File { files, recent } => {
                files.check()?;
                match write_file(&mut self.connection, recent, appends, jobs).await {
                    Ok(changes) => {
                        recent.apply(changes);
                        // Only what is in the file that the next start opens is stored.
                        return files.check_after_commit();
                    }
                    Err(error) => Err(error),
                }
            }
            Medium::Server { .. } => write_server(&mut self.connection, appends, jobs).await,
        };
        if let Err(error) = &committed {
            if matches!(error, StorageError::Disconnected(_)) {
                self.is_lost = true;
            } else {
                self.roll_back().await;
            }
        }
        committed
    }

    /// Rolls a failed transaction back.
    async fn roll_back(&mut self) {
        let result = self.connection.execute_script("ROLLBACK").await;
        match &mut self.medium {
            Medium::File { recent, .. } => {
                recent.set_stale();
                // SQLite reports an error if `BEGIN` failed, when there is nothing to roll back.
                self.is_lost = matches!(result, Err(StorageError::Disconnected(_)));
            }
            Medium::Server { .. } => self.is_lost = result.is_err(),
        }
    }

    /// Connects to PostgreSQL again if the connection is lost.
    async fn reconnect_if_lost(&mut self) -> Result<(), StorageError> {
        let Medium::Server { server, session } = &mut self.medium else { return Ok(()) };
        if !self.is_lost {
            return Ok(());
        }
        // The lock of the lost session would keep this one from an exclusive lock.
        let mut connection = server.without_lock().connect().await?;
        postgres::end_session(&mut connection, session).await?;
        connection.close().await;
        let mut connection = server.connect().await?;
        *session = postgres::session(&mut connection).await?;
        self.connection = connection;
        self.is_lost = false;
        tracing::info!(role = ?self.role, "connected to the database again");
        Ok(())
    }

    /// Writes a row of some size and deletes it again.
    async fn probe(&mut self) -> Result<(), StorageError> {
        self.faults.check().await?;
        self.reconnect_if_lost().await?;
        if let Medium::File { files, .. } = &self.medium {
            files.check()?;
        }
        let insert = "INSERT INTO write_probe (id, filler) VALUES (1, $1) \
                      ON CONFLICT (id) DO UPDATE SET filler = excluded.filler";
        let probed = async {
            query(insert).bind(vec![0; PROBE_SIZE]).execute(&mut self.connection).await?;
            query("DELETE FROM write_probe").execute(&mut self.connection).await
        };
        if let Err(error) = probed.await {
            self.is_lost |= matches!(error, StorageError::Disconnected(_));
            return Err(error);
        }
        match &mut self.medium {
            Medium::File { files, .. } => files.check_after_commit(),
            Medium::Server { .. } => Ok(()),
        }
    }
}

/// Runs appends and jobs in one transaction on SQLite.
async fn write_file(
    connection: &mut DatabaseConnection,
    recent: &RecentMoves,
    appends: &mut [Append],
    jobs: &mut [Box<dyn Job>],
) -> Result<RecentMoveChanges, StorageError> {
    // Immediate: if another process (`khet moderator`) writes between a read and a write of this
    // transaction, SQLite would fail the write without waiting.
    query("BEGIN IMMEDIATE").execute(connection).await?;
    end_games(connection, appends).await?;
    let changes = recent.write(connection, appends).await?;
    run_jobs(connection, jobs).await?;
    query("COMMIT").execute(connection).await?;
    Ok(changes)
}

/// Runs appends and jobs in one transaction on PostgreSQL. Conditions that must hold until the commit,
/// such as which server owns a game, are to be checked right after `BEGIN`.
async fn write_server(
    connection: &mut DatabaseConnection,
    appends: &mut [Append],
    jobs: &mut [Box<dyn Job>],
) -> Result<(), StorageError> {
    let reads = !jobs.is_empty() || appends.iter().any(Append::ends_game);
    connection.execute_script(if reads { postgres::BEGIN_ALONE } else { "BEGIN" }).await?;
    let fences = appends.iter().filter_map(|append| append.fence);
    let lost = leases::lock(connection, fences).await?;
    for append in &mut *appends {
        append.is_lost = append.fence.is_some_and(|fence| lost.contains(&fence));
    }
    end_games(connection, appends).await?;
    let events = appends.iter().filter(|append| !append.is_lost).flat_map(|append| {
        append.all_events().map(|event| -> GameEvent<'_> { (append.game, event) })
    });
    games::insert_events(connection, events.collect()).await?;
    run_jobs(connection, jobs).await?;
    connection.execute_script("COMMIT").await
}

/// Records the ends of games, and computes the events that they add.
async fn end_games(
    connection: &mut DatabaseConnection,
    appends: &mut [Append],
) -> Result<(), StorageError> {
    for append in appends {
        append.added.clear();
        if let Some(end) = &append.end
            && !append.is_lost
        {
            append.added = games::end_game(connection, append.game, end, &append.events).await?;
        }
    }
    Ok(())
}

/// Runs jobs. Those that fail are rolled back alone.
async fn run_jobs(
    connection: &mut DatabaseConnection,
    jobs: &mut [Box<dyn Job>],
) -> Result<(), StorageError> {
    for job in jobs {
        query("SAVEPOINT work").execute(connection).await?;
        match job.run(connection).await {
            Ok(()) => {}
            // These failures concern the other jobs, too.
            Err(
                error @ (StorageError::Unwritable(_)
                | StorageError::Disconnected(_)
                | StorageError::Locked),
            ) => return Err(error),
            Err(_) => {
                connection.execute_script("ROLLBACK TO work").await?;
            }
        }
        // If the job has hidden an error of PostgreSQL, this fails. `COMMIT` alone would roll the
        // transaction back and report success.
        query("RELEASE work").execute(connection).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::super::StorageError;
    use super::super::testing::TestDatabase;
    use super::query;

    #[tokio::test]
    async fn panic_fails_only_its_transaction() {
        let (_database, store) = TestDatabase::open_new().await;
        store.set_heartbeat(1).await.unwrap();
        let panicked = store.write::<(), _>(|connection| {
            Box::pin(async move {
                query("UPDATE server SET alive = 2").execute(connection).await?;
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
        let (_database, store) = TestDatabase::open_new().await;
        store.writer.task.lock().await.as_ref().unwrap().abort();
        store.writer_failed().await;
        assert!(matches!(store.set_heartbeat(1).await, Err(StorageError::Closed)));

        let (_database, store) = TestDatabase::open_new().await;
        store.close().await;
        assert!(store.writer_failed().now_or_never().is_none());
    }
}
