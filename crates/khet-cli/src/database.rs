//! The `--database` option of the commands that work on the server's database.

use khet_server::{DatabaseLocation, LocationParser};

use crate::output::Problem;

#[derive(clap::Args)]
pub(crate) struct DatabaseArgs {
    /// Database of the server: a file, or postgres://USER@HOST/NAME
    #[arg(
        long,
        env = "KHET_DATABASE",
        hide_env_values = true,
        default_value = "khet.sqlite",
        value_name = "FILE|URL",
        value_parser = LocationParser
    )]
    pub(crate) database: DatabaseLocation,
}

impl DatabaseArgs {
    /// Returns the database. If it is a file, it must exist.
    pub(crate) fn existing(&self) -> Result<&DatabaseLocation, Problem> {
        if self.database.file().is_none_or(|file| file.exists()) {
            return Ok(&self.database);
        }
        let message = "no such database; name it with --database";
        Err(Problem::Input(format!("{}: {message}", self.database)))
    }
}
