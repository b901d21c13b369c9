//! The simple commands: their text and JSON output, errors and exit codes.

mod tower;

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn khet(args: &[&str]) -> Output {
    khet_with_input(args, b"")
}

fn khet_with_input(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_khet"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("khet starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // Writing fails if the command does not read all of its input, which is fine.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("khet ends");
    feeder.join().expect("the input is written");
    output
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// Runs a command that must succeed, and returns its output.
fn stdout_of(args: &[&str]) -> String {
    let output = khet(args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    assert_eq!(stderr(&output), "");
    stdout(&output)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect(text)
}

/// Checks for exit code 2 and one line on standard error, and returns it.
fn error_line(output: &Output) -> String {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text.trim_end().to_string()
}

#[test]
fn perft_counts() {
    for (setup, nodes) in [("classic", "6228"), ("imhotep", "5635"), ("dynasty", "4849")] {
        for option in ["--divide", "--play-leaves", "--threads=3"] {
            let text = stdout_of(&["perft", setup, "2", option]);
            let line = text.lines().find(|line| line.starts_with("nodes ")).expect("a count");
            assert_eq!(line.split_whitespace().nth(1), Some(nodes));
        }
    }
}

#[test]
fn perft_json_has_nodes_seconds_and_speed() {
    let report = json(&stdout_of(&["perft", "classic", "3", "--json"]));
    assert_eq!(report["nodes"], 489_517);
    let (seconds, speed) = (report["seconds"].as_f64(), report["nodes_per_second"].as_f64());
    let nodes = seconds.expect("a number") * speed.expect("a number");
    assert!((nodes - 489_517.0).abs() < 1.0);
    assert_eq!(report.as_object().expect("an object").len(), 3);
}

#[test]
fn perft_divide_adds_up() {
    let report = json(&stdout_of(&["perft", "dynasty", "3", "--divide", "--json"]));
    let branches = report["divide"].as_array().expect("an array");
    assert_eq!(branches.len(), 70);
    let sum: u64 = branches.iter().filter_map(|branch| branch["nodes"].as_u64()).sum();
    assert_eq!(report["nodes"], sum);
}

#[test]
fn perft_of_depth_0_and_1() {
    assert_eq!(json(&stdout_of(&["perft", "classic", "0", "--json"]))["nodes"], 1);
    assert_eq!(json(&stdout_of(&["perft", "classic", "1", "--json"]))["nodes"], 79);
    assert_eq!(
        json(&stdout_of(&["perft", "classic", "1", "--json", "--play-leaves"]))["nodes"],
        79
    );
}

#[test]
fn moves_are_listed_with_their_hits() {
    let text = stdout_of(&["moves", "classic"]);
    assert_eq!(text.lines().count(), 79);
    assert!(text.lines().any(|line| line == "j4i3 xj5"));
    assert!(text.lines().any(|line| line == "h2+"));
}

#[test]
fn moves_json_is_an_array_of_moves() {
    let moves = json(&stdout_of(&["moves", "classic", "--json"]));
    let moves = moves.as_array().expect("an array");
    assert_eq!(moves.len(), 79);
    assert!(moves.contains(&json!("d1^d2")));
}

#[test]
fn the_rules_can_be_chosen() {
    let moves = json(&stdout_of(&["moves", "classic", "--json", "--rules", "czech"]));
    assert_eq!(moves.as_array().expect("an array").len(), 78);
}

#[test]
fn apply_prints_moves_with_hits_and_the_position() {
    let text = stdout_of(&["apply", "classic", "j4i3", "a5b5"]);
    let position = "4o2ko2p22/2p37/3P46/1p1P31d1d21p22/2P41D2D11p12/6p21P31/7P12/2P4O2KO24 s";
    assert_eq!(text.lines().collect::<Vec<_>>(), ["j4i3 xj5", "a5b5 xa4", position]);
}

#[test]
fn apply_json_has_position_result_and_shots() {
    let applied = json(&stdout_of(&["apply", "4k5/10/10/10/10/10/10/4K4P4 s", "j1-", "--json"]));
    assert_eq!(applied["position"], "4k5/10/10/10/10/10/10/9P3 r");
    assert_eq!(applied["result"], "red");
    let shot = &applied["shots"][0];
    assert_eq!(shot["move"], "j1-");
    assert_eq!(shot["by"], "silver");
    assert_eq!(shot["hits"], json!([{ "square": "e1", "piece": "K", "left": null }]));
    let steps = shot["beams"][0]["steps"].as_array().expect("an array");
    assert_eq!(steps[0], json!({ "square": "j1", "arrives": "north", "leaves": "west" }));
    assert_eq!(steps.len(), 6);
    assert_eq!(shot["beams"][0]["end"], "hit");

    let applied = json(&stdout_of(&["apply", "classic", "h2+", "--json"]));
    assert_eq!(applied["result"], Value::Null);
}

#[test]
fn a_counterclockwise_djed_rotation_is_written_as_clockwise() {
    let applied = json(&stdout_of(&["apply", "classic", "e4-", "--json"]));
    assert_eq!(applied["shots"][0]["move"], "e4+");
}

#[test]
fn positions_come_from_standard_input() {
    let input = b"classic\nosiris\n\n4k5/10/10/10/10/10/10/4K4P4 s\n";
    let output = khet_with_input(&["moves", "-", "--json"], input);
    assert!(output.status.success());
    let counts: Vec<usize> = stdout(&output)
        .lines()
        .map(|line| json(line).as_array().expect("an array").len())
        .collect();
    assert_eq!(counts, [79, 71, 9]);

    let output = khet_with_input(&["apply", "-", "e1d2", "--json"], input);
    let lines: Vec<Value> = stdout(&output).lines().map(json).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["shots"][0]["move"], "e1d2");
    assert_eq!(lines[1], json!({ "error": "move 1: e1d2: d2 is taken" }));
    assert_eq!(error_line(&output), "khet: line 2: move 1: e1d2: d2 is taken");
}

#[test]
fn an_invalid_line_does_not_stop_the_others() {
    let output = khet_with_input(&["moves", "-", "--json"], b"classic\nclasic\ndynasty\n");
    assert_eq!(stdout(&output).lines().count(), 3);
    assert!(error_line(&output).starts_with("khet: line 2: "));
}

#[test]
fn show_draws_the_board() {
    let text = stdout_of(&["show", "classic"]);
    assert!(text.contains("8 │ ◉  │ ☥  │    │    │ o2 │ k  │ o2 │ p◤ │ ◉  │ ☥  │"), "{text}");
    assert!(text.contains("5 │ p◣ │    │ P◥ │    │ d╲ │ d╱ │    │ p◤ │    │ P◢ │"), "{text}");
    assert!(text.contains("Silver to move (classic)"));
    assert!(!text.contains('\x1b'), "no colours outside a terminal");
}

#[test]
fn show_fire_draws_the_beam() {
    let text = stdout_of(&["show", "classic", "--fire"]);
    assert!(text.contains("p◤━━━━━━━━P◢"), "{text}");
    assert!(text.contains("Silver's laser hits nothing."));
    let red = stdout_of(&["show", "classic", "--fire=red"]);
    assert!(red.contains("p◣━━━━━━━━P◥"), "{red}");
}

#[test]
fn show_json_names_faults_and_warnings() {
    let shown = json(&stdout_of(&["show", "4k5/10/10/10/10/10/9O1/4K4P4 s", "--json", "--fire"]));
    assert_eq!(shown["pieces"]["e1"], "K");
    assert_eq!(shown["faults"], json!([]));
    assert_eq!(shown["shot"]["hits"][0]["square"], "j1");
    assert!(!shown["warnings"].as_array().expect("an array").is_empty());
}

#[test]
fn wrong_input_is_reported_in_one_line_with_its_place() {
    let classic = "4o2ko2p22/2p37/3P46/p11P31d1d21p21P4/p21P41D2D11p11P3/6p23/7P12/2P4O2KO24 s";
    let cases: &[(&[&str], &str)] = &[
        (&["moves", "clasic"], "neither a position nor a setup's name: \"clasic\""),
        (&["moves", ""], "neither a position nor a setup's name: \"\""),
        (&["moves", "4k5/10/10/q9/10/10/10/4K5 s"], "character 11 (rank 5): 'q'"),
        (&["moves", "4k5/10/10/p58/10/10/10/4K5 s"], "character 11 (rank 5): \"p5\""),
        (&["moves", "4k6/10/10/10/10/10/10/4K5 s"], "character 3 (rank 8): the rank has more"),
        (&["moves", "4k5/10/10/10/10/10/4K5 s"], "7 of 8 ranks"),
        (&["moves", "4k5/10/10/10/10/10/10/4K5"], "s or r, the side to move"),
        (&["moves", "4k5/10/10/10/10/10/10/4K5 s x"], "nothing may follow"),
        (&["moves", "4k4k/10/10/10/10/10/10/4K5 s"], "red has 2 of the piece pharaoh"),
        (&["moves", "4k5/10/10/10/10/10/9p1/4K5 s"], "j2 is reserved for silver"),
        (&["moves", "10/10/10/10/10/10/10/10 s"], "silver has no pharaoh; red has no pharaoh"),
        (&["apply", classic, "f8f7"], "move 1: f8f7: the piece on f8 belongs to the other player"),
        (&["apply", classic, "h2+", "h2+"], "move 2: h2+: the piece on h2 belongs"),
        (&["apply", classic, "k9"], "move 1: \"k9\": a move is written like"),
        (&["apply", classic, "e1j8"], "j8 is not next to e1"),
        (
            &["apply", "4k5/10/10/10/10/10/10/4K4P4 s", "j1-", "e8e7"],
            "move 2: e8e7: the game is over",
        ),
        (&["show", "4k4k/10/10/10/10/10/10/4K5 s"], "red has 2 of the piece pharaoh"),
        (&["perft", "x/y", "2"], "character 1 (rank 8): \"x/\": a sphinx's digit is 1 to 4"),
        (&["check", "/nowhere.kgn"], "/nowhere.kgn: "),
        (&["check", "/"], "/: this is a folder"),
        (&["play"], "play needs a terminal"),
        (&["play", "--setup", "clasic"], "neither a position nor a setup's name: \"clasic\""),
        (&["play", "--setup", "4k4k/10/10/10/10/10/10/4K5 s"], "red has 2 of the piece pharaoh"),
    ];
    for (args, expected) in cases {
        let line = error_line(&khet(args));
        assert!(line.contains(expected), "{args:?}: {line}");
    }
}

#[test]
fn check_continues_after_a_missing_file() {
    let output = khet_with_input(&["check", "/nowhere.kgn", "-"], GAMES.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("khet: /nowhere.kgn: "));
    assert_eq!(stdout(&output), "3 games, 1 of them faulty; 5 moves\n");
}

#[test]
fn every_line_gets_one_json_value() {
    let input = b"classic\n3kk5/10/10/10/10/10/10/4K5 s\n\nnothing\n";
    let output = khet_with_input(&["show", "-", "--json"], input);
    let lines: Vec<Value> = stdout(&output).lines().map(json).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[1]["faults"].as_array().map(Vec::len), Some(1));
    assert!(lines[2]["error"].is_string());
    assert_eq!(stderr(&output).lines().count(), 2);
}

#[test]
fn an_overlong_line_is_one_error() {
    let input = format!("classic\n{}\ndynasty\n", "x".repeat(200_000));
    let output = khet_with_input(&["moves", "-", "--json"], input.as_bytes());
    assert_eq!(stdout(&output).lines().count(), 3);
    assert!(error_line(&output).starts_with("khet: line 2: "));
}

#[test]
fn bad_arguments_get_one_line_and_exit_code_2() {
    for args in [
        &["perft", "classic", "99"][..],
        &["moves"],
        &["fly"],
        &["moves", "classic", "--rules", "x"],
        &["play", "--level", "11"],
        &["play", "--friend", "--level", "1"],
    ] {
        let output = khet(args);
        assert!(error_line(&output).starts_with("khet: "), "{args:?}");
    }
}

#[test]
fn the_bench_signature_is_reproducible() {
    let signature = || json(&stdout_of(&["bench", "--depth", "2", "--json"]))["nodes"].as_u64();
    assert!(signature() > Some(0));
    assert_eq!(signature(), signature());
}

#[test]
fn bench_compares_threads() {
    let report = json(&stdout_of(&["bench", "--threads", "2", "--depth", "2", "--json"]));
    let ratios: Vec<f64> =
        report["ratios"].as_array().expect("a list").iter().flat_map(Value::as_f64).collect();
    assert_eq!(ratios.len(), 30);
    let median = report["median"].as_f64().expect("a number");
    assert!(ratios.iter().filter(|&&ratio| ratio <= median).count() >= 15);
    assert!(ratios.iter().filter(|&&ratio| ratio >= median).count() >= 15);
    assert!(report["positions"][29]["one"].as_f64() > Some(0.0));

    let text = stdout_of(&["bench", "--threads", "3", "--depth", "1"]);
    let rows = text.lines().filter(|line| line.ends_with(" s") || line.ends_with(" r"));
    assert_eq!(rows.count(), 30, "{text}");
    assert!(text.lines().last().is_some_and(|line| line.starts_with("median ratio ")), "{text}");
}

#[test]
fn every_command_has_help_with_an_example() {
    let commands = listed_commands(&stdout_of(&["--help"]));
    assert!(commands.len() >= 18, "{commands:?}");
    for command in &commands {
        let help = stdout_of(&[command, "--help"]);
        let token = if command == "bot" { "KHET_TOKEN=… " } else { "" };
        assert!(help.contains(&format!("Example: {token}khet {command}")), "{help}");
    }
    let commands = listed_commands(&stdout_of(&["setups", "--help"]));
    assert!(commands.len() >= 3, "{commands:?}");
    for command in &commands {
        let help = stdout_of(&["setups", command, "--help"]);
        assert!(help.contains(&format!("Example: khet setups {command}")), "{help}");
    }
}

/// Returns the names of the commands that a help text lists, without `help`.
fn listed_commands(help: &str) -> Vec<String> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let entries = list.take_while(|line| !line.is_empty());
    // Continuation lines of a description are indented further.
    let names = entries.filter_map(|line| {
        line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?.split(' ').next()
    });
    names.filter(|name| *name != "help").map(String::from).collect()
}

#[test]
fn help_fits_into_100_columns() {
    for command in ["analyse", "bench", "bot", "match", "picture", "serve", "setups"] {
        for line in stdout_of(&[command, "--help"]).lines() {
            assert!(line.chars().count() <= 100, "{command}: {line}");
        }
    }
}

#[test]
fn turns_is_a_hidden_alias_of_moves() {
    assert_eq!(stdout_of(&["turns", "osiris"]), stdout_of(&["moves", "osiris"]));
    let help = stdout_of(&["--help"]);
    assert!(help.contains("  moves ") && !help.contains("turns"), "{help}");
}

const GAMES: &str = "\
[Setup \"Classic\"]

1. h2+ a5b5 xa4 (1... c7c6) 2. j4i3 xj5 *

[Setup \"Classic\"]

1. h2+ a5b5 xa5 *

[Setup \"Dynasty\"]

1. e2d2 1-0
";

#[test]
fn check_reports_the_first_error_of_each_game() {
    let output = khet_with_input(&["check", "-"], GAMES.as_bytes());
    assert_eq!(error_line(&output), "khet: -: line 7, column 13: \"xa5\": the shot did xa4");
    assert_eq!(stdout(&output), "3 games, 1 of them faulty; 5 moves\n");
}

#[test]
fn check_json_is_an_object_per_line() {
    let output = khet_with_input(&["check", "-", "--json"], GAMES.as_bytes());
    let lines: Vec<Value> = stdout(&output).lines().map(json).collect();
    assert_eq!(lines[0]["line"], 7);
    assert_eq!(lines[0]["column"], 13);
    assert_eq!(lines[1], json!({ "games": 3, "faults": 1, "moves": 5 }));
}

#[test]
fn check_applies_the_rules_option_to_games_without_a_rules_tag() {
    // Silver's djed on e4 swaps with Red's pyramid on e5, which Czech rules forbid.
    let swap = "4k5/10/10/4p15/4D15/10/10/4K5 s";
    let game = format!("[Position \"{swap}\"]\n\n1. e4e5 *\n");
    assert!(khet_with_input(&["check", "-"], game.as_bytes()).status.success());
    let output = khet_with_input(&["check", "-", "--rules", "czech"], game.as_bytes());
    assert!(error_line(&output).contains("line 3, column 4: e4e5: in this edition"));
}

#[test]
fn check_survives_truncated_records() {
    for end in 0..GAMES.len() {
        let output = khet_with_input(&["check", "-"], &GAMES.as_bytes()[..end]);
        assert!(matches!(output.status.code(), Some(0 | 2)), "cut at {end}: {}", stderr(&output));
        if output.status.code() == Some(2) {
            assert!(stderr(&output).lines().all(|line| line.starts_with("khet: -: line ")));
        }
    }
}

#[test]
fn random_bytes_never_panic() {
    let mut state = 7u64;
    let mut bytes = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 56) as u8
    };
    for length in [1, 10, 100, 1000, 100_000] {
        let noise: Vec<u8> = (0..length).map(|_| bytes()).collect();
        for args in [&["check", "-"][..], &["moves", "-"], &["show", "-", "--json"]] {
            let output = khet_with_input(args, &noise);
            assert!(matches!(output.status.code(), Some(0 | 2)), "{args:?} {length}");
            assert!(!stderr(&output).contains("panicked"), "{args:?} {length}");
        }
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_khet"))
        .args(["moves", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("khet starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("a pipe");
    let _ = stdin.write_all("classic\n".repeat(1000).as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("khet ends");
    assert_eq!(stderr(&output), "");
    assert!(output.status.success());
}

#[test]
fn picture_writes_svg_to_standard_output() {
    let plain = stdout_of(&["picture", "classic"]);
    assert!(plain.starts_with("<svg ") && plain.trim_end().ends_with("</svg>"));
    let beam = "url(#khet-silver-beam)";
    assert!(!plain.contains(&format!("fill=\"{beam}\"")));
    assert!(stdout_of(&["picture", "classic", "--beam"]).contains(&format!("fill=\"{beam}\"")));
    assert!(
        stdout_of(&["picture", "classic", "--beam=red"]).contains("fill=\"url(#khet-red-beam)\"")
    );
    assert!(stdout_of(&["picture", "classic", "--width", "540"]).contains("width=\"540\""));
    let others = [
        stdout_of(&["picture", "classic", "--light"]),
        stdout_of(&["picture", "classic", "--side", "red"]),
    ];
    assert!(others.iter().all(|other| *other != plain) && others[0] != others[1]);
}

#[test]
fn the_file_extension_selects_the_picture_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    assert_eq!(stdout_of(&["picture", "osiris", "-o", &path("a.svg")]), "");
    assert_eq!(
        stdout_of(&["picture", "osiris", "--beam", "--width", "200", "-o", &path("a.PNG")]),
        ""
    );
    let read = |name: &str| std::fs::read(path(name)).expect("a file");
    assert!(read("a.svg").starts_with(b"<svg "));
    let png = read("a.PNG");
    assert!(png.starts_with(b"\x89PNG\r\n"));
    assert_eq!(png[16..24], [0, 0, 0, 200, 0, 0, 0, 163]);
}

#[test]
fn picture_shows_a_ply_of_a_record() {
    let game = "[Setup \"Classic\"]\n\n1. h2+ a5b5 xa4 2. j4i3 xj5 *\n";
    let drawn = |args: &[&str], games: &str| {
        let args = [&["picture", "-"], args].concat();
        let output = khet_with_input(&args, games.as_bytes());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    // The last move with Silver's beam and the piece that it hits.
    let last = drawn(&[], game);
    assert_eq!(last, drawn(&["--ply", "3"], game));
    assert!(
        last.contains("fill=\"url(#khet-ember)\"")
            && last.contains("fill=\"url(#khet-silver-beam)\"")
    );
    assert!(drawn(&["--ply", "2"], game).contains("fill=\"url(#khet-red-beam)\""));
    assert_eq!(drawn(&["--ply", "0"], game), stdout_of(&["picture", "classic"]));
    let two = format!("{game}\n[Setup \"Dynasty\"]\n\n*\n");
    assert_eq!(drawn(&["--game", "2"], &two), stdout_of(&["picture", "dynasty"]));
}

#[test]
fn picture_reports_wrong_input() {
    let error = |args: &[&str]| error_line(&khet(&[&["picture"], args].concat()));
    assert_eq!(error(&["10/10/10/10/10/10/10/5K4 s"]), "khet: red has no pharaoh");
    assert_eq!(
        error(&["classic", "-o", "board.gif"]),
        "khet: board.gif: the file name must end with .svg or .png"
    );
    assert_eq!(
        error(&["classic", "--ply", "1"]),
        "khet: --ply and --game need a game record, not a position"
    );
    assert!(error(&["nowhere.kgn"]).starts_with("khet: nowhere.kgn: "));
    assert!(
        error(&["classic", "-o", "/nowhere/at/all.png"]).starts_with("khet: /nowhere/at/all.png: ")
    );
    assert!(error(&["classic", "--width", "9000"]).contains("9000"));
    let game = b"[Setup \"Classic\"]\n\n1. h2+ *\n";
    let record_error =
        |args: &[&str]| error_line(&khet_with_input(&[&["picture", "-"], args].concat(), game));
    assert_eq!(record_error(&["--ply", "2"]), "khet: no ply 2; the game has 1 move");
    assert_eq!(record_error(&["--game", "2"]), "khet: -: no game 2; the file contains one game");
}

#[test]
fn setups_are_listed_checked_and_generated() {
    let listed = stdout_of(&["setups", "list"]);
    let rules = include_str!("../../../../docs/rules.md");
    assert!(rules.contains(listed.trim_end()), "docs/rules.md lists other setups than\n{listed}");
    assert!(listed.starts_with("classic "), "{listed}");
    assert_eq!(stdout_of(&["setups", "list", "--json"]).lines().count(), listed.lines().count());

    let few = ["--games", "2", "--nodes", "100"];
    let checked = json(&stdout_of(&[&["setups", "check", "classic", "--json"], &few[..]].concat()));
    assert_eq!((&checked["faults"], &checked["warnings"]), (&json!([]), &json!([])));
    let [silver, drawn, red] =
        ["silver", "drawn", "red"].map(|name| checked[name].as_u64().expect("a count"));
    assert_eq!(silver + drawn + red, 2);
    let faulty = stdout_of(&["setups", "check", "4k5/10/10/10/10/10/10/10 s"]);
    assert!(faulty.contains("fault: silver has no pharaoh"), "{faulty}");
    let odd = stdout_of(&[&["setups", "check", "4k5/10/10/10/10/10/10/K9 s"], &few[..]].concat());
    assert!(odd.contains("fault: a1 is reserved for red"), "{odd}");

    let random =
        [&["setups", "random", "--count", "2", "--seed", "7", "--json"], &few[..]].concat();
    let generated = stdout_of(&random);
    assert_eq!(generated, stdout_of(&random), "the same seed generates the same setups");
    for line in generated.lines() {
        let position = json(line)["position"].as_str().expect("a position").to_string();
        let check = [&["setups", "check", &position, "--json"], &few[..]].concat();
        assert_eq!(json(&stdout_of(&check))["warnings"], json!([]));
    }
    assert!(
        error_line(&khet(&["setups", "random", "--box", "wood"])).contains("standard or khet2")
    );
    assert!(error_line(&khet(&["setups", "check", "nowhere"])).contains("nowhere"));
}

#[test]
fn a_review_shows_accuracy_and_turning_points() {
    let game = b"[Silver \"Anna\"]\n[Setup \"Classic\"]\n\n1. c5b5 h5- 2. j5- a5a6 3. j4i4 a4- \
                 4. f4g5 a4b3 5. g5f6 f8e7 6. j5j6 b3a2 7. j6j7 1-0\n";
    let output = khet_with_input(&["review", "-", "--nodes", "20000"], game);
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(text.starts_with("Game 1: Anna \u{2013} Red, 1-0\n"), "{text}");
    assert!(
        text.contains("accuracy") && text.contains("turning points") && text.contains(" better: "),
        "{text}"
    );
    let as_json = khet_with_input(&["review", "-", "--nodes", "2000", "--json"], game);
    assert_eq!(json(&stdout(&as_json))["moves"].as_array().expect("moves").len(), 13);
    assert!(error_line(&khet_with_input(&["review", "-"], b"")).contains("no game"));
}
