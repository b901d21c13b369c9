//! One at a time uses a database: two servers would both play its games.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::{StorageError, backup};

/// Keeps others from using a database until it is dropped, or the process ends, however it does. The lock is a file of
/// its own: SQLite's locks on the database must not meet others.
#[derive(Debug)]
pub(crate) struct Lock(#[allow(dead_code)] File);

impl Lock {
    pub(crate) fn take(database: &Path) -> Result<Lock, StorageError> {
        let name = backup::with_ending(database, ".lock");
        let failed = |error: std::io::Error| StorageError::Database(error.to_string());
        let file = File::options().create(true).write(true).truncate(false).open(name);
        let file = file.map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Lock(file)),
            Err(TryLockError::WouldBlock) => Err(StorageError::InUse),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }
}
