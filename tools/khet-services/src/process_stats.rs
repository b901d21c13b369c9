//! Processor time and memory of a process, from `/proc`.

use std::fs;
use std::io;

/// Clock ticks per second in `/proc`, which Linux has fixed for programs.
const TICKS_PER_SECOND: f64 = 100.0;

/// A process whose resources are measured.
#[derive(Clone, Copy, Debug)]
pub struct ProcessStats(pub u32);

impl ProcessStats {
    /// Returns the measuring process itself.
    pub fn own() -> ProcessStats {
        ProcessStats(std::process::id())
    }

    /// Returns the processor time that all threads have used, in seconds.
    ///
    /// # Errors
    ///
    /// If there is no such process, or no `/proc`.
    pub fn processor_time(self) -> io::Result<f64> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.0))?;
        // The name of the program is in parentheses and may contain spaces.
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        // After the name come the state and ten other fields.
        let ticks: f64 =
            fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
        Ok(ticks / TICKS_PER_SECOND)
    }

    /// Returns the resident memory in bytes.
    ///
    /// # Errors
    ///
    /// If there is no such process, or no `/proc`.
    pub fn memory(self) -> io::Result<f64> {
        self.status("VmRSS:")
    }

    /// Returns the peak of the resident memory in bytes.
    ///
    /// # Errors
    ///
    /// If there is no such process, or no `/proc`.
    pub fn peak_memory(self) -> io::Result<f64> {
        self.status("VmHWM:")
    }

    /// Returns a value of the process's status, in bytes.
    fn status(self, name: &str) -> io::Result<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0))?;
        let value = status.lines().find_map(|line| line.strip_prefix(name));
        let kilobytes =
            value.and_then(|value| value.trim().trim_end_matches("kB").trim().parse().ok());
        let kilobytes: f64 = kilobytes.ok_or_else(|| io::Error::other(format!("no {name}")))?;
        Ok(kilobytes * 1024.0)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::ProcessStats;

    #[test]
    fn own_process_uses_memory() {
        let own = ProcessStats::own();
        // Read before the peak, because other tests allocate meanwhile.
        let memory = own.memory().expect("memory");
        assert!(memory > 100_000.0);
        assert!(own.peak_memory().expect("memory") >= memory);
        assert!(own.processor_time().expect("time") >= 0.0);
    }
}
