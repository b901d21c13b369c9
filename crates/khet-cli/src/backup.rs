//! `khet backup`: copies the server's database while the server runs.

use std::path::PathBuf;

use crate::database::DatabaseArgs;
use crate::output::{Output, Problem};

/// Back up the server's database, even while the server runs
///
/// Example: khet backup khet-monday.sqlite
///
/// The copy is a consistent snapshot, which is checked before it gets its name: a file of that name
/// is complete. Restore it with khet restore; check all its games with khet verify.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// File to write; it must not exist yet
    copy: PathBuf,
    #[command(flatten)]
    database: DatabaseArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let (copy, database) = (&args.copy, args.database.existing()?);
    khet_server::maintenance::backup(database, copy)
        .map_err(|error| Problem::Input(format!("{}: {error}", copy.display())))?;
    output.line(format_args!("backed up {} to {}", database.display(), copy.display()))
}
