//! Tests that the engine counts the same nodes in WebAssembly as natively.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use khet_engine::bench::SIGNATURE;
use serde_json::Value;
use wasmi::{Engine, Linker, Module, Store};

#[test]
#[ignore = "needs the target wasm32-unknown-unknown; cargo xtask test installs it and runs this"]
fn signature_in_webassembly_is_the_native_one() {
    for flags in ["", "-Ctarget-feature=+simd128"] {
        let module = fs::read(build(flags)).expect("what cargo has built can be read");
        assert_eq!(run(&module).expect("the module runs"), SIGNATURE, "{flags:?}");
    }
}

/// Builds the module with flags for the compiler, and returns its path.
fn build(flags: &str) -> PathBuf {
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--release", "--package", "khet-engine", "--example", "signature"])
        .args(["--target", "wasm32-unknown-unknown"])
        .args(["--message-format", "json-render-diagnostics"])
        .env("CARGO_ENCODED_RUSTFLAGS", flags)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .stderr(Stdio::inherit())
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "cargo build: {}", output.status);
    let messages = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    let mut modules = messages.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let path = message["filenames"][0].as_str()?;
        (message["target"]["name"] == "signature").then(|| PathBuf::from(path))
    });
    modules.next_back().expect("cargo names what it has built")
}

/// Returns the result of the module's function in an interpreter.
fn run(module: &[u8]) -> Result<u64, wasmi::Error> {
    let engine = Engine::default();
    let module = Module::new(&engine, module)?;
    let mut store = Store::new(&engine, ());
    let instance = Linker::new(&engine).instantiate_and_start(&mut store, &module)?;
    instance.get_typed_func::<(), u64>(&store, "signature")?.call(&mut store, ())
}
