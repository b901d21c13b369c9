//! Backup while the server runs, restore while it does not.

use std::io;
use std::path::{Path, PathBuf};

use sqlx::ConnectOptions;

use super::{DatabaseLock, StorageError, close, migrations, options};

/// Copies a database into a new file. The server may write to it at the same time.
pub(crate) async fn backup(database: &Path, copy: &Path) -> Result<(), StorageError> {
    if copy.exists() {
        return Err(StorageError::Database(format!("{} exists already", copy.display())));
    }
    let Some(name) = copy.to_str() else {
        return Err(StorageError::Database("the copy's file name is not UTF-8".to_owned()));
    };
    let mut connection = options(database).connect().await?;
    // One read transaction, so the copy is consistent.
    let copied = sqlx::query("VACUUM INTO $1").bind(name).execute(&mut connection).await;
    close(connection).await;
    copied?;
    check(copy).await
}

/// Replaces a database by a copy. The old one is renamed, and its new name is returned.
pub(crate) async fn restore(copy: &Path, database: &Path) -> Result<Option<PathBuf>, StorageError> {
    // The locks come first: the check migrates the copy, which must not be a database in use.
    let _lock = DatabaseLock::acquire(database)?;
    let _copy_lock = DatabaseLock::acquire_existing(copy)?;
    check(copy).await?;
    let io = |error: io::Error| StorageError::Database(error.to_string());
    let mut old = None;
    if database.exists() {
        let name = unused_name(database);
        // The old WAL file and its index would corrupt the new database.
        for suffix in ["-wal", "-shm"] {
            let log = with_suffix(database, suffix);
            if log.exists() {
                std::fs::rename(&log, with_suffix(&name, suffix)).map_err(io)?;
            }
        }
        std::fs::rename(database, &name).map_err(io)?;
        old = Some(name);
    }
    std::fs::copy(copy, database).map_err(io)?;
    std::fs::File::open(database).and_then(|file| file.sync_all()).map_err(io)?;
    Ok(old)
}

/// Checks that a file is an intact database of this program, and migrates it.
async fn check(file: &Path) -> Result<(), StorageError> {
    let mut connection = options(file).connect().await?;
    let checked = async {
        let result: String =
            sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut connection).await?;
        if result != "ok" {
            return Err(StorageError::Corrupt(result));
        }
        migrations::migrator().run(&mut connection).await?;
        Ok(())
    }
    .await;
    close(connection).await;
    checked
}

/// Returns a name next to a file under which no file exists.
fn unused_name(file: &Path) -> PathBuf {
    let name = |number: u32| with_suffix(file, &format!(".before-restore-{number}"));
    (1..).map(name).find(|name| !name.exists()).unwrap_or_else(|| name(0))
}

/// Appends a suffix to the name of a file.
pub(super) fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
