//! A private HAProxy in front of several nodes.

use std::fs::{self, OpenOptions};
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::service_process::{ServiceProcess, ServiceSignal};
use crate::system_program::system_program;

const PROGRAM: &str = "haproxy";
const START_TIMEOUT: Duration = Duration::from_secs(20);
const STOP_TIMEOUT: Duration = Duration::from_secs(10);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A node behind the balancer.
#[derive(Clone, Debug)]
pub struct BalancedNode {
    /// The name.
    pub name: String,
    /// The address of the node.
    pub address: SocketAddr,
    /// The address of its `/readyz`.
    pub health: SocketAddr,
}

/// A running balancer, which is stopped when this is dropped.
#[derive(Debug)]
pub struct HaproxyInstance {
    address: SocketAddr,
    process: ServiceProcess,
}

impl HaproxyInstance {
    /// Starts a balancer at an address. Its configuration and log are in a folder.
    ///
    /// # Errors
    ///
    /// If HAProxy is not installed, or does not start.
    pub fn start(
        folder: &Path,
        address: SocketAddr,
        nodes: &[BalancedNode],
    ) -> io::Result<HaproxyInstance> {
        fs::create_dir_all(folder)?;
        let file = folder.join("haproxy.cfg");
        fs::write(&file, configuration(address, nodes))?;
        let log_path = folder.join("haproxy.log");
        let log = OpenOptions::new().create(true).append(true).open(&log_path)?;
        let mut command = Command::new(system_program(PROGRAM));
        command.arg("-db").arg("-f").arg(&file);
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        let mut process = ServiceProcess::spawn("HAProxy", &mut command)?;
        let until = Instant::now() + START_TIMEOUT;
        while TcpStream::connect(address).is_err() {
            if process.ended()?.is_some() || Instant::now() > until {
                let message = format!("HAProxy does not start; see {}", log_path.display());
                return Err(io::Error::other(message));
            }
            thread::sleep(POLL_INTERVAL);
        }
        Ok(HaproxyInstance { address, process })
    }

    /// Returns whether HAProxy is installed.
    pub fn is_installed() -> bool {
        let mut version = Command::new(system_program(PROGRAM));
        version.arg("-v").stdout(Stdio::null()).stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    }

    /// Returns the address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns how the balancer ended by itself, if it has.
    ///
    /// # Errors
    ///
    /// If the system can't tell.
    pub fn ended(&mut self) -> io::Result<Option<std::process::ExitStatus>> {
        self.process.ended()
    }

    /// Stops the balancer; connections are closed.
    ///
    /// # Errors
    ///
    /// If it had to be killed.
    pub fn stop(&mut self) -> io::Result<()> {
        self.process.stop(ServiceSignal::Terminate, STOP_TIMEOUT).map(drop)
    }
}

/// Returns the configuration. `deploy/haproxy.cfg` explains the settings.
fn configuration(address: SocketAddr, nodes: &[BalancedNode]) -> String {
    let mut text = format!(
        "defaults
    mode http
    timeout connect 1s
    timeout client 60s
    timeout server 60s
    timeout tunnel 60s
    option redispatch
frontend khet
    bind {address}
    option forwardfor
    default_backend nodes
backend nodes
    balance leastconn
    option httpchk GET /readyz
    http-check expect status 200
    default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
"
    );
    for BalancedNode { name, address, health } in nodes {
        text +=
            &format!("    server {name} {address} addr {} port {}\n", health.ip(), health.port());
    }
    text
}
