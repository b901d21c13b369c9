//! The `--database` option of the commands that work on the server's database.

use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct DatabaseArgs {
    /// Database file of the server
    #[arg(long, env = "KHET_DATABASE", default_value = "khet.sqlite", value_name = "FILE")]
    pub(crate) database: PathBuf,
}
