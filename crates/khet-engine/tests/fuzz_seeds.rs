//! Runs the stored fuzz inputs through the function of the fuzz target.

use std::fs;
use std::panic;
use std::path::Path;
use std::process;

#[path = "../fuzz/src/lib.rs"]
mod target;

#[test]
fn engine_survives_all_seeds() {
    // The engine survives a panic of its search thread, so the test has to detect panics itself.
    let default = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        default(info);
        process::abort();
    }));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/uki");
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{folder:?} has no seeds");
    for file in files {
        println!("{}", file.display());
        target::talk(&fs::read(&file).expect("a file"));
    }
}
