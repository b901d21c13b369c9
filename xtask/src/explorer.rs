//! `cargo xtask explorer`: generates many games, imports them, and queries the explorer over HTTP.
//!
//! It uses the release binaries. Games and queries are determined by the number of games, so runs
//! can be compared. The files are in `target/explorer`, and are deleted at the end.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::release_server::{self, binary};
use crate::step::{TaskError, cargo, step, target};

/// The default number of games.
const GAMES: u64 = 1_000_000;

/// The targets: imported games per minute, and milliseconds.
const MIN_GAMES_PER_MINUTE: f64 = 20_000.0;
const MAX_P99: f64 = 20.0;

/// Generates and imports games, queries the explorer, and prints the results.
pub(crate) fn explorer(games: Option<&str>) -> Result<(), TaskError> {
    let games = games.map_or(Ok(GAMES), str::parse);
    let games: u64 = games.map_err(|error| TaskError(format!("--games: {error}")))?;
    let mut build = cargo(["build", "--release"]);
    build.args(["--package", "khet-cli", "--package", "khet-load"]);
    step("build", build)?;
    let folder = target().join("explorer");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)
        .map_err(|error| TaskError(format!("{}: {error}", folder.display())))?;
    let measured = measure(&folder, games);
    // Gigabytes, so they are deleted even after a failure.
    let _ = fs::remove_dir_all(&folder);
    measured
}

/// Generates games, imports them, and prints the times.
fn measure(folder: &Path, games: u64) -> Result<(), TaskError> {
    println!("\n=== generate {games} games");
    let (records, database) = (folder.join("games.kgn"), folder.join("khet.sqlite"));
    let file = File::create(&records).map_err(|error| TaskError(error.to_string()))?;
    let mut playouts = Command::new(binary("khet-playouts"));
    playouts.args(["--games", &games.to_string()]).stdout(file);
    let generated = timed("khet-playouts", &mut playouts)?;
    println!("\n=== import");
    let mut import = Command::new(binary("khet"));
    import.arg("import").arg(&records).arg("--database").arg(&database);
    let imported = timed("khet import", &mut import)?;
    let size = |path: &Path| fs::metadata(path).map_or(f64::NAN, |about| about.len() as f64);
    let (records, database) = (size(&records), size(&database));
    println!("\n=== query");
    let mut server = release_server::start(folder)?;
    let queries = Command::new(binary("khet-explorer-load"))
        .args(["--server", &server.address().to_string(), "--games", &games.to_string()])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| TaskError(format!("khet-explorer-load: {error}")))?;
    if !queries.status.success() {
        return Err(TaskError(format!("khet-explorer-load failed ({})", queries.status)));
    }
    let failed = |error: std::io::Error| TaskError(format!("khet serve: {error}"));
    let memory = server.stats().peak_memory().map_err(failed)? / 1024.0 / 1024.0;
    server.stop().map_err(failed)?;
    let figures: Value = serde_json::from_slice(&queries.stdout)
        .map_err(|error| TaskError(format!("khet-explorer-load: {error}")))?;
    let number = |name: &str| figures[name].as_f64().unwrap_or(f64::NAN);
    let rate = games as f64 / imported.as_secs_f64() * 60.0;
    println!("\n=== figures");
    println!("{:<44} {:>12}   target", "", "measured");
    let line =
        |name: &str, value: String, target: &str| println!("{name:<44} {value:>12}   {target}");
    line("games", games.to_string(), "");
    let generated = games as f64 / generated.as_secs_f64();
    line("games generated, per second", format!("{generated:.0}"), "");
    line("games imported and counted, per minute", format!("{rate:.0}"), "at least 20000");
    line("duration of the import", format!("{:.0} s", imported.as_secs_f64()), "");
    line("bytes per record", format!("{:.0}", records / games as f64), "");
    line("bytes per game in the database", format!("{:.0}", database / games as f64), "");
    line("queries, each for a position", format!("{:.0}", number("questions")), "");
    line("moves per response, on average", format!("{:.1}", number("moves")), "");
    line("query latency, median", format!("{:.1} ms", number("median")), "");
    line("query latency, p99", format!("{:.1} ms", number("p99")), "below 20 ms");
    line("query latency, slowest", format!("{:.1} ms", number("slowest")), "");
    line(
        "query latency of start positions, slowest",
        format!("{:.1} ms", number("starts_slowest")),
        "",
    );
    line("peak resident memory of the server", format!("{memory:.0} MB"), "");
    let held = rate >= MIN_GAMES_PER_MINUTE && number("p99") < MAX_P99;
    if held { Ok(()) } else { Err(TaskError("a target was missed".to_owned())) }
}

/// Runs a command that must succeed, and returns its duration.
fn timed(name: &str, command: &mut Command) -> Result<Duration, TaskError> {
    let began = Instant::now();
    let status = command.status().map_err(|error| TaskError(format!("{name}: {error}")))?;
    if status.success() { Ok(began.elapsed()) } else { Err(TaskError(format!("{name}: {status}"))) }
}
