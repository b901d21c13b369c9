//! Storage: the rows of one database, SQLite or PostgreSQL, and the SQL that reads and writes them.
//!
//! This module is the lowest layer of the server. It knows the types of the protocol and of the
//! rules library, and nothing of the modules that call it: whatever they compute (ratings, explorer
//! counts, imported games) arrives as plain data or as a function.
//!
//! All writes go through a task, see [`writer`](self::writer). It combines the work of many callers
//! into one transaction and replies after the commit. Reads never wait for the writer. They use two
//! pools of connections: one for sessions and games, whose queries read a few rows by key, and one
//! for pages with lists and searches, whose queries have a time limit. So no search delays a move.
//!
//! # Two databases
//!
//! SQLite is the default and needs no other service. On PostgreSQL several servers can share one
//! database. A statement is written once where one text is correct and fast on both, otherwise twice,
//! side by side; see [`sql`](self::sql). What only one of them has is in files of its own:
//!
//! | file | SQLite | PostgreSQL |
//! |---|---|---|
//! | `recent_moves.rs` | moves are first written to a table without an index | |
//! | `lock.rs`, `private_file.rs`, `backup.rs` | lock, permissions and copies of the file | |
//! | `health.rs` | the file was replaced | the server can't be reached |
//! | `postgres.rs` | | settings of sessions, locks shared by nodes, pools |
//! | `migrations.rs` | `migrations/` | `migrations/postgres/` |
//!
//! `transfer.rs` copies one into the other.
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
//! | `puzzles.rs` | `puzzle_ratings`, `solver_ratings`, `puzzle_attempts`, `puzzle_votes`, `puzzle_runs` |
//!
//! # Add a database column
//!
//! 1. Write `storage/migrations/000N_name.sql` and `storage/migrations/postgres/000N_name.sql` with
//!    `ALTER TABLE … ADD COLUMN …`. The column needs a default or must allow `NULL`, because old rows
//!    lack it, and because servers of the version before go on inserting rows without it. On
//!    PostgreSQL its type is `BIGINT` (also for booleans), `DOUBLE PRECISION`, `TEXT COLLATE "C"` or
//!    `BYTEA`. Never edit a released migration: databases remember its checksum and refuse to open.
//! 2. Append the files to `SQLITE` and `POSTGRES` in `storage/migrations.rs`, and the column to
//!    `TABLES` in `storage/transfer.rs`.
//! 3. In the file of the table (see above), add a field of the column's name to the row struct
//!    (declared with `row!`) and the column to the `SELECT`, `INSERT` and `UPDATE` statements.
//!    Types that are stored as text use [`sqlx::types::Text`], names of enum variants
//!    [`Name`](columns::Name), JSON [`Json`](columns::Json). Name the columns: PostgreSQL refuses a
//!    prepared `SELECT *` after another server has added a column.
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
mod location;
mod lock;
mod migrations;
mod moderation;
mod people;
mod postgres;
mod private_file;
mod puzzles;
mod ratings;
mod recent_moves;
mod reviews;
mod sql;
mod transfer;
mod verify;
mod writer;

use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::ConnectOptions;
use sqlx::postgres::PgDatabaseError;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};

pub(crate) use self::accounts::{NewAccount, PasswordStep, SessionsToEnd};
pub(crate) use self::archive::{GameFilter, GameTotals, StartFilter};
pub(crate) use self::backup::{PARTIAL_SUFFIX, backup, backup_elsewhere, restore};
pub(crate) use self::challenges::StoredChallenge;
pub(crate) use self::explorer::{Continuation, ExplorerCount, FinishedGame};
pub(crate) use self::gallery::{SetupFilter, StoredSetup};
pub(crate) use self::games::{GameEnd, StoredGame};
use self::health::{DatabaseFiles, WriterRole};
pub use self::health::{DiskFault, StorageFaults};
pub(crate) use self::health::{WriteFailure, WriteHealth};
pub(crate) use self::imported::ImportedRow;
pub(crate) use self::leases::{ClaimedLease, LeaseStore};
pub use self::location::{DatabaseLocation, LocationError, LocationParser, PostgresUrl};
pub(crate) use self::lock::DatabaseLock;
pub(crate) use self::moderation::{UndoResult, moderators, set_moderator};
pub(crate) use self::postgres::DatabaseUse;
use self::postgres::PostgresServer;
pub(crate) use self::puzzles::{NewAttempt, PuzzleRecord, StoredAttempt};
pub(crate) use self::ratings::{RateGame, RatingUpdate, StoredRating};
use self::sql::{ConnectionMut, DatabaseConnection, Pool};
pub(crate) use self::transfer::transfer;
pub use self::transfer::{TransferError, TransferObserver, TransferPhase, TransferSummary};
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
    readers: Pool,
    page_readers: Pool,
    writer: Writer,
    /// Writes the events of games that go on. On SQLite the same as `writer`.
    move_writer: Writer,
    health: WriteHealth,
}

/// Error of the database.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StorageError {
    /// The database or the file system failed.
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
    /// A change waited too long for another one.
    #[error("the database is locked by another change")]
    Locked,
    /// The disk is full, broken or read-only.
    #[error("the database can't be written: {0}")]
    Unwritable(String),
    /// The PostgreSQL server can't be reached. A change may nevertheless have been committed.
    #[error("the connection to the database is lost: {0}")]
    Disconnected(String),
    /// The database is an unfinished copy of another one.
    #[error("it is the unfinished copy of another database; complete it with khet migrate")]
    Unfinished,
    /// The command does not exist for PostgreSQL.
    #[error("the database is on a PostgreSQL server, {0}")]
    Unsupported(&'static str),
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
            // A proxy or a server that goes down may also answer with what is not PostgreSQL's protocol.
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::WorkerCrashed => StorageError::Disconnected(error.to_string()),
            sqlx::Error::Database(source) => {
                if let Some(error) = source.try_downcast_ref::<PgDatabaseError>() {
                    return from_postgres(error);
                }
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

/// Converts an error of PostgreSQL by its code.
fn from_postgres(error: &PgDatabaseError) -> StorageError {
    let message = error.to_string();
    match error.code() {
        // `query_canceled`, by the time limit of pages.
        "57014" => StorageError::TooSlow,
        // `lock_not_available`, by the time limit of locks.
        "55P03" => StorageError::Locked,
        // `read_only_sql_transaction` (a standby), `disk_full`, `io_error`.
        "25006" | "53100" | "58030" => StorageError::Unwritable(message),
        // The server stops or starts, has no more connections, or has closed an idle transaction.
        "57P01" | "57P02" | "57P03" | "57P05" | "53300" | "25P03" => {
            StorageError::Disconnected(message)
        }
        // `protocol_violation` is a fault of this program, the others are of the connection.
        code if code.starts_with("08") && code != "08P01" => StorageError::Disconnected(message),
        _ => StorageError::Database(message),
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
    /// Opens a database for a server or a command, creates the file if it is missing, and runs new
    /// migrations. The file must be locked by a [`DatabaseLock`]; a PostgreSQL database is locked
    /// by this.
    pub(crate) async fn open(
        location: &DatabaseLocation,
        usage: DatabaseUse,
    ) -> Result<Store, StorageError> {
        Store::open_with(location, usage, StorageFaults::default()).await
    }

    /// Opens a database whose disk has the faults that a test switches on.
    pub(crate) async fn open_with(
        location: &DatabaseLocation,
        usage: DatabaseUse,
        faults: StorageFaults,
    ) -> Result<Store, StorageError> {
        match location {
            DatabaseLocation::File(file) => Store::open_file(file, faults).await,
            DatabaseLocation::Postgres(url) => {
                Store::open_server(PostgresServer::new(url, Some(usage)), faults).await
            }
        }
    }

    async fn open_file(file: &Path, faults: StorageFaults) -> Result<Store, StorageError> {
        let mut connection = open_file(file).await?;
        identity::check_complete(&mut connection).await?;
        let read_only = options(file).read_only(true);
        let readers = SqlitePoolOptions::new().max_connections(READER_COUNT);
        let page_readers = SqlitePoolOptions::new()
            .max_connections(PAGE_READER_COUNT)
            .acquire_timeout(PAGE_TIME_LIMIT);
        let health = WriteHealth::default();
        let readers = Pool::Sqlite(readers.connect_with(read_only.clone()).await?);
        let page_readers = Pool::Sqlite(page_readers.connect_with(read_only).await?);
        let files = DatabaseFiles::open(file)?;
        let writer = Writer::start(connection, files, health.clone(), faults);
        let move_writer = writer.clone();
        Ok(Store { readers, page_readers, writer, move_writer, health })
    }

    async fn open_server(
        server: PostgresServer,
        faults: StorageFaults,
    ) -> Result<Store, StorageError> {
        let mut connection = server.open().await?;
        identity::check_complete(&mut connection).await?;
        let for_moves = server.for_moves();
        let move_connection = for_moves.connect().await?;
        let readers = server.readers().await?;
        let page_readers = server.page_readers().await?;
        let health = WriteHealth::default();
        let start = |connection, server, role| {
            Writer::start_postgres(connection, server, role, health.clone(), faults.clone())
        };
        let writer = start(connection, server, WriterRole::Everything).await?;
        let move_writer = start(move_connection, for_moves, WriterRole::Moves).await?;
        Ok(Store { readers, page_readers, writer, move_writer, health })
    }

    /// Returns a connection that reads sessions and games. Its queries find rows by a key.
    async fn reader(&self) -> Result<DatabaseConnection, StorageError> {
        self.readers.acquire().await
    }

    /// Returns a connection for the lists and searches of a page. The database interrupts its
    /// queries when the time limit has passed, even if nobody waits for them any more.
    async fn page_reader(&self) -> Result<DatabaseConnection, StorageError> {
        let mut connection = self.page_readers.acquire().await?;
        if let ConnectionMut::Sqlite(connection) = connection.as_mut() {
            limit_time(connection, PAGE_TIME_LIMIT).await?;
        }
        Ok(connection)
    }

    /// Returns access to the leases of a PostgreSQL database, which several nodes may use.
    pub(crate) async fn leases(
        location: &DatabaseLocation,
    ) -> Result<Option<LeaseStore>, StorageError> {
        match location {
            DatabaseLocation::File(_) => Ok(None),
            DatabaseLocation::Postgres(url) => Ok(Some(LeaseStore::connect(url.options()).await?)),
        }
    }

    /// Returns whether the database can be written.
    pub(crate) fn write_health(&self) -> &WriteHealth {
        &self.health
    }

    /// Commits pending writes and closes the database.
    pub(crate) async fn close(&self) {
        // The last connection to close removes the WAL file, which a read-only one can't.
        self.readers.close().await;
        self.page_readers.close().await;
        self.move_writer.close().await;
        self.writer.close().await;
    }
}

/// Opens a file, creates it if it is missing, and brings its content up to date.
async fn open_file(file: &Path) -> Result<DatabaseConnection, StorageError> {
    private_file::prepare_database(file)
        .map_err(|error| StorageError::Database(error.to_string()))?;
    // Checked before the file is changed, even by setting its journal mode. SQLite takes files
    // that are shorter than a page for empty ones.
    if file.metadata().is_ok_and(|file| file.len() > 0) {
        identity::check_header(file)?;
    }
    let mut connection = DatabaseConnection::from(backup::unchanged(file).connect().await?);
    let checked = identity::check_ours_or_empty(&mut connection).await;
    connection.close().await;
    checked?;
    let mut connection = DatabaseConnection::from(options(file).connect().await?);
    migrations::run(&mut connection).await?;
    copy_recent_moves(&mut connection).await?;
    Ok(connection)
}

/// Copies the recent moves of the last run to `events`.
async fn copy_recent_moves(connection: &mut DatabaseConnection) -> Result<(), StorageError> {
    connection.execute_script("BEGIN").await?;
    recent_moves::clear(connection).await?;
    connection.execute_script("COMMIT").await
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

/// Helpers of tests in this module and the modules above.
#[cfg(test)]
pub(crate) mod testing {
    use std::path::Path;

    use sqlx::sqlite::SqliteConnection;
    use tempfile::TempDir;

    use super::sql::{DatabaseKind, Query, query};
    use super::{ConnectOptions, DatabaseLocation, DatabaseUse, Store, migrations, options};

    /// A new database of a test: a file, or a schema of the PostgreSQL server of
    /// [`crate::testing`].
    pub(crate) struct TestDatabase {
        pub(crate) location: DatabaseLocation,
        _folder: TempDir,
    }

    impl TestDatabase {
        pub(crate) fn new() -> TestDatabase {
            let folder = TempDir::new().unwrap();
            let location = crate::testing::database(folder.path().join("khet.sqlite"));
            TestDatabase { location, _folder: folder }
        }

        /// Creates a file, for tests of what PostgreSQL does not have.
        pub(crate) fn new_file() -> TestDatabase {
            let folder = TempDir::new().unwrap();
            let location = DatabaseLocation::File(folder.path().join("khet.sqlite"));
            TestDatabase { location, _folder: folder }
        }

        pub(crate) async fn open(&self) -> Store {
            Store::open(&self.location, DatabaseUse::Shared).await.unwrap()
        }

        /// Creates a database and opens it.
        pub(crate) async fn open_new() -> (TestDatabase, Store) {
            let database = TestDatabase::new();
            let store = database.open().await;
            (database, store)
        }

        /// Creates a file and opens it.
        pub(crate) async fn open_new_file() -> (TestDatabase, Store) {
            let database = TestDatabase::new_file();
            let store = database.open().await;
            (database, store)
        }
    }

    /// Returns the steps of SQLite's query plan.
    pub(in crate::storage) async fn query_plan(store: &Store, explained: Query) -> Vec<String> {
        let sql = format!("EXPLAIN QUERY PLAN {}", explained.text(DatabaseKind::Sqlite));
        let steps: Vec<(i64, i64, i64, String)> = query(sqlx::AssertSqlSafe(sql))
            .fetch_all(&mut store.reader().await.unwrap())
            .await
            .unwrap();
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

    use super::sql::query;
    use super::testing::TestDatabase;
    use super::{
        ConnectionMut, DatabaseUse, DiskFault, StorageError, StorageFaults, Store, WriteFailure,
        limit_time,
    };

    #[tokio::test]
    async fn query_that_takes_too_long_is_interrupted() {
        let (_database, store) = TestDatabase::open_new().await;
        let mut connection = store.page_reader().await.unwrap();
        let limit = Duration::from_millis(50);
        match connection.as_mut() {
            ConnectionMut::Sqlite(connection) => limit_time(connection, limit).await.unwrap(),
            ConnectionMut::Postgres(_) => {
                connection.execute_script("SET statement_timeout = 50").await.unwrap();
            }
        }
        let endless = "WITH RECURSIVE numbers (n) AS \
             (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT MAX(n) FROM numbers";
        let error = query(endless).fetch_one::<i64>(&mut connection).await.unwrap_err();
        assert!(matches!(error, StorageError::TooSlow), "{error}");
        drop(connection);
        // The connection is used again.
        assert!(store.has_rating(khet_protocol::PersonId::from_number(1)).await.is_ok());
        store.close().await;
    }

    #[tokio::test]
    async fn sessions_are_read_while_searches_use_all_their_connections() {
        let (_database, store) = TestDatabase::open_new().await;
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
        let (_database, store) = TestDatabase::open_new_file().await;
        let mut health = store.write_health().subscribe();
        let limit = |pages: u32| {
            store.write(move |connection| {
                Box::pin(async move {
                    let sql = format!("PRAGMA max_page_count = {pages}");
                    connection.execute_script(sqlx::AssertSqlSafe(sql)).await
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
        let database = TestDatabase::new();
        let faults = StorageFaults::default();
        let store = Store::open_with(&database.location, DatabaseUse::Shared, faults.clone());
        let store = store.await.unwrap();
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
