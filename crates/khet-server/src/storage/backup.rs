//! Backup while the server runs, restore while it does not.
//!
//! Both write under a temporary name beside the target, check the result, and rename it. So a file
//! under its final name is complete, whatever kills the process or fills the disk.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;

use super::sql::{DatabaseConnection, query};
use super::{BUSY_TIMEOUT, DatabaseLock, StorageError, identity, options, private_file};
use crate::random;

/// The part of a temporary name before its random number.
pub(crate) const PARTIAL_SUFFIX: &str = ".partial-";

/// Returns the error of backups of a PostgreSQL database, which has tools of its own.
pub(crate) fn backup_elsewhere() -> StorageError {
    StorageError::Unsupported(
        "which khet does not back up: use pg_dump and pg_restore, or pg_basebackup with WAL archiving",
    )
}

/// Suffixes of the files that SQLite keeps beside a database.
const LOG_SUFFIXES: [&str; 2] = ["-wal", "-shm"];

/// Copies a database into a new file. The server may write to it at the same time.
pub(crate) async fn backup(database: &Path, copy: &Path) -> Result<(), StorageError> {
    if copy.exists() {
        return Err(exists(copy));
    }
    let partial = PartialFile::create(copy)?;
    let Some(name) = partial.0.to_str() else {
        return Err(StorageError::Database("the copy's file name is not UTF-8".to_owned()));
    };
    let mut connection = DatabaseConnection::from(unchanged(database).connect().await?);
    let copied = async {
        identity::check_ours(&mut connection).await?;
        // One read transaction, so the copy is consistent.
        query("VACUUM INTO $1").bind(name).execute(&mut connection).await?;
        Ok(())
    };
    let copied = copied.await;
    connection.close().await;
    copied.map_err(incomplete)?;
    let mut connection =
        DatabaseConnection::from(unchanged(&partial.0).read_only(true).connect().await?);
    let checked = check(&mut connection).await;
    connection.close().await;
    checked?;
    partial.publish(copy).map_err(failed)
}

/// Replaces a database by a copy. The old one is renamed, and its new name is returned.
///
/// The copy is not changed. The database is not touched before a checked second copy is on disk.
pub(crate) async fn restore(copy: &Path, database: &Path) -> Result<Option<PathBuf>, StorageError> {
    identity::check_header(copy)?;
    // A link to the database stays, and its target is replaced.
    let target = database.canonicalize().unwrap_or_else(|_| database.to_owned());
    let _lock = DatabaseLock::acquire(&target)?;
    let _copy_lock = DatabaseLock::acquire_existing(copy)?;
    if is_same_file(copy, &target) {
        return Err(StorageError::Database("the backup is the database itself".to_owned()));
    }
    let partial = PartialFile::create(&target)?;
    partial.fill(copy).map_err(|error| incomplete(failed(error)))?;
    let mut connection = DatabaseConnection::from(unchanged(&partial.0).connect().await?);
    let checked = async {
        check(&mut connection).await?;
        // What is left of the WAL file belongs into the copy, because only that one is renamed.
        query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await?;
        Ok(())
    };
    let checked: Result<(), StorageError> = checked.await;
    connection.close().await;
    checked?;
    partial.sync().map_err(|error| incomplete(failed(error)))?;
    let old = target.exists().then(|| unused_name(&target));
    if let Some(old) = &old {
        keep_old(&target, old).await.map_err(failed)?;
    }
    partial.rename(&target).map_err(failed)?;
    Ok(old)
}

/// Checks that an open database is intact and was written by this program.
pub(super) async fn check(connection: &mut DatabaseConnection) -> Result<(), StorageError> {
    let checked = async {
        let sql = "PRAGMA integrity_check(1)";
        let result: String = query(sql).fetch_one(&mut *connection).await?;
        if result != "ok" {
            return Err(StorageError::Corrupt(result));
        }
        identity::check_ours(connection).await
    };
    // The file was just written, so an error of SQLite is one of its content.
    checked.await.map_err(|error| match error {
        StorageError::Database(error) => StorageError::Corrupt(error),
        error => error,
    })
}

/// Returns options that open a file as it is: no journal mode is set, which would change the file.
pub(super) fn unchanged(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(file)
        .busy_timeout(BUSY_TIMEOUT)
        .disable_statement_logging()
}

/// Gives the database a second name. The first one stays until the new database takes it, so that
/// at no time a server would find none and create an empty one.
async fn keep_old(database: &Path, old: &Path) -> io::Result<()> {
    let has_log = || LOG_SUFFIXES.iter().any(|suffix| with_suffix(database, suffix).exists());
    if has_log() {
        // After a crash. Opening and closing writes the log into the database, unless it is damaged.
        if let Ok(connection) = options(database).connect().await {
            DatabaseConnection::from(connection).close().await;
        }
    }
    if fs::hard_link(database, old).is_err() {
        // This file system has no hard links.
        fs::rename(database, old)?;
    }
    // An old WAL file and its index would corrupt the new database.
    for suffix in LOG_SUFFIXES {
        let log = with_suffix(database, suffix);
        if log.exists() {
            fs::rename(log, with_suffix(old, suffix))?;
        }
    }
    Ok(())
}

/// A file under a temporary name, which is deleted unless it is renamed.
struct PartialFile(PathBuf);

impl PartialFile {
    /// Creates an empty file beside its target.
    fn create(target: &Path) -> Result<PartialFile, StorageError> {
        let number = u64::from_be_bytes(random::bytes());
        let name = with_suffix(target, &format!("{PARTIAL_SUFFIX}{number:016x}"));
        private_file::create(&name).map_err(|error| {
            StorageError::Database(format!("can't create a file beside it: {error}"))
        })?;
        Ok(PartialFile(name))
    }

    /// Copies a database and its WAL file.
    fn fill(&self, source: &Path) -> io::Result<()> {
        io::copy(&mut File::open(source)?, &mut File::options().write(true).open(&self.0)?)?;
        let log = with_suffix(source, "-wal");
        if log.exists() {
            let copy = &mut private_file::create(&with_suffix(&self.0, "-wal"))?;
            io::copy(&mut File::open(log)?, copy)?;
        }
        Ok(())
    }

    /// Waits until the content is on disk.
    fn sync(&self) -> io::Result<()> {
        File::options().read(true).write(true).open(&self.0)?.sync_all()
    }

    /// Gives the file its name, which no other file may have.
    fn publish(self, target: &Path) -> io::Result<()> {
        self.sync()?;
        match fs::hard_link(&self.0, target) {
            Ok(()) => sync_folder(target),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // This file system has no hard links.
            Err(_) => self.rename(target),
        }
    }

    /// Gives the file a name and replaces the file that has it.
    fn rename(self, target: &Path) -> io::Result<()> {
        fs::rename(&self.0, target)?;
        sync_folder(target)
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        for suffix in ["", "-journal"].into_iter().chain(LOG_SUFFIXES) {
            // After the rename there is nothing to delete.
            let _ = fs::remove_file(with_suffix(&self.0, suffix));
        }
    }
}

/// Waits until the names in the folder of a file are on disk.
fn sync_folder(file: &Path) -> io::Result<()> {
    // Other systems can't open folders.
    #[cfg(unix)]
    {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Returns whether two names belong to one file.
fn is_same_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let id = |file: &Path| file.metadata().map(|file| (file.dev(), file.ino())).ok();
        id(one).is_some() && id(one) == id(other)
    }
    #[cfg(not(unix))]
    {
        let name = |file: &Path| file.canonicalize().ok();
        name(one).is_some() && name(one) == name(other)
    }
}

fn failed(error: io::Error) -> StorageError {
    StorageError::Database(error.to_string())
}

fn exists(file: &Path) -> StorageError {
    StorageError::Database(format!("{} exists already", file.display()))
}

/// Says that a copy could not be written, which is most often a full disk.
fn incomplete(error: StorageError) -> StorageError {
    match error {
        StorageError::Database(error) | StorageError::Unwritable(error) => StorageError::Database(
            format!("{error}; the copy could not be written and was deleted: is the disk full?"),
        ),
        error => error,
    }
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
