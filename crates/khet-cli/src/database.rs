//! The `--database` option of the commands that work on the server's database.

use std::path::{Path, PathBuf};

use crate::output::Problem;

#[derive(clap::Args)]
pub(crate) struct DatabaseArgs {
    /// Database file of the server
    #[arg(long, env = "KHET_DATABASE", default_value = "khet.sqlite", value_name = "FILE")]
    pub(crate) database: PathBuf,
}

impl DatabaseArgs {
    /// Returns the database file, which must exist.
    pub(crate) fn existing(&self) -> Result<&Path, Problem> {
        if self.database.exists() {
            return Ok(&self.database);
        }
        let message = "no such database; name it with --database";
        Err(Problem::Input(format!("{}: {message}", self.database.display())))
    }
}
