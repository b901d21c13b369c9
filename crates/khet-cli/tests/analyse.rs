//! `khet analyse`. One thread with a depth or node limit makes its output reproducible.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn khet(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_khet"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("khet starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // Writing fails if the command does not read its input, which is fine.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("khet ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Runs a command that must succeed, and returns its output.
fn stdout_of(args: &[&str], input: &str) -> String {
    let output = khet(args, input);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
    text(&output.stdout)
}

/// Checks for exit code 2 and one line on standard error, and returns it.
fn error_line(output: &Output) -> String {
    let text = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text.trim_end().to_string()
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn object(text: &str) -> Value {
    let objects = objects(text);
    assert_eq!(objects.len(), 1, "{text}");
    objects.into_iter().next().expect("one")
}

/// A file that is removed at the end of the test.
struct TempFile(PathBuf);

impl TempFile {
    fn new(name: &str, text: &str) -> TempFile {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&path, text).expect("a file");
        TempFile(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().expect("UTF-8")
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Silver wins by rotating the pyramid on j8 clockwise.
const WIN_IN_ONE: &str = "4k4P2/2p27/p29/10/1d15d12/10/2P37/4K5 s";

/// A game in which Silver misses the win, Red allows it again, and Silver plays it.
fn missed_win() -> String {
    format!(
        "[Silver \"Anna\"]\n[Red \"Ben\"]\n[Position \"{WIN_IN_ONE}\"]\n\n{{before}} 1. e1d1 \
         {{[%clk 0:01:00] hm}} b4+ (1... e8e7 xa6 {{safer}} 2. d1e1) 2. j8+ xe8# 1-0\n"
    )
}

const NODES: &str = "--nodes=2000";

#[test]
fn a_position_gets_its_best_line() {
    let text = stdout_of(&["analyse", WIN_IN_ONE, NODES], "");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], WIN_IN_ONE);
    assert_eq!(lines[1], "  1      #1  depth  1  1. j8+ xe8#");
    assert!(lines[2].starts_with("nodes "), "{text}");
    assert_eq!(lines.len(), 3);
}

#[test]
fn the_lines_option_sets_the_number_of_lines() {
    let report =
        object(&stdout_of(&["analyse", "classic", "--depth=3", "--lines=3", "--json"], ""));
    let lines = report["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 3);
    let firsts: Vec<&Value> = lines.iter().map(|line| &line["moves"][0]["move"]).collect();
    assert!(firsts[0] != firsts[1] && firsts[1] != firsts[2] && firsts[0] != firsts[2]);
    for line in lines {
        assert_eq!(line["depth"], 3);
        let eval = line["eval"].as_str().expect("a text");
        assert!(eval.parse::<f64>().is_ok(), "{eval}");
    }
    let few = stdout_of(&["analyse", "4k5/10/10/10/10/10/10/4K5 s", "--depth=2", "--lines=99"], "");
    assert_eq!(few.lines().count(), 5 + 2, "no more lines than moves: {few}");
}

#[test]
fn evaluations_are_from_silvers_point_of_view() {
    // That position, flipped and with colours reversed.
    let flipped = "5k4/7p12/10/2D15D11/10/9P4/7P42/p44K4 r";
    let report = object(&stdout_of(&["analyse", flipped, NODES, "--json"], ""));
    assert_eq!(report["lines"][0]["eval"], "#-1");
    assert_eq!(report["lines"][0]["moves"], json!([{ "move": "a1+", "shot": "xf1#" }]));
    let text = stdout_of(&["analyse", flipped, NODES], "");
    assert!(text.contains("1... a1+ xf1#"), "{text}");
}

#[test]
fn every_variant_can_be_analysed() {
    for name in ["khet2-classic", "khet2-imhotep-eye", "osiris", "isis"] {
        let report = object(&stdout_of(&["analyse", name, NODES, "--json"], ""));
        assert!(!report["lines"][0]["moves"].as_array().expect("moves").is_empty(), "{name}");
        let mv = report["lines"][0]["moves"][0]["move"].as_str().expect("a move");
        let game = format!("[Setup \"{name}\"]\n\n1. {mv} *\n");
        let review = object(&stdout_of(&["analyse", "-", NODES, "--json"], &game));
        assert_eq!(review["moves"][0]["mark"], Value::Null, "{name}: {review}");
        assert_eq!(review["players"]["silver"]["accuracy"], 100.0);
    }
}

#[test]
fn the_first_ply_is_always_finished() {
    for limit in ["--nodes=1", "--depth=1"] {
        let report = object(&stdout_of(&["analyse", "classic", limit, "--json"], ""));
        let eval = report["lines"][0]["eval"].as_str().expect("a text");
        assert!(eval.parse::<f64>().is_ok(), "{limit}: {eval}");
    }
}

#[test]
fn positions_come_from_standard_input() {
    let output = khet(&["analyse", "-", NODES, "--json"], "classic\nclasic\nosiris\n");
    let answers = objects(&text(&output.stdout));
    assert_eq!(answers.len(), 3);
    assert!(answers[1]["error"].is_string());
    assert!(error_line(&output).starts_with("khet: line 2: neither a position"));
}

#[test]
fn a_game_is_shown_with_a_row_per_move() {
    let file = TempFile::new("table.kgn", &missed_win());
    let text = stdout_of(&["analyse", file.name(), NODES], "");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "Game 1: Anna – Ben, 1-0");
    let words =
        |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_string).collect() };
    let row = |number: &str| {
        let line = lines.iter().find(|line| line.starts_with(&format!("{number} ")));
        words(line.expect("a row"))
    };
    let missed = row("1.");
    assert_eq!(missed[1], "e1d1");
    assert_eq!(missed[3..], ["??", "j8+", "1-0"]);
    assert!(missed[2].starts_with('+'), "{text}");
    assert_eq!(row("2.")[1..], ["j8+", "xe8#", "1-0"]);
    assert_eq!(words(lines[lines.len() - 2])[..5], ["Silver", "2", "0", "0", "1"]);
    assert_eq!(words(lines[lines.len() - 1])[..2], ["Red", "1"]);
}

#[test]
fn a_game_is_one_json_object() {
    let review = object(&stdout_of(&["analyse", "-", NODES, "--json"], &missed_win()));
    assert_eq!(review["game"], 1);
    assert_eq!(review["start"], WIN_IN_ONE);
    let moves = review["moves"].as_array().expect("moves");
    let plies: Vec<&Value> = moves.iter().map(|mv| &mv["ply"]).collect();
    assert_eq!(plies, [1, 2, 3]);
    let mut keys: Vec<&String> = moves[0].as_object().expect("an object").keys().collect();
    keys.sort();
    assert_eq!(keys, ["best", "best_eval", "depth", "eval", "line", "mark", "move", "ply", "shot"]);
    assert_eq!(moves[0]["mark"], "??");
    assert_eq!(moves[0]["best"], "j8+");
    assert_eq!(moves[0]["best_eval"], "1-0");
    assert_eq!(moves[0]["line"], json!(["j8+"]));
    assert_eq!(moves[1]["mark"], "??");
    assert_eq!(moves[1]["eval"], "#1");
    assert_eq!(moves[2]["shot"], "xe8#");
    assert_eq!(moves[2]["eval"], "1-0");
    assert_eq!(moves[2]["mark"], Value::Null);
    let silver = &review["players"]["silver"];
    assert_eq!(silver["moves"], 2);
    assert_eq!(silver["blunders"], 1);
    let accuracy = silver["accuracy"].as_f64().expect("a number");
    // The winning move counts little, because the position was won.
    assert!((5.0..50.0).contains(&accuracy), "{accuracy}");
}

#[test]
fn hitting_the_own_pharaoh_is_a_blunder() {
    let game = "[Position \"4k5/10/10/10/10/10/10/4K4P4 s\"]\n\n1. j1- xe1# 0-1\n";
    let review = object(&stdout_of(&["analyse", "-", NODES, "--json"], game));
    assert_eq!(review["moves"][0]["eval"], "0-1");
    assert_eq!(review["moves"][0]["mark"], "??");
    assert_eq!(review["players"]["red"]["accuracy"], Value::Null);
}

#[test]
fn annotated_records_are_valid_and_keep_existing_comments() {
    let games = format!("{}\n[Setup \"Osiris\"]\n\n*\n", missed_win());
    let annotated = stdout_of(&["analyse", "-", NODES, "--annotate"], &games);
    assert_eq!(stdout_of(&["check", "-"], &annotated).lines().count(), 1);
    let expected = [
        "[Silver \"Anna\"]",
        "{before} 1. e1d1 $4 {[%eval ",
        "{[%clk 0:01:00] hm}",
        "(1. j8+ xe8#)",
        "(1... e8e7 xa6 {safer} 2. d1e1)",
        "2. j8+ xe8# 1-0",
        "[Setup \"Osiris\"]",
    ];
    let flat = annotated.replace('\n', " ");
    for part in expected {
        assert!(flat.contains(part), "{part}: {annotated}");
    }
    let again = stdout_of(&["analyse", "-", NODES, "--annotate"], &annotated);
    assert_eq!(again, annotated, "annotating twice changes nothing");
}

#[test]
fn equal_games_of_a_file_get_equal_reviews() {
    let game = missed_win();
    let twice = stdout_of(&["analyse", "-", NODES, "--json"], &format!("{game}\n{game}"));
    let twice = objects(&twice);
    assert_eq!(twice[0]["moves"], twice[1]["moves"]);
    assert_eq!(twice[1]["game"], 2);
}

#[test]
fn an_invalid_game_does_not_stop_the_others() {
    let games = "[Setup \"Classic\"]\n\n1. h2+ *\n\n[Setup \"Classic\"]\n\n1. h2h4 *\n\n\
                 [Setup \"Dynasty\"]\n\n1. e2d2 *\n";
    let line = "khet: -: line 7, column 4: h2h4: h4 is not next to h2";
    let output = khet(&["analyse", "-", NODES, "--json"], games);
    assert_eq!(error_line(&output), line);
    let answers = objects(&text(&output.stdout));
    assert_eq!(answers.len(), 3);
    assert!(answers[0]["moves"].is_array() && answers[2]["moves"].is_array());
    assert_eq!(answers[1]["game"], 2);
    let output = khet(&["analyse", "-", NODES, "--annotate"], games);
    assert_eq!(error_line(&output), line);
    assert!(
        stdout_of(&["check", "-"], &text(&output.stdout)).starts_with("2 games, 0 of them faulty")
    );
}

#[test]
fn the_rules_option_applies_to_games_without_a_rules_tag() {
    let game = "[Position \"4k5/10/10/4p15/4D15/10/10/4K5 s\"]\n\n1. e4e5 *\n";
    assert!(khet(&["analyse", "-", NODES], game).status.success());
    let output = khet(&["analyse", "-", NODES, "--rules=czech"], game);
    assert!(error_line(&output).contains("in this edition"));
}

#[test]
fn wrong_input_is_reported_in_one_line() {
    let empty = TempFile::new("empty.kgn", "\n");
    let cases: &[(&[&str], &str)] = &[
        (&["analyse", "clasic"], "neither a position nor a setup's name: \"clasic\""),
        (&["analyse", "4k5/10/10/q9/10/10/10/4K5 s"], "character 11 (rank 5): 'q'"),
        (&["analyse", "nowhere.kgn"], "nowhere.kgn: "),
        (&["analyse", env!("CARGO_TARGET_TMPDIR")], "this is a folder"),
        (&["analyse", empty.name()], "the file contains no game"),
        (&["analyse", "classic", "--annotate"], "--annotate needs a game record"),
        (&["analyse", empty.name(), "--lines=2"], "--lines needs a position"),
    ];
    for (args, expected) in cases {
        let line = error_line(&khet(args, ""));
        assert!(line.contains(expected), "{args:?}: {line}");
    }
    for args in [&["--depth=1", "--nodes=1"][..], &["--json", "--annotate"], &["--depth=0"]] {
        let output = khet(&[&["analyse", "classic"], args].concat(), "");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}
