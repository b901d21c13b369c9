//! Statements that insert many rows at once.

use sqlx::Arguments;
use sqlx::postgres::PgArguments;
use sqlx::query_with;
use sqlx::sqlite::SqliteArguments;

use super::StorageError;
use super::sql::{Connection, ConnectionMut, Value, add_sqlite, answered, unusable_value};

/// Largest number of rows per statement on PostgreSQL.
const MAX_POSTGRES_ROWS: usize = 4096;

/// Statements that insert rows of `N` columns.
///
/// SQLite has statements for 1, 2, 4 … rows. There are few sizes, so that each is prepared only
/// once. PostgreSQL has one statement for any number of rows, which takes an array for each column,
/// so that a transaction needs only one round trip for its rows.
pub(super) struct BulkInsert<const N: usize> {
    sqlite: Vec<String>,
    postgres: String,
}

impl<const N: usize> BulkInsert<N> {
    /// `head` is the text before the rows and `tail` the text after them; SQLite's largest
    /// statement has 2 to the power of `largest` rows.
    ///
    /// SQLite's parameters are not numbered as they are elsewhere: it looks up each numbered
    /// parameter among all others, and here are thousands.
    pub(super) fn new(head: &str, tail: &str, largest: u32) -> BulkInsert<N> {
        let row = format!("({})", ["?"; N].join(", "));
        let rows = |power: u32| vec![row.as_str(); 1 << power].join(", ");
        let columns: Vec<String> = (1..=N).map(|number| format!("${number}")).collect();
        BulkInsert {
            sqlite: (0..=largest)
                .map(|power| format!("{head} VALUES {}{tail}", rows(power)))
                .collect(),
            postgres: format!("{head} SELECT * FROM UNNEST({}){tail}", columns.join(", ")),
        }
    }

    /// Returns SQLite's largest statement that `rows` rows fill, and its number of rows. `rows`
    /// must not be 0.
    fn largest_for(&self, rows: usize) -> (usize, &str) {
        let power = (rows.ilog2() as usize).min(self.sqlite.len() - 1);
        (1 << power, &self.sqlite[power])
    }

    /// Inserts rows. Returns SQLite's number of the last row, if there are any.
    pub(super) async fn insert(
        &'static self,
        connection: &mut Connection,
        mut rows: impl ExactSizeIterator<Item = Result<[Value; N], StorageError>> + Send,
    ) -> Result<Option<i64>, StorageError> {
        let mut last = None;
        while rows.len() > 0 {
            match connection.as_mut() {
                ConnectionMut::Sqlite(connection) => {
                    let (count, sql) = self.largest_for(rows.len());
                    let mut arguments = SqliteArguments::default();
                    Arguments::reserve(&mut arguments, count * N, 0);
                    for row in rows.by_ref().take(count) {
                        for value in row? {
                            add_sqlite(&mut arguments, value)?;
                        }
                    }
                    let inserted = query_with(sql, arguments).execute(connection).await?;
                    last = Some(inserted.last_insert_rowid());
                }
                ConnectionMut::Postgres(connection) => {
                    let arguments = arrays(rows.by_ref().take(MAX_POSTGRES_ROWS))?;
                    answered(query_with(self.postgres.as_str(), arguments).execute(connection))
                        .await?;
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
    /// Creates an empty array for values of the type of this one.
    fn of_type(value: &Value) -> ValueArray {
        match value {
            Value::Integer(_) => ValueArray::Integers(Vec::new()),
            Value::Real(_) => ValueArray::Reals(Vec::new()),
            Value::Text(_) => ValueArray::Texts(Vec::new()),
            Value::Bytes(_) => ValueArray::Bytes(Vec::new()),
        }
    }

    fn push(&mut self, value: Value) -> Result<(), StorageError> {
        match (self, value) {
            (ValueArray::Integers(list), Value::Integer(value)) => list.push(value),
            (ValueArray::Reals(list), Value::Real(value)) => list.push(value),
            (ValueArray::Texts(list), Value::Text(value)) => list.push(value),
            (ValueArray::Bytes(list), Value::Bytes(value)) => list.push(value),
            _ => return Err(unusable_value("its column has values of another type".into())),
        }
        Ok(())
    }
}

/// Returns an array for each column of the rows.
fn arrays<const N: usize>(
    rows: impl Iterator<Item = Result<[Value; N], StorageError>>,
) -> Result<PgArguments, StorageError> {
    let mut columns: Option<[ValueArray; N]> = None;
    for row in rows {
        let row = row?;
        let columns = columns.get_or_insert_with(|| row.each_ref().map(ValueArray::of_type));
        for (column, value) in columns.iter_mut().zip(row) {
            column.push(value)?;
        }
    }
    let mut arguments = PgArguments::default();
    for column in columns.into_iter().flatten() {
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
        let insert: BulkInsert<2> =
            BulkInsert::new("INSERT INTO t (a, b)", " ON CONFLICT (a) DO NOTHING", 2);
        assert_eq!(
            insert.largest_for(1).1,
            "INSERT INTO t (a, b) VALUES (?, ?) ON CONFLICT (a) DO NOTHING"
        );
        assert_eq!(
            insert.largest_for(3),
            (2, "INSERT INTO t (a, b) VALUES (?, ?), (?, ?) ON CONFLICT (a) DO NOTHING")
        );
        assert_eq!(insert.largest_for(100).0, 4);
        assert_eq!(
            insert.postgres,
            "INSERT INTO t (a, b) SELECT * FROM UNNEST($1, $2) ON CONFLICT (a) DO NOTHING"
        );
    }
}
