//! Ctrl-C and SIGTERM.

use std::io;
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};

use crate::service_process::{ServiceProcess, ServiceSignal};

/// The interval at which signals and processes are looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Longest time in which an interrupted command stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// Tells whether the program was asked to stop, by Ctrl-C or SIGTERM. While it exists, these
/// signals do not end the program.
#[derive(Clone, Debug)]
pub struct Interruption {
    requested: Arc<AtomicBool>,
}

impl Interruption {
    /// Catches the signals from now on.
    ///
    /// # Errors
    ///
    /// If the system refuses.
    pub fn catch() -> io::Result<Interruption> {
        let requested = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&requested))?;
        }
        Ok(Interruption { requested })
    }

    /// Returns whether the program was asked to stop.
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Relaxed)
    }

    /// Sleeps for the interval at which processes are looked at. Returns whether the program was
    /// asked to stop.
    pub fn wait(&self) -> bool {
        thread::sleep(POLL_INTERVAL);
        self.is_requested()
    }

    /// Runs a command, and stops it with SIGTERM if the program is asked to stop. Ctrl-C reaches the
    /// command directly.
    ///
    /// # Errors
    ///
    /// If it does not start, or the program was asked to stop.
    pub fn run(&self, name: &str, command: &mut Command) -> io::Result<ExitStatus> {
        let mut process = ServiceProcess::spawn_in_group(name, command)?;
        loop {
            if let Some(status) = process.ended()? {
                return Ok(status);
            }
            if self.wait() {
                process.stop(ServiceSignal::Terminate, STOP_TIMEOUT)?;
                return Err(io::Error::new(io::ErrorKind::Interrupted, "interrupted"));
            }
        }
    }
}
