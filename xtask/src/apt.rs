//! Installs programs from Debian's packages, if this process is root.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::step::{TaskError, step};

/// A script that Debian's packages ask whether a service may be started; 101 forbids it.
const POLICY: &str = "/usr/sbin/policy-rc.d";
const FORBID_SERVICES: &str = "#!/bin/sh\nexit 101\n";

/// Installs packages. On a system where that is not possible, fails with the advice.
pub(crate) fn install(packages: &[&str], advice: &str) -> Result<(), TaskError> {
    if !is_root() || !starts("apt-get") {
        return Err(TaskError(advice.to_owned()));
    }
    let update = apt_get(["update", "--quiet"]);
    // A failure is ignored, because the old package lists may be good enough.
    let _ = step("apt-get update", update);
    let mut install = apt_get(["install", "--yes", "--no-install-recommends"]);
    install.args(packages);
    step("apt-get install", install).map_err(|failure| TaskError(format!("{failure}\n{advice}")))
}

/// Installs packages with services, none of which runs because of that, neither now nor after the
/// next start of the system.
pub(crate) fn install_without_services(
    packages: &[&str],
    services: &[&str],
    advice: &str,
) -> Result<(), TaskError> {
    if !is_root() {
        return Err(TaskError(advice.to_owned()));
    }
    let policy =
        ServicePolicy::forbid().map_err(|error| TaskError(format!("{POLICY}: {error}")))?;
    let installed = install(packages, advice);
    drop(policy);
    if installed.is_ok() && starts("systemctl") {
        let mut disable = Command::new("systemctl");
        disable.arg("disable").args(services);
        step("systemctl disable", disable)?;
    }
    installed
}

/// Returns whether a program can be started.
pub(crate) fn starts(program: &str) -> bool {
    let mut version = Command::new(program);
    version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

/// Creates a call of apt-get that is not interactive and waits for the lock.
fn apt_get<const N: usize>(args: [&str; N]) -> Command {
    let mut apt_get = Command::new("apt-get");
    apt_get.args(["-o", "DPkg::Lock::Timeout=300"]).args(args);
    apt_get.env("DEBIAN_FRONTEND", "noninteractive");
    apt_get
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// A policy that forbids packages to start services. It is removed when this is dropped, unless the
/// system had one of its own.
struct ServicePolicy {
    created: Option<PathBuf>,
}

impl ServicePolicy {
    fn forbid() -> io::Result<ServicePolicy> {
        if Path::new(POLICY).exists() {
            return Ok(ServicePolicy { created: None });
        }
        fs::write(POLICY, FORBID_SERVICES)?;
        let policy = ServicePolicy { created: Some(PathBuf::from(POLICY)) };
        #[cfg(unix)]
        fs::set_permissions(POLICY, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        Ok(policy)
    }
}

impl Drop for ServicePolicy {
    fn drop(&mut self) {
        if let Some(path) = &self.created {
            let _ = fs::remove_file(path);
        }
    }
}
