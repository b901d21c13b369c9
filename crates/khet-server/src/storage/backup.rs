//! Copies of the database, taken while the server runs, and put back while it does not.

use std::io;
use std::path::{Path, PathBuf};

use sqlx::{ConnectOptions, Row};

use super::{StorageError, close, migrations, options};

/// Copies a database as it is at one moment into a new file. The server may go on meanwhile.
pub(crate) async fn backup(database: &Path, copy: &Path) -> Result<(), StorageError> {
    if copy.exists() {
        return Err(StorageError::Database(format!("{} exists already", copy.display())));
    }
    let Some(name) = copy.to_str() else {
        return Err(StorageError::Database("the copy's name is not text".to_owned()));
    };
    let mut connection = options(database).connect().await?;
    // One read transaction: consistent, whatever is written meanwhile.
    let copied = sqlx::query("VACUUM INTO $1").bind(name).execute(&mut connection).await;
    close(connection).await;
    copied?;
    check(copy).await
}

/// Puts a copy in the place of a database. What was there is kept beside it, under a name that is returned.
pub(crate) async fn restore(copy: &Path, database: &Path) -> Result<Option<PathBuf>, StorageError> {
    check(copy).await?;
    let io = |error: io::Error| StorageError::Database(error.to_string());
    let aside = if database.exists() {
        // Opening it alone moves everything from the log into the file, and fails while a server has it.
        let mut connection = options(database)
            .locking_mode(sqlx::sqlite::SqliteLockingMode::Exclusive)
            .busy_timeout(std::time::Duration::from_millis(500))
            .connect()
            .await?;
        let alone = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut connection).await;
        let busy = match &alone {
            Ok(row) => row.try_get::<i64, _>(0).unwrap_or(1) != 0,
            Err(_) => true,
        };
        close(connection).await;
        if busy {
            return Err(StorageError::Database(format!(
                "{} is in use; stop the server first",
                database.display()
            )));
        }
        let aside = free_name(database);
        std::fs::rename(database, &aside).map_err(io)?;
        Some(aside)
    } else {
        None
    };
    std::fs::copy(copy, database).map_err(io)?;
    std::fs::File::open(database).and_then(|file| file.sync_all()).map_err(io)?;
    Ok(aside)
}

/// Whether a file is a sound database of this program.
async fn check(file: &Path) -> Result<(), StorageError> {
    let mut connection = options(file).connect().await?;
    let checked = async {
        let row = sqlx::query("PRAGMA integrity_check").fetch_one(&mut connection).await?;
        let found: String = row.try_get(0)?;
        if found != "ok" {
            return Err(StorageError::Corrupt(found));
        }
        migrations::migrator().run(&mut connection).await?;
        Ok(())
    }
    .await;
    close(connection).await;
    checked
}

/// A name beside a file that nothing has yet.
fn free_name(file: &Path) -> PathBuf {
    let name = |number: u32| {
        let mut name = file.as_os_str().to_owned();
        name.push(format!(".before-restore-{number}"));
        PathBuf::from(name)
    };
    (1..).map(name).find(|name| !name.exists()).unwrap_or_else(|| name(0))
}
