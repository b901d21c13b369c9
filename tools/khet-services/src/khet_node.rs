//! A process of `khet serve`.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::service_process::{ServiceProcess, ServiceSignal};
use crate::{ProcessStats, free_port};

/// Longest time for a start.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// Longest time for a regular stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Longest time for a response.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(2);

/// The arguments that lift all rate limits, which a load generator at one address would exceed.
pub const UNLIMITED: [&str; 30] = [
    "--connections",
    "100000",
    "--connections-per-address",
    "100000",
    "--requests-per-minute",
    "100000000",
    "--requests-per-minute-and-person",
    "100000000",
    "--exports-per-hour",
    "100000000",
    "--sign-ups-per-hour",
    "100000000",
    "--sign-ins-per-hour",
    "100000000",
    "--guests-per-hour",
    "100000000",
    "--challenges-per-minute",
    "100000000",
    "--waiting-challenges",
    "100000000",
    "--games-per-person",
    "100000",
    "--messages-per-second",
    "100000000",
    "--subscriptions-per-minute",
    "100000000",
    "--games-per-minute",
    "100000000",
    "--searches-per-minute",
    "100000000",
];

/// How a node is started.
#[derive(Clone, Debug)]
pub struct NodeOptions {
    /// The program `khet`.
    pub binary: PathBuf,
    /// The name; also that of its log.
    pub name: String,
    /// The folder of the log.
    pub folder: PathBuf,
    /// Database: a file or a URL.
    pub database: String,
    /// URL of NATS, for a node of several.
    pub nats: Option<String>,
    /// Other arguments of `khet serve`.
    pub arguments: Vec<String>,
}

/// A running node, which is killed when this is dropped.
#[derive(Debug)]
pub struct KhetNode {
    options: NodeOptions,
    address: SocketAddr,
    metrics: SocketAddr,
    process: ServiceProcess,
}

impl KhetNode {
    /// Starts a node and waits until it is ready.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub fn start(options: NodeOptions) -> io::Result<KhetNode> {
        let local = |port| SocketAddr::from(([127, 0, 0, 1], port));
        let (address, metrics) = (local(free_port()?), local(free_port()?));
        let process = spawn(&options, address, metrics)?;
        let mut node = KhetNode { options, address, metrics, process };
        node.wait_until_ready()?;
        Ok(node)
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.options.name
    }

    /// Returns the address, which stays the same after a restart.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address of `/metrics`, `/healthz` and `/readyz`.
    pub fn metrics(&self) -> SocketAddr {
        self.metrics
    }

    /// Returns the process's id.
    pub fn process(&self) -> u32 {
        self.process.id()
    }

    /// Returns the resources of the process.
    pub fn stats(&self) -> ProcessStats {
        ProcessStats(self.process.id())
    }

    /// Returns how the node ended by itself, if it has.
    ///
    /// # Errors
    ///
    /// If the system can't tell.
    pub fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        self.process.ended()
    }

    /// Sends a signal to the node.
    ///
    /// # Errors
    ///
    /// If it has ended.
    pub fn signal(&self, signal: ServiceSignal) -> io::Result<()> {
        self.process.signal(signal)
    }

    /// Kills the node with SIGKILL.
    ///
    /// # Errors
    ///
    /// If it ended by itself before.
    pub fn kill(&mut self) -> io::Result<()> {
        if let Some(status) = self.process.ended()? {
            let name = self.name();
            return Err(io::Error::other(format!("{name} ended by itself: {status}")));
        }
        self.process.kill()
    }

    /// Starts the node again after [`KhetNode::kill`] or [`KhetNode::stop`], at the same addresses,
    /// and waits until it is ready.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub fn restart(&mut self) -> io::Result<()> {
        self.process = spawn(&self.options, self.address, self.metrics)?;
        self.wait_until_ready()
    }

    /// Stops the node with SIGTERM.
    ///
    /// # Errors
    ///
    /// If it does not stop in time, or reports a failure.
    pub fn stop(&mut self) -> io::Result<()> {
        let status = self.process.stop(ServiceSignal::Terminate, STOP_TIMEOUT)?;
        if status.success() {
            return Ok(());
        }
        Err(io::Error::other(format!("{}: {status}; see {}", self.name(), self.log().display())))
    }

    /// Returns whether `/readyz` says that games can be played.
    pub fn is_ready(&self) -> bool {
        http_get(self.metrics, "/readyz").is_ok_and(|(status, _)| status == 200)
    }

    /// Returns the path of the log.
    pub fn log(&self) -> PathBuf {
        self.options.log()
    }

    fn wait_until_ready(&mut self) -> io::Result<()> {
        let until = Instant::now() + START_TIMEOUT;
        while !self.is_ready() {
            if self.process.ended()?.is_some() || Instant::now() > until {
                let (name, log) = (self.name(), self.log());
                let message = format!("{name} does not start; see {}", log.display());
                return Err(io::Error::other(message));
            }
            thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    }
}

impl NodeOptions {
    fn log(&self) -> PathBuf {
        self.folder.join(format!("{}.log", self.name))
    }
}

/// Starts the process.
fn spawn(
    options: &NodeOptions,
    address: SocketAddr,
    metrics: SocketAddr,
) -> io::Result<ServiceProcess> {
    let log = OpenOptions::new().create(true).append(true).open(options.log())?;
    let mut command = Command::new(&options.binary);
    command.args(["serve", "--address", &address.to_string()]).args([
        "--metrics-listen",
        &metrics.to_string(),
        "--database",
        &options.database,
    ]);
    if let Some(nats) = &options.nats {
        command.args(["--nats", nats, "--node", &options.name]);
    }
    command.args(&options.arguments);
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    ServiceProcess::spawn(&options.name, &mut command)
}

/// Sends a GET request. Returns the status and the body.
///
/// # Errors
///
/// If there is no response within two seconds.
pub fn http_get(server: SocketAddr, path: &str) -> io::Result<(u16, String)> {
    let mut stream = TcpStream::connect_timeout(&server, RESPONSE_TIMEOUT)?;
    stream.set_read_timeout(Some(RESPONSE_TIMEOUT))?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {server}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut response = Vec::new();
    stream.read_to_end(&mut response)?;
    let response = String::from_utf8_lossy(&response);
    let (head, body) =
        response.split_once("\r\n\r\n").ok_or_else(|| io::Error::other("no response"))?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Ok((status.ok_or_else(|| io::Error::other("no status"))?, body.to_owned()))
}
