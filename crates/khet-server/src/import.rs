//! Brings games that were played elsewhere into a database, while no server uses it.
//!
//! One thread reads and checks records, another writes. Games are kept in small transactions; what they add to the explorer is gathered
//! and written in few large ones, sorted, so that each page of the database is touched once. Whatever happens between two of them,
//! games that are kept and not counted yet are counted by whoever comes next: another import, or a server.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread::{self, JoinHandle};

use khet::Record;

use crate::explorer::{Visits, count_some};
use crate::imported::{ImportedGame, NotTaken};
use crate::storage::{Lock, StorageError, Store};

/// Games that are kept in one transaction.
const GAMES_AT_ONCE: usize = 2000;
/// Such portions that may wait for the writer.
const WAITING: usize = 4;
/// Visits that are gathered before they are written: 16 bytes each.
const VISITS_AT_ONCE: usize = 8_000_000;

/// What came of an import.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Games that are new.
    pub new: u64,
    /// Games that were there already, or came twice.
    pub known: u64,
}

/// Why a game was not added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddError {
    /// It is not taken; others may be.
    NotTaken(NotTaken),
    /// Nothing is written any more: [`Importer::finish`] says why.
    Closed,
}

impl fmt::Display for AddError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AddError::NotTaken(why) => why.fmt(f),
            AddError::Closed => f.write_str("the database is closed"),
        }
    }
}

impl std::error::Error for AddError {}

/// An import that is under way.
#[derive(Debug)]
pub struct Importer {
    gathered: Vec<ImportedGame>,
    queue: SyncSender<Vec<ImportedGame>>,
    writer: JoinHandle<Result<Summary, StorageError>>,
}

impl Importer {
    /// Opens a database, which is made if it is not there. With `recount` the explorer begins anew, with all games that are kept.
    ///
    /// # Errors
    ///
    /// If it is in use, or can't be opened.
    pub fn open(database: &Path, recount: bool) -> Result<Importer, StorageError> {
        let lock = Lock::take(database)?;
        let (queue, games) = mpsc::sync_channel(WAITING);
        let (opened, is_open) = mpsc::channel();
        let database: PathBuf = database.to_owned();
        let writer = thread::spawn(move || {
            let _lock = lock;
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = runtime.map_err(|error| StorageError::Database(error.to_string()))?;
            runtime.block_on(write(&database, recount, &opened, &games))
        });
        // A writer that ended without a word says why when it is joined.
        if is_open.recv().is_err() {
            return Err(join(writer).err().unwrap_or(StorageError::Closed));
        }
        Ok(Importer { gathered: Vec::new(), queue, writer })
    }

    /// Adds a game, sooner or later.
    ///
    /// # Errors
    ///
    /// If the game is not taken, or nothing can be written.
    pub fn add(&mut self, record: &Record) -> Result<(), AddError> {
        self.gathered.push(ImportedGame::of_record(record).map_err(AddError::NotTaken)?);
        if self.gathered.len() < GAMES_AT_ONCE {
            return Ok(());
        }
        self.queue.send(std::mem::take(&mut self.gathered)).map_err(|_| AddError::Closed)
    }

    /// Waits until everything is written.
    ///
    /// # Errors
    ///
    /// If something could not be written. Games before it are kept.
    pub fn finish(self) -> Result<Summary, StorageError> {
        // A writer that is gone says why when it is joined.
        let _ = self.queue.send(self.gathered);
        drop(self.queue);
        join(self.writer)
    }
}

fn join(writer: JoinHandle<Result<Summary, StorageError>>) -> Result<Summary, StorageError> {
    writer.join().unwrap_or(Err(StorageError::Closed))
}

async fn write(
    database: &Path,
    recount: bool,
    opened: &Sender<()>,
    games: &Receiver<Vec<ImportedGame>>,
) -> Result<Summary, StorageError> {
    let store = Store::open(database).await?;
    let done = write_all(&store, recount, opened, games).await;
    store.close().await;
    done
}

async fn write_all(
    store: &Store,
    recount: bool,
    opened: &Sender<()>,
    games: &Receiver<Vec<ImportedGame>>,
) -> Result<Summary, StorageError> {
    // Whoever opened it waits for this.
    let _ = opened.send(());
    if recount {
        store.forget_counts().await?;
    }
    // First what is kept and not counted, so that numbers follow each other.
    while count_some(store, VISITS_AT_ONCE).await? > 0 {}
    let mut summary = Summary::default();
    let mut from = store.counted().await?;
    let (mut to, mut visits) = (from, Visits::default());
    while let Ok(games) = games.recv() {
        let all = games.len() as u64;
        let new = store.add_imported(games).await?;
        summary.new += new.len() as u64;
        summary.known += all - new.len() as u64;
        for (number, game) in &new {
            visits.add(*number, &game.played());
            to = *number;
        }
        if visits.len() >= VISITS_AT_ONCE {
            store.count(from, to, std::mem::take(&mut visits)).await?;
            from = to;
        }
    }
    store.count(from, to, visits).await?;
    Ok(summary)
}

#[cfg(test)]
mod tests {
    use khet::{Record, Setup};

    use super::{Importer, Summary};
    use crate::explorer::key;
    use crate::imported::ImportedGame;
    use crate::storage::Store;

    /// What is kept, counted, and played from the classic start.
    async fn state(store: &Store) -> (usize, u64, u64) {
        let kept = store.finished_after(0, u32::MAX).await.unwrap().len();
        let found = store.continuations(key(&Setup::Classic.position()), None).await.unwrap();
        let games = found.iter().map(|found| found.tally.games).sum();
        (kept, store.counted().await.unwrap(), games)
    }

    #[tokio::test]
    async fn games_that_were_kept_and_not_counted_are_counted_by_the_next() {
        let folder = tempfile::TempDir::new().unwrap();
        let database = folder.path().join("khet.sqlite");
        let record = |number: u32| -> Record {
            format!("[Event \"{number}\"]\n[Setup \"Classic\"]\n\nh2+ c7+ 1-0").parse().unwrap()
        };
        let game = |number| ImportedGame::of_record(&record(number)).unwrap();
        // As if the power went between the two.
        let store = Store::open(&database).await.unwrap();
        assert_eq!(store.add_imported((0..40).map(game).collect()).await.unwrap().len(), 40);
        assert_eq!(state(&store).await, (40, 0, 0));
        store.close().await;
        let mut importer = Importer::open(&database, false).unwrap();
        for number in 30..50 {
            importer.add(&record(number)).unwrap();
        }
        assert_eq!(importer.finish().unwrap(), Summary { new: 10, known: 10 });
        let store = Store::open(&database).await.unwrap();
        assert_eq!(state(&store).await, (50, 50, 50));
        store.close().await;
    }
}
