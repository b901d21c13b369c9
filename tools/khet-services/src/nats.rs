//! A private instance of the NATS server.

use std::fs::{self, OpenOptions};
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::service_process::{ServiceProcess, ServiceSignal};
use crate::system_program::system_program;
use crate::{free_port, http_get};

const PROGRAM: &str = "nats-server";
const START_TIMEOUT: Duration = Duration::from_secs(20);
const STOP_TIMEOUT: Duration = Duration::from_secs(10);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A running instance, which is stopped when this is dropped.
#[derive(Debug)]
pub struct NatsInstance {
    folder: PathBuf,
    port: u16,
    monitoring_port: u16,
    process: ServiceProcess,
}

/// The traffic of an instance since its start.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct NatsTraffic {
    /// Messages that it received.
    pub messages: u64,
    /// Bytes of messages that it received and sent.
    pub bytes: u64,
}

impl NatsInstance {
    /// Starts an instance whose log is in a folder.
    ///
    /// # Errors
    ///
    /// If NATS is not installed, or does not start.
    pub fn start(folder: &Path) -> io::Result<NatsInstance> {
        fs::create_dir_all(folder)?;
        let (port, monitoring_port) = (free_port()?, free_port()?);
        let process = spawn(folder, port, monitoring_port)?;
        let mut instance =
            NatsInstance { folder: folder.to_owned(), port, monitoring_port, process };
        instance.wait_until_ready()?;
        Ok(instance)
    }

    /// Returns whether NATS is installed.
    pub fn is_installed() -> bool {
        let mut version = Command::new(system_program(PROGRAM));
        version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    }

    /// Returns the port, which stays the same after a restart.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the URL.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Returns the process's id.
    pub fn process(&self) -> u32 {
        self.process.id()
    }

    /// Returns the address of the monitoring endpoint.
    pub fn monitoring(&self) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], self.monitoring_port))
    }

    /// Returns how the instance ended by itself, if it has.
    ///
    /// # Errors
    ///
    /// If the system can't tell.
    pub fn ended(&mut self) -> io::Result<Option<std::process::ExitStatus>> {
        self.process.ended()
    }

    /// Kills the process with SIGKILL.
    ///
    /// # Errors
    ///
    /// If the system refuses.
    pub fn kill(&mut self) -> io::Result<()> {
        self.process.kill()
    }

    /// Starts the instance again after [`NatsInstance::kill`], at the same port.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub fn restart(&mut self) -> io::Result<()> {
        self.process = spawn(&self.folder, self.port, self.monitoring_port)?;
        self.wait_until_ready()
    }

    /// Stops the instance.
    ///
    /// # Errors
    ///
    /// If it had to be killed.
    pub fn stop(&mut self) -> io::Result<()> {
        self.process.stop(ServiceSignal::Interrupt, STOP_TIMEOUT).map(drop)
    }

    fn wait_until_ready(&mut self) -> io::Result<()> {
        let until = Instant::now() + START_TIMEOUT;
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            if self.process.ended()?.is_some() || Instant::now() > until {
                let log = log(&self.folder);
                let message = format!("nats-server does not start; see {}", log.display());
                return Err(io::Error::other(message));
            }
            thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }
}

impl NatsTraffic {
    /// Asks the monitoring endpoint of an instance.
    ///
    /// # Errors
    ///
    /// If it does not answer.
    pub fn of(monitoring: SocketAddr) -> io::Result<NatsTraffic> {
        let (_, body) = http_get(monitoring, "/varz")?;
        let number = |name: &str| {
            let quoted = format!("\"{name}\":");
            let rest = body.split_once(&quoted).map(|(_, rest)| rest.trim_start());
            let digits = rest.and_then(|rest| rest.split(|it: char| !it.is_ascii_digit()).next());
            digits
                .and_then(|digits| digits.parse::<u64>().ok())
                .ok_or_else(|| io::Error::other(format!("nats-server reports no {name}")))
        };
        Ok(NatsTraffic {
            messages: number("in_msgs")?,
            bytes: number("in_bytes")? + number("out_bytes")?,
        })
    }
}

/// Starts the server process.
fn spawn(folder: &Path, port: u16, monitoring_port: u16) -> io::Result<ServiceProcess> {
    let log = OpenOptions::new().create(true).append(true).open(log(folder))?;
    let mut command = Command::new(system_program(PROGRAM));
    command
        .args(["--addr", "127.0.0.1", "--port", &port.to_string()])
        .args(["--http_port", &monitoring_port.to_string()])
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log);
    ServiceProcess::spawn("NATS", &mut command)
}

/// Returns the path of the log.
fn log(folder: &Path) -> PathBuf {
    folder.join("nats.log")
}
