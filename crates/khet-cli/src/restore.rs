//! `khet restore`: replaces the server's database with a backup.

use std::path::PathBuf;

use khet_server::StorageError;

use crate::database::DatabaseArgs;
use crate::output::{Output, Problem};

/// Restore the server's database file from a backup; stop the server first
///
/// Example: khet restore khet-monday.sqlite
///
/// The backup is copied and checked first, and is not changed. The previous database is kept under
/// another name; if anything fails, it stays in place. A database on a PostgreSQL server is restored
/// by pg_restore.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// File written by khet backup
    copy: PathBuf,
    #[command(flatten)]
    database: DatabaseArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let Args { copy, database: DatabaseArgs { database } } = args;
    if !copy.exists() {
        return Err(Problem::Input(format!("{}: no such file", copy.display())));
    }
    let old = khet_server::maintenance::restore(copy, database).map_err(|error| match error {
        StorageError::Foreign(_) | StorageError::Corrupt(_) => {
            Problem::Input(format!("{}: {error}", copy.display()))
        }
        _ => Problem::Input(format!("{database}: {error}")),
    })?;
    output.line(format_args!("restored {database} from {}", copy.display()))?;
    if let Some(old) = old {
        output.line(format_args!("the previous database is now {}", old.display()))?;
    }
    Ok(())
}
