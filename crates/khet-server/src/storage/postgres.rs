//! Connections to a PostgreSQL server.
//!
//! Sessions run in the isolation level `READ COMMITTED`: each statement sees what was committed
//! before it began. See [`writer`](super::writer) for the locks that make this safe.

use std::time::Duration;

use sqlx::ConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};

use super::location::PostgresUrl;
use super::sql::{Connection, Pool, query};
use super::{PAGE_READER_COUNT, PAGE_TIME_LIMIT, StorageError, identity, migrations};

/// Number of connections that read sessions and games. More than for a file, because a query waits
/// for the network.
const READER_COUNT: u32 = 8;
/// Longest time to wait for a new connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Longest time that a transaction waits for a lock, in milliseconds.
const LOCK_TIMEOUT: u64 = 10_000;
/// Longest time that a transaction may pause between statements, in milliseconds. Then the server
/// closes the session, so that the locks of a node that has lost its network are released.
const IDLE_TIMEOUT: u64 = 15_000;
/// Number of seconds after which the server asks whether a silent client still exists.
const KEEPALIVE: u64 = 10;

/// Use of a database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DatabaseUse {
    /// By servers, of which PostgreSQL allows several.
    Shared,
    /// By a command that changes or reads so much that no server may run.
    Exclusive,
}

/// A PostgreSQL server, and how this process uses its database.
#[derive(Clone, Debug)]
pub(super) struct PostgresServer {
    options: PgConnectOptions,
    usage: Option<DatabaseUse>,
}

/// The session of a connection, as other sessions see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Session {
    process: i64,
    began: String,
}

impl PostgresServer {
    /// `usage` is what connections lock the database for.
    pub(super) fn new(url: &PostgresUrl, usage: Option<DatabaseUse>) -> PostgresServer {
        let options = url.options().options([
            // A commit is on disk when it returns.
            ("synchronous_commit", "on"),
            ("default_transaction_isolation", "read committed"),
        ]);
        PostgresServer { options, usage }
    }

    /// Returns the same server for connections that do not lock the database.
    pub(super) fn without_lock(&self) -> PostgresServer {
        PostgresServer { usage: None, ..self.clone() }
    }

    /// Opens a connection that writes.
    pub(super) async fn connect(&self) -> Result<Connection, StorageError> {
        let options = self.options.clone().options([
            ("lock_timeout", LOCK_TIMEOUT),
            ("idle_in_transaction_session_timeout", IDLE_TIMEOUT),
            ("tcp_keepalives_idle", KEEPALIVE),
            ("tcp_keepalives_interval", KEEPALIVE),
        ]);
        let connected = tokio::time::timeout(CONNECT_TIMEOUT, options.connect()).await;
        let timed_out = |_| StorageError::Disconnected("it does not answer".to_owned());
        let mut connection = Connection::from(connected.map_err(timed_out)??);
        if let Some(usage) = self.usage {
            lock(&mut connection, usage).await?;
        }
        Ok(connection)
    }

    /// Opens the database and brings its schema up to date.
    pub(super) async fn open(&self) -> Result<Connection, StorageError> {
        let mut connection = self.connect().await?;
        identity::check_ours_or_empty(&mut connection).await?;
        migrations::run(&mut connection).await?;
        Ok(connection)
    }

    /// Returns a pool of connections that read sessions and games.
    pub(super) async fn readers(&self) -> Result<Pool, StorageError> {
        let pool = PgPoolOptions::new()
            .max_connections(READER_COUNT)
            .acquire_timeout(CONNECT_TIMEOUT)
            .connect_with(self.options.clone());
        Ok(Pool::Postgres(pool.await?))
    }

    /// Returns a pool of connections whose queries have a time limit.
    pub(super) async fn page_readers(&self) -> Result<Pool, StorageError> {
        let limit = PAGE_TIME_LIMIT.as_millis();
        let pool: PgPool = PgPoolOptions::new()
            .max_connections(PAGE_READER_COUNT)
            .acquire_timeout(PAGE_TIME_LIMIT)
            .connect_with(self.options.clone().options([("statement_timeout", limit)]))
            .await?;
        Ok(Pool::Postgres(pool))
    }
}

/// Locks the database until the connection is closed. The key of the lock contains the schema, so
/// that several communities can share a database.
async fn lock(connection: &mut Connection, usage: DatabaseUse) -> Result<(), StorageError> {
    let sql = match usage {
        DatabaseUse::Shared => {
            "SELECT pg_try_advisory_lock_shared(hashtextextended('khet ' || current_schema(), 1))"
        }
        DatabaseUse::Exclusive => {
            "SELECT pg_try_advisory_lock(hashtextextended('khet ' || current_schema(), 1))"
        }
    };
    match query(sql).fetch_one(connection).await? {
        Some(true) => Ok(()),
        Some(false) => Err(StorageError::InUse),
        None => Err(StorageError::Foreign("it has no schema in the search path".to_owned())),
    }
}

/// Begins a transaction that waits until no other node runs one of this kind.
pub(super) const BEGIN_ALONE: &str = "BEGIN; \
     SELECT pg_advisory_xact_lock(hashtextextended('khet ' || current_schema(), 2))";

/// Returns the session of a connection.
pub(super) async fn session(connection: &mut Connection) -> Result<Session, StorageError> {
    let sql = "SELECT pid, backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()";
    let (process, began) = query(sql).fetch_one(connection).await?;
    Ok(Session { process, began })
}

/// Ends a session of this node whose connection is lost, if the server has not noticed yet. When
/// this returns, its last transaction is either committed or rolled back.
pub(super) async fn end_session(
    connection: &mut Connection,
    lost: &Session,
) -> Result<(), StorageError> {
    let sql = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity \
               WHERE pid = $1 AND backend_start::text = $2";
    let ended: Option<bool> =
        query(sql).bind(lost.process).bind(&lost.began).fetch_optional(connection).await?;
    match ended {
        None | Some(true) => Ok(()),
        Some(false) => Err(StorageError::Disconnected("its last session goes on".to_owned())),
    }
}
