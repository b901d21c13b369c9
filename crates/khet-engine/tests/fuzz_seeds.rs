//! Runs the stored fuzz inputs through the functions of the fuzz targets.

use std::panic;
use std::process;

#[path = "../../khet/fuzz/run_seeds.rs"]
mod run_seeds;
#[path = "../fuzz/src/lib.rs"]
mod targets;

use run_seeds::{check_targets, run_seeds};

#[test]
fn engine_survives_all_seeds() {
    // The engine survives a panic of its search thread, so the test has to detect panics itself.
    let default = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        default(info);
        process::abort();
    }));
    run_seeds("uki", targets::talk);
}

#[test]
fn networks_of_all_seeds_are_read_or_refused() {
    run_seeds("network", targets::read_network);
}

#[test]
fn seeds_of_all_targets_are_run() {
    check_targets(&["network", "uki"]);
}
