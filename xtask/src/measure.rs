//! `cargo xtask measure`: sizes, loading times, frames and the engine's speed, from a real
//! Chromium.

use crate::app;
use crate::browser;
use crate::step::{TaskError, cargo, step};

/// Builds the app and measures it.
pub(crate) fn measure() -> Result<(), TaskError> {
    let app = app::build()?;
    browser::install()?;
    let mut measure = cargo(["run", "--release", "--package", "khet-browser-tests"]);
    measure.args(["--bin", "measure"]).env(app::VARIABLE, app.folder());
    step("measure", measure)
}
