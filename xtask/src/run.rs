//! `cargo xtask run`: builds the app and the binary that holds it, and starts it.

use crate::app;
use crate::step::{Failure, cargo, step, target};

/// The variable that tells the server where to keep everything.
const DATABASE: &str = "KHET_DATABASE";

/// Builds and serves; arguments go to `khet serve`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Failure> {
    let app = app::build()?;
    let mut serve = cargo(["run", "--release", "--package", "khet-cli", "--", "serve"]);
    serve.args(arguments).env(app::VARIABLE, app.folder());
    // Unless something else is said, games are kept with what is built, not in the sources.
    if std::env::var_os(DATABASE).is_none() {
        serve.env(DATABASE, target().join("khet.sqlite"));
    }
    step("khet serve", serve)
}
