//! The lock that keeps two processes from using one database: two servers would both run its games.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::{StorageError, backup};

/// Exclusive use of a database until it is dropped or the process ends, even by a crash. The lock
/// is on a separate file, so that it does not interfere with SQLite's own locks.
#[derive(Debug)]
pub(crate) struct DatabaseLock(#[allow(dead_code)] File);

impl DatabaseLock {
    pub(crate) fn acquire(database: &Path) -> Result<DatabaseLock, StorageError> {
        let name = backup::with_suffix(database, ".lock");
        let failed = |error: std::io::Error| StorageError::Database(error.to_string());
        let file = File::options().create(true).write(true).truncate(false).open(name);
        let file = file.map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(DatabaseLock(file)),
            Err(TryLockError::WouldBlock) => Err(StorageError::InUse),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}
