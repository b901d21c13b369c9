//! `cargo xtask load`: many games at once against the release server, played by a second process.
//!
//! Every move that is counted was acknowledged, and so is on disk. The figures stand beside a loop that does nothing but write and fsync on
//! the same disk, because a commit can't be faster than that. Arguments go to `khet-crowd`.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::release_server::{Server, binary};
use crate::step::{Failure, cargo, step, target};

/// For how long the disk alone is measured.
const DISK_TIME: Duration = Duration::from_secs(3);
/// What a write of that measurement has, in bytes: a page of the database.
const PAGE: usize = 4096;

/// What must hold.
const MOVES_A_SECOND: f64 = 5000.0;
const P99: f64 = 100.0;
const MEMORY: f64 = 600.0;

/// Starts server and crowd, and prints the table.
pub(crate) fn load(arguments: &[&str]) -> Result<(), Failure> {
    let packages = ["--package", "khet-cli", "--package", "khet-crowd"];
    let mut build = cargo(["build", "--release"]);
    build.args(packages);
    step("build", build)?;
    let folder = target().join("load");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)
        .map_err(|error| Failure(format!("{}: {error}", folder.display())))?;
    println!("\n=== the disk alone");
    let disk = Disk::measure(&folder)?;
    println!("\n=== the crowd");
    let mut server = Server::start(&folder)?;
    let crowd = Command::new(binary("khet-crowd"))
        .args(["--server", &server.address])
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Failure(format!("khet-crowd: {error}")))?;
    if !crowd.status.success() {
        return Err(Failure(format!("khet-crowd failed ({})", crowd.status)));
    }
    let memory = server.memory("VmHWM:")?;
    let metrics = server.metrics()?;
    server.stop()?;
    let figures: Value = serde_json::from_slice(&crowd.stdout)
        .map_err(|error| Failure(format!("khet-crowd: {error}")))?;
    report(&figures, &disk, memory, &metrics)
}

fn report(figures: &Value, disk: &Disk, memory: f64, metrics: &str) -> Result<(), Failure> {
    let number = |name: &str| figures[name].as_f64().unwrap_or(f64::NAN);
    let rate = number("moves") / number("seconds");
    let commits = metric(metrics, "khet_commit_seconds_count");
    let a_commit = metric(metrics, "khet_commit_size_sum") / commits;
    println!("\n=== figures");
    println!("{:<44} {:>12}   target", "", "measured");
    let line =
        |name: &str, value: String, target: &str| println!("{name:<44} {value:>12}   {target}");
    line("moves acknowledged and on disk, a second", format!("{rate:.0}"), "at least 5000");
    line("from move to acknowledgement, median", format!("{:.1} ms", number("median")), "");
    line("from move to acknowledgement, p99", format!("{:.1} ms", number("p99")), "below 100 ms");
    line("from move to acknowledgement, slowest", format!("{:.1} ms", number("slowest")), "");
    line("largest resident memory of the server", format!("{memory:.0} MB"), "below 600 MB");
    line("games that came to their end", format!("{:.0}", number("games")), "");
    line("connections that broke", format!("{:.0}", number("returns")), "0");
    line("writes that share a commit, on average", format!("{a_commit:.1}"), "");
    line("the disk alone: writes with fsync, a second", format!("{:.0}", disk.rate), "");
    line("the disk alone: p99", format!("{:.2} ms", disk.p99), "");
    line("moves a second for each fsync a second", format!("{:.1}", rate / disk.rate), "");
    let held = rate >= MOVES_A_SECOND && number("p99") < P99 && memory < MEMORY;
    if held { Ok(()) } else { Err(Failure("a target was missed".to_owned())) }
}

/// How fast the disk is.
struct Disk {
    /// Writes with fsync in a second.
    rate: f64,
    /// 99 of 100 took at most so many milliseconds.
    p99: f64,
}

impl Disk {
    /// Writes pages to a file, each on disk before the next.
    fn measure(folder: &Path) -> Result<Disk, Failure> {
        let path = folder.join("disk");
        let failed = |error| Failure(format!("{}: {error}", path.display()));
        let mut file: File =
            OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        let page = [7; PAGE];
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

/// A figure of the server's own.
fn metric(metrics: &str, name: &str) -> f64 {
    let line = metrics.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.trim().parse().ok()).unwrap_or(f64::NAN)
}
