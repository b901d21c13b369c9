//! `cargo xtask soak`: plays, reads and searches while the release server is killed, cannot write to
//! its disk and loses connections, and compares everything that it acknowledged with a model.
//!
//! Arguments are passed to `khet-soak`. The database is deleted at the end, unless there are faults.

use std::fs;
use std::process::{Command, Stdio};

use crate::release_server::binary;
use crate::step::{TaskError, cargo, step, target};

/// Builds the server and the soak, and runs it.
pub(crate) fn soak(arguments: &[&str]) -> Result<(), TaskError> {
    // Otherwise the output of the build would be in front of the report.
    let json = arguments.contains(&"--json");
    let mut build = cargo(["build", "--release"]);
    build.args(["--package", "khet-cli", "--package", "khet-load"]);
    if json {
        build.arg("--quiet").stdout(Stdio::null());
        run("build", build)?;
    } else {
        step("build", build)?;
        println!("\n=== soak");
    }
    let folder = target().join("soak");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)
        .map_err(|error| TaskError(format!("{}: {error}", folder.display())))?;
    let mut soak = Command::new(binary("khet-soak"));
    soak.arg("--khet").arg(binary("khet")).arg("--folder").arg(&folder).args(arguments);
    let done = run("soak", soak);
    match &done {
        Ok(()) => drop(fs::remove_dir_all(&folder)),
        Err(_) => eprintln!("The database and the server's log are in {}.", folder.display()),
    }
    done
}

/// Runs a command that must succeed, without a heading.
fn run(name: &str, mut command: Command) -> Result<(), TaskError> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(TaskError(format!("{name}: failed ({status})"))),
        Err(error) => Err(TaskError(format!("{name}: {error}"))),
    }
}
