//! Chromium and ChromeDriver, installed from Debian's packages if this process is root.

use std::process::{Command, Stdio};

use crate::step::{TaskError, step};

const PACKAGES: [&str; 2] = ["chromium", "chromium-driver"];
const PROGRAMS: [&str; 2] = ["chromium", "chromedriver"];

/// Installs the browser unless it is installed.
pub(crate) fn install() -> Result<(), TaskError> {
    if PROGRAMS.into_iter().all(starts) {
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
    if !is_root() || !starts("apt-get") {
        return Err(TaskError(advice));
    }
    let update = apt_get(["update", "--quiet"]);
    // A failure is ignored, because the old package lists may be good enough.
    let _ = step("apt-get update", update);
    let mut install = apt_get(["install", "--yes", "--no-install-recommends"]);
    install.args(PACKAGES);
    step("apt-get install", install).map_err(|failure| TaskError(format!("{failure}\n{advice}")))
}

/// Creates a call of apt-get that is not interactive and waits for the lock.
fn apt_get<const N: usize>(args: [&str; N]) -> Command {
    let mut apt_get = Command::new("apt-get");
    apt_get.args(["-o", "DPkg::Lock::Timeout=300"]).args(args);
    apt_get.env("DEBIAN_FRONTEND", "noninteractive");
    apt_get
}

/// Returns whether a program can be started.
fn starts(program: &str) -> bool {
    let mut version = Command::new(program);
    version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
