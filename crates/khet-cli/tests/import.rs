//! `khet import`: imported, duplicate and skipped games, and interrupted imports.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use khet::{Position, Setup};
use khet_load::{Guest, Playout};
use khet_protocol::{ExplorerMove, ExplorerResponse, ResultCounts};
use serde_json::{Value, json};
use tempfile::TempDir;

fn import(folder: &Path, args: &[&str]) -> Output {
    let mut khet = Command::new(env!("CARGO_BIN_EXE_khet"));
    khet.arg("import").args(args).current_dir(folder).env_remove("KHET_DATABASE");
    khet.output().expect("khet runs")
}

/// Parses the output as lines of JSON.
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
    assert!(output.stdout.is_empty(), "{output:?}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn invalid_games_are_skipped_and_the_others_imported_once() {
    let folder = folder(&[("games.kgn", GAMES.as_bytes())]);
    let output = import(folder.path(), &["games.kgn"]);
    assert!(output.status.success(), "{output:?}");
    let summary = String::from_utf8_lossy(&output.stdout);
    assert_eq!(summary, "4 games: 2 imported, 0 known already, 2 left out\n");
    let messages = String::from_utf8_lossy(&output.stderr);
    let messages: Vec<&str> = messages.lines().collect();
    assert_eq!(
        messages,
        [
            "khet: games.kgn: line 6: the game has no result",
            "khet: games.kgn: line 14, column 4: a1a2: there is no piece on a1",
        ]
    );
    // Those games again, from two files: all are duplicates.
    fs::copy(folder.path().join("games.kgn"), folder.path().join("copy.kgn")).expect("copied");
    let output = import(folder.path(), &["games.kgn", "copy.kgn", "--json"]);
    let output_lines = lines(&output);
    assert_eq!(output_lines.len(), 5);
    assert_eq!(
        output_lines[0],
        json!({"file": "games.kgn", "line": 6, "fault": "the game has no result"})
    );
    assert_eq!(output_lines[4], json!({"games": 8, "imported": 0, "known": 4, "left_out": 4}));
}

#[test]
fn games_with_a_tower_are_imported() {
    let text = format!(
        "{}\n[Setup \"Classic\"]\n\n1. Te5 1-0\n",
        khet::tower::Setup::ALL.map(|setup| format!("[Setup \"{setup}\"]\n\n1-0\n\n")).concat()
    );
    let folder = folder(&[("games.kgn", text.as_bytes())]);
    let output = import(folder.path(), &["games.kgn"]);
    let summary = String::from_utf8_lossy(&output.stdout);
    assert_eq!(summary, "4 games: 3 imported, 0 known already, 1 left out\n", "{output:?}");
}

#[test]
fn garbage_is_reported_and_changes_nothing() {
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
    let messages = String::from_utf8_lossy(&output.stderr);
    for part in ["noise.kgn: line", "nowhere.kgn: ", "this is a folder"] {
        assert!(messages.contains(part), "{part}: {messages}");
    }
    let output = import(folder.path(), &["noise.kgn"]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("not one game could be imported"));
    // A file that is not a database is not changed.
    fs::write(folder.path().join("khet.sqlite"), &noise).expect("written");
    let output = import(folder.path(), &["good.kgn"]);
    assert!(!output.status.success() && !output.stderr.is_empty());
    assert_eq!(fs::read(folder.path().join("khet.sqlite")).expect("read"), noise);
    assert!(!import(folder.path(), &[]).status.success(), "nothing to import");
}

#[test]
fn games_longer_than_the_limit_are_skipped() {
    let game = |moves: usize| {
        let moves = ["f4+", "e5+"].into_iter().cycle().take(moves).collect::<Vec<_>>().join(" ");
        format!("[Setup \"Classic\"]\n\n{moves} 1/2-1/2\n\n")
    };
    let text = game(10_000) + &game(20_001);
    let folder = folder(&[("long.kgn", text.as_bytes())]);
    let output = import(folder.path(), &["long.kgn"]);
    assert!(output.status.success(), "{output:?}");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(messages.contains("the game has 20001 moves; the limit is 20000"), "{messages}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 imported"));
}

/// The number of positions to compare.
const POSITIONS: usize = 200;

/// Returns the explorer's counts in the classic setup and in the positions that follow from it.
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
    BufReader::new(server.stdout.take().expect("its output"))
        .read_line(&mut line)
        .expect("a connection");
    let address = line.split("http://").nth(1).and_then(|rest| rest.split(' ').next());
    let mut guest = Guest::without_session(
        address.and_then(|address| address.parse().ok()).expect("an address"),
    );
    let mut queue = VecDeque::from([Setup::Classic.position()]);
    let mut visited = Vec::new();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        while let Some(position) = queue.pop_front().filter(|_| visited.len() < POSITIONS) {
            let text = position.placement().to_string().replace(' ', "_");
            let answer = guest.ask("GET", &format!("/api/explorer?position={text}"), "").await;
            let answer: ExplorerResponse = answer.expect("an answer").read().expect("counts");
            for known in &answer.moves {
                let mut next = position;
                next.play(known.mv.without_tower().expect("no tower")).expect("legal");
                queue.push_back(next);
            }
            visited.push((position, answer.results, answer.moves));
        }
    });
    server.kill().expect("killed");
    server.wait().expect("gone");
    visited
}

/// Writes games to an import and kills it at whatever point it has reached.
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
fn a_killed_import_is_completed_by_the_next() {
    let games: Vec<String> = (0..6000)
        .map(|number| {
            let mut text = String::new();
            Playout::new(number).append_record(&mut text);
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
    // The counts equal those of one uninterrupted import, also after a recount.
    let expected = counts(whole.path());
    assert_eq!(expected.len(), POSITIONS);
    assert_eq!(counts(killed.path()), expected);
    assert!(import(killed.path(), &["--recount"]).status.success());
    assert_eq!(counts(killed.path()), expected);
}
