//! Chromium and ChromeDriver, installed from Debian's packages if this process is root.

use crate::apt;
use crate::step::TaskError;

const PACKAGES: [&str; 2] = ["chromium", "chromium-driver"];
const PROGRAMS: [&str; 2] = ["chromium", "chromedriver"];

/// Installs the browser unless it is installed.
pub(crate) fn install() -> Result<(), TaskError> {
    if PROGRAMS.into_iter().all(apt::starts) {
        return Ok(());
    }
    let advice = format!(
        "Tests in a real browser need Chromium and ChromeDriver. On Debian and Ubuntu: sudo apt-get \
         install {}. Elsewhere install both, of the same version, as `{}` and `{}` in the path. Then \
         run this task again.",
        PACKAGES.join(" "),
        PROGRAMS[0],
        PROGRAMS[1],
    );
    apt::install(&PACKAGES, &advice)
}
