//! Runs the stored seeds of the fuzz targets through their functions.

#[path = "../fuzz/run_seeds.rs"]
mod run_seeds;
#[path = "../fuzz/src/lib.rs"]
mod targets;

use run_seeds::{check_targets, run_seeds};

#[test]
fn position() {
    run_seeds("position", targets::read_position);
}

#[test]
fn moves() {
    run_seeds("moves", targets::read_move);
}

#[test]
fn record() {
    run_seeds("record", targets::read_record);
}

#[test]
fn play() {
    run_seeds("play", targets::play);
}

#[test]
fn tower() {
    run_seeds("tower", targets::read_tower);
}

#[test]
fn seeds_of_all_targets_are_run() {
    check_targets(&["position", "moves", "record", "play", "tower"]);
}
