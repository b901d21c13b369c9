//! Files that only the user of the server can read: the database, its WAL file, backups.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use super::backup::with_suffix;

/// Returns options that give a new file to its owner alone.
pub(super) fn options() -> OpenOptions {
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Creates a file. Fails if it exists.
pub(super) fn create(file: &Path) -> io::Result<File> {
    options().write(true).create_new(true).open(file)
}

/// Creates a database file if it is missing, and takes the permissions of others away if it exists.
/// SQLite gives the WAL file and its index the permissions of the database.
pub(super) fn prepare_database(file: &Path) -> io::Result<()> {
    match create(file) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        created => return created.map(drop),
    }
    #[cfg(unix)]
    for suffix in ["", "-wal", "-shm"] {
        restrict(&with_suffix(file, suffix));
    }
    #[cfg(not(unix))]
    let _ = with_suffix;
    Ok(())
}

/// Takes the permissions of group and others away.
#[cfg(unix)]
fn restrict(file: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let Ok(metadata) = file.metadata() else { return };
    let mode = metadata.permissions().mode();
    if mode & 0o077 == 0 {
        return;
    }
    let private = std::fs::Permissions::from_mode(mode & 0o700);
    if let Err(error) = std::fs::set_permissions(file, private) {
        tracing::warn!(file = %file.display(), %error, "other users can read the database");
    }
}
