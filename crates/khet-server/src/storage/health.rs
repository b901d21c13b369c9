//! The health of the database: it can't be written if the disk is full, the file is gone, or the
//! PostgreSQL server can't be reached.
//!
//! The first write that fails for such a reason closes the database for all others, so that games
//! stop their clocks and callers get an error at once. The writer then probes the disk until a
//! write succeeds.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;

use super::StorageError;
use super::backup::with_suffix;

/// Reason why nothing can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WriteFailure {
    /// The disk is full, broken or read-only.
    Disk,
    /// The database file was removed or replaced by another one.
    FileReplaced,
    /// The PostgreSQL server can't be reached.
    Disconnected,
}

/// The part of the work that a writer does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WriterRole {
    /// All of it, or all but the moves.
    Everything,
    /// Events of games that go on.
    Moves,
}

/// Whether the database can be written, shared by the writers, their callers and the games.
#[derive(Clone, Debug)]
pub(crate) struct WriteHealth {
    /// The failure of one of the writers.
    failure: Arc<watch::Sender<Option<WriteFailure>>>,
    /// The failure of each [`WriterRole`].
    by_role: Arc<Mutex<[Option<WriteFailure>; 2]>>,
}

impl Default for WriteHealth {
    fn default() -> WriteHealth {
        let failure = Arc::new(watch::Sender::new(None));
        WriteHealth { failure, by_role: Arc::default() }
    }
}

impl WriteHealth {
    /// Returns why nothing can be written, if so.
    pub(crate) fn failure(&self) -> Option<WriteFailure> {
        *self.failure.borrow()
    }

    /// Returns a receiver that changes with the state.
    pub(crate) fn subscribe(&self) -> watch::Receiver<Option<WriteFailure>> {
        self.failure.subscribe()
    }

    /// Returns an error if nothing can be written.
    pub(super) fn check(&self) -> Result<(), StorageError> {
        match self.failure() {
            None => Ok(()),
            Some(WriteFailure::Disk) => {
                Err(StorageError::Unwritable("earlier writes have failed".to_owned()))
            }
            Some(WriteFailure::FileReplaced) => Err(StorageError::FileReplaced),
            Some(WriteFailure::Disconnected) => {
                Err(StorageError::Disconnected("it is being connected again".to_owned()))
            }
        }
    }

    /// Records the result of a write. Errors that concern only one caller change nothing.
    pub(super) fn record(&self, role: WriterRole, result: &Result<(), StorageError>) {
        let failure = match result {
            Ok(()) => None,
            Err(StorageError::Unwritable(_)) => Some(WriteFailure::Disk),
            Err(StorageError::FileReplaced) => Some(WriteFailure::FileReplaced),
            // A command uses the database alone, which it could lock after the connection was lost.
            Err(StorageError::Disconnected(_) | StorageError::InUse) => {
                Some(WriteFailure::Disconnected)
            }
            Err(_) => return,
        };
        let failure = {
            let mut by_role = self.by_role.lock().unwrap_or_else(PoisonError::into_inner);
            by_role[role as usize] = failure;
            by_role.iter().copied().flatten().next()
        };
        let changed = self.failure.send_if_modified(|known| {
            let changed = *known != failure;
            *known = failure;
            changed
        });
        // Logged once per change, not for each write that fails.
        match result {
            Err(error) if changed => {
                metrics::gauge!("khet_storage_writable").set(0.0);
                tracing::error!(%error, "nothing can be stored; the clocks of all games stop");
            }
            Ok(()) if changed && failure.is_none() => {
                metrics::gauge!("khet_storage_writable").set(1.0);
                tracing::info!("the database can be written again");
            }
            _ => {}
        }
    }
}

/// The files of an open database. SQLite would go on writing to files that were deleted or renamed,
/// and everything it writes would be lost.
#[derive(Debug)]
pub(super) struct DatabaseFiles {
    /// The path of the database, and the file that it named when it was opened.
    database: (PathBuf, FileIdentity),
    /// The path of the WAL file, and the file that it named after the first commit.
    wal: (PathBuf, Option<FileIdentity>),
}

/// A number that tells files apart, whatever their names are.
type FileIdentity = (u64, u64);

impl DatabaseFiles {
    /// Records the files of a database that is open.
    pub(super) fn open(database: &Path) -> Result<DatabaseFiles, StorageError> {
        let failed = |error: std::io::Error| StorageError::Database(error.to_string());
        let target = database.canonicalize().map_err(failed)?;
        let identity = identity(database).ok_or(StorageError::FileReplaced)?;
        Ok(DatabaseFiles {
            database: (database.to_owned(), identity),
            wal: (with_suffix(&target, "-wal"), None),
        })
    }

    /// Returns an error if a file is not the one that was opened. This costs two system calls,
    /// which is little beside the fsync of a commit.
    pub(super) fn check(&self) -> Result<(), StorageError> {
        let (path, known) = &self.database;
        let (wal_path, wal) = &self.wal;
        let same = identity(path) == Some(*known) && (wal.is_none() || identity(wal_path) == *wal);
        if same { Ok(()) } else { Err(StorageError::FileReplaced) }
    }

    /// Checks the files after a commit, which has created the WAL file.
    pub(super) fn check_after_commit(&mut self) -> Result<(), StorageError> {
        let (path, wal) = &mut self.wal;
        if wal.is_none() {
            *wal = identity(path);
        }
        self.check()
    }
}

/// Returns the identity of a file, if it exists.
#[cfg(unix)]
fn identity(path: &Path) -> Option<FileIdentity> {
    use std::os::unix::fs::MetadataExt;
    let metadata = path.metadata().ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// Other systems do not let anybody delete or rename an open file.
#[cfg(not(unix))]
fn identity(_: &Path) -> Option<FileIdentity> {
    Some((0, 0))
}

/// Faults of the disk that tests can switch on.
#[derive(Clone, Debug)]
pub struct StorageFaults(Arc<watch::Sender<DiskFault>>);

/// A fault of the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DiskFault {
    /// The disk works.
    #[default]
    None,
    /// All writes fail.
    Full,
    /// All writes wait until the fault is switched off.
    Stalled,
    /// The task that writes panics. Not a fault of the disk, but with the same effect on callers.
    Panic,
}

impl Default for StorageFaults {
    fn default() -> StorageFaults {
        StorageFaults(Arc::new(watch::Sender::new(DiskFault::None)))
    }
}

impl StorageFaults {
    /// Switches a fault on or off.
    pub fn set(&self, fault: DiskFault) {
        self.0.send_replace(fault);
    }

    /// Returns whether a write waits because the disk stalls.
    pub fn has_waiting_write(&self) -> bool {
        self.0.receiver_count() > 0
    }

    /// Waits while the disk stalls, and returns the error of a write if the disk is full.
    pub(super) async fn check(&self) -> Result<(), StorageError> {
        let mut receiver = self.0.subscribe();
        // The sender exists as long as `self`.
        let fault = receiver.wait_for(|fault| *fault != DiskFault::Stalled).await;
        match fault.as_deref() {
            Ok(DiskFault::Full) => {
                Err(StorageError::Unwritable("a test has filled the disk".to_owned()))
            }
            Ok(DiskFault::Panic) => panic!("a test lets the writer panic"),
            _ => Ok(()),
        }
    }
}
