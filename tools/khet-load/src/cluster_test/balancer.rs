//! The health checks of a balancer, with the settings of `deploy/haproxy.cfg`. Clients connect to
//! nodes that pass them.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::soak::soak_run::SoakRun;

/// Interval and timeout of the health checks.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// Number of failures in a row after which a node counts as down.
const MAX_FAILURES: u32 = 2;

/// Checks a node, whose metrics are at this address, until the run is stopped.
pub async fn watch_node(run: &SoakRun, node: usize, metrics: SocketAddr) {
    let mut failures = 0;
    while run.unless_stopped(tokio::time::sleep(CHECK_INTERVAL)).await.is_some() {
        let is_ready = tokio::time::timeout(CHECK_INTERVAL, is_ready(metrics)).await;
        failures = if let Ok(Ok(true)) = is_ready { 0 } else { failures + 1 };
        if failures == 0 || failures == MAX_FAILURES {
            run.set_ready(node, failures == 0);
        }
    }
}

async fn is_ready(metrics: SocketAddr) -> io::Result<bool> {
    let mut stream = TcpStream::connect(metrics).await?;
    let request = format!("GET /readyz HTTP/1.1\r\nHost: {metrics}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut status = [0; 12];
    stream.read_exact(&mut status).await?;
    Ok(status == *b"HTTP/1.1 200")
}
