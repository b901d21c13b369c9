//! `khet backup`: a copy of the database, while the server runs.

use std::path::PathBuf;

use crate::output::{Output, Problem};

/// Copy the database, while the server runs
///
/// Example: khet backup khet-monday.sqlite
///
/// The copy is consistent: everything up to one moment is in it, and nothing behind.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The copy, which must not exist yet
    copy: PathBuf,
    /// The file in which the server keeps everything
    #[arg(long, env = "KHET_DATABASE", default_value = "khet.sqlite", value_name = "FILE")]
    database: PathBuf,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let Args { copy, database } = args;
    if !database.exists() {
        return Err(Problem::Input(format!("{} does not exist", database.display())));
    }
    khet_server::maintenance::backup(database, copy)
        .map_err(|error| Problem::Input(format!("{}: {error}", copy.display())))?;
    output.line(format_args!("{} is a copy of {}", copy.display(), database.display()))
}
