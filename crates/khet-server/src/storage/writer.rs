//! The one task that writes: the work of many in one transaction, answered when it is on disk.
//!
//! While a transaction is on its way to the disk, new work gathers; it makes up the next one. So the busier the
//! server is, the more moves share an fsync, and a single move waits for no timer.

use std::sync::Arc;
use std::time::Instant;

use futures_util::future::BoxFuture;
use khet_protocol::{Event, GameId};
use sqlx::SqliteConnection;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::JoinHandle;

use super::games::{self, Finish};
use super::{StorageError, close};

/// At most this much work goes into one transaction, so that no one waits for a long one.
const LARGEST_BATCH: usize = 1024;
/// How much work may wait; whoever brings more waits outside.
const QUEUE: usize = 8192;

/// The way to the task.
#[derive(Clone)]
pub(super) struct Writer {
    queue: mpsc::Sender<Work>,
    task: Arc<Mutex<Option<JoinHandle<()>>>>,
}

/// Something to be written.
enum Work {
    /// The next events of a game: what nearly all work is.
    Append(Append),
    /// Anything else.
    Other(Box<dyn Job>),
    /// Nothing more.
    Close,
}

pub(super) struct Append {
    pub(super) game: GameId,
    events: Vec<Event>,
    /// Events that the game's end adds.
    added: Vec<Event>,
    finish: Option<Box<Finish>>,
    answer: oneshot::Sender<Result<Vec<Event>, StorageError>>,
}

impl Append {
    /// All events that are written, in their order.
    pub(super) fn all(&self) -> impl Iterator<Item = &Event> {
        self.events.iter().chain(&self.added)
    }

    fn answer(mut self, committed: Result<(), StorageError>) {
        self.events.append(&mut self.added);
        // Who no longer waits does not need to know.
        let _ = self.answer.send(committed.map(|()| self.events));
    }
}

/// Work of any kind, which keeps its own result until it may be told.
trait Job: Send {
    fn run<'c>(&'c mut self, connection: &'c mut SqliteConnection) -> BoxFuture<'c, bool>;
    fn answer(self: Box<Self>, committed: Result<(), StorageError>);
}

struct Call<T, W> {
    work: Option<W>,
    result: Option<Result<T, StorageError>>,
    answer: oneshot::Sender<Result<T, StorageError>>,
}

impl<T, W> Job for Call<T, W>
where
    T: Send + 'static,
    W: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StorageError>> + Send,
{
    fn run<'c>(&'c mut self, connection: &'c mut SqliteConnection) -> BoxFuture<'c, bool> {
        Box::pin(async move {
            let Some(work) = self.work.take() else { return false };
            let result = work(connection).await;
            let done = result.is_ok();
            self.result = Some(result);
            done
        })
    }

    fn answer(self: Box<Self>, committed: Result<(), StorageError>) {
        let result = match (committed, self.result) {
            (Ok(()), Some(result)) => result,
            (Ok(()), None) => Err(StorageError::Closed),
            (Err(error), _) => Err(error),
        };
        // Who no longer waits does not need to know.
        let _ = self.answer.send(result);
    }
}

impl Writer {
    pub(super) fn start(connection: SqliteConnection) -> Writer {
        let (queue, work) = mpsc::channel(QUEUE);
        let task = tokio::spawn(write(connection, work));
        Writer { queue, task: Arc::new(Mutex::new(Some(task))) }
    }

    /// Adds events to a game. Returns them with those that were added at its end.
    pub(super) async fn append(
        &self,
        game: GameId,
        events: Vec<Event>,
        finish: Option<Box<Finish>>,
    ) -> Result<Vec<Event>, StorageError> {
        let (answer, answered) = oneshot::channel();
        self.send(Work::Append(Append { game, events, added: Vec::new(), finish, answer })).await?;
        answered.await.map_err(|_| StorageError::Closed)?
    }

    pub(super) async fn write<T, W>(&self, work: W) -> Result<T, StorageError>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StorageError>>
            + Send
            + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let call = Call { work: Some(work), result: None, answer };
        self.send(Work::Other(Box::new(call))).await?;
        answered.await.map_err(|_| StorageError::Closed)?
    }

    async fn send(&self, work: Work) -> Result<(), StorageError> {
        self.queue.send(work).await.map_err(|_| StorageError::Closed)
    }

    pub(super) async fn close(&self) {
        let Some(task) = self.task.lock().await.take() else { return };
        let _ = self.send(Work::Close).await;
        let _ = task.await;
    }
}

async fn write(mut connection: SqliteConnection, mut queue: mpsc::Receiver<Work>) {
    let mut gathered = Vec::new();
    let mut open = true;
    while open && queue.recv_many(&mut gathered, LARGEST_BATCH).await > 0 {
        let began = Instant::now();
        let mut appends = Vec::new();
        let mut jobs = Vec::new();
        for work in gathered.drain(..) {
            match work {
                Work::Append(append) => appends.push(append),
                Work::Other(job) => jobs.push(job),
                Work::Close => open = false,
            }
        }
        metrics::histogram!("khet_commit_size").record((appends.len() + jobs.len()) as f64);
        match commit(&mut connection, &mut appends, &mut jobs).await {
            Ok(()) => {
                for append in appends {
                    append.answer(Ok(()));
                }
                for job in jobs {
                    job.answer(Ok(()));
                }
            }
            Err(error) => {
                tracing::error!(%error, "a transaction failed");
                for job in jobs {
                    job.answer(Err(error.clone()));
                }
                // One game's fault must not be the others': each gets a transaction of its own.
                for mut append in appends {
                    let alone = std::slice::from_mut(&mut append);
                    let committed = commit(&mut connection, alone, &mut []).await;
                    append.answer(committed);
                }
            }
        }
        metrics::histogram!("khet_commit_seconds").record(began.elapsed());
    }
    // Whoever is still in the queue is told by the dropped answers.
    drop(queue);
    close(connection).await;
}

/// Writes all in one transaction, or nothing.
async fn commit(
    connection: &mut SqliteConnection,
    appends: &mut [Append],
    jobs: &mut [Box<dyn Job>],
) -> Result<(), StorageError> {
    let done = transact(connection, appends, jobs).await;
    if done.is_err() {
        // The next one has to begin anew; without a transaction there is nothing to undo.
        let _ = sqlx::query("ROLLBACK").execute(connection).await;
    }
    done
}

async fn transact(
    connection: &mut SqliteConnection,
    appends: &mut [Append],
    jobs: &mut [Box<dyn Job>],
) -> Result<(), StorageError> {
    sqlx::query("BEGIN").execute(&mut *connection).await?;
    for append in appends.iter_mut() {
        append.added.clear();
        if let Some(finish) = &append.finish {
            append.added = games::finish(connection, append.game, finish, &append.events).await?;
        }
    }
    games::insert_events(connection, appends).await?;
    for job in jobs {
        sqlx::query("SAVEPOINT work").execute(&mut *connection).await?;
        if !job.run(connection).await {
            sqlx::query("ROLLBACK TO work").execute(&mut *connection).await?;
        }
        sqlx::query("RELEASE work").execute(&mut *connection).await?;
    }
    sqlx::query("COMMIT").execute(&mut *connection).await?;
    Ok(())
}
