//! Backup of the database while the server runs, and restoring it while it does not.

use std::io;
use std::path::{Path, PathBuf};

use sqlx::{ConnectOptions, Row};

use super::{Lock, StorageError, close, migrations, options};

/// Copies a consistent state of a database into a new file. The server may run meanwhile.
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

/// Replaces a database by a copy. The old database is kept under another name, which is returned.
pub(crate) async fn restore(copy: &Path, database: &Path) -> Result<Option<PathBuf>, StorageError> {
    // Locks come first: the check migrates the copy, which must not be a database in use.
    let _lock = Lock::take(database)?;
    let _copy_lock = Lock::take_existing(copy)?;
    check(copy).await?;
    let io = |error: io::Error| StorageError::Database(error.to_string());
    let mut aside = None;
    if database.exists() {
        let name = free_name(database);
        // The write-ahead log and its index belong to the old database.
        for part in ["-wal", "-shm"] {
            let log = with_ending(database, part);
            if log.exists() {
                std::fs::rename(&log, with_ending(&name, part)).map_err(io)?;
            }
        }
        std::fs::rename(database, &name).map_err(io)?;
        aside = Some(name);
    }
    std::fs::copy(copy, database).map_err(io)?;
    std::fs::File::open(database).and_then(|file| file.sync_all()).map_err(io)?;
    Ok(aside)
}

/// Checks that a file is an intact database of this program, and migrates it.
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

/// Returns an unused file name beside a file.
fn free_name(file: &Path) -> PathBuf {
    let name = |number: u32| with_ending(file, &format!(".before-restore-{number}"));
    (1..).map(name).find(|name| !name.exists()).unwrap_or_else(|| name(0))
}

pub(super) fn with_ending(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
