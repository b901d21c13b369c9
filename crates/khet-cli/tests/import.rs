//! `khet import`: what is taken, what is left out, and what is said about it.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use khet::{Position, Setup};
use khet_crowd::{Guest, Playout};
use khet_protocol::{ExplorerMove, ExplorerResponse, ResultCounts};
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
fn a_missing_file_creates_no_database() {
    let folder = folder(&[]);
    let output = import(folder.path(), &["missing.kgn"]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing.kgn"), "{output:?}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

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
    let game = |moves: usize| {
        let moves = ["f4+", "e5+"].into_iter().cycle().take(moves).collect::<Vec<_>>().join(" ");
        format!("[Setup \"Classic\"]\n\n{moves} 1/2-1/2\n\n")
    };
    let text = game(10_000) + &game(20_001);
    let folder = folder(&[("long.kgn", text.as_bytes())]);
    let output = import(folder.path(), &["long.kgn"]);
    assert!(output.status.success(), "{output:?}");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(
        complaints.contains("the game has 20001 moves, and at most 20000 are taken"),
        "{complaints}"
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 imported"));
}

/// So many positions are asked for.
const ANSWERS: usize = 200;

/// What a server's explorer counts, in the classic start and in what follows from it.
fn counts(folder: &Path) -> Vec<(Position, ResultCounts, Vec<ExplorerMove>)> {
    let mut server = Command::new(env!("CARGO_BIN_EXE_khet"))
        .args([
            "serve",
            "--log",
            "error",
            "--address",
            "127.0.0.1:0",
            "--requests-per-minute",
            "100000",
        ])
        .current_dir(folder)
        .env_remove("KHET_DATABASE")
        .stdout(Stdio::piped())
        .spawn()
        .expect("khet starts");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
    let address = line.split("http://").nth(1).and_then(|rest| rest.split(' ').next());
    let mut guest =
        Guest::nobody(address.and_then(|address| address.parse().ok()).expect("an address"));
    let mut asked = VecDeque::from([Setup::Classic.position()]);
    let mut found = Vec::new();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        while let Some(position) = asked.pop_front().filter(|_| found.len() < ANSWERS) {
            let text = position.placement().to_string().replace(' ', "_");
            let answer = guest.ask("GET", &format!("/api/explorer?position={text}"), "").await;
            let answer: ExplorerResponse = answer.expect("an answer").read().expect("counts");
            for known in &answer.moves {
                let mut next = position;
                next.play(known.mv).expect("legal");
                asked.push_back(next);
            }
            found.push((position, answer.results, answer.moves));
        }
    });
    server.kill().expect("killed");
    server.wait().expect("gone");
    found
}

/// Feeds games to an import and kills it, wherever it is by then.
fn import_killed(folder: &Path, games: &[String]) {
    let mut khet = Command::new(env!("CARGO_BIN_EXE_khet"))
        .args(["import", "-"])
        .current_dir(folder)
        .env_remove("KHET_DATABASE")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("khet starts");
    let mut input = khet.stdin.take().expect("its input");
    input.write_all(games.concat().as_bytes()).expect("fed");
    khet.kill().expect("killed");
    khet.wait().expect("gone");
}

#[test]
fn an_import_that_was_killed_is_completed_by_the_next() {
    let games: Vec<String> = (0..6000)
        .map(|number| {
            let mut text = String::new();
            Playout::new(number).write(&mut text);
            text
        })
        .collect();
    let all = games.concat();
    let (killed, whole) =
        (folder(&[("all.kgn", all.as_bytes())]), folder(&[("all.kgn", all.as_bytes())]));
    for fed in [500, 2500, 4500, 6000] {
        import_killed(killed.path(), &games[..fed]);
    }
    let last = import(killed.path(), &["all.kgn", "--json"]);
    assert!(last.status.success(), "{last:?}");
    let last = lines(&last).pop().expect("a summary");
    let sum = last["imported"].as_u64().zip(last["known"].as_u64()).map(|(new, known)| new + known);
    assert_eq!(sum, Some(6000), "{last}");
    assert!(import(whole.path(), &["all.kgn"]).status.success());
    // Whatever was kept when, the counts are those of an import in one go; and so they are when they are made anew.
    let expected = counts(whole.path());
    assert_eq!(expected.len(), ANSWERS);
    assert_eq!(counts(killed.path()), expected);
    assert!(import(killed.path(), &["--recount"]).status.success());
    assert_eq!(counts(killed.path()), expected);
}
