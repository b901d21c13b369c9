//! A process of a service, with its children.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// The interval at which a stopping process is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The signals that services are sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ServiceSignal {
    /// SIGTERM.
    Terminate,
    /// SIGINT.
    Interrupt,
    /// SIGQUIT.
    Quit,
    /// SIGKILL.
    Kill,
    /// SIGSTOP: the process stands still.
    Stop,
    /// SIGCONT: it continues.
    Continue,
}

/// A process, which is killed with its children when this is dropped.
#[derive(Debug)]
pub struct ServiceProcess {
    name: String,
    process: Child,
}

impl ServiceProcess {
    /// Starts a process in a process group of its own. The name is for messages.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub fn spawn(name: &str, command: &mut Command) -> io::Result<ServiceProcess> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        ServiceProcess::spawn_in_group(name, command)
    }

    /// Starts a process in the group of this program, so that Ctrl-C reaches it too.
    ///
    /// # Errors
    ///
    /// If it does not start.
    pub(crate) fn spawn_in_group(name: &str, command: &mut Command) -> io::Result<ServiceProcess> {
        let program = command.get_program().to_string_lossy().into_owned();
        let process = command
            .spawn()
            .map_err(|error| io::Error::new(error.kind(), format!("{name}: {program}: {error}")))?;
        Ok(ServiceProcess { name: name.to_owned(), process })
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the process's id.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Returns how the process ended, if it has.
    ///
    /// # Errors
    ///
    /// If the system can't tell.
    pub fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        self.process.try_wait()
    }

    /// Sends a signal to the process.
    ///
    /// # Errors
    ///
    /// If the process has ended.
    pub fn signal(&self, signal: ServiceSignal) -> io::Result<()> {
        send(self.id(), signal)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", self.name)))
    }

    /// Returns the ids of the process and of its children.
    pub fn family(&self) -> Vec<u32> {
        process_family(self.id())
    }

    /// Asks the process to stop and waits for it. It is killed if it takes too long.
    ///
    /// # Errors
    ///
    /// If it had to be killed.
    pub fn stop(&mut self, signal: ServiceSignal, timeout: Duration) -> io::Result<ExitStatus> {
        if let Some(status) = self.ended()? {
            return Ok(status);
        }
        self.signal(signal)?;
        let until = Instant::now() + timeout;
        while Instant::now() < until {
            if let Some(status) = self.ended()? {
                return Ok(status);
            }
            thread::sleep(POLL_INTERVAL);
        }
        self.kill()?;
        let message = format!("{} did not stop within {} s", self.name, timeout.as_secs());
        Err(io::Error::new(io::ErrorKind::TimedOut, message))
    }

    /// Kills the process and its children with SIGKILL, and waits for the process.
    ///
    /// # Errors
    ///
    /// If the system refuses.
    pub fn kill(&mut self) -> io::Result<()> {
        if self.ended()?.is_some() {
            return Ok(());
        }
        // A process that stands still starts no more children.
        let _ = self.signal(ServiceSignal::Stop);
        let children = children(self.id());
        self.process.kill()?;
        for child in children {
            // It may have ended already.
            let _ = send(child, ServiceSignal::Kill);
        }
        self.process.wait()?;
        Ok(())
    }
}

impl Drop for ServiceProcess {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

/// Sends a signal to a process.
#[cfg(unix)]
fn send(id: u32, signal: ServiceSignal) -> io::Result<()> {
    use rustix::process::{Pid, Signal, kill_process};
    let signal = match signal {
        ServiceSignal::Terminate => Signal::TERM,
        ServiceSignal::Interrupt => Signal::INT,
        ServiceSignal::Quit => Signal::QUIT,
        ServiceSignal::Kill => Signal::KILL,
        ServiceSignal::Stop => Signal::STOP,
        ServiceSignal::Continue => Signal::CONT,
    };
    let process = i32::try_from(id).ok().and_then(Pid::from_raw);
    let process = process.ok_or_else(|| io::Error::other(format!("{id} is no process")))?;
    Ok(kill_process(process, signal)?)
}

/// Fails, because this system has no signals.
#[cfg(not(unix))]
fn send(_: u32, _: ServiceSignal) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no signals"))
}

/// Returns the ids of a process and of its children.
pub fn process_family(process: u32) -> Vec<u32> {
    let mut family = vec![process];
    family.extend(children(process));
    family
}

/// Returns the ids of a process's children, as far as `/proc` tells.
fn children(parent: u32) -> Vec<u32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(|id| parent_of(*id) == Some(parent)).collect()
}

fn parent_of(id: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name of the program is in parentheses and may contain spaces. Then come the state and the
    // parent.
    stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::*;

    #[test]
    fn stops_and_kills_with_children() {
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 1000 & sleep 1000 & wait"]);
        let mut shell = ServiceProcess::spawn("shell", &mut command).expect("a process");
        while shell.family().len() < 3 {
            thread::sleep(POLL_INTERVAL);
        }
        let family = shell.family();
        shell.kill().expect("killed");
        assert!(shell.ended().expect("a status").is_some());
        // The children are reaped by another process, perhaps a little later.
        let runs = |id: &u32| {
            let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            !stat.is_empty() && !stat.contains(") Z ")
        };
        while family.iter().any(runs) {
            thread::sleep(POLL_INTERVAL);
        }
    }

    #[test]
    fn reports_a_process_that_had_to_be_killed() {
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' TERM; while :; do sleep 1; done"]);
        let mut shell = ServiceProcess::spawn("shell", &mut command).expect("a process");
        while shell.family().len() < 2 {
            thread::sleep(POLL_INTERVAL);
        }
        let stopped = shell.stop(ServiceSignal::Terminate, Duration::from_millis(50));
        assert!(stopped.expect_err("a failure").to_string().contains("shell did not stop"));
        assert!(shell.ended().expect("a status").is_some());
    }
}
