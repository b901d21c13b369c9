//! Long tests of the release server by a program of `khet-load`, which starts the server itself.

use std::fs;
use std::process::{Command, Stdio};

use crate::release_server::binary;
use crate::step::{TaskError, cargo, step, target};

/// Builds the server and the program, and runs it with these arguments. Data and logs are in a
/// folder of this name, which is deleted at the end unless there are faults.
pub(crate) fn run(program: &str, name: &str, arguments: &[&str]) -> Result<(), TaskError> {
    let json = arguments.contains(&"--json");
    build(json)?;
    if !json {
        println!("\n=== {name}");
    }
    let folder = target().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)
        .map_err(|error| TaskError(format!("{}: {error}", folder.display())))?;
    let mut test = Command::new(binary(program));
    test.arg("--khet").arg(binary("khet")).arg("--folder").arg(&folder).args(arguments);
    let done = run_silently(name, test);
    match &done {
        Ok(()) => drop(fs::remove_dir_all(&folder)),
        Err(_) => eprintln!("The database and the server's log are in {}.", folder.display()),
    }
    done
}

/// Builds the release server and the programs of `khet-load`. Prints nothing if the output of the
/// task is JSON.
pub(crate) fn build(json: bool) -> Result<(), TaskError> {
    let mut build = cargo(["build", "--release"]);
    build.args(["--package", "khet-cli", "--package", "khet-load"]);
    if json {
        build.arg("--quiet").stdout(Stdio::null());
        return run_silently("build", build);
    }
    step("build", build)
}

/// Runs a command that must succeed, without a heading.
fn run_silently(name: &str, mut command: Command) -> Result<(), TaskError> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(TaskError(format!("{name}: failed ({status})"))),
        Err(error) => Err(TaskError(format!("{name}: {error}"))),
    }
}
