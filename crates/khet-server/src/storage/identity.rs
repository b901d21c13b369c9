//! Tells databases of this program from other files, without changing them.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::sql::{DatabaseConnection, DatabaseKind, PerDatabase, query};
use super::{StorageError, migrations};

/// The number by which SQLite files name their program: `Khet` in ASCII.
const APPLICATION_ID: u32 = u32::from_be_bytes(*b"Khet");
/// The migration that sets the number. Databases of earlier versions have 0.
const NAMED_SINCE: i64 = 7;
/// The first bytes of each SQLite file.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Length of the header of a SQLite file.
const HEADER_LENGTH: usize = 100;
/// The place of the application's number in the header.
const APPLICATION_ID_AT: usize = 68;

/// Checks the header of a file, which needs no copy and no lock.
pub(super) fn check_header(file: &Path) -> Result<(), StorageError> {
    let mut header = Vec::new();
    File::open(file)
        .and_then(|file| file.take(HEADER_LENGTH as u64).read_to_end(&mut header))
        .map_err(|error: io::Error| StorageError::Database(error.to_string()))?;
    if header.is_empty() {
        return Err(foreign("the file is empty"));
    }
    if header.len() < HEADER_LENGTH || !header.starts_with(MAGIC) {
        return Err(foreign("the file is not a SQLite database"));
    }
    let id = header[APPLICATION_ID_AT..].first_chunk().map_or(0, |&id| u32::from_be_bytes(id));
    check_application(id)
}

/// Checks that a database is empty or was written by this program.
pub(super) async fn check_ours_or_empty(
    connection: &mut DatabaseConnection,
) -> Result<(), StorageError> {
    let sql = PerDatabase {
        sqlite: "SELECT COUNT(*) FROM sqlite_master",
        postgres: "SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema()",
    };
    let tables: i64 = query(sql).fetch_one(connection).await?;
    if tables == 0 { Ok(()) } else { check_ours(connection).await }
}

/// Checks that a database was written by this program, in this version or an earlier one.
pub(super) async fn check_ours(connection: &mut DatabaseConnection) -> Result<(), StorageError> {
    let id: Option<i64> = match connection.kind() {
        DatabaseKind::Sqlite => Some(query("PRAGMA application_id").fetch_one(connection).await?),
        // The first migration's checksum names the program.
        DatabaseKind::Postgres => None,
    };
    if let Some(id) = id {
        check_application(id as u32)?;
    }
    let sql = PerDatabase {
        sqlite: "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' \
                 AND name IN ('_sqlx_migrations', 'games', 'events', 'people', 'server')",
        postgres: "SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema() \
                   AND tablename IN ('_sqlx_migrations', 'games', 'events', 'people', 'server')",
    };
    let tables: i64 = query(sql).fetch_one(&mut *connection).await?;
    if tables != 5 {
        return Err(foreign("it lacks the tables of this program"));
    }
    let versions = check_migrations(connection).await?;
    let is_unnamed = id.is_some_and(|id| id as u32 != APPLICATION_ID);
    if versions.contains(&NAMED_SINCE) && is_unnamed {
        return Err(foreign("it does not name this program"));
    }
    // A server stores its first heartbeat before the first game.
    let sql = "SELECT EXISTS (SELECT 1 FROM games) AND NOT EXISTS (SELECT 1 FROM server)";
    if query(sql).fetch_one(&mut *connection).await? {
        return Err(foreign("it has games but no server"));
    }
    Ok(())
}

/// Returns whether a copy of another database into this one is unfinished.
pub(super) async fn is_unfinished(
    connection: &mut DatabaseConnection,
) -> Result<bool, StorageError> {
    let sql = PerDatabase {
        sqlite: "SELECT COUNT(*) FROM sqlite_master WHERE name = 'unfinished_transfer'",
        postgres: "SELECT COUNT(*) FROM pg_tables \
                   WHERE schemaname = current_schema() AND tablename = 'unfinished_transfer'",
    };
    let tables: i64 = query(sql).fetch_one(connection).await?;
    Ok(tables > 0)
}

/// Checks that the database is not the unfinished copy of another one.
pub(super) async fn check_complete(
    connection: &mut DatabaseConnection,
) -> Result<(), StorageError> {
    if is_unfinished(connection).await? { Err(StorageError::Unfinished) } else { Ok(()) }
}

/// Checks the migrations that were applied, and returns their versions.
async fn check_migrations(connection: &mut DatabaseConnection) -> Result<Vec<i64>, StorageError> {
    let sql = "SELECT version, success, checksum FROM _sqlx_migrations ORDER BY version";
    let applied: Vec<(i64, bool, Vec<u8>)> = query(sql).fetch_all(connection).await?;
    let migrator = migrations::migrator(connection.kind());
    let mut versions = Vec::new();
    for (version, success, checksum) in applied {
        let known = migrator.iter().find(|known| known.version == version);
        match known {
            Some(known) if success && *known.checksum == *checksum => versions.push(version),
            Some(_) => return Err(foreign("its tables are not those of this program")),
            // A node of the version before may start while others are updated.
            None if migrator.ignore_missing => {}
            None => return Err(foreign("it was written by a later version of this program")),
        }
    }
    match versions.first() {
        Some(1) => Ok(versions),
        _ => Err(foreign("it lacks the tables of this program")),
    }
}

/// Checks the application's number. Databases of earlier versions and of many programs have 0.
fn check_application(id: u32) -> Result<(), StorageError> {
    match id {
        0 | APPLICATION_ID => Ok(()),
        _ => Err(foreign("it belongs to another program")),
    }
}

fn foreign(why: &str) -> StorageError {
    StorageError::Foreign(why.to_owned())
}
