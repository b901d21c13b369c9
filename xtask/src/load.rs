//! `cargo xtask load`: plays many games at once against the release server, from a second process.
//!
//! Every counted move was acknowledged, and is therefore on disk. For comparison, the task measures
//! a loop that only writes and fsyncs on the same disk, because a commit cannot be faster than
//! that. Arguments are passed to `khet-load`.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::release_server::{ReleaseServer, binary};
use crate::step::{TaskError, cargo, step, target};

/// The duration of the measurement of the disk.
const DISK_TIME: Duration = Duration::from_secs(3);
/// The size in bytes of a write in that measurement: a page of the database.
const PAGE_SIZE: usize = 4096;

/// The targets: moves per second, milliseconds and megabytes.
const MIN_MOVES_PER_SECOND: f64 = 5000.0;
const MAX_P99: f64 = 100.0;
const MAX_MEMORY: f64 = 600.0;

/// Starts the server and the load generator, and prints the results.
pub(crate) fn load(arguments: &[&str]) -> Result<(), TaskError> {
    let packages = ["--package", "khet-cli", "--package", "khet-load"];
    let mut build = cargo(["build", "--release"]);
    build.args(packages);
    step("build", build)?;
    let folder = target().join("load");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)
        .map_err(|error| TaskError(format!("{}: {error}", folder.display())))?;
    println!("\n=== disk alone");
    let disk = Disk::measure(&folder)?;
    println!("\n=== load");
    let mut server = ReleaseServer::start(&folder)?;
    let load = Command::new(binary("khet-load"))
        .args(["--server", &server.address])
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| TaskError(format!("khet-load: {error}")))?;
    if !load.status.success() {
        return Err(TaskError(format!("khet-load failed ({})", load.status)));
    }
    let memory = server.memory("VmHWM:")?;
    let metrics = server.metrics()?;
    server.stop()?;
    let figures: Value = serde_json::from_slice(&load.stdout)
        .map_err(|error| TaskError(format!("khet-load: {error}")))?;
    report(&figures, &disk, memory, &metrics)
}

fn report(figures: &Value, disk: &Disk, memory: f64, metrics: &str) -> Result<(), TaskError> {
    let number = |name: &str| figures[name].as_f64().unwrap_or(f64::NAN);
    let rate = number("moves") / number("seconds");
    let commits = metric(metrics, "khet_commit_seconds_count");
    let per_commit = metric(metrics, "khet_commit_size_sum") / commits;
    println!("\n=== figures");
    println!("{:<44} {:>12}   target", "", "measured");
    let line =
        |name: &str, value: String, target: &str| println!("{name:<44} {value:>12}   {target}");
    line("moves acknowledged and on disk, per second", format!("{rate:.0}"), "at least 5000");
    line("from move to acknowledgement, median", format!("{:.1} ms", number("median")), "");
    line("from move to acknowledgement, p99", format!("{:.1} ms", number("p99")), "below 100 ms");
    line("from move to acknowledgement, slowest", format!("{:.1} ms", number("slowest")), "");
    line("peak resident memory of the server", format!("{memory:.0} MB"), "below 600 MB");
    line("finished games", format!("{:.0}", number("games")), "");
    line("broken connections", format!("{:.0}", number("reconnects")), "0");
    line("writes per commit, on average", format!("{per_commit:.1}"), "");
    line("disk alone: writes with fsync, per second", format!("{:.0}", disk.rate), "");
    line("disk alone: p99", format!("{:.2} ms", disk.p99), "");
    line("moves per fsync of the disk alone", format!("{:.1}", rate / disk.rate), "");
    let held = rate >= MIN_MOVES_PER_SECOND && number("p99") < MAX_P99 && memory < MAX_MEMORY;
    if held { Ok(()) } else { Err(TaskError("a target was missed".to_owned())) }
}

/// The speed of the disk.
struct Disk {
    /// Writes with fsync per second.
    rate: f64,
    /// 99th percentile of their duration in milliseconds.
    p99: f64,
}

impl Disk {
    /// Writes pages to a file, with an fsync after each.
    fn measure(folder: &Path) -> Result<Disk, TaskError> {
        let path = folder.join("disk");
        let failed = |error| TaskError(format!("{}: {error}", path.display()));
        let mut file: File =
            OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        let page = [7; PAGE_SIZE];
        let began = Instant::now();
        let mut times = Vec::new();
        while began.elapsed() < DISK_TIME {
            let write = Instant::now();
            file.write_all(&page).and_then(|()| file.sync_all()).map_err(failed)?;
            times.push(write.elapsed());
        }
        let rate = times.len() as f64 / began.elapsed().as_secs_f64();
        times.sort_unstable();
        let p99 = times.get(times.len() * 99 / 100).map_or(f64::NAN, Duration::as_secs_f64);
        fs::remove_file(&path).map_err(failed)?;
        Ok(Disk { rate, p99: p99 * 1000.0 })
    }
}

/// Returns a value of the server's metrics.
fn metric(metrics: &str, name: &str) -> f64 {
    let line = metrics.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.trim().parse().ok()).unwrap_or(f64::NAN)
}
