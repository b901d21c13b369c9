//! `cargo xtask load`: plays many games at once against the release server, from a second process.
//!
//! Every counted move was acknowledged, and is therefore on disk. The rate is raised until the
//! server does not keep up, and the highest one that it sustained is reported. For comparison, the
//! task measures a loop that only writes and fsyncs on the same disk, because a commit cannot be
//! faster than that. A second server shows how much memory idle sockets and sign-ins need.
//! Arguments are passed to `khet-load`; with `--json` all figures are printed as one object.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::release_server::{self, binary};
use crate::step::{TaskError, cargo, step, target};

/// The duration of the measurement of the disk.
const DISK_TIME: Duration = Duration::from_secs(3);
/// The size in bytes of a write in that measurement: a page of the database.
const PAGE_SIZE: usize = 4096;

const MEGABYTE: f64 = 1024.0 * 1024.0;

/// The targets: moves per second, milliseconds, megabytes, and bytes of an idle socket.
const MIN_MOVES_PER_SECOND: f64 = 12_000.0;
const MAX_P99: f64 = 50.0;
/// At the highest rates, most of the games reach the limit of 1,000 plies, and a live game keeps all
/// its positions.
const MAX_MEMORY: f64 = 800.0;
const MAX_SOCKET_BYTES: f64 = 6000.0;

/// Starts the server and the load generator, and prints the results.
pub(crate) fn load(arguments: &[&str]) -> Result<(), TaskError> {
    let json = arguments.contains(&"--json");
    let arguments: Vec<&str> = arguments.iter().copied().filter(|it| *it != "--json").collect();
    let mut build = cargo(["build", "--release"]);
    build.args(["--package", "khet-cli", "--package", "khet-load"]);
    step("build", build)?;
    let folder = target().join("load");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)
        .map_err(|error| TaskError(format!("{}: {error}", folder.display())))?;
    println!("\n=== disk alone");
    let disk = Disk::measure(&folder)?;
    println!("\n=== load");
    let (load, memory) = run_client("khet-load", &folder, &arguments)?;
    println!("\n=== idle sockets and sign-ins");
    // Two servers, because memory that was used once is not all given back.
    let (mut idle, _) = run_client("khet-idle-load", &folder, &["--sign-ins", "0"])?;
    let (signed_in, _) = run_client("khet-idle-load", &folder, &["--sockets", "0"])?;
    idle["memory_after_sign_ins"] = signed_in["memory_after_sign_ins"].clone();
    let _ = fs::remove_dir_all(&folder);
    let figures = Figures { load, idle, disk, memory };
    if json {
        println!("{}", figures.to_json());
        return figures.check();
    }
    figures.print();
    figures.check()
}

/// Runs a client against a new server. Returns what it printed, and the server's peak memory in
/// megabytes.
fn run_client(name: &str, folder: &Path, arguments: &[&str]) -> Result<(Value, f64), TaskError> {
    let folder = folder.join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)
        .map_err(|error| TaskError(format!("{}: {error}", folder.display())))?;
    let mut server = release_server::start(&folder)?;
    let mut client = Command::new(binary(name));
    if name == "khet-load" {
        client.args(["--metrics", &server.metrics().to_string()]);
    }
    let client = client
        .args(["--server", &server.address().to_string()])
        .args(["--process", &server.process().to_string()])
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| TaskError(format!("{name}: {error}")))?;
    if !client.status.success() {
        return Err(TaskError(format!("{name} failed ({})", client.status)));
    }
    let failed = |error: std::io::Error| TaskError(format!("khet serve: {error}"));
    let memory = server.stats().peak_memory().map_err(failed)? / MEGABYTE;
    server.stop().map_err(failed)?;
    let printed = serde_json::from_slice(&client.stdout)
        .map_err(|error| TaskError(format!("{name}: {error}")))?;
    Ok((printed, memory))
}

/// All figures of a run.
struct Figures {
    load: Value,
    idle: Value,
    disk: Disk,
    /// Peak memory of the server while games were played, in megabytes.
    memory: f64,
}

impl Figures {
    /// Returns the step that counts: the highest sustained rate, or the one that was asked for.
    fn step(&self) -> &Value {
        match &self.load["sustained"] {
            Value::Null => &self.load["steps"][0],
            step => step,
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "load": self.load,
            "idle": self.idle,
            "peak_memory": self.memory * MEGABYTE,
            "disk": {"rate": self.disk.rate, "p99": self.disk.p99},
        })
    }

    fn print(&self) {
        println!("\n=== figures");
        println!("{:<52} {:>12}   target", "", "measured");
        let line =
            |name: &str, value: String, target: &str| println!("{name:<52} {value:>12}   {target}");
        let step = self.step();
        let number = |value: &Value, name: &str| value[name].as_f64().unwrap_or(f64::NAN);
        let time = |name: &str| format!("{:.1} ms", number(step, name));
        let micros = |name: &str| format!("{:.0} µs", number(step, name));
        let rate = number(step, "rate");
        let target = format!("at least {MIN_MOVES_PER_SECOND}");
        line("moves acknowledged and on disk, per second", format!("{rate:.0}"), &target);
        line("from move to acknowledgement, median", time("median"), "");
        let target = format!("below {MAX_P99} ms");
        line("from move to acknowledgement, p99", time("p99"), &target);
        line("from move to acknowledgement, slowest", time("slowest"), "");
        line("moves per fsync", format!("{:.1}", number(step, "moves_per_commit")), "");
        line("processor time per move, server", micros("server_micros_per_move"), "");
        line("processor time per move, generator", micros("generator_micros_per_move"), "");
        line("broken connections", format!("{:.0}", number(step, "reconnects")), "0");
        let saturated = number(&self.load["saturated"], "rate");
        line("moves per second when players do not wait", format!("{saturated:.0}"), "");
        let target = format!("below {MAX_MEMORY} MB");
        line("peak resident memory of the server", format!("{:.0} MB", self.memory), &target);
        let bytes = number(&self.idle, "bytes_per_socket");
        let target = format!("at most {MAX_SOCKET_BYTES}");
        line("bytes per idle socket", format!("{bytes:.0}"), &target);
        line("idle sockets, measured", format!("{:.0}", number(&self.idle, "sockets")), "");
        let fit = number(&self.idle, "sockets_in_2_gb");
        line("idle sockets in 2 GB, extrapolated", format!("{fit:.0}"), "");
        let signed_in = number(&self.idle, "memory_after_sign_ins") / 1e6;
        line("memory after 100 sign-ins", format!("{signed_in:.0} MB"), "");
        line("disk alone: writes with fsync, per second", format!("{:.0}", self.disk.rate), "");
        line("disk alone: p99", format!("{:.2} ms", self.disk.p99), "");
    }

    /// Fails if a target was missed.
    fn check(&self) -> Result<(), TaskError> {
        let number = |name: &str| self.step()[name].as_f64().unwrap_or(f64::NAN);
        let socket_bytes = self.idle["bytes_per_socket"].as_f64().unwrap_or(f64::NAN);
        let held = number("rate") >= MIN_MOVES_PER_SECOND
            && number("p99") < MAX_P99
            && self.memory < MAX_MEMORY
            && socket_bytes <= MAX_SOCKET_BYTES;
        if held { Ok(()) } else { Err(TaskError("a target was missed".to_owned())) }
    }
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
