//! A thin layer over sqlx with which one statement runs on SQLite and on PostgreSQL.
//!
//! sqlx has types of its own for each database, and its driver `Any` does not translate
//! placeholders. Here a [`Connection`] is one of either database, a [`Query`] holds its values
//! apart from both until it is executed, and a [`Row`] is decoded by [`FromColumn`]. There are four
//! types of columns: 64-bit integers, which also hold booleans, double-precision numbers, texts and
//! bytes.
//!
//! Most statements have one text, with `$1` as placeholders. Where the databases differ, the two
//! texts stand side by side in a [`PerDatabase`].

use std::time::Duration;

use futures_util::stream::BoxStream;
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

/// Longest time to wait for an answer of PostgreSQL.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// A database system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DatabaseKind {
    Sqlite,
    Postgres,
}

/// A connection, which returns to its pool when it is dropped if it came from one.
#[derive(Debug)]
pub(crate) struct Connection(AnyConnection);

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

impl From<SqliteConnection> for Connection {
    fn from(connection: SqliteConnection) -> Connection {
        Connection(AnyConnection::Sqlite(connection))
    }
}

impl From<PgConnection> for Connection {
    fn from(connection: PgConnection) -> Connection {
        Connection(AnyConnection::Postgres(Box::new(connection)))
    }
}

impl Connection {
    /// Returns the database system.
    pub(super) fn kind(&self) -> DatabaseKind {
        match self.0 {
            AnyConnection::Sqlite(_) | AnyConnection::PooledSqlite(_) => DatabaseKind::Sqlite,
            AnyConnection::Postgres(_) | AnyConnection::PooledPostgres(_) => DatabaseKind::Postgres,
        }
    }

    pub(super) fn as_mut(&mut self) -> ConnectionMut<'_> {
        match &mut self.0 {
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
        match self.as_mut() {
            ConnectionMut::Sqlite(connection) => script.execute(connection).await.map(drop)?,
            ConnectionMut::Postgres(connection) => {
                answered(script.execute(connection)).await.map(drop)?;
            }
        }
        Ok(())
    }

    /// Closes the connection, which checkpoints SQLite's WAL file.
    pub(super) async fn close(self) {
        use sqlx::Connection;
        let closed = match self.0 {
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
    pub(super) async fn acquire(&self) -> Result<Connection, StorageError> {
        Ok(Connection(match self {
            Pool::Sqlite(pool) => AnyConnection::PooledSqlite(pool.acquire().await?),
            Pool::Postgres(pool) => AnyConnection::PooledPostgres(pool.acquire().await?),
        }))
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
pub(super) enum Value {
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
    values: Vec<Value>,
    /// The error of a value that has no form in the database.
    fault: Option<StorageError>,
}

/// Returns a statement without values.
pub(super) fn query(sql: impl Into<SqlText>) -> Query {
    Query { text: sql.into(), values: Vec::new(), fault: None }
}

/// A statement that is ready for one of the databases.
enum Prepared<'a> {
    Sqlite(&'a mut SqliteConnection, sqlx::query::Query<'a, Sqlite, SqliteArguments>),
    Postgres(&'a mut PgConnection, sqlx::query::Query<'a, Postgres, PgArguments>),
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

    fn prepare(self, connection: &mut Connection) -> Result<Prepared<'_>, StorageError> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let text = self.text.for_kind(connection.kind());
        Ok(match connection.as_mut() {
            ConnectionMut::Sqlite(connection) => {
                Prepared::Sqlite(connection, query_with(text, sqlite_arguments(self.values)?))
            }
            ConnectionMut::Postgres(connection) => {
                Prepared::Postgres(connection, query_with(text, postgres_arguments(self.values)?))
            }
        })
    }

    /// Executes the statement. Returns the number of rows that it changed.
    pub(super) async fn execute(self, connection: &mut Connection) -> Result<u64, StorageError> {
        Ok(match self.prepare(connection)? {
            Prepared::Sqlite(connection, query) => query.execute(connection).await?.rows_affected(),
            Prepared::Postgres(connection, query) => {
                answered(query.execute(connection)).await?.rows_affected()
            }
        })
    }

    /// Returns all rows.
    pub(super) async fn fetch_all<T: FromRow>(
        self,
        connection: &mut Connection,
    ) -> Result<Vec<T>, StorageError> {
        let rows = self.fetch_rows(connection).await?;
        rows.iter().map(T::from_row).collect()
    }

    /// Returns all rows, undecoded.
    pub(super) async fn fetch_rows(
        self,
        connection: &mut Connection,
    ) -> Result<Vec<Row>, StorageError> {
        Ok(match self.prepare(connection)? {
            Prepared::Sqlite(connection, query) => {
                let rows = query.fetch_all(connection).await?;
                rows.into_iter().map(Row::Sqlite).collect()
            }
            Prepared::Postgres(connection, query) => {
                let rows = answered(query.fetch_all(connection)).await?;
                rows.into_iter().map(Row::Postgres).collect()
            }
        })
    }

    /// Returns the first row, if there is one.
    pub(super) async fn fetch_optional<T: FromRow>(
        self,
        connection: &mut Connection,
    ) -> Result<Option<T>, StorageError> {
        let row = match self.prepare(connection)? {
            Prepared::Sqlite(connection, query) => {
                query.fetch_optional(connection).await?.map(Row::Sqlite)
            }
            Prepared::Postgres(connection, query) => {
                answered(query.fetch_optional(connection)).await?.map(Row::Postgres)
            }
        };
        row.as_ref().map(T::from_row).transpose()
    }

    /// Returns the first row.
    pub(super) async fn fetch_one<T: FromRow>(
        self,
        connection: &mut Connection,
    ) -> Result<T, StorageError> {
        let row = self.fetch_optional(connection).await?;
        row.ok_or_else(|| StorageError::from(sqlx::Error::RowNotFound))
    }

    /// Returns the rows one after the other, undecoded.
    pub(super) fn stream(
        self,
        connection: &mut Connection,
    ) -> Result<BoxStream<'_, Result<Row, StorageError>>, StorageError> {
        Ok(match self.prepare(connection)? {
            Prepared::Sqlite(connection, query) => {
                query.fetch(connection).map_ok(Row::Sqlite).map_err(StorageError::from).boxed()
            }
            Prepared::Postgres(connection, query) => {
                query.fetch(connection).map_ok(Row::Postgres).map_err(StorageError::from).boxed()
            }
        })
    }
}

/// Waits for an answer of PostgreSQL, but not for ever: of a server that has lost its network
/// nothing is heard.
pub(super) async fn answered<T>(
    answer: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, StorageError> {
    match tokio::time::timeout(ANSWER_TIMEOUT, answer).await {
        Ok(answer) => Ok(answer?),
        Err(_) => Err(StorageError::Disconnected("it does not answer".to_owned())),
    }
}

/// Converts values to SQLite's arguments.
fn sqlite_arguments(values: Vec<Value>) -> Result<SqliteArguments, StorageError> {
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
    value: Value,
) -> Result<(), StorageError> {
    let added = match value {
        Value::Integer(value) => Arguments::add(arguments, value),
        Value::Real(value) => Arguments::add(arguments, value),
        Value::Text(value) => Arguments::add(arguments, value),
        Value::Bytes(value) => Arguments::add(arguments, value),
    };
    added.map_err(unusable_value)
}

/// Converts values to PostgreSQL's arguments.
fn postgres_arguments(values: Vec<Value>) -> Result<PgArguments, StorageError> {
    let mut arguments = PgArguments::default();
    Arguments::reserve(&mut arguments, values.len(), 0);
    for value in values {
        let added = match value {
            Value::Integer(value) => Arguments::add(&mut arguments, value),
            Value::Real(value) => Arguments::add(&mut arguments, value),
            Value::Text(value) => Arguments::add(&mut arguments, value),
            Value::Bytes(value) => Arguments::add(&mut arguments, value),
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
pub(super) enum Row {
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

impl Row {
    /// Returns the value of a column.
    pub(super) fn get<T: FromColumn>(&self, column: &str) -> Result<T, StorageError> {
        let value = match self {
            Row::Sqlite(row) => read_sqlite(row.try_get_raw(column)?),
            Row::Postgres(row) => read_postgres(row.try_get_raw(column)?),
        };
        decode(value, column)
    }

    /// Returns the value of a column by its number, undecoded.
    pub(super) fn value_at(&self, index: usize) -> Result<ColumnValue<'_>, StorageError> {
        let value = match self {
            Row::Sqlite(row) => read_sqlite(row.try_get_raw(index)?),
            Row::Postgres(row) => read_postgres(row.try_get_raw(index)?),
        };
        value.map_err(|error| StorageError::Corrupt(error.to_string()))
    }

    /// Returns the value of a column by its number.
    pub(super) fn get_at<T: FromColumn>(&self, index: usize) -> Result<T, StorageError> {
        let (value, column) = match self {
            Row::Sqlite(row) => (read_sqlite(row.try_get_raw(index)?), row.column(index).name()),
            Row::Postgres(row) => {
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
    fn from_row(row: &Row) -> Result<Self, StorageError>;
}

impl<T: FromColumn> FromRow for T {
    fn from_row(row: &Row) -> Result<T, StorageError> {
        row.get_at(0)
    }
}

/// Implements [`FromRow`] for a tuple.
macro_rules! tuple {
    ($($column:ident $index:literal),*) => {
        impl<$($column: FromColumn),*> FromRow for ($($column),*) {
            fn from_row(row: &Row) -> Result<Self, StorageError> {
                Ok(($(row.get_at::<$column>($index)?),*))
            }
        }
    };
}

tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
