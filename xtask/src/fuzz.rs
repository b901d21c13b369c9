//! `cargo xtask fuzz`: runs the fuzz targets of all crates, and reports what they found.
//!
//! Fuzzing needs a nightly toolchain and `cargo-fuzz`; the task says how to install them and
//! installs nothing itself. All targets share one target folder, in which they are built first. The
//! inputs that a target finds are kept in `fuzz/corpus` of its crate, and those that make it fail
//! in `fuzz/artifacts`.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crate::app;
use crate::step::{TaskError, step, target, workspace};

/// Longest input, unless the manifest of the fuzz crate names another one.
const DEFAULT_MAX_LENGTH: &str = "1024";
/// Minutes for each target, unless the caller names them.
const DEFAULT_MINUTES: f64 = 1.0;
/// Seconds after which an input counts as one that hangs.
const INPUT_TIMEOUT: u32 = 10;
/// Interval of the lines that show progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(30);
/// Number of lines that are shown before and after the beginning of a failure.
const SHOWN_LINES: usize = 10;

/// The arguments of the task.
struct FuzzOptions<'a> {
    minutes: f64,
    jobs: usize,
    /// Only build the targets.
    build: bool,
    /// The names of the targets; empty for all.
    targets: Vec<&'a str>,
}

/// A fuzz target.
#[derive(Clone, Debug)]
struct FuzzTarget {
    name: String,
    /// The folder of the fuzz crate.
    folder: PathBuf,
    max_length: String,
}

/// The result of fuzzing one target.
struct FuzzReport {
    target: FuzzTarget,
    executions: u64,
    coverage: u64,
    time: Duration,
    /// The lines of the output around the failure, if the target failed.
    failure: Option<String>,
}

/// Runs fuzz targets.
pub(crate) fn fuzz(arguments: &[&str]) -> Result<(), TaskError> {
    let options = FuzzOptions::parse(arguments)?;
    let mut targets = all_targets()?;
    if let Some(unknown) =
        options.targets.iter().find(|name| targets.iter().all(|target| target.name != **name))
    {
        let known: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
        return Err(TaskError(format!("there is no target {unknown}; all: {}", known.join(" "))));
    }
    targets.retain(|target| {
        options.targets.is_empty() || options.targets.contains(&target.name.as_str())
    });
    check_tools()?;
    let mut folders: Vec<&Path> = targets.iter().map(|target| target.folder.as_path()).collect();
    folders.dedup();
    for folder in folders {
        step(&format!("build {}", folder.display()), cargo_fuzz_build(folder))?;
    }
    if options.build {
        return Ok(());
    }
    let reports = run_all(targets, &options)?;
    print_reports(&reports)
}

impl<'a> FuzzOptions<'a> {
    fn parse(arguments: &[&'a str]) -> Result<FuzzOptions<'a>, TaskError> {
        let mut options =
            FuzzOptions { minutes: DEFAULT_MINUTES, jobs: 1, build: false, targets: Vec::new() };
        let mut arguments = arguments.iter();
        while let Some(&argument) = arguments.next() {
            let mut number = || {
                let number = arguments.next().and_then(|text| text.parse::<f64>().ok());
                number
                    .filter(|number| *number > 0.0)
                    .ok_or_else(|| TaskError(format!("{argument} needs a number")))
            };
            match argument {
                "--minutes" => options.minutes = number()?,
                "--jobs" => options.jobs = number()?.ceil() as usize,
                "--build" => options.build = true,
                name if !name.starts_with('-') => options.targets.push(name),
                other => return Err(TaskError(format!("there is no option {other}"))),
            }
        }
        Ok(options)
    }
}

/// Returns the targets of all fuzz crates in the workspace.
fn all_targets() -> Result<Vec<FuzzTarget>, TaskError> {
    let failed = |error| TaskError(format!("crates: {error}"));
    let crates = fs::read_dir(workspace().join("crates")).map_err(failed)?;
    let mut folders: Vec<PathBuf> =
        crates.flatten().map(|entry| entry.path().join("fuzz")).collect();
    folders.sort();
    let mut targets = Vec::new();
    for folder in folders {
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        let max_length = |name: &str| {
            let start = format!("{name} = ");
            let lines = manifest.split("[package.metadata.max-len]").nth(1).unwrap_or_default();
            let mut lines = lines.lines().take_while(|line| !line.starts_with('['));
            let value = lines.find_map(|line| line.strip_prefix(&start));
            value.unwrap_or(DEFAULT_MAX_LENGTH).to_owned()
        };
        let paths = manifest.lines().filter_map(|line| line.strip_prefix("path = \"fuzz_targets/"));
        for name in paths.filter_map(|name| name.strip_suffix(".rs\"")) {
            let (name, max_length) = (name.to_owned(), max_length(name));
            targets.push(FuzzTarget { name, folder: folder.clone(), max_length });
        }
    }
    Ok(targets)
}

/// Fails with advice if a tool is missing.
fn check_tools() -> Result<(), TaskError> {
    let tools = [
        (vec!["+nightly", "--version"], "rustup toolchain install nightly"),
        (vec!["+nightly", "fuzz", "--version"], "cargo install cargo-fuzz"),
    ];
    for (arguments, advice) in tools {
        let mut command = Command::new("cargo");
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        if !command.status().is_ok_and(|status| status.success()) {
            return Err(TaskError(format!("fuzzing needs a tool that is missing: {advice}")));
        }
    }
    Ok(())
}

/// Returns the command that builds the targets of a fuzz crate. Nothing has unsafe code, so no sanitizer is used.
fn cargo_fuzz_build(folder: &Path) -> Command {
    // The cargo that runs this task is not the nightly one.
    let mut cargo = Command::new("cargo");
    cargo
        .args(["+nightly", "fuzz", "build", "--sanitizer", "none"])
        .arg("--target-dir")
        .arg(target().join("fuzz"))
        .current_dir(folder.parent().unwrap_or(folder))
        // The server is fuzzed without the app, whose folder may be missing; cargo would take that
        // for a change each time.
        .env(app::VARIABLE, workspace().join("crates/khet-server/unbuilt"))
        .env_remove("CARGO")
        .env_remove("RUSTUP_TOOLCHAIN");
    cargo
}

/// Returns the program of a target, which cargo-fuzz has built for the machine's own platform.
fn binary(name: &str) -> Result<PathBuf, TaskError> {
    let folder = target().join("fuzz");
    let platforms = fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut programs = platforms.map(|entry| entry.path().join("release").join(name));
    let program = programs.find(|program| program.is_file());
    program.ok_or_else(|| TaskError(format!("{name} is not in {}", folder.display())))
}

/// Runs the targets, as many at once as requested.
fn run_all(
    targets: Vec<FuzzTarget>,
    options: &FuzzOptions<'_>,
) -> Result<Vec<FuzzReport>, TaskError> {
    let count = targets.len();
    let queue = Mutex::new(targets.into_iter().enumerate().collect::<VecDeque<_>>());
    let reports = Mutex::new(Vec::new());
    let work = || {
        loop {
            // The lock is released at the end of the statement.
            let next = queue.lock().ok().and_then(|mut queue| queue.pop_front());
            let Some((number, target)) = next else { return };
            println!("[{}/{count}] {} for {} min", number + 1, target.name, options.minutes);
            let report = run(target, options.minutes);
            if let Ok(mut reports) = reports.lock() {
                reports.push((number, report));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(work);
        }
    });
    let mut reports = reports.into_inner().unwrap_or_default();
    reports.sort_by_key(|(number, _)| *number);
    reports.into_iter().map(|(_, report)| report).collect()
}

/// Runs a target until the time is over or an input makes it fail.
fn run(target: FuzzTarget, minutes: f64) -> Result<FuzzReport, TaskError> {
    let FuzzTarget { name, folder, max_length } = &target;
    let failed = |error: std::io::Error| TaskError(format!("{name}: {error}"));
    let (corpus, seeds) = (folder.join("corpus").join(name), folder.join("seeds").join(name));
    fs::create_dir_all(&corpus).map_err(failed)?;
    let artifacts = folder.join("artifacts").join(name);
    fs::create_dir_all(&artifacts).map_err(failed)?;
    // Run directly: `cargo fuzz run` would check the build again, and wait for the other jobs.
    let mut command = Command::new(binary(name)?);
    command.arg(corpus).arg(seeds);
    command.arg(format!("-artifact_prefix={}/", artifacts.display()));
    command.arg(format!("-max_total_time={:.0}", minutes * 60.0));
    command.arg(format!("-max_len={max_length}"));
    command.args([format!("-timeout={INPUT_TIMEOUT}"), "-print_final_stats=1".to_owned()]);
    let dictionary = folder.join(format!("{name}.dict"));
    if dictionary.exists() {
        command.arg(format!("-dict={}", dictionary.display()));
    }
    let started = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().map_err(failed)?;
    let mut report =
        FuzzReport { executions: 0, coverage: 0, time: Duration::ZERO, failure: None, target };
    let (mut shown_lines, mut has_failed) = (VecDeque::new(), false);
    let mut shown = started;
    let output = child.stderr.take().map(BufReader::new);
    for line in output.into_iter().flat_map(|output| output.lines().map_while(Result::ok)) {
        report.read_line(&line);
        if shown.elapsed() >= PROGRESS_INTERVAL {
            shown = Instant::now();
            println!("  {}", report.progress(started.elapsed()));
        }
        has_failed |= line.contains("panicked at") || line.contains("ERROR: libFuzzer");
        // The first lines of a failure say what it is, the last ones before an error how it came.
        if !has_failed && shown_lines.len() == SHOWN_LINES {
            shown_lines.pop_front();
        }
        if shown_lines.len() < 2 * SHOWN_LINES {
            shown_lines.push_back(line);
        }
    }
    let status = child.wait().map_err(|error| TaskError(error.to_string()))?;
    report.time = started.elapsed();
    if !status.success() {
        report.failure = Some(Vec::from(shown_lines).join("\n"));
    }
    println!("  {}", report.progress(report.time));
    Ok(report)
}

impl FuzzReport {
    /// Reads the numbers of a line of libFuzzer: `#2048 pulse cov: 345 ft: 567 …`.
    fn read_line(&mut self, line: &str) {
        if let Some(number) = line.strip_prefix("stat::number_of_executed_units:") {
            self.executions = number.trim().parse().unwrap_or(self.executions);
        }
        let mut words = line.split_ascii_whitespace();
        let number = words.next().and_then(|word| word.strip_prefix('#')?.parse().ok());
        if let Some(number) = number {
            self.executions = number;
            words.find(|word| *word == "cov:");
            let coverage = words.next().and_then(|word| word.parse().ok());
            self.coverage = coverage.unwrap_or(self.coverage);
        }
    }

    fn progress(&self, time: Duration) -> String {
        let FuzzReport { target, executions, coverage, .. } = self;
        let state = if self.failure.is_some() { "FAILED" } else { "" };
        let (name, seconds) = (&target.name, time.as_secs());
        format!("{name:<12} {seconds:>6} s {executions:>12} runs {coverage:>7} edges  {state}")
    }
}

/// Prints a table of all targets. Fails if one of them failed.
fn print_reports(reports: &[FuzzReport]) -> Result<(), TaskError> {
    println!("\n=== results");
    for report in reports {
        println!("{}", report.progress(report.time));
    }
    let executions: u64 = reports.iter().map(|report| report.executions).sum();
    println!("{} targets, {executions} runs", reports.len());
    let failures: Vec<String> = reports
        .iter()
        .filter_map(|report| {
            let FuzzTarget { name, folder, .. } = &report.target;
            let artifacts = folder.join("artifacts").join(name);
            let failure = report.failure.as_ref()?;
            Some(format!("{name} failed; the input is in {}\n{failure}", artifacts.display()))
        })
        .collect();
    if failures.is_empty() { Ok(()) } else { Err(TaskError(failures.join("\n\n"))) }
}

#[cfg(test)]
mod tests {
    use super::{FuzzOptions, all_targets};

    #[test]
    fn every_reader_of_outside_bytes_has_a_target() {
        let targets = all_targets().expect("targets");
        assert!(targets.len() >= 12, "{targets:?}");
        for target in &targets {
            assert!(target.max_length.parse::<u32>().is_ok(), "{target:?}");
            assert!(target.folder.join("seeds").join(&target.name).exists(), "{target:?}");
        }
        let lengths = targets.iter().filter(|target| target.max_length != "1024");
        assert!(lengths.count() > 0);
        let mut names: Vec<&String> = targets.iter().map(|target| &target.name).collect();
        names.sort();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count, "names are unique, because the task selects by name");
    }

    #[test]
    fn options_are_read() {
        let arguments = ["--minutes", "0.5", "record", "--jobs", "2", "event"];
        let options = FuzzOptions::parse(&arguments).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((options.minutes, options.jobs), (0.5, 2));
        assert_eq!(options.targets, ["record", "event"]);
        for wrong in [&["--minutes"][..], &["--minutes", "0"], &["--jobs", "x"], &["--all"]] {
            assert!(FuzzOptions::parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
