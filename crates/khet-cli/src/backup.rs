//! `khet backup`: copies the server's database while the server runs.

use std::path::PathBuf;

use khet_server::StorageError;

use crate::database::DatabaseArgs;
use crate::output::{Output, Problem};

/// Back up the server's database file, even while the server runs
///
/// Example: khet backup khet-monday.sqlite
///
/// The copy is a consistent snapshot, which is checked before it gets its name: a file of that name
/// is complete. Restore it with khet restore; check all its games with khet verify. A database on a
/// PostgreSQL server is backed up by pg_dump or pg_basebackup.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// File to write; it must not exist yet
    copy: PathBuf,
    #[command(flatten)]
    database: DatabaseArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let (copy, database) = (&args.copy, args.database.existing()?);
    khet_server::maintenance::backup(database, copy).map_err(|error| match error {
        StorageError::Unsupported(_) => Problem::Input(format!("{database}: {error}")),
        _ => Problem::Input(format!("{}: {error}", copy.display())),
    })?;
    output.line(format_args!("backed up {database} to {}", copy.display()))
}
