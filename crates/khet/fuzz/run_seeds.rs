//! Runs the stored seeds of a fuzz target. The tests of all crates with fuzz targets include this
//! file.

use std::fs;
use std::path::Path;

/// Runs all seeds of a target. Each name is printed first, so that a failing seed is known.
pub fn run_seeds(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{folder:?} has no seeds");
    for file in files {
        println!("{}", file.display());
        run(&fs::read(&file).expect("a file"));
    }
}

/// Checks that every target of the fuzz crate is among those whose seeds are run.
pub fn check_targets(run: &[&str]) {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/Cargo.toml");
    let manifest = fs::read_to_string(manifest).expect("a manifest");
    let names = manifest.lines().filter_map(|line| line.strip_prefix("path = \"fuzz_targets/"));
    let mut names: Vec<&str> = names.filter_map(|name| name.strip_suffix(".rs\"")).collect();
    names.sort_unstable();
    let mut run = run.to_vec();
    run.sort_unstable();
    assert_eq!(names, run);
}
