//! The lock of a database: only one process may use it, because two servers would both play its
//! games.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::{StorageError, backup};

/// Exclusive use of a database until it is dropped or the process ends. The lock is a file of its
/// own, because locks on the database file itself would interfere with those of SQLite.
#[derive(Debug)]
pub(crate) struct Lock(#[allow(dead_code)] File);

impl Lock {
    /// Locks a database.
    pub(crate) fn take(database: &Path) -> Result<Lock, StorageError> {
        let mut create = File::options();
        create.create(true).write(true).truncate(false);
        Lock::open(database, &create)?
            .ok_or_else(|| StorageError::Database("the lock file cannot be created".to_owned()))
    }

    /// Locks a database if it has a lock file, without creating one.
    pub(crate) fn take_existing(database: &Path) -> Result<Option<Lock>, StorageError> {
        Lock::open(database, File::options().write(true))
    }

    fn open(database: &Path, options: &OpenOptions) -> Result<Option<Lock>, StorageError> {
        let failed = |error: io::Error| StorageError::Database(error.to_string());
        let file = match options.open(lock_file(database)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(failed)?,
        };
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock(file))),
            Err(TryLockError::WouldBlock) => Err(StorageError::InUse),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}

/// Returns the name of the lock file. It lies beside the file itself, so that a symbolic link to a
/// database has the same lock.
fn lock_file(database: &Path) -> PathBuf {
    let file = database.canonicalize();
    backup::with_ending(file.as_deref().unwrap_or(database), ".lock")
}
