//! Runs the stored seeds of the fuzz targets through their functions.

#[path = "../../khet/fuzz/run_seeds.rs"]
mod run_seeds;
#[path = "../fuzz/src/lib.rs"]
mod targets;

use run_seeds::{check_targets, run_seeds};

#[test]
fn forwarded() {
    run_seeds("forwarded", targets::read_forwarded);
}

#[test]
fn headers() {
    run_seeds("headers", targets::read_headers);
}

#[test]
fn path() {
    run_seeds("path", targets::read_path);
}

#[test]
fn query() {
    run_seeds("query", targets::read_query);
}

#[test]
fn import() {
    run_seeds("import", targets::import);
}

#[test]
fn actions() {
    run_seeds("actions", targets::act);
}

#[test]
fn seeds_of_all_targets_are_run() {
    check_targets(&["forwarded", "headers", "path", "query", "import", "actions"]);
}
