//! `cargo xtask screenshots`: updates the pictures in `docs/screenshots`.

use crate::app;
use crate::browser;
use crate::step::{TaskError, cargo, step, workspace};

/// Builds the app and takes its screenshots.
pub(crate) fn screenshots() -> Result<(), TaskError> {
    let app = app::build()?;
    browser::install()?;
    let mut take = cargo(["run", "--package", "khet-browser-tests", "--bin", "screenshots", "--"]);
    take.arg(workspace().join("docs/screenshots")).env(app::VARIABLE, app.folder());
    step("screenshots", take)
}
