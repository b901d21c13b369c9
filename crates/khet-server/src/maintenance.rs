//! Blocking functions that maintain a database, for programs without an async runtime.

use std::path::{Path, PathBuf};

use khet_protocol::PersonName;
use tokio::runtime::Runtime;

use crate::import::ImportedGame;
use crate::storage::{
    self, DatabaseLocation, StorageError, TransferError, TransferObserver, TransferSummary,
    VerifyObserver, VerifySummary,
};

/// Copies a SQLite database into a new file. The server may run at the same time.
///
/// # Errors
///
/// If there is no database, the copy exists already, or it can't be written.
pub fn backup(database: &DatabaseLocation, copy: &Path) -> Result<(), StorageError> {
    let file = database.file().ok_or_else(storage::backup_elsewhere)?;
    run(storage::backup(file, copy))
}

/// Replaces a SQLite database by a copy. The old database is renamed, and its new name is returned.
///
/// # Errors
///
/// If the copy is damaged or not of this program, if one of the files is in use, or if the disk is
/// full. Then the database is as it was.
pub fn restore(copy: &Path, database: &DatabaseLocation) -> Result<Option<PathBuf>, StorageError> {
    let file = database.file().ok_or_else(storage::backup_elsewhere)?;
    run(storage::restore(copy, file))
}

/// Checks a database and replays each of its games. The database is not changed, and a server may
/// use it. Faults go to the observer.
///
/// # Errors
///
/// If the file is not a database of this program, or can't be read.
pub fn verify(
    database: &DatabaseLocation,
    observer: &mut dyn VerifyObserver,
) -> Result<VerifySummary, StorageError> {
    run(storage::verify(database, |row| ImportedGame::try_from(row)?.check_id(), observer))
}

/// Copies a database into an empty one of the other kind, or continues such a copy. No server may
/// use either. Then compares all rows, and replays all games of the copy.
///
/// # Errors
///
/// If a database is in use or can't be read or written, or if the target is not empty.
pub fn transfer(
    from: &DatabaseLocation,
    to: &DatabaseLocation,
    observer: &mut dyn TransferObserver,
) -> Result<TransferSummary, TransferError> {
    let check = |row| ImportedGame::try_from(row)?.check_id();
    let runtime = runtime().map_err(TransferError::Source)?;
    runtime.block_on(storage::transfer(from, to, check, observer))
}

/// Makes an account a moderator or takes the role away. The server may run at the same time.
/// `false` if no account has this name.
///
/// # Errors
///
/// If there is no database, or it can't be written.
pub fn set_moderator(
    database: &DatabaseLocation,
    name: &PersonName,
    moderator: bool,
) -> Result<bool, StorageError> {
    run(storage::set_moderator(database, name, moderator))
}

/// Returns the names of all moderators. The server may run at the same time.
///
/// # Errors
///
/// If there is no database, or it can't be read.
pub fn moderators(database: &DatabaseLocation) -> Result<Vec<PersonName>, StorageError> {
    run(storage::moderators(database))
}

fn run<T>(work: impl Future<Output = Result<T, StorageError>>) -> Result<T, StorageError> {
    runtime()?.block_on(work)
}

fn runtime() -> Result<Runtime, StorageError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| StorageError::Database(error.to_string()))
}
