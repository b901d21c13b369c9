//! A thin layer over sqlx with which one statement runs on SQLite and on PostgreSQL.
//!
//! sqlx has types of its own for each database, and its driver `Any` does not translate
//! placeholders. Here a [`DatabaseConnection`] is one of either database, a [`Query`] holds its values
//! apart from both until it is executed, and a [`DatabaseRow`] is decoded by [`FromColumn`]. There are four
//! types of columns: 64-bit integers, which also hold booleans, double-precision numbers, texts and
//! bytes.
//!
//! Most statements have one text, with `$1` as placeholders. Where the databases differ, the two
//! texts stand side by side in a [`PerDatabase`].

use std::time::Duration;

use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};
use sqlx::error::BoxDynError;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgConnection, PgPool, PgRow, PgValueRef};
use sqlx::query_with;
use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqlitePool, SqliteRow, SqliteValueRef};
use sqlx::{
    Arguments, AssertSqlSafe, Column, Decode, Postgres, Row as _, SqlSafeStr, SqlStr, Sqlite,
    TypeInfo, ValueRef,
};

use super::StorageError;
use super::columns::{FromColumn, ToValue};

/// Longest time to wait for an answer of PostgreSQL, if nothing else is said.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// Longest time to wait for an answer to a connection of a pool. Its queries are short.
const POOL_ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// A database system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DatabaseKind {
    Sqlite,
    Postgres,
}

/// A connection, which returns to its pool when it is dropped if it came from one.
#[derive(Debug)]
pub(crate) struct DatabaseConnection {
    connection: AnyConnection,
    /// Longest time to wait for an answer of PostgreSQL.
    answer_timeout: Duration,
}

#[derive(Debug)]
enum AnyConnection {
    Sqlite(SqliteConnection),
    PooledSqlite(PoolConnection<Sqlite>),
    Postgres(Box<PgConnection>),
    PooledPostgres(PoolConnection<Postgres>),
}

/// A borrowed connection of a known database.
pub(super) enum ConnectionMut<'a> {
    Sqlite(&'a mut SqliteConnection),
    Postgres(&'a mut PgConnection),
}

impl From<AnyConnection> for DatabaseConnection {
    fn from(connection: AnyConnection) -> DatabaseConnection {
        DatabaseConnection { connection, answer_timeout: ANSWER_TIMEOUT }
    }
}

impl From<SqliteConnection> for DatabaseConnection {
    fn from(connection: SqliteConnection) -> DatabaseConnection {
        AnyConnection::Sqlite(connection).into()
    }
}

impl From<PgConnection> for DatabaseConnection {
    fn from(connection: PgConnection) -> DatabaseConnection {
        AnyConnection::Postgres(Box::new(connection)).into()
    }
}

impl DatabaseConnection {
    /// Returns the database system.
    pub(super) fn kind(&self) -> DatabaseKind {
        match self.connection {
            AnyConnection::Sqlite(_) | AnyConnection::PooledSqlite(_) => DatabaseKind::Sqlite,
            AnyConnection::Postgres(_) | AnyConnection::PooledPostgres(_) => DatabaseKind::Postgres,
        }
    }

    /// Sets the longest time to wait for an answer of PostgreSQL.
    pub(super) fn set_timeout(&mut self, timeout: Duration) {
        self.answer_timeout = timeout;
    }

    /// Lets statements take any time, as commands do that read whole tables.
    pub(super) fn remove_timeout(&mut self) {
        self.set_timeout(Duration::MAX);
    }

    /// Returns the longest time to wait for an answer of PostgreSQL.
    pub(super) fn answer_timeout(&self) -> Duration {
        self.answer_timeout
    }

    pub(super) fn as_mut(&mut self) -> ConnectionMut<'_> {
        match &mut self.connection {
            AnyConnection::Sqlite(connection) => ConnectionMut::Sqlite(connection),
            AnyConnection::PooledSqlite(connection) => ConnectionMut::Sqlite(connection),
            AnyConnection::Postgres(connection) => ConnectionMut::Postgres(connection),
            AnyConnection::PooledPostgres(connection) => ConnectionMut::Postgres(connection),
        }
    }

    /// Executes statements without values that are separated by semicolons. On PostgreSQL they take
    /// one round trip.
    pub(super) async fn execute_script(
        &mut self,
        sql: impl SqlSafeStr,
    ) -> Result<(), StorageError> {
        let script = sqlx::raw_sql(sql);
        let timeout = self.answer_timeout;
        match self.as_mut() {
            ConnectionMut::Sqlite(connection) => script.execute(connection).await.map(drop)?,
            ConnectionMut::Postgres(connection) => {
                answered(timeout, script.execute(connection)).await.map(drop)?;
            }
        }
        Ok(())
    }

    /// Closes the connection, which checkpoints SQLite's WAL file.
    pub(super) async fn close(self) {
        use sqlx::Connection;
        let closed = match self.connection {
            AnyConnection::Sqlite(connection) => connection.close().await,
            AnyConnection::PooledSqlite(connection) => connection.close().await,
            AnyConnection::Postgres(connection) => connection.close().await,
            AnyConnection::PooledPostgres(connection) => connection.close().await,
        };
        if let Err(error) = closed {
            tracing::warn!(%error, "could not close the database");
        }
    }
}

/// A pool of connections.
#[derive(Clone, Debug)]
pub(super) enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

impl Pool {
    pub(super) async fn acquire(&self) -> Result<DatabaseConnection, StorageError> {
        let mut connection = DatabaseConnection::from(match self {
            Pool::Sqlite(pool) => AnyConnection::PooledSqlite(pool.acquire().await?),
            Pool::Postgres(pool) => AnyConnection::PooledPostgres(pool.acquire().await?),
        });
        connection.set_timeout(POOL_ANSWER_TIMEOUT);
        Ok(connection)
    }

    pub(super) async fn close(&self) {
        match self {
            Pool::Sqlite(pool) => pool.close().await,
            Pool::Postgres(pool) => pool.close().await,
        }
    }
}

/// A value of a statement. `NULL` has a type too, because PostgreSQL wants one for each parameter.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum SqlValue {
    Integer(Option<i64>),
    Real(Option<f64>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
}

/// The texts of a statement that differs between the databases.
#[derive(Clone, Copy, Debug)]
pub(super) struct PerDatabase {
    pub(super) sqlite: &'static str,
    pub(super) postgres: &'static str,
}

impl PerDatabase {
    pub(super) fn text(self, kind: DatabaseKind) -> &'static str {
        match kind {
            DatabaseKind::Sqlite => self.sqlite,
            DatabaseKind::Postgres => self.postgres,
        }
    }
}

/// The text of a statement.
pub(super) enum SqlText {
    Same(SqlStr),
    PerDatabase(PerDatabase),
}

impl From<&'static str> for SqlText {
    fn from(sql: &'static str) -> SqlText {
        SqlText::Same(sql.into_sql_str())
    }
}

impl From<AssertSqlSafe<String>> for SqlText {
    fn from(sql: AssertSqlSafe<String>) -> SqlText {
        SqlText::Same(sql.into_sql_str())
    }
}

impl From<PerDatabase> for SqlText {
    fn from(sql: PerDatabase) -> SqlText {
        SqlText::PerDatabase(sql)
    }
}

impl SqlText {
    fn for_kind(self, kind: DatabaseKind) -> SqlStr {
        match self {
            SqlText::Same(sql) => sql,
            SqlText::PerDatabase(sql) => sql.text(kind).into_sql_str(),
        }
    }
}

/// A statement with its values.
pub(super) struct Query {
    text: SqlText,
    values: Vec<SqlValue>,
    /// The error of a value that has no form in the database.
    fault: Option<StorageError>,
}

/// Returns a statement without values.
pub(super) fn query(sql: impl Into<SqlText>) -> Query {
    Query { text: sql.into(), values: Vec::new(), fault: None }
}

/// Executes statements with one placeholder each, all with the same value.
pub(super) async fn execute_each(
    connection: &mut DatabaseConnection,
    statements: &[&'static str],
    value: impl ToValue + Copy,
) -> Result<(), StorageError> {
    for &statement in statements {
        query(statement).bind(value).execute(&mut *connection).await?;
    }
    Ok(())
}

/// A statement that is ready for one of the databases.
enum Prepared<'a> {
    Sqlite(&'a mut SqliteConnection, sqlx::query::Query<'a, Sqlite, SqliteArguments>),
    Postgres(&'a mut PgConnection, sqlx::query::Query<'a, Postgres, PgArguments>, Duration),
}

impl Query {
    /// Appends the value of the next placeholder.
    pub(super) fn bind(mut self, value: impl ToValue) -> Query {
        self.push(value);
        self
    }

    fn push(&mut self, value: impl ToValue) {
        match value.to_value() {
            Ok(value) => self.values.push(value),
            Err(error) => self.fault = Some(error),
        }
    }

    /// Returns the text, for the tests of query plans.
    #[cfg(test)]
    pub(super) fn text(self, kind: DatabaseKind) -> String {
        self.text.for_kind(kind).as_str().to_owned()
    }

    /// Returns a statement that describes the plan of this one.
    #[cfg(test)]
    pub(super) fn explain(self) -> Query {
        let SqlText::Same(text) = self.text else { panic!("the statement has two texts") };
        let text = AssertSqlSafe(format!("EXPLAIN {}", text.as_str())).into_sql_str();
        Query { text: SqlText::Same(text), ..self }
    }

    fn prepare(self, connection: &mut DatabaseConnection) -> Result<Prepared<'_>, StorageError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let text = self.text.for_kind(connection.kind());
        let timeout = connection.answer_timeout;
        Ok(match connection.as_mut() {
            ConnectionMut::Sqlite(connection) => {
                Prepared::Sqlite(connection, query_with(text, sqlite_arguments(self.values)?))
            }
            ConnectionMut::Postgres(connection) => {
                let query = query_with(text, postgres_arguments(self.values)?);
                Prepared::Postgres(connection, query, timeout)
            }
        })
    }

    /// Executes the statement. Returns the number of rows that it changed.
    pub(super) async fn execute(
        self,
        connection: &mut DatabaseConnection,
    ) -> Result<u64, StorageError> {
        Ok(match self.prepare(connection)? {
            Prepared::Sqlite(connection, query) => query.execute(connection).await?.rows_affected(),
            Prepared::Postgres(connection, query, timeout) => {
                answered(timeout, query.execute(connection)).await?.rows_affected()
            }
        })
    }

    /// Returns all rows.
    pub(super) async fn fetch_all<T: FromRow>(
        self,
        connection: &mut DatabaseConnection,
    ) -> Result<Vec<T>, StorageError> {
        let rows = self.fetch_rows(connection).await?;
        rows.iter().map(T::from_row).collect()
    }

    /// Returns all rows, undecoded.
    pub(super) async fn fetch_rows(
        self,
        connection: &mut DatabaseConnection,
    ) -> Result<Vec<DatabaseRow>, StorageError> {
        Ok(match self.prepare(connection)? {
            Prepared::Sqlite(connection, query) => {
                let rows = query.fetch_all(connection).await?;
                rows.into_iter().map(DatabaseRow::Sqlite).collect()
            }
            Prepared::Postgres(connection, query, timeout) => {
                let rows = answered(timeout, query.fetch_all(connection)).await?;
                rows.into_iter().map(DatabaseRow::Postgres).collect()
            }
        })
    }

    /// Returns the first row, if there is one.
    pub(super) async fn fetch_optional<T: FromRow>(
        self,
        connection: &mut DatabaseConnection,
    ) -> Result<Option<T>, StorageError> {
        let row = match self.prepare(connection)? {
            Prepared::Sqlite(connection, query) => {
                query.fetch_optional(connection).await?.map(DatabaseRow::Sqlite)
            }
            Prepared::Postgres(connection, query, timeout) => {
                answered(timeout, query.fetch_optional(connection))
                    .await?
                    .map(DatabaseRow::Postgres)
            }
        };
        row.as_ref().map(T::from_row).transpose()
    }

    /// Returns the first row.
    pub(super) async fn fetch_one<T: FromRow>(
        self,
        connection: &mut DatabaseConnection,
    ) -> Result<T, StorageError> {
        let row = self.fetch_optional(connection).await?;
        row.ok_or_else(|| StorageError::from(sqlx::Error::RowNotFound))
    }

    /// Returns the rows one after the other, undecoded. Each row has the time limit of an answer.
    pub(super) fn stream(
        self,
        connection: &mut DatabaseConnection,
    ) -> Result<BoxStream<'_, Result<DatabaseRow, StorageError>>, StorageError> {
        Ok(match self.prepare(connection)? {
            Prepared::Sqlite(connection, query) => query
                .fetch(connection)
                .map_ok(DatabaseRow::Sqlite)
                .map_err(StorageError::from)
                .boxed(),
            Prepared::Postgres(connection, query, timeout) => {
                let rows = query.fetch(connection).map_ok(DatabaseRow::Postgres);
                stream::try_unfold(rows, move |mut rows| async move {
                    let row = answered(timeout, rows.try_next()).await?;
                    Ok(row.map(|row| (row, rows)))
                })
                .boxed()
            }
        })
    }
}

/// Waits for an answer of PostgreSQL, but not for ever: of a server that has lost its network
/// nothing is heard.
pub(super) async fn answered<T>(
    timeout: Duration,
    answer: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, StorageError> {
    match tokio::time::timeout(timeout, answer).await {
        Ok(answer) => Ok(answer?),
        Err(_) => Err(StorageError::Disconnected("it does not answer".to_owned())),
    }
}

/// Converts values to SQLite's arguments.
fn sqlite_arguments(values: Vec<SqlValue>) -> Result<SqliteArguments, StorageError> {
    let mut arguments = SqliteArguments::default();
    Arguments::reserve(&mut arguments, values.len(), 0);
    for value in values {
        add_sqlite(&mut arguments, value)?;
    }
    Ok(arguments)
}

/// Appends a value to SQLite's arguments.
pub(super) fn add_sqlite(
    arguments: &mut SqliteArguments,
    value: SqlValue,
) -> Result<(), StorageError> {
    let added = match value {
        SqlValue::Integer(value) => Arguments::add(arguments, value),
        SqlValue::Real(value) => Arguments::add(arguments, value),
        SqlValue::Text(value) => Arguments::add(arguments, value),
        SqlValue::Bytes(value) => Arguments::add(arguments, value),
    };
    added.map_err(unusable_value)
}

/// Converts values to PostgreSQL's arguments.
fn postgres_arguments(values: Vec<SqlValue>) -> Result<PgArguments, StorageError> {
    let mut arguments = PgArguments::default();
    Arguments::reserve(&mut arguments, values.len(), 0);
    for value in values {
        let added = match value {
            SqlValue::Integer(value) => Arguments::add(&mut arguments, value),
            SqlValue::Real(value) => Arguments::add(&mut arguments, value),
            SqlValue::Text(value) => Arguments::add(&mut arguments, value),
            SqlValue::Bytes(value) => Arguments::add(&mut arguments, value),
        };
        added.map_err(unusable_value)?;
    }
    Ok(arguments)
}

/// Returns the error of a value that can't be sent to the database.
pub(super) fn unusable_value(error: BoxDynError) -> StorageError {
    StorageError::Database(format!("a value can't be stored: {error}"))
}

/// Builds a statement from parts, with values in between.
pub(super) struct QueryBuilder {
    kind: DatabaseKind,
    text: String,
    query: Query,
}

impl QueryBuilder {
    pub(super) fn new(kind: DatabaseKind, text: &str) -> QueryBuilder {
        QueryBuilder { kind, text: text.to_owned(), query: query("") }
    }

    pub(super) fn kind(&self) -> DatabaseKind {
        self.kind
    }

    pub(super) fn push(&mut self, text: impl std::fmt::Display) -> &mut QueryBuilder {
        use std::fmt::Write;
        // Writing to a `String` does not fail.
        let _ = write!(self.text, "{text}");
        self
    }

    /// Appends a placeholder and its value.
    pub(super) fn push_bind(&mut self, value: impl ToValue) -> &mut QueryBuilder {
        self.query.push(value);
        match self.kind {
            // SQLite looks up each numbered parameter among all others.
            DatabaseKind::Sqlite => self.push("?"),
            DatabaseKind::Postgres => {
                let number = self.query.values.len();
                self.push(format_args!("${number}"))
            }
        }
    }

    /// Appends placeholders, separated by commas, and their values.
    pub(super) fn push_list<T: ToValue>(
        &mut self,
        values: impl IntoIterator<Item = T>,
    ) -> &mut QueryBuilder {
        for (number, value) in values.into_iter().enumerate() {
            if number > 0 {
                self.push(", ");
            }
            self.push_bind(value);
        }
        self
    }

    pub(super) fn build(self) -> Query {
        // All text that is pushed is written in this module; what people write is bound.
        Query { text: SqlText::Same(AssertSqlSafe(self.text).into_sql_str()), ..self.query }
    }
}

/// A row of a result.
pub(super) enum DatabaseRow {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

/// A column of a row.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum ColumnValue<'r> {
    Null,
    Integer(i64),
    Real(f64),
    Text(&'r str),
    Bytes(&'r [u8]),
}

impl DatabaseRow {
    /// Returns the value of a column.
    pub(super) fn get<T: FromColumn>(&self, column: &str) -> Result<T, StorageError> {
        let value = match self {
            DatabaseRow::Sqlite(row) => read_sqlite(row.try_get_raw(column)?),
            DatabaseRow::Postgres(row) => read_postgres(row.try_get_raw(column)?),
        };
        decode(value, column)
    }

    /// Returns the value of a column by its number, undecoded.
    pub(super) fn value_at(&self, index: usize) -> Result<ColumnValue<'_>, StorageError> {
        let value = match self {
            DatabaseRow::Sqlite(row) => read_sqlite(row.try_get_raw(index)?),
            DatabaseRow::Postgres(row) => read_postgres(row.try_get_raw(index)?),
        };
        value.map_err(|error| StorageError::Corrupt(error.to_string()))
    }

    /// Returns the value of a column by its number.
    pub(super) fn get_at<T: FromColumn>(&self, index: usize) -> Result<T, StorageError> {
        let (value, column) = match self {
            DatabaseRow::Sqlite(row) => {
                (read_sqlite(row.try_get_raw(index)?), row.column(index).name())
            }
            DatabaseRow::Postgres(row) => {
                (read_postgres(row.try_get_raw(index)?), row.column(index).name())
            }
        };
        decode(value, column)
    }
}

/// Decodes the value of a column. Errors name the column.
fn decode<T: FromColumn>(
    value: Result<ColumnValue<'_>, BoxDynError>,
    column: &str,
) -> Result<T, StorageError> {
    value
        .and_then(T::from_column)
        .map_err(|error| StorageError::Corrupt(format!("column {column}: {error}")))
}

fn read_sqlite(value: SqliteValueRef<'_>) -> Result<ColumnValue<'_>, BoxDynError> {
    if value.is_null() {
        return Ok(ColumnValue::Null);
    }
    let kind = value.type_info();
    Ok(match kind.name() {
        "INTEGER" => ColumnValue::Integer(Decode::<Sqlite>::decode(value)?),
        "REAL" => ColumnValue::Real(Decode::<Sqlite>::decode(value)?),
        "TEXT" => ColumnValue::Text(Decode::<Sqlite>::decode(value)?),
        "BLOB" => ColumnValue::Bytes(Decode::<Sqlite>::decode(value)?),
        other => return Err(format!("unexpected type {other}").into()),
    })
}

fn read_postgres(value: PgValueRef<'_>) -> Result<ColumnValue<'_>, BoxDynError> {
    if value.is_null() {
        return Ok(ColumnValue::Null);
    }
    let kind = value.type_info().into_owned();
    Ok(match kind.name() {
        "INT8" => ColumnValue::Integer(Decode::<Postgres>::decode(value)?),
        "INT4" => ColumnValue::Integer(<i32 as Decode<Postgres>>::decode(value)?.into()),
        "BOOL" => ColumnValue::Integer(<bool as Decode<Postgres>>::decode(value)?.into()),
        "FLOAT8" => ColumnValue::Real(Decode::<Postgres>::decode(value)?),
        "TEXT" | "NAME" | "VARCHAR" => ColumnValue::Text(Decode::<Postgres>::decode(value)?),
        "BYTEA" => ColumnValue::Bytes(Decode::<Postgres>::decode(value)?),
        other => return Err(format!("unexpected type {other}").into()),
    })
}

/// A type that is read from a row: a struct declared with `row!`, a single column, or a tuple of
/// columns.
pub(super) trait FromRow: Sized {
    fn from_row(row: &DatabaseRow) -> Result<Self, StorageError>;
}

impl<T: FromColumn> FromRow for T {
    fn from_row(row: &DatabaseRow) -> Result<T, StorageError> {
        row.get_at(0)
    }
}

/// Implements [`FromRow`] for a tuple.
macro_rules! tuple {
    ($($column:ident $index:literal),*) => {
        impl<$($column: FromColumn),*> FromRow for ($($column),*) {
            fn from_row(row: &DatabaseRow) -> Result<Self, StorageError> {
                Ok(($(row.get_at::<$column>($index)?),*))
            }
        }
    };
}

tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);

#[cfg(test)]
mod tests {
    use super::super::testing::TestDatabase;
    use super::{QueryBuilder, SqlValue, query};

    #[tokio::test]
    async fn values_are_read_as_they_were_written() {
        type Columns = (Option<i64>, Option<f64>, Option<String>, Option<Vec<u8>>);
        let (_database, store) = TestDatabase::open_new().await;
        let mut connection = store.reader().await.unwrap();
        let table = "CREATE TEMP TABLE written (i BIGINT, r DOUBLE PRECISION, t TEXT, b BYTEA)";
        connection.execute_script(table).await.unwrap();
        for (integer, real, text, bytes) in [
            (Some(i64::MIN), Some(0.1), Some("Khét\n$1 ?'"), Some(vec![0, 255])),
            (Some(i64::MAX), Some(-1e300), Some(""), Some(Vec::new())),
            (None, None, None, None),
        ] {
            let insert = query("INSERT INTO written (i, r, t, b) VALUES ($1, $2, $3, $4)")
                .bind(integer)
                .bind(real)
                .bind(text)
                .bind(bytes.clone());
            assert_eq!(insert.execute(&mut connection).await.unwrap(), 1);
            let text = text.map(str::to_owned);
            let mut select = QueryBuilder::new(connection.kind(), "SELECT i, r, t, b FROM written");
            match integer {
                Some(integer) => select.push(" WHERE i = ").push_bind(integer),
                None => select.push(" WHERE i IS NULL"),
            };
            let read: Columns = select.build().fetch_one(&mut connection).await.unwrap();
            assert_eq!(read, (integer, real, text, bytes));
        }
        let wrong =
            query("SELECT t FROM written WHERE i = $1").bind(SqlValue::Integer(Some(i64::MAX)));
        let error = wrong.fetch_one::<i64>(&mut connection).await.unwrap_err().to_string();
        assert!(error.contains("column t: expected an integer, found a text"), "{error}");
        drop(connection);
        store.close().await;
    }
}
