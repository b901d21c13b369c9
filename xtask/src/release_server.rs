//! The release server, started for a measurement.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::step::{TaskError, target};

/// A server process, which is killed when this is dropped.
pub(crate) struct ReleaseServer {
    process: Child,
    pub(crate) address: String,
}

impl ReleaseServer {
    pub(crate) fn start(folder: &Path) -> Result<ReleaseServer, TaskError> {
        let failed = |error| TaskError(format!("khet serve: {error}"));
        let many = "100000000";
        let mut process = Command::new(binary("khet"))
            .args(["serve", "--address", "127.0.0.1:0", "--log", "warn"])
            .args(["--connections", "100000", "--connections-per-address", "100000"])
            .args(["--requests-per-minute", many, "--requests-per-minute-and-person", many])
            .args(["--sign-ups-per-hour", many, "--sign-ins-per-hour", many])
            .args(["--guests-per-hour", many, "--challenges-per-minute", many])
            .args(["--messages-per-second", many, "--subscriptions-per-minute", many])
            .args(["--games-per-minute", many, "--searches-per-minute", many])
            .arg("--database")
            .arg(folder.join("khet.sqlite"))
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let output =
            process.stdout.take().ok_or(TaskError("khet serve has no output".to_owned()))?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).map_err(failed)?;
        let address = line.split("http://").nth(1).and_then(|rest| rest.split(' ').next());
        let address = address.unwrap_or_default().to_owned();
        let server = ReleaseServer { process, address };
        if server.address.is_empty() {
            return Err(TaskError(format!("khet serve printed no address: {line:?}")));
        }
        Ok(server)
    }

    /// Returns a value of the process's memory in `/proc`, in megabytes.
    pub(crate) fn memory(&self, name: &str) -> Result<f64, TaskError> {
        let path = format!("/proc/{}/status", self.process.id());
        let status =
            fs::read_to_string(&path).map_err(|error| TaskError(format!("{path}: {error}")))?;
        let kilobytes = status
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .and_then(|rest| rest.trim().trim_end_matches("kB").trim().parse::<f64>().ok());
        kilobytes
            .map(|kilobytes| kilobytes / 1024.0)
            .ok_or(TaskError(format!("{path} has no {name}")))
    }

    /// Returns the process's id.
    pub(crate) fn process(&self) -> u32 {
        self.process.id()
    }

    /// Stops the server with SIGTERM, and waits for it.
    pub(crate) fn stop(&mut self) -> Result<(), TaskError> {
        let stopped = Command::new("kill").arg(self.process.id().to_string()).status();
        stopped.map_err(|error| TaskError(format!("kill: {error}")))?;
        let status =
            self.process.wait().map_err(|error| TaskError(format!("khet serve: {error}")))?;
        if status.success() { Ok(()) } else { Err(TaskError(format!("khet serve: {status}"))) }
    }
}

impl Drop for ReleaseServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the path of a release binary.
pub(crate) fn binary(name: &str) -> PathBuf {
    target().join("release").join(name)
}
