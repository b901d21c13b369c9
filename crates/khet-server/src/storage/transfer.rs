//! Copies a database from SQLite to PostgreSQL or back.
//!
//! Tables are copied one after the other, in the order of their keys, some thousand rows per
//! transaction. So an interrupted copy continues after the last key of the target. A table in the
//! target marks the copy as unfinished, and keeps servers from using it, until every row has been
//! compared and every game replayed.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use futures_util::TryStreamExt;
use sqlx::AssertSqlSafe;

use self::ColumnType::{Bytes as B, Integer as I, Real as R, Text as T};
use super::bulk_insert::BulkInsert;
use super::imported::ImportedRow;
use super::postgres::PostgresServer;
use super::sql::{
    ColumnValue, DatabaseConnection, DatabaseKind, DatabaseRow, PerDatabase, QueryBuilder,
    SqlValue, query,
};
use super::verify::{VerifyObserver, VerifySummary, verify_open};
use super::{DatabaseLocation, DatabaseLock, DatabaseUse, StorageError, identity, open_file};

/// Number of rows per transaction.
const CHUNK_SIZE: u32 = 8192;
/// SQLite's largest statement inserts 2 to the power of this number of rows.
const LARGEST_INSERT: u32 = 7;

/// Type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ColumnType {
    Integer,
    Real,
    Text,
    Bytes,
}

/// A table that is copied. The first columns are its key.
#[derive(Clone, Copy, Debug)]
struct CopiedTable {
    name: &'static str,
    key: usize,
    columns: &'static [(&'static str, ColumnType)],
}

/// All tables but those of one database alone: `recent_moves`, which SQLite copies to `events` when
/// it is opened, `write_probe`, which is empty, and what the nodes of a cluster know of each other.
///
/// The heartbeat comes first: a database with games but without a heartbeat is not of this program.
const TABLES: [CopiedTable; 24] = [
    CopiedTable { name: "server", key: 1, columns: &[("id", I), ("alive", I)] },
    CopiedTable {
        name: "people",
        key: 1,
        columns: &[
            ("id", T),
            ("kind", T),
            ("name", T),
            ("name_key", T),
            ("created", I),
            ("look", T),
            ("password", T),
            ("moderator", I),
        ],
    },
    CopiedTable {
        name: "sessions",
        key: 1,
        columns: &[("token", T), ("person", T), ("created", I)],
    },
    CopiedTable {
        name: "tokens",
        key: 1,
        columns: &[("id", T), ("token", T), ("person", T), ("label", T), ("created", I)],
    },
    CopiedTable {
        name: "challenges",
        key: 1,
        columns: &[
            ("id", T),
            ("person", T),
            ("body", T),
            ("created", I),
            ("game", T),
            ("declined", I),
        ],
    },
    CopiedTable {
        name: "games",
        key: 1,
        columns: &[
            ("id", T),
            ("silver", T),
            ("red", T),
            ("start", T),
            ("rules", T),
            ("time", T),
            ("rated", I),
            ("started", I),
            ("ended", I),
            ("winner", T),
            ("reason", T),
            ("turns", I),
            ("position", T),
            ("private", I),
        ],
    },
    CopiedTable {
        name: "events",
        key: 2,
        columns: &[("game", T), ("number", I), ("at", I), ("body", T)],
    },
    CopiedTable {
        name: "ratings",
        key: 2,
        columns: &[
            ("person", T),
            ("speed", T),
            ("rating", R),
            ("deviation", R),
            ("volatility", R),
            ("games", I),
            ("changed", I),
        ],
    },
    CopiedTable {
        name: "rating_changes",
        key: 2,
        columns: &[
            ("game", T),
            ("person", T),
            ("speed", T),
            ("at", I),
            ("before", I),
            ("deviation", I),
            ("after", I),
        ],
    },
    CopiedTable {
        name: "finished",
        key: 1,
        columns: &[("number", I), ("game", T), ("imported", I)],
    },
    CopiedTable {
        name: "explorer",
        key: 3,
        columns: &[
            ("position", I),
            ("turn", I),
            ("class", I),
            ("silver", I),
            ("draws", I),
            ("red", I),
            ("game", I),
        ],
    },
    CopiedTable { name: "explorer_progress", key: 1, columns: &[("id", I), ("counted", I)] },
    CopiedTable {
        name: "imported",
        key: 1,
        columns: &[("id", T), ("start", T), ("rules", T), ("winner", T), ("tags", T), ("turns", B)],
    },
    CopiedTable {
        name: "reviews",
        key: 1,
        columns: &[("game", T), ("engine", T), ("body", T), ("at", I)],
    },
    CopiedTable {
        name: "setups",
        key: 1,
        columns: &[
            ("number", I),
            ("id", T),
            ("person", T),
            ("name", T),
            ("words", T),
            ("start", T),
            ("both_ways", T),
            ("rules", T),
            ("box", T),
            ("created", I),
            ("likes", I),
            ("plays", I),
            ("silver", I),
            ("drawn", I),
            ("red", I),
            ("evenness", I),
            ("reported", I),
            ("hidden", I),
        ],
    },
    CopiedTable { name: "setup_likes", key: 2, columns: &[("setup", T), ("person", T)] },
    CopiedTable {
        name: "setup_reports",
        key: 2,
        columns: &[
            ("setup", T),
            ("person", T),
            ("at", I),
            ("reason", T),
            ("decided", I),
            ("weight", I),
            ("decision", I),
        ],
    },
    CopiedTable {
        name: "setup_decisions",
        key: 1,
        columns: &[
            ("number", I),
            ("setup", T),
            ("moderator", T),
            ("at", I),
            ("kind", T),
            ("reported", I),
            ("hidden", I),
            ("undone_by", T),
            ("undone_at", I),
        ],
    },
    CopiedTable {
        name: "removed_setups",
        key: 1,
        columns: &[
            ("id", T),
            ("both_ways", T),
            ("number", I),
            ("decision", I),
            ("reported", I),
            ("hidden", I),
            ("person", T),
            ("name", T),
            ("words", T),
            ("start", T),
            ("rules", T),
            ("box", T),
            ("created", I),
            ("likes", I),
        ],
    },
    CopiedTable {
        name: "puzzle_ratings",
        key: 1,
        columns: &[
            ("puzzle", T),
            ("rating", R),
            ("deviation", R),
            ("volatility", R),
            ("games", I),
            ("changed", I),
        ],
    },
    CopiedTable {
        name: "solver_ratings",
        key: 1,
        columns: &[
            ("person", T),
            ("rating", R),
            ("deviation", R),
            ("volatility", R),
            ("games", I),
            ("changed", I),
        ],
    },
    CopiedTable {
        name: "puzzle_attempts",
        key: 2,
        columns: &[
            ("person", T),
            ("puzzle", T),
            ("at", I),
            ("solved", I),
            ("before", I),
            ("after", I),
            ("latest", I),
        ],
    },
    CopiedTable {
        name: "puzzle_votes",
        key: 2,
        columns: &[("puzzle", T), ("person", T), ("vote", T)],
    },
    CopiedTable {
        name: "puzzle_runs",
        key: 2,
        columns: &[("person", T), ("kind", T), ("score", I), ("at", I)],
    },
];

/// A part of a transfer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TransferPhase {
    /// Rows are copied.
    Copy,
    /// The rows of both databases are compared.
    Compare,
    /// Games are replayed.
    Replay,
}

/// Receives the progress of a transfer.
pub trait TransferObserver: VerifyObserver {
    /// A phase of this many steps begins. The steps of [`TransferPhase::Replay`] are reported to
    /// the [`VerifyObserver`].
    fn phase(&mut self, phase: TransferPhase, steps: u64);
    /// Some steps of the phase are done.
    fn advance(&mut self, steps: u64);
}

/// Result of a transfer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TransferSummary {
    /// Number of rows, which is the same in both databases.
    pub rows: u64,
    /// Result of replaying the games of the target. Faults are also in the source.
    pub verified: VerifySummary,
}

/// Reason why a database could not be transferred.
#[derive(Clone, Debug, thiserror::Error)]
pub enum TransferError {
    /// The source can't be read.
    #[error("the source: {0}")]
    Source(StorageError),
    /// The target can't be written.
    #[error("the target: {0}")]
    Target(StorageError),
    /// The target has data that is not from a transfer.
    #[error("the target is not empty: there are rows in its table {0}")]
    NotEmpty(&'static str),
    /// The target has an unfinished transfer from another source.
    #[error("the target has an unfinished copy of another database: {0}")]
    OtherSource(String),
    /// The source has changed between two attempts.
    #[error(
        "the table {0} of the copy differs from the source, which has changed since the copy began; empty the target and start again"
    )]
    Differs(&'static str),
}

use TransferError::{Source, Target};

/// Copies a database into an empty one of the other kind, or continues such a copy. No server may
/// use either. `replay_imported` checks an imported game.
pub(crate) async fn transfer(
    from: &DatabaseLocation,
    to: &DatabaseLocation,
    replay_imported: fn(ImportedRow) -> Result<(), StorageError>,
    observer: &mut dyn TransferObserver,
) -> Result<TransferSummary, TransferError> {
    let lock = |location: &DatabaseLocation| location.file().map(DatabaseLock::acquire).transpose();
    let _locks = (lock(from).map_err(Source)?, lock(to).map_err(Target)?);
    let mut source = open(from).await.map_err(Source)?;
    identity::check_complete(&mut source).await.map_err(Source)?;
    let target = open(to).await.map_err(Target)?;
    let mut transfer = Transfer { source, target, observer };
    transfer.prepare(&name(from)).await?;
    let rows = transfer.copy().await?;
    transfer.compare(rows).await?;
    let Transfer { mut source, target, observer } = transfer;
    let stopped = last_alive(&mut source).await.map_err(Source)?;
    source.close().await;
    observer.phase(TransferPhase::Replay, 0);
    let (mut target, verified) = verify_open(target, replay_imported, observer).await;
    let verified = verified.map_err(Target)?;
    finish(&mut target, stopped).await.map_err(Target)?;
    target.close().await;
    Ok(TransferSummary { rows, verified })
}

/// Returns the last time at which a server is known to have used a database.
async fn last_alive(source: &mut DatabaseConnection) -> Result<Option<i64>, StorageError> {
    // A node of a cluster writes the heartbeat only when it starts.
    query(PerDatabase {
        sqlite: "SELECT MAX(alive) FROM server",
        postgres: "SELECT GREATEST((SELECT MAX(alive) FROM server), \
                   (SELECT MAX(renewed) FROM nodes), (SELECT MAX(released) FROM leases))",
    })
    .fetch_one(source)
    .await
}

/// Lets servers use the copy. They credit the clocks with the time since the last server has stopped.
async fn finish(target: &mut DatabaseConnection, stopped: Option<i64>) -> Result<(), StorageError> {
    target.execute_script("BEGIN").await?;
    let since = PerDatabase {
        sqlite: "UPDATE server SET alive = $1",
        postgres: "UPDATE leases SET released = $1",
    };
    query(since).bind(stopped).execute(target).await?;
    query("DROP TABLE unfinished_transfer").execute(target).await?;
    target.execute_script("COMMIT").await
}

/// Opens a database for this process alone.
async fn open(location: &DatabaseLocation) -> Result<DatabaseConnection, StorageError> {
    let mut connection = match location {
        DatabaseLocation::File(file) => open_file(file).await?,
        DatabaseLocation::Postgres(url) => {
            PostgresServer::new(url, Some(DatabaseUse::Exclusive)).open().await?
        }
    };
    connection.remove_timeout();
    Ok(connection)
}

/// Returns a name of a source that is the same from everywhere on this machine.
fn name(location: &DatabaseLocation) -> String {
    match location.file().map(Path::canonicalize) {
        Some(Ok(file)) => file.display().to_string(),
        _ => location.to_string(),
    }
}

/// A transfer in progress.
struct Transfer<'a> {
    source: DatabaseConnection,
    target: DatabaseConnection,
    observer: &'a mut dyn TransferObserver,
}

impl Transfer<'_> {
    /// Marks an empty target as unfinished, or checks the mark of an earlier attempt.
    async fn prepare(&mut self, source: &str) -> Result<(), TransferError> {
        let target = &mut self.target;
        if identity::is_unfinished(target).await.map_err(Target)? {
            let marked: String = query("SELECT source FROM unfinished_transfer")
                .fetch_one(target)
                .await
                .map_err(Target)?;
            return if marked == source { Ok(()) } else { Err(TransferError::OtherSource(marked)) };
        }
        // The only table that has a row from the beginning.
        for table in TABLES.iter().filter(|table| table.name != "explorer_progress") {
            if count(target, table).await.map_err(Target)? > 0 {
                return Err(TransferError::NotEmpty(table.name));
            }
        }
        let mark = async {
            target.execute_script("BEGIN").await?;
            query("CREATE TABLE unfinished_transfer (source TEXT NOT NULL)")
                .execute(target)
                .await?;
            query("INSERT INTO unfinished_transfer (source) VALUES ($1)")
                .bind(source)
                .execute(target)
                .await?;
            query("DELETE FROM explorer_progress").execute(target).await?;
            target.execute_script("COMMIT").await
        };
        mark.await.map_err(Target)
    }

    /// Copies the rows that the target does not have. Returns the number of all rows.
    async fn copy(&mut self) -> Result<u64, TransferError> {
        let mut total = 0;
        let mut copied = 0;
        for table in &TABLES {
            total += count(&mut self.source, table).await.map_err(Source)?;
            copied += count(&mut self.target, table).await.map_err(Target)?;
        }
        self.observer.phase(TransferPhase::Copy, total);
        self.observer.advance(copied);
        for table in &TABLES {
            self.copy_table(table).await?;
        }
        Ok(total)
    }

    async fn copy_table(&mut self, table: &CopiedTable) -> Result<(), TransferError> {
        let (target, columns) = (&mut self.target, table.columns.len());
        let head = format!("INSERT INTO {} ({})", table.name, table.names(columns));
        let insert = BulkInsert::new(&head, columns, "", LARGEST_INSERT);
        let mut last = table.last_key(target).await.map_err(Target)?;
        loop {
            let rows = table.rows_after(&mut self.source, last).await.map_err(Source)?;
            let read = |row| table.values(row);
            let rows: Result<Vec<Vec<SqlValue>>, StorageError> = rows.iter().map(read).collect();
            let rows = rows.map_err(Source)?;
            let Some(end) = rows.last() else { break };
            last = Some(end[..table.key].to_vec());
            let number = rows.len() as u64;
            let write = async {
                target.execute_script("BEGIN").await?;
                insert.insert(target, rows.into_iter().map(Ok)).await?;
                target.execute_script("COMMIT").await
            };
            write.await.map_err(Target)?;
            self.observer.advance(number);
        }
        if target.kind() == DatabaseKind::Postgres {
            // Without statistics the first searches would not use the indexes.
            let analyze = AssertSqlSafe(format!("ANALYZE {}", table.name));
            target.execute_script(analyze).await.map_err(Target)?;
        }
        Ok(())
    }

    /// Compares the tables.
    async fn compare(&mut self, rows: u64) -> Result<(), TransferError> {
        self.observer.phase(TransferPhase::Compare, 2 * rows);
        for table in &TABLES {
            let source = table.digest(&mut self.source, self.observer).await.map_err(Source)?;
            let target = table.digest(&mut self.target, self.observer).await.map_err(Target)?;
            if source != target {
                return Err(TransferError::Differs(table.name));
            }
        }
        Ok(())
    }
}

/// Returns the number of rows of a table.
async fn count(
    connection: &mut DatabaseConnection,
    table: &CopiedTable,
) -> Result<u64, StorageError> {
    let sql = AssertSqlSafe(format!("SELECT COUNT(*) FROM {}", table.name));
    query(sql).fetch_one(connection).await
}

impl CopiedTable {
    /// Returns the names of the first columns, separated by commas.
    fn names(&self, count: usize) -> String {
        let names: Vec<&str> = self.columns[..count].iter().map(|&(name, _)| name).collect();
        names.join(", ")
    }

    /// Returns the largest key of the table.
    async fn last_key(
        &self,
        connection: &mut DatabaseConnection,
    ) -> Result<Option<Vec<SqlValue>>, StorageError> {
        let (name, key) = (self.name, self.names(self.key));
        let order = key.replace(", ", " DESC, ");
        let sql = AssertSqlSafe(format!("SELECT {key} FROM {name} ORDER BY {order} DESC LIMIT 1"));
        let rows = query(sql).fetch_rows(connection).await?;
        rows.first().map(|row| self.values_of(row, self.key)).transpose()
    }

    /// Returns the next rows after a key, in the order of the keys.
    async fn rows_after(
        &self,
        connection: &mut DatabaseConnection,
        last: Option<Vec<SqlValue>>,
    ) -> Result<Vec<DatabaseRow>, StorageError> {
        let (name, key) = (self.name, self.names(self.key));
        let columns = self.names(self.columns.len());
        let mut query = QueryBuilder::new(connection.kind(), "SELECT ");
        query.push(format_args!("{columns} FROM {name}"));
        if let Some(last) = last {
            query.push(format_args!(" WHERE ({key}) > (")).push_list(last).push(")");
        }
        query.push(format_args!(" ORDER BY {key} LIMIT ")).push_bind(CHUNK_SIZE);
        query.build().fetch_rows(connection).await
    }

    /// Returns the values of a row.
    fn values(&self, row: &DatabaseRow) -> Result<Vec<SqlValue>, StorageError> {
        self.values_of(row, self.columns.len())
    }

    /// Returns the values of the first columns of a row.
    fn values_of(&self, row: &DatabaseRow, count: usize) -> Result<Vec<SqlValue>, StorageError> {
        let value = |(index, &(column, kind)): (usize, &(&str, ColumnType))| {
            Ok(match (kind, row.value_at(index)?) {
                (ColumnType::Integer, ColumnValue::Null) => SqlValue::Integer(None),
                (ColumnType::Integer, ColumnValue::Integer(value)) => {
                    SqlValue::Integer(Some(value))
                }
                (ColumnType::Real, ColumnValue::Null) => SqlValue::Real(None),
                (ColumnType::Real, ColumnValue::Real(value)) => SqlValue::Real(Some(value)),
                (ColumnType::Text, ColumnValue::Null) => SqlValue::Text(None),
                (ColumnType::Text, ColumnValue::Text(text)) => {
                    SqlValue::Text(Some(text.to_owned()))
                }
                (ColumnType::Bytes, ColumnValue::Null) => SqlValue::Bytes(None),
                (ColumnType::Bytes, ColumnValue::Bytes(value)) => {
                    SqlValue::Bytes(Some(value.to_owned()))
                }
                (kind, value) => {
                    let table = self.name;
                    let fault = format!("{table}.{column}: {kind:?} expected, found {value:?}");
                    return Err(StorageError::Corrupt(fault));
                }
            })
        };
        self.columns[..count].iter().enumerate().map(value).collect()
    }

    /// Returns the number of rows and a sum over their hashes, which does not depend on the order.
    async fn digest(
        &self,
        connection: &mut DatabaseConnection,
        observer: &mut dyn TransferObserver,
    ) -> Result<(u64, u64), StorageError> {
        let columns = self.names(self.columns.len());
        let sql = AssertSqlSafe(format!("SELECT {columns} FROM {}", self.name));
        let mut rows = query(sql).stream(connection)?;
        let (mut number, mut sum) = (0, 0_u64);
        while let Some(row) = rows.try_next().await? {
            let mut hasher = DefaultHasher::new();
            for index in 0..self.columns.len() {
                hash(row.value_at(index)?, &mut hasher);
            }
            sum = sum.wrapping_add(hasher.finish());
            number += 1;
            observer.advance(1);
        }
        Ok((number, sum))
    }
}

/// Hashes a value with its type.
fn hash(value: ColumnValue<'_>, hasher: &mut DefaultHasher) {
    match value {
        ColumnValue::Null => 0_u8.hash(hasher),
        ColumnValue::Integer(number) => (1_u8, number).hash(hasher),
        ColumnValue::Real(number) => (2_u8, number.to_bits()).hash(hasher),
        ColumnValue::Text(text) => (3_u8, text).hash(hasher),
        ColumnValue::Bytes(bytes) => (4_u8, bytes).hash(hasher),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sql::{PerDatabase, query};
    use super::super::testing::TestDatabase;
    use super::super::verify::{VerifyFault, VerifyObserver};
    use super::super::{DatabaseLocation, Store};
    use super::{TABLES, TransferObserver, TransferPhase, transfer};
    use crate::cluster::NodeId;
    use crate::testing::uses_postgres;

    /// Tables of one database alone, and those of sqlx.
    const NOT_COPIED: [&str; 7] = [
        "_sqlx_migrations",
        "recent_moves",
        "write_probe",
        "cluster",
        "nodes",
        "leases",
        "revocations",
    ];

    /// Compares with the schema of SQLite, and in a run on PostgreSQL with that one.
    #[tokio::test]
    async fn every_column_is_copied() {
        for database in [TestDatabase::new_file(), TestDatabase::new()] {
            let store = database.open().await;
            let mut connection = store.reader().await.unwrap();
            let sql = PerDatabase {
                sqlite: "SELECT tables.name, columns.name FROM sqlite_master AS tables \
                         JOIN pragma_table_info(tables.name) AS columns \
                         WHERE tables.type = 'table' ORDER BY tables.name, columns.name",
                postgres: "SELECT table_name::text, column_name::text \
                           FROM information_schema.columns WHERE table_schema = current_schema() \
                           ORDER BY table_name COLLATE \"C\", column_name COLLATE \"C\"",
            };
            let mut columns: Vec<(String, String)> =
                query(sql).fetch_all(&mut connection).await.unwrap();
            columns.retain(|(table, _)| !NOT_COPIED.contains(&table.as_str()));
            let names = TABLES.iter().flat_map(|table| {
                let column = |&(name, _): &(&str, _)| (table.name.to_owned(), name.to_owned());
                table.columns.iter().map(column)
            });
            let mut copied: Vec<(String, String)> = names.collect();
            copied.sort();
            assert_eq!(copied, columns, "{:?}", connection.kind());
            drop(connection);
            store.close().await;
        }
    }

    struct NoObserver;

    impl VerifyObserver for NoObserver {
        fn total(&mut self, _: u64) {}
        fn replayed(&mut self) {}
        fn fault(&mut self, fault: VerifyFault) {
            panic!("{fault:?}");
        }
    }

    impl TransferObserver for NoObserver {
        fn phase(&mut self, _: TransferPhase, _: u64) {}
        fn advance(&mut self, _: u64) {}
    }

    async fn copy(from: &DatabaseLocation, to: &DatabaseLocation) {
        transfer(from, to, |_| Ok(()), &mut NoObserver).await.unwrap();
    }

    #[tokio::test]
    async fn copy_knows_since_when_no_server_runs() {
        if !uses_postgres() {
            return eprintln!("skipped: KHET_TEST_POSTGRES is not set");
        }
        let (file, store) = TestDatabase::open_new_file().await;
        store.set_heartbeat(1000).await.unwrap();
        store.close().await;
        let server = TestDatabase::new();
        copy(&file.location, &server.location).await;
        let leases = Store::leases(&server.location).await.unwrap().unwrap();
        let node = NodeId::start("a");
        for lease in leases.claim(&node, 1000).await.unwrap() {
            assert_eq!(lease.since, Some(1000));
        }
        leases.leave(&node, 5000).await.unwrap();
        leases.close().await;
        let back = TestDatabase::new_file();
        copy(&server.location, &back.location).await;
        let store = back.open().await;
        assert_eq!(store.last_heartbeat().await.unwrap(), Some(5000));
        store.close().await;
    }
}
