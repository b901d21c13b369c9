//! `cargo xtask run`: builds the app and the binary that embeds it, and starts the server.

use crate::app;
use crate::step::{TaskError, cargo, step, target};

/// The environment variable with the path of the server's database.
const DATABASE: &str = "KHET_DATABASE";

/// Builds and serves; arguments are passed to `khet serve`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), TaskError> {
    let app = app::build()?;
    let mut serve = cargo(["run", "--release", "--package", "khet-cli", "--", "serve"]);
    serve.args(arguments).env(app::VARIABLE, app.folder());
    // The default database is in the target folder, not among the sources.
    if std::env::var_os(DATABASE).is_none() {
        serve.env(DATABASE, target().join("khet.sqlite"));
    }
    step("khet serve", serve)
}
