//! Imports games that were played elsewhere, while no server uses the database.
//!
//! One thread parses and checks records, another writes. Games are inserted in small transactions;
//! their explorer counts are collected, sorted and added in few large ones, so that each page of
//! the database is touched once. If the process dies between the two, the next import or server
//! counts the games that are stored and not counted.

mod game;

use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread::{self, JoinHandle};

use khet::{AnyPosition, Record};

pub use self::game::ImportError;
pub(crate) use self::game::ImportedGame;
use crate::explorer::{Visits, count_finished_games};
use crate::storage::{DatabaseLocation, DatabaseLock, DatabaseUse, StorageError, Store};

/// Number of games per transaction.
const BATCH_SIZE: usize = 2000;
/// Number of batches that may wait for the writer.
const QUEUE_CAPACITY: usize = 4;
/// Number of visits that are collected before they are written, 16 bytes each.
const VISITS_PER_WRITE: usize = 8_000_000;

/// Result of an import.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ImportSummary {
    /// Number of games that were inserted.
    pub new: u64,
    /// Number of games that were already stored, or came twice.
    pub known: u64,
}

/// Error of [`Importer::add`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AddError {
    /// This game can't be imported; others can.
    #[error(transparent)]
    Rejected(#[from] ImportError),
    /// The writer has stopped; [`Importer::finish`] returns its error.
    #[error("the database is closed")]
    Closed,
}

/// An import in progress.
#[derive(Debug)]
pub struct Importer {
    batch: Vec<ImportedGame>,
    queue: SyncSender<Vec<ImportedGame>>,
    writer: JoinHandle<Result<ImportSummary, StorageError>>,
}

impl Importer {
    /// Opens a database and creates it if it is missing. With `recount` the explorer's counts are
    /// deleted and all stored games are counted again.
    ///
    /// # Errors
    ///
    /// If the database is in use or can't be opened.
    pub fn open(database: &DatabaseLocation, recount: bool) -> Result<Importer, StorageError> {
        let lock = database.file().map(DatabaseLock::acquire).transpose()?;
        let (queue, batches) = mpsc::sync_channel(QUEUE_CAPACITY);
        let (opened, is_open) = mpsc::channel();
        let database = database.clone();
        let writer = thread::spawn(move || {
            let _lock = lock;
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = runtime.map_err(|error| StorageError::Database(error.to_string()))?;
            runtime.block_on(write_database(&database, recount, &opened, &batches))
        });
        // If the writer could not open the database, joining it returns the error.
        if is_open.recv().is_err() {
            return Err(join(writer).err().unwrap_or(StorageError::Closed));
        }
        Ok(Importer { batch: Vec::new(), queue, writer })
    }

    /// Adds a game to the current batch, which is sent to the writer when it is full.
    ///
    /// # Errors
    ///
    /// If the game can't be imported, or the writer has stopped.
    pub fn add(&mut self, record: &Record<AnyPosition>) -> Result<(), AddError> {
        self.batch.push(ImportedGame::from_record(record)?);
        if self.batch.len() < BATCH_SIZE {
            return Ok(());
        }
        self.queue.send(std::mem::take(&mut self.batch)).map_err(|_| AddError::Closed)
    }

    /// Waits until everything is written.
    ///
    /// # Errors
    ///
    /// If something could not be written. Games before it are stored.
    pub fn finish(self) -> Result<ImportSummary, StorageError> {
        // If the writer has stopped, joining it returns its error.
        let _ = self.queue.send(self.batch);
        drop(self.queue);
        join(self.writer)
    }
}

/// Waits for the writer thread.
fn join(
    writer: JoinHandle<Result<ImportSummary, StorageError>>,
) -> Result<ImportSummary, StorageError> {
    writer.join().unwrap_or(Err(StorageError::Closed))
}

/// Opens the database, writes all batches, and closes it.
async fn write_database(
    database: &DatabaseLocation,
    recount: bool,
    opened: &Sender<()>,
    batches: &Receiver<Vec<ImportedGame>>,
) -> Result<ImportSummary, StorageError> {
    let store = Store::open(database, DatabaseUse::Exclusive).await?;
    let result = write_batches(&store, recount, opened, batches).await;
    store.close().await;
    result
}

async fn write_batches(
    store: &Store,
    recount: bool,
    opened: &Sender<()>,
    batches: &Receiver<Vec<ImportedGame>>,
) -> Result<ImportSummary, StorageError> {
    // `Importer::open` waits for this.
    let _ = opened.send(());
    if recount {
        store.reset_explorer().await?;
    }
    // Count stored games first: the progress is one number, so games are counted in order.
    while count_finished_games(store, VISITS_PER_WRITE).await? > 0 {}
    let mut summary = ImportSummary::default();
    let mut from = store.explorer_progress().await?;
    let (mut to, mut visits) = (from, Visits::default());
    while let Ok(games) = batches.recv() {
        let rows = games.iter().map(|game| (game.into(), game.game_id())).collect();
        let numbers = store.add_imported(rows).await?;
        for (game, number) in games.iter().zip(numbers) {
            let Some(number) = number else {
                summary.known += 1;
                continue;
            };
            summary.new += 1;
            visits.add(number, &game.played());
            to = number;
        }
        if visits.len() >= VISITS_PER_WRITE {
            let counts = std::mem::take(&mut visits).into_counts();
            store.add_explorer_counts(from, to, counts).await?;
            from = to;
        }
    }
    store.add_explorer_counts(from, to, visits.into_counts()).await?;
    Ok(summary)
}

#[cfg(test)]
mod tests {
    use khet::{AnyPosition, Record, Setup};

    use super::{ImportSummary, ImportedGame, Importer};
    use crate::explorer::position_key;
    use crate::storage::Store;
    use crate::storage::testing::TestDatabase;

    /// Returns the numbers of stored games, of counted games, and of games from the classic setup.
    async fn state(store: &Store) -> (usize, u64, u64) {
        let stored = store.finished_after(0, u32::MAX).await.unwrap().len();
        let continuations = store
            .continuations(position_key(&Setup::Classic.position().into()), None)
            .await
            .unwrap();
        let games = continuations.iter().map(|continuation| continuation.results.games).sum();
        (stored, store.explorer_progress().await.unwrap(), games)
    }

    #[tokio::test]
    async fn next_import_counts_games_that_are_stored_but_not_counted() {
        let database = TestDatabase::new();
        let record = |number: u32| -> Record<AnyPosition> {
            format!("[Event \"{number}\"]\n[Setup \"Classic\"]\n\nh2+ c7+ 1-0").parse().unwrap()
        };
        let row = |number| {
            let game = ImportedGame::from_record(&record(number)).unwrap();
            ((&game).into(), game.game_id())
        };
        // A crash between insertion and counting.
        let store = database.open().await;
        let numbers = store.add_imported((0..40).map(row).collect()).await.unwrap();
        assert_eq!(numbers.into_iter().flatten().count(), 40);
        assert_eq!(state(&store).await, (40, 0, 0));
        store.close().await;
        let mut importer = Importer::open(&database.location, false).unwrap();
        for number in 30..50 {
            importer.add(&record(number)).unwrap();
        }
        assert_eq!(importer.finish().unwrap(), ImportSummary { new: 10, known: 10 });
        let store = database.open().await;
        assert_eq!(state(&store).await, (50, 50, 50));
        store.close().await;
    }
}
