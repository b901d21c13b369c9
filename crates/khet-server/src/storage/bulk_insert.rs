//! Statements that insert many rows at once.

use std::sync::Arc;

use sqlx::postgres::PgArguments;
use sqlx::query_with;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments, AssertSqlSafe, SqlSafeStr, SqlStr};

use super::StorageError;
use super::sql::{
    ConnectionMut, DatabaseConnection, SqlValue, add_sqlite, answered, unusable_value,
};

/// Largest number of rows per statement on PostgreSQL.
const MAX_POSTGRES_ROWS: usize = 4096;

/// Statements that insert rows.
///
/// SQLite has statements for 1, 2, 4 … rows. There are few sizes, so that each is prepared only
/// once. PostgreSQL has one statement for any number of rows, which takes an array for each column,
/// so that a transaction needs only one round trip for its rows.
pub(super) struct BulkInsert {
    columns: usize,
    sqlite: Vec<SqlStr>,
    postgres: SqlStr,
}

impl BulkInsert {
    /// `head` is the text before the rows and `tail` the text after them; SQLite's largest
    /// statement has 2 to the power of `largest` rows.
    ///
    /// SQLite's parameters are not numbered as they are elsewhere: it looks up each numbered
    /// parameter among all others, and here are thousands.
    pub(super) fn new(head: &str, columns: usize, tail: &str, largest: u32) -> BulkInsert {
        let row = format!("({})", vec!["?"; columns].join(", "));
        let rows = |power: u32| vec![row.as_str(); 1 << power].join(", ");
        let arrays: Vec<String> = (1..=columns).map(|number| format!("${number}")).collect();
        // The texts are written in this module. Cloning them counts a reference.
        let statement = |text: String| AssertSqlSafe(Arc::<str>::from(text)).into_sql_str();
        BulkInsert {
            columns,
            sqlite: (0..=largest)
                .map(|power| statement(format!("{head} VALUES {}{tail}", rows(power))))
                .collect(),
            postgres: statement(format!(
                "{head} SELECT * FROM UNNEST({}){tail}",
                arrays.join(", ")
            )),
        }
    }

    /// Returns SQLite's largest statement that `rows` rows fill, and its number of rows. `rows`
    /// must not be 0.
    fn largest_for(&self, rows: usize) -> (usize, &SqlStr) {
        let power = (rows.ilog2() as usize).min(self.sqlite.len() - 1);
        (1 << power, &self.sqlite[power])
    }

    /// Inserts rows. Returns SQLite's number of the last row, if there are any.
    pub(super) async fn insert<R: IntoIterator<Item = SqlValue>>(
        &self,
        connection: &mut DatabaseConnection,
        mut rows: impl ExactSizeIterator<Item = Result<R, StorageError>> + Send,
    ) -> Result<Option<i64>, StorageError> {
        let mut last = None;
        while rows.len() > 0 {
            let timeout = connection.answer_timeout();
            match connection.as_mut() {
                ConnectionMut::Sqlite(connection) => {
                    let (count, sql) = self.largest_for(rows.len());
                    let mut arguments = SqliteArguments::default();
                    Arguments::reserve(&mut arguments, count * self.columns, 0);
                    for row in rows.by_ref().take(count) {
                        for value in row? {
                            add_sqlite(&mut arguments, value)?;
                        }
                    }
                    let inserted = query_with(sql.clone(), arguments).execute(connection).await?;
                    last = Some(inserted.last_insert_rowid());
                }
                ConnectionMut::Postgres(connection) => {
                    let arguments = arrays(rows.by_ref().take(MAX_POSTGRES_ROWS))?;
                    let query = query_with(self.postgres.clone(), arguments);
                    answered(timeout, query.execute(connection)).await?;
                }
            }
        }
        Ok(last)
    }
}

/// The values of a column.
enum ValueArray {
    Integers(Vec<Option<i64>>),
    Reals(Vec<Option<f64>>),
    Texts(Vec<Option<String>>),
    Bytes(Vec<Option<Vec<u8>>>),
}

impl ValueArray {
    /// Creates an array with a first value, whose type it has.
    fn new(value: SqlValue) -> ValueArray {
        match value {
            SqlValue::Integer(value) => ValueArray::Integers(vec![value]),
            SqlValue::Real(value) => ValueArray::Reals(vec![value]),
            SqlValue::Text(value) => ValueArray::Texts(vec![value]),
            SqlValue::Bytes(value) => ValueArray::Bytes(vec![value]),
        }
    }

    fn push(&mut self, value: SqlValue) -> Result<(), StorageError> {
        match (self, value) {
            (ValueArray::Integers(list), SqlValue::Integer(value)) => list.push(value),
            (ValueArray::Reals(list), SqlValue::Real(value)) => list.push(value),
            (ValueArray::Texts(list), SqlValue::Text(value)) => list.push(value),
            (ValueArray::Bytes(list), SqlValue::Bytes(value)) => list.push(value),
            _ => return Err(unusable_value("its column has values of another type".into())),
        }
        Ok(())
    }
}

/// Returns an array for each column of the rows.
fn arrays<R: IntoIterator<Item = SqlValue>>(
    rows: impl Iterator<Item = Result<R, StorageError>>,
) -> Result<PgArguments, StorageError> {
    let mut columns: Vec<ValueArray> = Vec::new();
    for row in rows {
        for (index, value) in row?.into_iter().enumerate() {
            match columns.get_mut(index) {
                Some(column) => column.push(value)?,
                None => columns.push(ValueArray::new(value)),
            }
        }
    }
    let mut arguments = PgArguments::default();
    for column in columns {
        let added = match column {
            ValueArray::Integers(list) => Arguments::add(&mut arguments, list),
            ValueArray::Reals(list) => Arguments::add(&mut arguments, list),
            ValueArray::Texts(list) => Arguments::add(&mut arguments, list),
            ValueArray::Bytes(list) => Arguments::add(&mut arguments, list),
        };
        added.map_err(unusable_value)?;
    }
    Ok(arguments)
}

#[cfg(test)]
mod tests {
    use super::BulkInsert;

    #[test]
    fn largest_statement_that_the_rows_fill() {
        let insert = BulkInsert::new("INSERT INTO t (a, b)", 2, " ON CONFLICT (a) DO NOTHING", 2);
        let largest_for = |rows| {
            let (count, sql) = insert.largest_for(rows);
            (count, sql.as_str())
        };
        assert_eq!(
            largest_for(1).1,
            "INSERT INTO t (a, b) VALUES (?, ?) ON CONFLICT (a) DO NOTHING"
        );
        assert_eq!(
            largest_for(3),
            (2, "INSERT INTO t (a, b) VALUES (?, ?), (?, ?) ON CONFLICT (a) DO NOTHING")
        );
        assert_eq!(largest_for(100).0, 4);
        assert_eq!(
            insert.postgres.as_str(),
            "INSERT INTO t (a, b) SELECT * FROM UNNEST($1, $2) ON CONFLICT (a) DO NOTHING"
        );
    }
}
