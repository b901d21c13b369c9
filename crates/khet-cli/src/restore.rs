//! `khet restore`: a copy takes the place of the database, while no server runs.

use std::path::PathBuf;

use crate::output::{Output, Problem};

/// Put a copy in the place of the database, while no server runs
///
/// Example: khet restore khet-monday.sqlite
///
/// The copy is checked first. What was there is kept beside it, under another name.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The copy, made by khet backup
    copy: PathBuf,
    /// The file in which the server keeps everything
    #[arg(long, env = "KHET_DATABASE", default_value = "khet.sqlite", value_name = "FILE")]
    database: PathBuf,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let Args { copy, database } = args;
    if !copy.exists() {
        return Err(Problem::Input(format!("{} does not exist", copy.display())));
    }
    let aside = khet_server::maintenance::restore(copy, database)
        .map_err(|error| Problem::Input(format!("{}: {error}", database.display())))?;
    output.line(format_args!("{} is back as {}", copy.display(), database.display()))?;
    if let Some(aside) = aside {
        output.line(format_args!("what was there is now {}", aside.display()))?;
    }
    Ok(())
}
