//! Storage: the rows of one SQLite database and the SQL that reads and writes them.
//!
//! This module is the lowest layer of the server. It knows the types of the protocol and of the
//! rules library, and nothing of the modules that call it: whatever they compute (ratings, explorer
//! counts, imported games) arrives as plain data or as a function.
//!
//! All writes go through one task, see [`writer`](self::writer). It combines the work of many
//! callers into one transaction and replies after the commit. Reads use a pool of connections and
//! never wait for the writer. The SQL is portable to PostgreSQL where that costs nothing.
//!
//! # Tables and files
//!
//! | file | tables |
//! |---|---|
//! | `games.rs` | `games`, `events`, `server` |
//! | `archive.rs` | searches `games` |
//! | `people.rs`, `accounts.rs` | `people`, `sessions`, `tokens` |
//! | `ratings.rs` | `ratings`, `rating_changes` |
//! | `challenges.rs` | `challenges` |
//! | `explorer.rs` | `explorer`, `explorer_progress`, `finished` |
//! | `imported.rs` | `imported` |
//! | `reviews.rs` | `reviews` |
//! | `gallery.rs` | `setups`, `setup_likes` |
//! | `moderation.rs` | `setup_reports`, `setup_decisions`, `removed_setups` |
//!
//! # Add a database column
//!
//! 1. Write `storage/migrations/000N_name.sql` with `ALTER TABLE … ADD COLUMN …`. The column needs
//!    a default or must allow `NULL`, because old rows lack it. Never edit a released migration:
//!    databases remember its checksum and refuse to open.
//! 2. Append the file to `MIGRATIONS` in `storage/migrations.rs`.
//! 3. In the file of the table (see above), add a field of the column's name to the row struct
//!    (declared with `row!`) and the column to the `SELECT`, `INSERT` and `UPDATE` statements.
//!    Types that are stored as text use [`sqlx::types::Text`], names of enum variants
//!    [`Name`](columns::Name), JSON [`Json`](columns::Json).
//! 4. Pass the value on in the type that the function returns, which is often one of
//!    `khet-protocol`.
//! 5. If a query filters or sorts by the column, create an index in the migration and add a case to
//!    the test `queries_use_an_index` of the file.
//! 6. Personal data also belongs into `people/data.rs` (download) and `Store::delete_person`.

mod accounts;
mod archive;
mod backup;
mod bulk_insert;
mod challenges;
mod columns;
mod explorer;
mod gallery;
mod games;
mod identity;
mod imported;
mod lock;
mod migrations;
mod moderation;
mod people;
mod private_file;
mod ratings;
mod reviews;
mod verify;
mod writer;

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection};

pub(crate) use self::accounts::{NewAccount, PasswordStep, SessionsToEnd};
pub(crate) use self::archive::{GameFilter, GameTotals, StartFilter};
pub(crate) use self::backup::{PARTIAL_SUFFIX, backup, restore};
pub(crate) use self::challenges::StoredChallenge;
pub(crate) use self::explorer::{ExplorerCount, FinishedGame};
pub(crate) use self::gallery::{SetupFilter, StoredSetup};
pub(crate) use self::games::{GameEnd, StoredGame};
pub(crate) use self::imported::ImportedRow;
pub(crate) use self::lock::DatabaseLock;
pub(crate) use self::moderation::{UndoResult, moderators, set_moderator};
pub(crate) use self::ratings::{RateGame, RatingUpdate, StoredRating};
pub(crate) use self::verify::verify;
pub use self::verify::{VerifyFault, VerifyObserver, VerifySummary};
use self::writer::Writer;

/// Number of connections that read.
const READER_COUNT: u32 = 4;

/// Longest time to wait for another process that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Handle of the database.
#[derive(Clone)]
pub(crate) struct Store {
    readers: SqlitePool,
    writer: Writer,
}

/// Error of the database.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StorageError {
    /// SQLite or the file system failed.
    #[error("the database failed: {0}")]
    Database(String),
    /// A stored value can't be read.
    #[error("the database holds a value that can't be read: {0}")]
    Corrupt(String),
    /// The file is not a database of this program, for this reason.
    #[error("this is not a database of Khet: {0}")]
    Foreign(String),
    /// Another process uses the database.
    #[error("the database is in use; stop its server first")]
    InUse,
    /// The server is stopping.
    #[error("the database is closed")]
    Closed,
}

impl From<sqlx::Error> for StorageError {
    fn from(error: sqlx::Error) -> StorageError {
        match error {
            sqlx::Error::ColumnDecode { .. } => StorageError::Corrupt(error.to_string()),
            error => StorageError::Database(error.to_string()),
        }
    }
}

impl From<sqlx::migrate::MigrateError> for StorageError {
    fn from(error: sqlx::migrate::MigrateError) -> StorageError {
        StorageError::Database(error.to_string())
    }
}

impl Store {
    /// Opens a database, creates the file if it is missing, and runs new migrations.
    pub(crate) async fn open(file: &Path) -> Result<Store, StorageError> {
        private_file::prepare_database(file)
            .map_err(|error| StorageError::Database(error.to_string()))?;
        // Checked before the file is changed, even by setting its journal mode. SQLite takes files
        // that are shorter than a page for empty ones.
        if file.metadata().is_ok_and(|file| file.len() > 0) {
            identity::check_header(file)?;
        }
        let mut connection = backup::unchanged(file).connect().await?;
        let checked = identity::check_ours_or_empty(&mut connection).await;
        close(connection).await;
        checked?;
        let options = options(file);
        let mut connection = options.connect().await?;
        migrations::migrator().run(&mut connection).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READER_COUNT)
            .connect_with(options.read_only(true))
            .await?;
        Ok(Store { readers, writer: Writer::start(connection) })
    }

    /// Returns the pool of read-only connections.
    fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// Commits pending writes and closes the file.
    pub(crate) async fn close(&self) {
        // The last connection to close removes the WAL file, which a read-only one can't.
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// Returns the options of a connection: WAL mode, in which a commit is on disk when it returns, and
/// deleted texts are overwritten in the file.
fn options(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .pragma("secure_delete", "ON")
        .busy_timeout(BUSY_TIMEOUT)
        .disable_statement_logging()
}

/// Converts an unsigned number or timestamp to SQLite's signed integer.
fn to_i64(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Closes a connection and checkpoints the WAL file.
async fn close(connection: SqliteConnection) {
    if let Err(error) = connection.close().await {
        tracing::warn!(%error, "could not close the database");
    }
}

/// Helpers of tests in this module and the modules above.
#[cfg(test)]
pub(crate) mod testing {
    use std::path::Path;

    use sqlx::sqlite::SqliteConnection;
    use sqlx::{AssertSqlSafe, ConnectOptions};

    use super::{Store, migrations, options};

    /// Returns the steps of SQLite's query plan.
    pub(crate) async fn query_plan(store: &Store, sql: &str) -> Vec<String> {
        let sql = AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}"));
        let steps: Vec<(i64, i64, i64, String)> =
            sqlx::query_as(sql).fetch_all(store.readers()).await.unwrap();
        steps.into_iter().map(|(_, _, _, detail)| detail).collect()
    }

    /// Creates a database of an old version, with the first `migrations` only.
    pub(crate) async fn create_old(file: &Path, migrations: usize) -> SqliteConnection {
        let mut connection = options(file).create_if_missing(true).connect().await.unwrap();
        migrations::first(migrations).run(&mut connection).await.unwrap();
        connection
    }
}
