//! `cargo xtask test`: all checks.

use std::time::Instant;

use crate::app;
use crate::axe;
use crate::browser;
use crate::services::TestServices;
use crate::step::{TaskError, cargo, step};
use crate::wasm_target::{self, WASM};

/// The numbers of random positions, without and with a tower, that the full run compares with the
/// reference rules.
const FULL_CASES: &str = "100000";
const FULL_TOWER_CASES: &str = "20000";

/// Runs all checks; `full` adds the long comparison with the reference rules.
pub(crate) fn test(full: bool) -> Result<(), TaskError> {
    let started = Instant::now();
    step("format", cargo(["fmt", "--all", "--check"]))?;
    crate::names::check()?;
    step(
        "lints",
        cargo(["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"]),
    )?;
    let mut home = cargo(["clippy", "--package", "khet-web", "--no-default-features"]);
    home.args(["--all-targets", "--", "-D", "warnings"]);
    step("lints of the home program", home)?;
    step("tests", cargo(["test", "--workspace", "--all-features"]))?;
    test_services()?;
    step(
        "tests of the home program",
        cargo(["test", "--package", "khet-web", "--no-default-features"]),
    )?;
    if full {
        let mut compare = cargo(["test", "--release", "--package", "khet"]);
        compare.args(["--test", "against_reference"]).env("KHET_CASES", FULL_CASES);
        step("comparison with the reference rules", compare)?;
        let mut compare = cargo(["test", "--release", "--package", "khet"]);
        compare.args(["--test", "tower", "agree"]).env("KHET_CASES", FULL_TOWER_CASES);
        compare.args(["--", "--include-ignored"]);
        step("comparison with the reference rules of the tower", compare)?;
    }
    let mut doc = cargo(["doc", "--workspace", "--all-features", "--no-deps"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    step("documentation", doc)?;
    wasm_target::add()?;
    step("WebAssembly", cargo(["build", "--package", "khet", "--all-features", "--target", WASM]))?;
    step(
        "the protocol in WebAssembly",
        cargo(["build", "--package", "khet-protocol", "--target", WASM]),
    )?;
    step(
        "the puzzles in WebAssembly",
        cargo(["build", "--package", "khet-puzzles", "--target", WASM]),
    )?;
    step("signature in WebAssembly", cargo(["test", "--package", "xtask", "--", "--ignored"]))?;
    let app = app::build()?;
    print!("{app}");
    app.check_sizes()?;
    browser::install()?;
    let mut tests = cargo(["test", "--package", "khet-browser-tests"]);
    tests
        .args(["--", "--ignored"])
        .env(app::VARIABLE, app.folder())
        .env(axe::VARIABLE, axe::fetch()?);
    step("the app in a browser", tests)?;
    println!("\nAll checks passed in {} s.", started.elapsed().as_secs());
    Ok(())
}

/// Runs the server's tests again, with PostgreSQL and NATS.
fn test_services() -> Result<(), TaskError> {
    let services = TestServices::start()?;
    // The same packages and features as before, so that nothing is compiled again.
    let tests = || cargo(["test", "--workspace", "--all-features"]);
    let mut instances = tests();
    instances.args(["--test", "instances", "--", "--ignored"]);
    services.step("tests of the services", instances)?;
    let mut storage = tests();
    storage.args(["--lib", "--", "storage::", "explorer::"]);
    services.step("tests of the storage with PostgreSQL", storage)?;
    let mut server = tests();
    for name in ["api", "attacks", "cluster", "http", "kill", "online", "postgres"] {
        server.args(["--test", name]);
    }
    services.step("tests of the server with PostgreSQL and NATS", server)?;
    let mut faults = tests();
    faults.args(["--test", "cluster_faults", "--", "--ignored", "--nocapture"]);
    services.step("three nodes while their parts fail", faults)
}
