//! `khet import`: what is taken, what is left out, and what is said about it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

fn import(folder: &Path, args: &[&str]) -> Output {
    let mut khet = Command::new(env!("CARGO_BIN_EXE_khet"));
    khet.arg("import").args(args).current_dir(folder).env_remove("KHET_DATABASE");
    khet.output().expect("khet runs")
}

/// The lines of JSON that it wrote.
fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("written");
    }
    folder
}

const GAMES: &str = r#"[Silver "Anna <b>"]
[Setup "Classic"]

1. h2+ c7+ 1-0

[Silver "Ben"]
[Setup "Classic"]

1. h2+ c7+ *

[Silver "Clara"]
[Setup "Classic"]

1. a1a2 1-0

[Silver "Dora"]
[Setup "Isis"]
[Rules "czech"]

1/2-1/2
"#;

#[test]
fn faulty_games_are_left_out_and_the_rest_is_taken_once() {
    let folder = folder(&[("games.kgn", GAMES.as_bytes())]);
    let output = import(folder.path(), &["games.kgn"]);
    assert!(output.status.success(), "{output:?}");
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!(told, "4 games: 2 imported, 0 known already, 2 left out\n");
    let complaints = String::from_utf8_lossy(&output.stderr);
    let complaints: Vec<&str> = complaints.lines().collect();
    assert_eq!(
        complaints,
        [
            "khet: games.kgn: line 6: the game has no result",
            "khet: games.kgn: line 14, column 4: a1a2: there is no piece on a1",
        ]
    );
    // Again, twice in one go, and from another file: they are known.
    fs::copy(folder.path().join("games.kgn"), folder.path().join("copy.kgn")).expect("copied");
    let output = import(folder.path(), &["games.kgn", "copy.kgn", "--json"]);
    let told = lines(&output);
    assert_eq!(told.len(), 5);
    assert_eq!(told[0], json!({"file": "games.kgn", "line": 6, "fault": "the game has no result"}));
    assert_eq!(told[4], json!({"games": 8, "imported": 0, "known": 4, "left_out": 4}));
}

#[test]
fn garbage_is_named_and_harms_nothing() {
    let mut noise = vec![0u8; 100_000];
    fastrand::Rng::with_seed(7).fill(&mut noise);
    let good = b"[Setup \"Dynasty\"]\n\n1-0\n";
    let folder = folder(&[("noise.kgn", &noise), ("good.kgn", good), ("empty.kgn", b"")]);
    let output = import(
        folder.path(),
        &["noise.kgn", "nowhere.kgn", ".", "good.kgn", "empty.kgn", "--json"],
    );
    assert!(!output.status.success(), "files that can't be read");
    let summary = lines(&output).pop().expect("a summary");
    assert_eq!(summary["imported"], 1);
    let complaints = String::from_utf8_lossy(&output.stderr);
    for part in ["noise.kgn: line", "nowhere.kgn: ", "this is a folder"] {
        assert!(complaints.contains(part), "{part}: {complaints}");
    }
    let output = import(folder.path(), &["noise.kgn"]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("not one game could be imported"));
    // A database that is none is not touched.
    fs::write(folder.path().join("khet.sqlite"), &noise).expect("written");
    let output = import(folder.path(), &["good.kgn"]);
    assert!(!output.status.success() && !output.stderr.is_empty());
    assert_eq!(fs::read(folder.path().join("khet.sqlite")).expect("read"), noise);
    assert!(!import(folder.path(), &[]).status.success(), "nothing to import");
}

#[test]
fn very_long_games_are_taken_up_to_a_bound() {
    let game = |turns: usize| {
        let turns = ["f4+", "e5+"].into_iter().cycle().take(turns).collect::<Vec<_>>().join(" ");
        format!("[Setup \"Classic\"]\n\n{turns} 1/2-1/2\n\n")
    };
    let text = game(10_000) + &game(20_001);
    let folder = folder(&[("long.kgn", text.as_bytes())]);
    let output = import(folder.path(), &["long.kgn"]);
    assert!(output.status.success(), "{output:?}");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(
        complaints.contains("the game has 20001 turns, and at most 20000 are taken"),
        "{complaints}"
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 imported"));
}
