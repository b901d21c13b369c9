//! `khet restore`: replaces the server's database with a backup.

use std::path::PathBuf;

use crate::database::DatabaseArgs;
use crate::output::{Output, Problem};

/// Restore the server's database from a backup; stop the server first
///
/// Example: khet restore khet-monday.sqlite
///
/// The backup is checked first. The previous database is kept under another name.
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
    let old = khet_server::maintenance::restore(copy, database)
        .map_err(|error| Problem::Input(format!("{}: {error}", database.display())))?;
    output.line(format_args!("restored {} from {}", database.display(), copy.display()))?;
    if let Some(old) = old {
        output.line(format_args!("the previous database is now {}", old.display()))?;
    }
    Ok(())
}
