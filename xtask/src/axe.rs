//! axe-core, the accessibility audit that the tests in the browser run, fetched with npm.

use std::path::PathBuf;
use std::process::Command;

use crate::step::{TaskError, step, target};

/// The environment variable that passes its path to the tests.
pub(crate) const VARIABLE: &str = "KHET_AXE";

/// Pinned, because a new version may have new rules.
const VERSION: &str = "4.14.0";

/// Fetches it into the target folder unless it is there, and returns its path.
pub(crate) fn fetch() -> Result<PathBuf, TaskError> {
    let folder = target().join("axe-core").join(VERSION);
    let script = folder.join("node_modules/axe-core/axe.min.js");
    if script.is_file() {
        return Ok(script);
    }
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix"]);
    npm.arg(&folder).arg(format!("axe-core@{VERSION}"));
    step("axe-core", npm).map_err(|failure| {
        TaskError(format!(
            "{failure}\nThe accessibility audit needs axe-core, which npm fetches. On Debian and Ubuntu: \
             sudo apt-get install npm. Without npm put axe.min.js of axe-core {VERSION} at {}. Then run \
             this task again.",
            script.display()
        ))
    })?;
    Ok(script)
}
