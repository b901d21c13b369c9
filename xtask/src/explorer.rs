//! `cargo xtask explorer`: many games are made up, imported, and asked for over HTTP.
//!
//! Everything is done by the programs that are released, and follows from the number of games: whoever runs it again imports and asks the
//! same. What was made lies in `target/explorer`, and is deleted at the end.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::release_server::{Server, binary};
use crate::step::{Failure, cargo, step, target};

/// So many games, unless another number is given.
const GAMES: u64 = 1_000_000;

/// What must hold.
const GAMES_A_MINUTE: f64 = 20_000.0;
const P99: f64 = 20.0;

/// Makes games up, imports them, asks, and prints the table.
pub(crate) fn explorer(games: Option<&str>) -> Result<(), Failure> {
    let games = games.map_or(Ok(GAMES), str::parse);
    let games: u64 = games.map_err(|error| Failure(format!("--games: {error}")))?;
    let mut build = cargo(["build", "--release"]);
    build.args(["--package", "khet-cli", "--package", "khet-crowd"]);
    step("build", build)?;
    let folder = target().join("explorer");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)
        .map_err(|error| Failure(format!("{}: {error}", folder.display())))?;
    let measured = measure(&folder, games);
    // Gigabytes, whatever came of it.
    let _ = fs::remove_dir_all(&folder);
    measured
}

fn measure(folder: &Path, games: u64) -> Result<(), Failure> {
    println!("\n=== {games} games are made up");
    let (records, database) = (folder.join("games.kgn"), folder.join("khet.sqlite"));
    let file = File::create(&records).map_err(|error| Failure(error.to_string()))?;
    let mut playouts = Command::new(binary("khet-playouts"));
    playouts.args(["--games", &games.to_string()]).stdout(file);
    let made = timed("khet-playouts", &mut playouts)?;
    println!("\n=== they are imported");
    let mut import = Command::new(binary("khet"));
    import.arg("import").arg(&records).arg("--database").arg(&database);
    let imported = timed("khet import", &mut import)?;
    let size = |path: &Path| fs::metadata(path).map_or(f64::NAN, |about| about.len() as f64);
    let (records, database) = (size(&records), size(&database));
    println!("\n=== the explorer is asked");
    let mut server = Server::start(folder)?;
    let asked = Command::new(binary("khet-explore"))
        .args(["--server", &server.address, "--games", &games.to_string()])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Failure(format!("khet-explore: {error}")))?;
    if !asked.status.success() {
        return Err(Failure(format!("khet-explore failed ({})", asked.status)));
    }
    let memory = server.memory("VmHWM:")?;
    server.stop()?;
    let figures: Value = serde_json::from_slice(&asked.stdout)
        .map_err(|error| Failure(format!("khet-explore: {error}")))?;
    let number = |name: &str| figures[name].as_f64().unwrap_or(f64::NAN);
    let rate = games as f64 / imported.as_secs_f64() * 60.0;
    println!("\n=== figures");
    println!("{:<44} {:>12}   target", "", "measured");
    let line =
        |name: &str, value: String, target: &str| println!("{name:<44} {value:>12}   {target}");
    line("games", games.to_string(), "");
    let made = games as f64 / made.as_secs_f64();
    line("games made up, a second", format!("{made:.0}"), "");
    line("games imported and counted, a minute", format!("{rate:.0}"), "at least 20000");
    line("time of the import", format!("{:.0} s", imported.as_secs_f64()), "");
    line("bytes of a record", format!("{:.0}", records / games as f64), "");
    line("bytes of a game in the database", format!("{:.0}", database / games as f64), "");
    line("questions, each about a position", format!("{:.0}", number("questions")), "");
    line("moves of an answer, on average", format!("{:.1}", number("moves")), "");
    line("from question to answer, median", format!("{:.1} ms", number("median")), "");
    line("from question to answer, p99", format!("{:.1} ms", number("p99")), "below 20 ms");
    line("from question to answer, slowest", format!("{:.1} ms", number("slowest")), "");
    line("the starts alone, slowest", format!("{:.1} ms", number("starts_slowest")), "");
    line("largest resident memory of the server", format!("{memory:.0} MB"), "");
    let held = rate >= GAMES_A_MINUTE && number("p99") < P99;
    if held { Ok(()) } else { Err(Failure("a target was missed".to_owned())) }
}

/// Runs a command that must succeed, and says how long it took.
fn timed(name: &str, command: &mut Command) -> Result<Duration, Failure> {
    let began = Instant::now();
    let status = command.status().map_err(|error| Failure(format!("{name}: {error}")))?;
    if status.success() { Ok(began.elapsed()) } else { Err(Failure(format!("{name}: {status}"))) }
}
