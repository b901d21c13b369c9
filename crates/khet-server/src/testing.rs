//! Databases of tests, in this crate and in others.
//!
//! If the environment variable `KHET_TEST_POSTGRES` has the URL of a PostgreSQL server, every test
//! gets a schema of its own there, otherwise a file.

use std::ffi::OsString;
use std::path::PathBuf;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use crate::random;
use crate::storage::DatabaseLocation;

/// The variable with the URL of the server.
const SERVER: &str = "KHET_TEST_POSTGRES";

/// Returns whether tests use a PostgreSQL server.
pub fn uses_postgres() -> bool {
    std::env::var_os(SERVER).is_some()
}

/// Returns whether a test that is about SQLite files must be skipped, and prints the reason.
pub fn skip_on_postgres(reason: &str) -> bool {
    if uses_postgres() {
        eprintln!("skipped on PostgreSQL: {reason}");
    }
    uses_postgres()
}

/// Returns a new database for a test as an argument of a command: this file, or a new schema.
///
/// # Panics
///
/// If the PostgreSQL server can't be used.
pub fn database_argument(file: PathBuf) -> OsString {
    let Ok(server) = std::env::var(SERVER) else { return file.into() };
    let number = u64::from_be_bytes(random::bytes());
    let schema = format!("khet_test_{number:016x}");
    let options: PgConnectOptions = server.parse().expect("the URL of a PostgreSQL server");
    let statement = format!("CREATE SCHEMA {schema}");
    block_on(async move {
        let mut connection = options.connect().await.expect("a PostgreSQL server");
        sqlx::query(AssertSqlSafe(statement)).execute(&mut connection).await.expect("a schema");
        connection.close().await.expect("closed");
    });
    let separator = if server.contains('?') { '&' } else { '?' };
    format!("{server}{separator}options=-c%20search_path%3D{schema}&application_name={schema}")
        .into()
}

/// Returns a new database for a test: this file, or a new schema.
///
/// # Panics
///
/// If the PostgreSQL server can't be used.
pub fn database(file: PathBuf) -> DatabaseLocation {
    DatabaseLocation::try_from(database_argument(file)).expect("a database")
}

/// Executes a statement in a database. Returns the number of rows that it changed.
///
/// # Panics
///
/// If the statement fails.
pub fn execute(database: &DatabaseLocation, sql: &str) -> u64 {
    let sql = AssertSqlSafe(sql.to_owned());
    let database = database.clone();
    block_on(async move {
        match database {
            DatabaseLocation::File(file) => {
                let mut connection = open_file(file).await;
                let result = sqlx::query(sql).execute(&mut connection).await;
                connection.close().await.expect("closed");
                result.expect("executed").rows_affected()
            }
            DatabaseLocation::Postgres(url) => {
                let mut connection: PgConnection = url.connect_for_tests().await;
                let result = sqlx::query(sql).execute(&mut connection).await;
                connection.close().await.expect("closed");
                result.expect("executed").rows_affected()
            }
        }
    })
}

/// Returns the number that a query of a database returns.
///
/// # Panics
///
/// If the query fails.
pub fn fetch_number(database: &DatabaseLocation, sql: &str) -> i64 {
    let sql = AssertSqlSafe(sql.to_owned());
    let database = database.clone();
    block_on(async move {
        match database {
            DatabaseLocation::File(file) => {
                let mut connection = open_file(file).await;
                let number = sqlx::query_scalar(sql).fetch_one(&mut connection).await;
                connection.close().await.expect("closed");
                number.expect("a number")
            }
            DatabaseLocation::Postgres(url) => {
                let mut connection = url.connect_for_tests().await;
                let number = sqlx::query_scalar(sql).fetch_one(&mut connection).await;
                connection.close().await.expect("closed");
                number.expect("a number")
            }
        }
    })
}

/// Returns all rows of a PostgreSQL database as text.
///
/// # Panics
///
/// If the database is a file, or can't be read.
pub fn dump(database: &DatabaseLocation) -> String {
    let DatabaseLocation::Postgres(url) = database.clone() else { panic!("it is a file") };
    block_on(async move {
        let mut connection = url.connect_for_tests().await;
        let sql = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()";
        let tables: Vec<String> =
            sqlx::query_scalar(sql).fetch_all(&mut connection).await.expect("tables");
        let mut dump = String::new();
        for table in tables {
            let sql = AssertSqlSafe(format!("SELECT {table}::text FROM {table}"));
            let rows: Vec<String> =
                sqlx::query_scalar(sql).fetch_all(&mut connection).await.expect("rows");
            dump += &rows.join("\n");
        }
        connection.close().await.expect("closed");
        dump
    })
}

async fn open_file(file: PathBuf) -> SqliteConnection {
    SqliteConnectOptions::new().filename(file).connect().await.expect("a database")
}

/// Runs a future on a thread of its own, because tests call this inside and outside of a runtime.
fn block_on<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> T {
    let run = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(future)
    };
    std::thread::spawn(run).join().expect("no panic")
}
