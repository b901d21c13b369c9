//! Runs the stored seeds of the fuzz targets through their functions.

#[path = "../../khet/fuzz/run_seeds.rs"]
mod run_seeds;
#[path = "../fuzz/src/lib.rs"]
mod targets;

use run_seeds::{check_targets, run_seeds};

#[test]
fn message() {
    run_seeds("message", targets::read_message);
}

#[test]
fn event() {
    run_seeds("event", targets::read_events);
}

#[test]
fn body() {
    run_seeds("body", targets::read_body);
}

#[test]
fn review() {
    run_seeds("review", targets::read_review);
}

#[test]
fn seeds_of_all_targets_are_run() {
    check_targets(&["message", "event", "body", "review"]);
}
