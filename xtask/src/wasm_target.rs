//! The compiler's WebAssembly target, installed if it is missing.

use std::path::Path;
use std::process::Command;

use crate::step::{TaskError, step};

/// The target of code for browsers.
pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// Installs the WebAssembly target of the current toolchain unless it is installed.
pub(crate) fn add() -> Result<(), TaskError> {
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
        TaskError(format!(
            "{failure}\nRust code for the browser needs the target {WASM}: install it with the \
             program that Rust was installed with, then run this task again."
        ))
    })
}
