//! Runs the stored seeds of the fuzz targets through their functions.

#[path = "../../khet/fuzz/run_seeds.rs"]
mod run_seeds;
#[path = "../fuzz/src/lib.rs"]
mod targets;

use run_seeds::{check_targets, run_seeds};

#[test]
fn address() {
    run_seeds("address", targets::read_address);
}

#[test]
fn link() {
    run_seeds("link", targets::write_link);
}

#[test]
fn pasted_text() {
    run_seeds("pasted_text", targets::read_pasted_text);
}

#[test]
fn saved_game() {
    run_seeds("saved_game", targets::read_saved_game);
}

#[test]
fn settings() {
    run_seeds("settings", targets::read_settings);
}

#[test]
fn seeds_of_all_targets_are_run() {
    check_targets(&["address", "link", "pasted_text", "saved_game", "settings"]);
}
