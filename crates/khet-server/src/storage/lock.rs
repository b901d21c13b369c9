//! The lock that keeps two processes from using one database: two servers would both run its games.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::{StorageError, backup, private_file};

/// Largest number of symbolic links that are followed, as in Linux.
const MAX_LINKS: usize = 40;

/// Exclusive use of a database until it is dropped or the process ends, even by a crash. The lock
/// is on a separate file, so that it does not interfere with SQLite's own locks.
#[derive(Debug)]
pub(crate) struct DatabaseLock(#[allow(dead_code)] File);

impl DatabaseLock {
    /// Locks a database.
    pub(crate) fn acquire(database: &Path) -> Result<DatabaseLock, StorageError> {
        check_hard_links(database)?;
        let mut create = private_file::options();
        create.create(true).write(true).truncate(false);
        DatabaseLock::open(database, &create).map_err(failed)?
    }

    /// Locks a database if it has a lock file. Creates none.
    pub(crate) fn acquire_existing(database: &Path) -> Result<Option<DatabaseLock>, StorageError> {
        match DatabaseLock::open(database, File::options().write(true)) {
            Ok(lock) => lock.map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    /// Opens the lock file, which is the outer result, and locks it.
    fn open(
        database: &Path,
        options: &OpenOptions,
    ) -> io::Result<Result<DatabaseLock, StorageError>> {
        let file = options.open(lock_file(database))?;
        Ok(match file.try_lock() {
            Ok(()) => Ok(DatabaseLock(file)),
            Err(TryLockError::WouldBlock) => Err(StorageError::InUse),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        })
    }
}

fn failed(error: io::Error) -> StorageError {
    StorageError::Database(error.to_string())
}

/// Returns the name of the lock file. It is next to the target of a symbolic link, so that a
/// database and links to it have one lock, even before the database is created.
fn lock_file(database: &Path) -> PathBuf {
    backup::with_suffix(&resolve(database), ".lock")
}

/// Follows symbolic links to a file that may not exist yet.
fn resolve(file: &Path) -> PathBuf {
    let mut file = file.to_owned();
    // Links may form a circle, with which nothing can be opened.
    for _ in 0..MAX_LINKS {
        if let Ok(target) = file.canonicalize() {
            return target;
        }
        let Ok(target) = file.read_link() else { break };
        // A relative target starts from the link's folder; `join` replaces it by an absolute one.
        file = file.parent().unwrap_or(Path::new("")).join(target);
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    match (folder.unwrap_or(Path::new(".")).canonicalize(), file.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => file,
    }
}

/// Returns an error if a database has a second name in the file system. The names would have
/// different locks and different WAL files, which would destroy the database.
#[cfg(unix)]
fn check_hard_links(database: &Path) -> Result<(), StorageError> {
    use std::os::unix::fs::MetadataExt;
    match database.metadata() {
        Ok(metadata) if metadata.nlink() > 1 => Err(StorageError::Database(
            "the file has other names (hard links); remove them first".to_owned(),
        )),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn check_hard_links(_: &Path) -> Result<(), StorageError> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::DatabaseLock;

    #[test]
    fn all_names_of_a_database_have_one_lock() {
        let folder = tempfile::TempDir::new().unwrap();
        let [database, link, chain, linked_folder, hard] =
            ["khet.sqlite", "link.sqlite", "chain.sqlite", "folder", "hard.sqlite"]
                .map(|name| folder.path().join(name));
        // Relative and absolute links, before the database exists.
        symlink("khet.sqlite", &link).unwrap();
        symlink(&link, &chain).unwrap();
        symlink(folder.path(), &linked_folder).unwrap();
        let names = [&database, &link, &chain, &linked_folder.join("link.sqlite")];
        let is_free = || names.map(|name| DatabaseLock::acquire(name).is_ok());
        assert_eq!(is_free(), [true; 4]);
        for name in names {
            let _lock = DatabaseLock::acquire(name).unwrap();
            assert_eq!(is_free(), [false; 4]);
        }
        std::fs::write(&database, "").unwrap();
        for name in names {
            let _lock = DatabaseLock::acquire(name).unwrap();
            assert_eq!(is_free(), [false; 4]);
        }
        std::fs::hard_link(&database, &hard).unwrap();
        assert!(DatabaseLock::acquire(&hard).is_err());
    }
}
