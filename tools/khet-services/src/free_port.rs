//! Free ports.

use std::io;
use std::net::TcpListener;

/// The ports that are tried. They are below those that the system gives to outgoing connections, so
/// that none takes the port of a service that is being restarted.
const PORTS: std::ops::Range<u16> = 15_000..32_000;
/// The number of ports that are tried.
const ATTEMPTS: u32 = 100;

/// Returns a free port of 127.0.0.1.
///
/// # Errors
///
/// If none is found.
pub fn free_port() -> io::Result<u16> {
    for _ in 0..ATTEMPTS {
        let port = fastrand::u16(PORTS);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return Ok(port);
        }
    }
    Err(io::Error::new(io::ErrorKind::AddrInUse, "no free port on 127.0.0.1"))
}
