//! The inputs that fuzzing found worth keeping, run through the fuzz targets' own functions.

use std::fs;
use std::path::Path;

#[path = "../fuzz/src/lib.rs"]
mod targets;

/// Runs every file of a target's folder. The name of the one that fails is printed before it runs.
fn run_seeds(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{folder:?} has no seeds");
    for file in files {
        println!("{}", file.display());
        run(&fs::read(&file).unwrap());
    }
}

#[test]
fn positions() {
    run_seeds("position", targets::read_position);
}

#[test]
fn moves() {
    run_seeds("moves", targets::read_move);
}

#[test]
fn records() {
    run_seeds("record", targets::read_record);
}

#[test]
fn games() {
    run_seeds("play", targets::play);
}
