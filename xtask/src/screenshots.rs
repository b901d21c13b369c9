//! `cargo xtask screenshots`: takes the pictures in `docs/screenshots` anew.

use crate::app;
use crate::browser;
use crate::step::{Failure, cargo, step, workspace};

/// Builds the app and takes its pictures.
pub(crate) fn screenshots() -> Result<(), Failure> {
    let app = app::build()?;
    browser::install()?;
    let mut take = cargo(["run", "--package", "khet-browser-tests", "--bin", "screenshots", "--"]);
    take.arg(workspace().join("docs/screenshots")).env(app::VARIABLE, app.folder());
    step("screenshots", take)
}
