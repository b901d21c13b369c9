//! What is kept: one SQLite file, behind this small interface.
//!
//! Everything that is written goes through one task, the [`writer`](self::writer), which puts the work of many
//! callers into one transaction and answers when that is on disk. Readers have a pool of their own and never
//! wait for it. The SQL is what PostgreSQL understands too.

mod accounts;
mod archive;
mod backup;
mod bulk;
mod challenges;
mod explorer;
mod gallery;
mod games;
mod imported;
mod lock;
mod migrations;
mod people;
pub(crate) mod ratings;
mod reviews;
mod writer;

use std::fmt;
use std::path::Path;
use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection};

pub(crate) use self::accounts::{Ending, Password, SignUp};
pub(crate) use self::archive::{Score, Wanted, WantedStart};
pub(crate) use self::backup::{backup, restore};
pub(crate) use self::challenges::StoredChallenge;
pub(crate) use self::explorer::Source;
pub(crate) use self::gallery::{StoredSetup, WantedSetups};
pub(crate) use self::games::{Finish, StoredGame};
pub(crate) use self::lock::Lock;
pub(crate) use self::ratings::{StoredChange, StoredRating};
use self::writer::Writer;

/// How many questions are answered at once.
const READERS: u32 = 4;

/// Everything that is kept.
#[derive(Clone)]
pub(crate) struct Store {
    readers: SqlitePool,
    writer: Writer,
}

/// Why something could not be kept or found.
#[derive(Clone, Debug)]
pub enum StorageError {
    /// What the database says.
    Database(String),
    /// Something is kept that can't be read.
    Corrupt(String),
    /// A server uses it.
    InUse,
    /// The server stops.
    Closed,
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StorageError::Database(what) => write!(f, "the database: {what}"),
            StorageError::Corrupt(what) => {
                write!(f, "the database holds what can't be read: {what}")
            }
            StorageError::InUse => f.write_str("the database is in use; stop its server first"),
            StorageError::Closed => f.write_str("the database is closed"),
        }
    }
}

impl std::error::Error for StorageError {}

impl From<sqlx::Error> for StorageError {
    fn from(error: sqlx::Error) -> StorageError {
        StorageError::Database(error.to_string())
    }
}

impl From<sqlx::migrate::MigrateError> for StorageError {
    fn from(error: sqlx::migrate::MigrateError) -> StorageError {
        StorageError::Database(error.to_string())
    }
}

impl Store {
    /// Opens a database, which is made if it is not there, and brings its schema up to date.
    pub(crate) async fn open(file: &Path) -> Result<Store, StorageError> {
        let options = options(file).create_if_missing(true);
        let mut connection = options.connect().await?;
        migrations::migrator().run(&mut connection).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .connect_with(options.create_if_missing(false).read_only(true))
            .await?;
        Ok(Store { readers, writer: Writer::start(connection) })
    }

    /// Connections that read.
    pub(crate) fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// Does work that changes something, in a transaction that others may share. The answer comes when it is
    /// on disk. If the work fails, all of it is undone, and nothing of the others'.
    pub(crate) async fn write<T, W>(&self, work: W) -> Result<T, StorageError>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StorageError>>
            + Send
            + 'static,
    {
        self.writer.write(work).await
    }

    /// Finishes what is being written, and closes the file.
    pub(crate) async fn close(&self) {
        // The last one to close tidies up, and only the writer can.
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// A file in WAL mode, in which a commit is on disk when it has returned.
fn options(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(Duration::from_secs(10))
        .disable_statement_logging()
}

/// How the database would answer a question.
#[cfg(test)]
async fn plan(store: &Store, sql: &str) -> Vec<String> {
    use sqlx::Row;

    let sql = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
    let rows = sqlx::query(sql).fetch_all(store.readers()).await.unwrap();
    rows.iter().map(|row| row.get("detail")).collect()
}

/// Reads a value that was kept as its text.
fn parse<T: std::str::FromStr<Err: fmt::Display>>(text: &str) -> Result<T, StorageError> {
    text.parse().map_err(|error: T::Err| StorageError::Corrupt(error.to_string()))
}

/// Reads a value that was kept as JSON.
fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, StorageError> {
    serde_json::from_str(text).map_err(|error| StorageError::Corrupt(error.to_string()))
}

/// Writes a value as JSON.
fn to_json<T: serde::Serialize>(value: &T) -> Result<String, StorageError> {
    serde_json::to_string(value).map_err(|error| StorageError::Corrupt(error.to_string()))
}

/// Moments and numbers as databases have them.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The same, back again.
fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

/// Closes a connection, so that the file is left in good order.
async fn close(connection: SqliteConnection) {
    if let Err(error) = connection.close().await {
        tracing::warn!(%error, "the database did not close");
    }
}
