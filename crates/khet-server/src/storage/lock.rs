//! The lock that keeps two processes from using one database: two servers would both run its games.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::{StorageError, backup, private_file};

/// Exclusive use of a database until it is dropped or the process ends, even by a crash. The lock
/// is on a separate file, so that it does not interfere with SQLite's own locks.
#[derive(Debug)]
pub(crate) struct DatabaseLock(#[allow(dead_code)] File);

impl DatabaseLock {
    /// Locks a database.
    pub(crate) fn acquire(database: &Path) -> Result<DatabaseLock, StorageError> {
        let mut create = private_file::options();
        create.create(true).write(true).truncate(false);
        DatabaseLock::open(database, &create).map_err(failed)?
    }

    /// Locks a database if it has a lock file. Creates none.
    pub(crate) fn acquire_existing(database: &Path) -> Result<Option<DatabaseLock>, StorageError> {
        match DatabaseLock::open(database, File::options().write(true)) {
            Ok(lock) => lock.map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    /// Opens the lock file, which is the outer result, and locks it.
    fn open(
        database: &Path,
        options: &OpenOptions,
    ) -> io::Result<Result<DatabaseLock, StorageError>> {
        let file = options.open(lock_file(database))?;
        Ok(match file.try_lock() {
            Ok(()) => Ok(DatabaseLock(file)),
            Err(TryLockError::WouldBlock) => Err(StorageError::InUse),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        })
    }
}

fn failed(error: io::Error) -> StorageError {
    StorageError::Database(error.to_string())
}

/// Returns the name of the lock file. It is next to the target of a symbolic link, so that a
/// database and links to it have one lock.
fn lock_file(database: &Path) -> PathBuf {
    let target = database.canonicalize();
    backup::with_suffix(target.as_deref().unwrap_or(database), ".lock")
}
