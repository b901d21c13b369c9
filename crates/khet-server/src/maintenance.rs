//! Blocking functions that maintain a database, for programs without an async runtime.

use std::path::{Path, PathBuf};

use crate::storage::{self, StorageError};

/// Copies a database into a new file. The server may run at the same time.
///
/// # Errors
///
/// If there is no database, the copy exists already, or it can't be written.
pub fn backup(database: &Path, copy: &Path) -> Result<(), StorageError> {
    run(storage::backup(database, copy))
}

/// Replaces a database by a copy. The old database is renamed, and its new name is returned.
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
