//! Steps of a task: commands that must succeed.

use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The message of a failed step, with advice where there is any.
#[derive(Debug)]
pub(crate) struct TaskError(pub String);

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Runs a command under a heading.
pub(crate) fn step(name: &str, mut command: Command) -> Result<(), TaskError> {
    println!("\n=== {name}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(TaskError(format!("{name}: failed ({status})"))),
        Err(error) => {
            let program = command.get_program().to_string_lossy();
            Err(TaskError(format!("{name}: {program} does not start: {error}")))
        }
    }
}

/// Creates a call of the cargo that runs this task, in the workspace's folder.
pub(crate) fn cargo<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(args).current_dir(workspace());
    cargo
}

/// Returns the workspace's folder.
pub(crate) fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// Returns cargo's target folder.
pub(crate) fn target() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => workspace().join(folder),
        None => workspace().join("target"),
    }
}
