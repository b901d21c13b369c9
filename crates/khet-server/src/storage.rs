//! Storage: the rows of one SQLite database and the SQL that reads and writes them.
//!
//! This module is the lowest layer of the server. It knows the types of the protocol and of the
//! rules library, and nothing of the modules that call it: whatever they compute (ratings, explorer
//! counts, imported games) arrives as plain data or as a function.
//!
//! All writes go through one task, see [`writer`](self::writer). It combines the work of many
//! callers into one transaction and replies after the commit. Reads never wait for the writer. They
//! use two pools of connections: one for sessions and games, whose queries read a few rows by key,
//! and one for pages with lists and searches, whose queries have a time limit. So no search delays
//! a move. The SQL is portable to PostgreSQL where that costs nothing.
//!
//! # Tables and files
//!
//! | file | tables |
//! |---|---|
//! | `games.rs` | `games`, `events`, `server` |
//! | `recent_moves.rs` | `recent_moves`, part of `events` |
//! | `writer.rs` | `write_probe` |
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
mod health;
mod identity;
mod imported;
mod leases;
mod lock;
mod migrations;
mod moderation;
mod people;
mod private_file;
mod ratings;
mod recent_moves;
mod reviews;
mod verify;
mod writer;

use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection, Sqlite};

pub(crate) use self::accounts::{NewAccount, PasswordStep, SessionsToEnd};
pub(crate) use self::archive::{GameFilter, GameTotals, StartFilter};
pub(crate) use self::backup::{PARTIAL_SUFFIX, backup, restore};
pub(crate) use self::challenges::StoredChallenge;
pub(crate) use self::explorer::{Continuation, ExplorerCount, FinishedGame};
pub(crate) use self::gallery::{SetupFilter, StoredSetup};
pub(crate) use self::games::{GameEnd, StoredGame};
use self::health::DatabaseFiles;
pub use self::health::{DiskFault, StorageFaults};
pub(crate) use self::health::{WriteFailure, WriteHealth};
pub(crate) use self::imported::ImportedRow;
pub(crate) use self::leases::{ClaimedLease, LeaseStore};
pub(crate) use self::lock::DatabaseLock;
pub(crate) use self::moderation::{UndoResult, moderators, set_moderator};
pub(crate) use self::ratings::{RateGame, RatingUpdate, StoredRating};
pub(crate) use self::verify::verify;
pub use self::verify::{VerifyFault, VerifyObserver, VerifySummary};
use self::writer::Writer;

/// Number of connections that read sessions and games.
const READER_COUNT: u32 = 4;
/// Number of connections that read lists and searches.
const PAGE_READER_COUNT: u32 = 4;
/// Longest time of a query for a page, and longest wait for its connection.
const PAGE_TIME_LIMIT: Duration = Duration::from_secs(2);
/// Number of SQLite's instructions between two checks of the time limit: some microseconds.
const INSTRUCTIONS_PER_CHECK: i32 = 1000;

/// Longest time to wait for another process that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// Handle of the database.
#[derive(Clone)]
pub(crate) struct Store {
    readers: SqlitePool,
    page_readers: SqlitePool,
    writer: Writer,
    health: WriteHealth,
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
    /// A query for a page took too long.
    #[error("the query took too long")]
    TooSlow,
    /// The disk is full, broken or read-only.
    #[error("the database can't be written: {0}")]
    Unwritable(String),
    /// The file of the open database was removed or replaced.
    #[error("the database file was removed or replaced; restart the server with the right one")]
    FileReplaced,
    /// Another node owns the game.
    #[error("another node owns the game")]
    NotOwner,
    /// The server is stopping.
    #[error("the database is closed")]
    Closed,
}

impl From<sqlx::Error> for StorageError {
    fn from(error: sqlx::Error) -> StorageError {
        match &error {
            sqlx::Error::ColumnDecode { .. } => StorageError::Corrupt(error.to_string()),
            sqlx::Error::PoolTimedOut => StorageError::TooSlow,
            sqlx::Error::Database(source) => {
                // The lower byte of SQLite's result codes is the kind of error.
                let code = source.code().and_then(|code| code.parse::<u32>().ok());
                match code.map(|code| code & 0xff) {
                    Some(SQLITE_INTERRUPT) => StorageError::TooSlow,
                    Some(code) if UNWRITABLE.contains(&code) => {
                        StorageError::Unwritable(error.to_string())
                    }
                    _ => StorageError::Database(error.to_string()),
                }
            }
            _ => StorageError::Database(error.to_string()),
        }
    }
}

/// SQLite's result code of a query that was interrupted.
const SQLITE_INTERRUPT: u32 = 9;
/// SQLite's result codes of a disk that can't be written: `READONLY`, `IOERR`, `FULL`, `CANTOPEN`.
const UNWRITABLE: [u32; 4] = [8, 10, 13, 14];

impl From<sqlx::migrate::MigrateError> for StorageError {
    fn from(error: sqlx::migrate::MigrateError) -> StorageError {
        StorageError::Database(error.to_string())
    }
}

impl Store {
    /// Opens a database, creates the file if it is missing, and runs new migrations.
    pub(crate) async fn open(file: &Path) -> Result<Store, StorageError> {
        Store::open_with(file, StorageFaults::default()).await
    }

    /// Opens a database whose disk has the faults that a test switches on.
    pub(crate) async fn open_with(
        file: &Path,
        faults: StorageFaults,
    ) -> Result<Store, StorageError> {
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
        copy_recent_moves(&mut connection).await?;
        let read_only = options.read_only(true);
        let readers = SqlitePoolOptions::new().max_connections(READER_COUNT);
        let page_readers = SqlitePoolOptions::new()
            .max_connections(PAGE_READER_COUNT)
            .acquire_timeout(PAGE_TIME_LIMIT);
        let health = WriteHealth::default();
        Ok(Store {
            readers: readers.connect_with(read_only.clone()).await?,
            page_readers: page_readers.connect_with(read_only).await?,
            writer: Writer::start(connection, DatabaseFiles::open(file)?, health.clone(), faults),
            health,
        })
    }

    /// Returns the pool of connections that read sessions and games. Their queries find rows by a
    /// key.
    fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// Returns a connection for the lists and searches of a page. SQLite interrupts its queries
    /// when the time limit has passed, even if nobody waits for them any more.
    async fn page_reader(&self) -> Result<PoolConnection<Sqlite>, StorageError> {
        let mut connection = self.page_readers.acquire().await?;
        limit_time(&mut connection, PAGE_TIME_LIMIT).await?;
        Ok(connection)
    }

    pub(crate) async fn leases(&self) -> Result<Option<LeaseStore>, StorageError> {
        Ok(None)
    }

    /// Returns whether the database can be written.
    pub(crate) fn write_health(&self) -> &WriteHealth {
        &self.health
    }

    /// Commits pending writes and closes the file.
    pub(crate) async fn close(&self) {
        // The last connection to close removes the WAL file, which a read-only one can't.
        self.readers.close().await;
        self.page_readers.close().await;
        self.writer.close().await;
    }
}

/// Copies the recent moves of the last run to `events`.
async fn copy_recent_moves(connection: &mut SqliteConnection) -> Result<(), StorageError> {
    let mut transaction = connection.begin().await?;
    recent_moves::clear(&mut transaction).await?;
    Ok(transaction.commit().await?)
}

/// Interrupts the queries of a connection after a time.
async fn limit_time(
    connection: &mut SqliteConnection,
    limit: Duration,
) -> Result<(), StorageError> {
    let deadline = Instant::now() + limit;
    let mut handle = connection.lock_handle().await?;
    handle.set_progress_handler(INSTRUCTIONS_PER_CHECK, move || Instant::now() < deadline);
    Ok(())
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{DiskFault, StorageError, StorageFaults, Store, WriteFailure, limit_time};

    async fn open() -> (tempfile::TempDir, Store) {
        let folder = tempfile::TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("khet.sqlite")).await.unwrap();
        (folder, store)
    }

    #[tokio::test]
    async fn query_that_takes_too_long_is_interrupted() {
        let (_folder, store) = open().await;
        let mut connection = store.page_reader().await.unwrap();
        limit_time(&mut connection, Duration::from_millis(50)).await.unwrap();
        let endless = "WITH RECURSIVE numbers (n) AS \
             (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT MAX(n) FROM numbers";
        let result = sqlx::query_scalar::<_, i64>(endless).fetch_one(&mut *connection).await;
        let error = StorageError::from(result.unwrap_err());
        assert!(matches!(error, StorageError::TooSlow), "{error}");
        drop(connection);
        // The connection is used again.
        assert!(store.has_rating(khet_protocol::PersonId::from_number(1)).await.is_ok());
        store.close().await;
    }

    #[tokio::test]
    async fn sessions_are_read_while_searches_use_all_their_connections() {
        let (_folder, store) = open().await;
        let mut busy = Vec::new();
        for _ in 0..super::PAGE_READER_COUNT {
            busy.push(store.page_reader().await.unwrap());
        }
        assert!(store.person_by_session("none").await.is_ok());
        assert!(matches!(store.page_reader().await, Err(StorageError::TooSlow)));
        drop(busy);
        store.close().await;
    }

    #[tokio::test]
    async fn full_disk_is_recognised_and_probed() {
        let (_folder, store) = open().await;
        let mut health = store.write_health().subscribe();
        let limit = |pages: u32| {
            store.write(move |connection| {
                Box::pin(async move {
                    let sql = format!("PRAGMA max_page_count = {pages}");
                    sqlx::query(sqlx::AssertSqlSafe(sql)).execute(connection).await?;
                    Ok(())
                })
            })
        };
        limit(1).await.unwrap();
        let mut failed = None;
        for number in 0..10_000 {
            let (id, token) = (khet_protocol::PersonId::from_number(number), number.to_string());
            if let Err(error) = store.add_guest(id, token, 0).await {
                failed = Some(error);
                break;
            }
        }
        assert!(matches!(failed, Some(StorageError::Unwritable(_))), "{failed:?}");
        health.wait_for(|failure| *failure == Some(WriteFailure::Disk)).await.unwrap();
        assert!(matches!(limit(1).await, Err(StorageError::Unwritable(_))));
        store.close().await;
    }

    #[tokio::test]
    async fn writes_succeed_again_when_there_is_space() {
        let folder = tempfile::TempDir::new().unwrap();
        let faults = StorageFaults::default();
        let file = folder.path().join("khet.sqlite");
        let store = Store::open_with(&file, faults.clone()).await.unwrap();
        let mut health = store.write_health().subscribe();
        faults.set(DiskFault::Full);
        assert!(matches!(store.set_heartbeat(1).await, Err(StorageError::Unwritable(_))));
        assert_eq!(store.write_health().failure(), Some(WriteFailure::Disk));
        faults.set(DiskFault::None);
        health.wait_for(Option::is_none).await.unwrap();
        store.set_heartbeat(2).await.unwrap();
        assert_eq!(store.last_heartbeat().await.unwrap(), Some(2));
        store.close().await;
    }
}
