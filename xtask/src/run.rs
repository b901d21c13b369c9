//! `cargo xtask run`: builds the app and the binary that holds it, and starts it.

use crate::app;
use crate::step::{Failure, cargo, step};

/// Builds and serves; arguments go to `khet serve`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Failure> {
    let app = app::build()?;
    let mut serve = cargo(["run", "--release", "--package", "khet-cli", "--", "serve"]);
    serve.args(arguments).env(app::VARIABLE, app.folder());
    step("khet serve", serve)
}
