//! The server under test: a process that is killed, restarted, and cut off from its disk.

use std::fs::{File, OpenOptions};
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use khet_services::UNLIMITED;
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::outages::{Restart, now};
use crate::ProcessStats;

/// Longest time for a start.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// Longest time for a regular stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);
/// Number of starts after which the server counts as broken.
const MAX_ATTEMPTS: u32 = 5;

/// A running server.
#[derive(Debug)]
pub struct ServerProcess {
    binary: PathBuf,
    folder: PathBuf,
    address: SocketAddr,
    process: Child,
    /// The number of kills so far.
    pub kills: u32,
}

impl ServerProcess {
    /// Starts the server with a database in a folder.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub async fn start(binary: &Path, folder: &Path) -> io::Result<ServerProcess> {
        let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
        let (process, address) = spawn(binary, folder, any_port).await?;
        let (binary, folder) = (binary.to_owned(), folder.to_owned());
        Ok(ServerProcess { binary, folder, address, process, kills: 0 })
    }

    /// Returns the address, which stays the same after restarts.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Kills the process with SIGKILL and starts another one. If `again` is given, the first new
    /// process is killed after that time, perhaps before it listens.
    ///
    /// # Errors
    ///
    /// If the server does not start any more.
    pub async fn kill_and_restart(&mut self, again: Option<Duration>) -> io::Result<Restart> {
        let killed = now();
        self.kill().await?;
        let mut dead = now();
        let mut attempts = 1;
        if let Some(delay) = again {
            let (mut command, _) = command(&self.binary, &self.folder, self.address)?;
            let mut process = command.spawn()?;
            tokio::time::sleep(delay).await;
            // Its games may have got their credit already.
            process.kill().await?;
            self.kills += 1;
            attempts += 1;
            dead = now();
        }
        loop {
            match spawn(&self.binary, &self.folder, self.address).await {
                Ok((process, _)) => {
                    self.process = process;
                    return Ok(Restart { killed, dead, ready: now(), attempts });
                }
                Err(error) if attempts >= MAX_ATTEMPTS => return Err(error),
                Err(_) => attempts += 1,
            }
        }
    }

    async fn kill(&mut self) -> io::Result<()> {
        // Fails if the process has ended by itself, which is a fault.
        if let Some(status) = self.process.try_wait()? {
            return Err(io::Error::other(format!("the server ended by itself: {status}")));
        }
        self.process.kill().await?;
        self.kills += 1;
        Ok(())
    }

    /// Limits the size of the files that the process can write, as a full disk would. `None` lifts
    /// the limit.
    ///
    /// # Errors
    ///
    /// If the system refuses.
    pub fn limit_file_size(&self, limit: Option<u64>) -> io::Result<()> {
        let limit = Rlimit { current: limit, maximum: None };
        prlimit(self.pid(), Resource::Fsize, limit)?;
        Ok(())
    }

    /// Returns the process's peak of resident memory in megabytes.
    pub fn peak_memory(&self) -> Option<f64> {
        Some(ProcessStats(self.process.id()?).peak_memory().ok()? / 1e6)
    }

    fn pid(&self) -> Option<Pid> {
        self.process.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw)
    }

    /// Stops the server with SIGTERM.
    ///
    /// # Errors
    ///
    /// If it does not stop in time, or reports a failure.
    pub async fn stop(mut self) -> io::Result<()> {
        if let Some(pid) = self.pid() {
            kill_process(pid, Signal::TERM)?;
        }
        let status = tokio::time::timeout(STOP_TIMEOUT, self.process.wait()).await??;
        if status.success() { Ok(()) } else { Err(io::Error::other(format!("stopped: {status}"))) }
    }
}

/// Returns the path of the database.
pub fn database(folder: &Path) -> PathBuf {
    folder.join("khet.sqlite")
}

/// Returns the command that starts the server, and the log that it appends to.
fn command(binary: &Path, folder: &Path, address: SocketAddr) -> io::Result<(Command, PathBuf)> {
    let log = folder.join("server.log");
    let file: File = OpenOptions::new().create(true).append(true).open(&log)?;
    // A process that ignores SIGXFSZ gets an error for a write beyond the limit of file sizes;
    // programs inherit that from the shell.
    let mut command = Command::new("sh");
    command
        .args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""])
        .arg(binary)
        .args(["serve", "--log", "warn", "--address", &address.to_string()])
        .args(UNLIMITED)
        .arg("--database")
        .arg(database(folder))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(file)
        .kill_on_drop(true);
    Ok((command, log))
}

/// Starts a process and waits until it listens.
async fn spawn(
    binary: &Path,
    folder: &Path,
    address: SocketAddr,
) -> io::Result<(Child, SocketAddr)> {
    let (mut command, log) = command(binary, folder, address)?;
    let mut process = command.spawn()?;
    let output = process.stdout.take().ok_or_else(|| io::Error::other("no output"))?;
    let mut line = String::new();
    let mut output = BufReader::new(output);
    tokio::time::timeout(START_TIMEOUT, output.read_line(&mut line)).await??;
    let address = line.split("http://").nth(1).and_then(|rest| rest.split(' ').next());
    let address = address.and_then(|address| address.parse().ok());
    let failed = || io::Error::other(format!("no start: {line:?}; see {}", log.display()));
    Ok((process, address.ok_or_else(failed)?))
}
