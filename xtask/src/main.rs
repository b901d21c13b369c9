//! The project's tasks: `cargo xtask run`, `cargo xtask test`.

use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

const HELP: &str = "\
Usage: cargo xtask TASK

  run           build Khet and start it
  test          run every check: format, lints, tests, documentation, WebAssembly
  test --full   the same, with the long comparison against the reference rules
  help          print this text

Example: cargo xtask test
";

const WASM: &str = "wasm32-unknown-unknown";

/// How many random positions the full run compares with the reference rules.
const FULL_CASES: &str = "100000";

/// A step that failed, and what can be done about it.
struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["run"] => run(),
        ["test"] => test(false),
        ["test", "--full"] => test(true),
        ["help" | "--help" | "-h"] | [] => {
            print!("{HELP}");
            Ok(())
        }
        _ => Err(Failure(format!("there is no task {:?}\n\n{HELP}", args.join(" ")))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Until there is an app to serve: the board, with Silver's beam.
fn run() -> Result<(), Failure> {
    step("khet show", cargo(["run", "--release", "--bin", "khet", "show", "classic", "--fire"]))
}

fn test(full: bool) -> Result<(), Failure> {
    let started = Instant::now();
    step("format", cargo(["fmt", "--all", "--check"]))?;
    step(
        "lints",
        cargo(["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]),
    )?;
    step("tests", cargo(["test", "--workspace", "--all-features"]))?;
    if full {
        let mut compare = cargo(["test", "--release", "--package", "khet"]);
        compare.args(["--test", "against_reference"]).env("KHET_CASES", FULL_CASES);
        step("comparison with the reference rules", compare)?;
    }
    let mut doc = cargo(["doc", "--workspace", "--all-features", "--no-deps"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    step("documentation", doc)?;
    add_wasm_target()?;
    step("WebAssembly", cargo(["build", "--package", "khet", "--all-features", "--target", WASM]))?;
    step("signature in WebAssembly", cargo(["test", "--package", "xtask", "--", "--ignored"]))?;
    println!("\nAll checks passed in {} s.", started.elapsed().as_secs());
    Ok(())
}

/// Installs the WebAssembly target of the toolchain in use, unless it is there.
fn add_wasm_target() -> Result<(), Failure> {
    let libdir =
        Command::new("rustc").args(["--print", "target-libdir", "--target", WASM]).output();
    let installed = libdir.is_ok_and(|output| {
        output.status.success()
            && Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir()
    });
    if installed {
        return Ok(());
    }
    let mut add = Command::new("rustup");
    add.args(["target", "add", WASM]);
    step("rustup target add", add).map_err(|failure| {
        Failure(format!(
            "{failure}\nRust code for the browser needs the target {WASM}: install it with the \
             program that Rust was installed with, then run this task again."
        ))
    })
}

fn cargo<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(args).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    cargo
}

fn step(name: &str, mut command: Command) -> Result<(), Failure> {
    println!("\n=== {name}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure(format!("{name}: failed ({status})"))),
        Err(error) => {
            let program = command.get_program().to_string_lossy();
            Err(Failure(format!("{name}: {program} does not start: {error}")))
        }
    }
}
