//! Work on the database for programs that have nothing else to do meanwhile.

use std::path::{Path, PathBuf};

use crate::storage::{self, StorageError};

/// Copies a database as it is at one moment into a new file. The server may go on meanwhile.
///
/// # Errors
///
/// If there is no database, the copy exists already, or it can't be written.
pub fn backup(database: &Path, copy: &Path) -> Result<(), StorageError> {
    run(storage::backup(database, copy))
}

/// Puts a copy in the place of a database. What was there is kept beside it, under the name that is returned.
///
/// # Errors
///
/// If the copy is damaged, or the database is in use.
pub fn restore(copy: &Path, database: &Path) -> Result<Option<PathBuf>, StorageError> {
    run(storage::restore(copy, database))
}

fn run<T>(work: impl Future<Output = Result<T, StorageError>>) -> Result<T, StorageError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| StorageError::Database(error.to_string()))?.block_on(work)
}
