//! The simple commands with positions and games of the Tower of Kadesh.

use serde_json::Value;

use super::{error_line, json, khet, khet_with_input, stderr, stdout, stdout_of};

/// A symmetrical start with a pyramid of each side on the upper level.
const START: &str =
    "4o2ko2d22/10/3P42p13/p1P36p2P4/p2P46p1P3/3P32p23/10/2D2O2KO24+e4:6/4P21/6/6/1p44/6 s";
/// The beam of Silver's pyramid on j4 climbs through the tower and is reflected on H4.
const CLIMBING_BEAM: &str = "4k5/10/10/10/9P3/10/10/4K5+e4:6/6/6/5p3/6/6 s";
/// Silver climbs, Red shifts the tower, Silver descends, Red shifts it back, and a shot through the
/// tower ends the game.
const GAME: &str = "[Position \"10/10/10/10/9P2/10/4K5/10+e4:6/6/6/5k/6/6 s\"]\n\n\
                    1. e2E2 Td4 2. D2d2 Te4 3. j4+ xH4# 1-0\n";

#[test]
fn show_draws_both_levels_and_the_beam() {
    let text = stdout_of(&["show", CLIMBING_BEAM, "--fire"]);
    for line in [
        "4 │ ◉  │    │    │    │░↓░░│░→━━━━━━━━━━━━━━━━━━━P◥ │",
        "4           │    │    │░↓░░│░→━━━━━━━━━p◥ │",
        "3           │    │    │    │    │    │ ┃  │",
        "              C    D    E    F    G    H",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(text.contains(&format!("{CLIMBING_BEAM}\nSilver to move\n")), "{text}");

    let shown = json(&stdout_of(&["show", CLIMBING_BEAM, "--fire", "--json"]));
    assert_eq!(shown["column"], "e4");
    assert_eq!(shown["pieces"]["H4"], "p3");
    let steps = shown["shot"]["beams"][0]["steps"].as_array().expect("steps");
    let squares: Vec<&str> = steps.iter().filter_map(|step| step["square"].as_str()).collect();
    assert_eq!(squares.join(" "), "j1 j2 j3 j4 i4 h4 g4 G4 H4 H3 H2");
    assert_eq!(json(&stdout_of(&["show", "classic", "--json"]))["column"], Value::Null);
}

#[test]
fn moves_include_those_of_the_tower() {
    let listed = stdout_of(&["moves", START]);
    for mv in ["d6D6", "G6H7", "G6+", "Te5", "T+", "T-", "j5- xj4"] {
        assert!(listed.lines().any(|line| line == mv), "{mv}");
    }
    assert!(!listed.contains("G6g6"), "Red's pyramid stands on g6");
    let moves = json(&stdout_of(&["moves", START, "--json"]));
    assert_eq!(moves.as_array().map(Vec::len), Some(listed.lines().count()));
}

#[test]
fn apply_plays_moves_between_levels_and_of_the_tower() {
    let text = stdout_of(&["apply", START, "Te5", "T+"]);
    let position = "4o2ko2d22/10/3P42p13/p1P36p2P4/p2P46p1P3/3P32p23/10/2D2O2KO24\
                    +e5:6/1p14/6/6/4P31/6 s";
    assert_eq!(text.lines().collect::<Vec<_>>(), ["Te5", "T+", position]);

    let applied = json(&stdout_of(&["apply", START, "d6D6", "--json"]));
    assert_eq!(applied["shots"][0]["move"], "d6D6");
    assert_eq!(applied["result"], Value::Null);
}

#[test]
fn perft_counts_on_both_levels() {
    for option in ["--play-leaves", "--threads=3"] {
        let report = json(&stdout_of(&["perft", START, "2", "--divide", "--json", option]));
        let branches = report["divide"].as_array().expect("an array");
        let sum: u64 = branches.iter().filter_map(|branch| branch["nodes"].as_u64()).sum();
        assert_eq!((sum, branches.len()), (5_966, 77));
        assert_eq!(report["nodes"], sum);
    }
    assert_eq!(json(&stdout_of(&["perft", START, "0", "--json"]))["nodes"], 1);
    assert_eq!(json(&stdout_of(&["perft", START, "1", "--json"]))["nodes"], 77);
}

#[test]
fn check_replays_games_with_and_without_a_tower() {
    let games = format!("{GAME}\n[Setup \"Classic\"]\n\n1. h2+ *\n");
    let output = khet_with_input(&["check", "-"], games.as_bytes());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "2 games, 0 of them faulty; 6 moves\n");

    let wrong = GAME.replace("Td4", "Td2");
    let output = khet_with_input(&["check", "-", "--json"], wrong.as_bytes());
    assert!(error_line(&output).starts_with("khet: -: line 3, column 9: Td2: "));
    let lines: Vec<Value> = stdout(&output).lines().map(json).collect();
    assert_eq!(lines[1], json!({ "games": 1, "faults": 1, "moves": 0 }));
}

#[test]
fn picture_shows_positions_and_moves() {
    let plain = stdout_of(&["picture", CLIMBING_BEAM]);
    assert!(plain.starts_with("<svg ") && plain.trim_end().ends_with("</svg>"));
    let beam = "fill=\"url(#khet-silver-beam)\"";
    assert!(!plain.contains(beam));
    assert!(stdout_of(&["picture", CLIMBING_BEAM, "--beam"]).contains(beam));

    let drawn = |args: &[&str]| {
        let output = khet_with_input(&[&["picture", "-"], args].concat(), GAME.as_bytes());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    assert!(drawn(&[]).contains("fill=\"url(#khet-ember)\""), "the pharaoh is hit");
    assert_eq!(drawn(&[]), drawn(&["--ply", "5"]));
    assert_ne!(drawn(&["--ply", "1"]), drawn(&["--ply", "2"]));
}

#[test]
fn setups_with_a_tower_are_listed_and_checked() {
    let listed = stdout_of(&["setups", "list"]);
    for (name, position) in khet::tower::Setup::ALL.map(|setup| (setup.name(), setup.notation())) {
        let line = format!("{name:<18} {position}");
        assert!(listed.lines().any(|listed| listed == line), "{line}\n{listed}");
        assert_eq!(json(&stdout_of(&["show", name, "--json"]))["setup"], name);
    }
    let few = ["--games", "2", "--nodes", "100"];
    let checked = json(&stdout_of(&[&["setups", "check", "orontes", "--json"], &few[..]].concat()));
    assert_eq!((&checked["faults"], &checked["warnings"]), (&json!([]), &json!([])));
    let [silver, drawn, red] =
        ["silver", "drawn", "red"].map(|name| checked[name].as_u64().expect("a count"));
    assert_eq!(silver + drawn + red, 2);
    let text = stdout_of(&["setups", "check", "4k5/10/10/10/10/10/10/4K5+e4:K5/6/6/6/6/6 s"]);
    assert!(text.contains("fault: silver's pharaoh may not stand on C7"), "{text}");
    let odd = json(&stdout_of(&["show", CLIMBING_BEAM, "--json"]));
    let hit = "silver's laser, fired now, would hit";
    let warnings = odd["warnings"].as_array().expect("an array");
    assert!(!warnings.is_empty() && !warnings.iter().any(|it| it.to_string().contains(hit)));
}

#[test]
fn analyse_finds_the_best_lines_with_a_tower() {
    let position = "10/10/10/10/9P2/10/4K5/10+e4:6/6/6/5k/6/6 s";
    let text = stdout_of(&["analyse", position, "--depth", "2"]);
    assert!(text.contains("#1  depth"), "{text}");
    assert!(text.contains("1. j4+ xH4#"), "{text}");
    let lines = ["analyse", "orontes", "--depth", "2", "--lines", "3", "--json"];
    let analysis = json(&stdout_of(&lines));
    assert_eq!(analysis["position"], khet::tower::Setup::Orontes.notation());
    assert_eq!(analysis["lines"].as_array().map(Vec::len), Some(3));
    assert_eq!(json(&stdout_of(&lines)), analysis, "reproducible");
}

#[test]
fn games_with_a_tower_are_analysed_and_reviewed() {
    let games = format!("{GAME}\n[Setup \"Classic\"]\n\n1. h2+ *\n");
    let run = |args: &[&str]| {
        let output = khet_with_input(args, games.as_bytes());
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let table = run(&["analyse", "-", "--nodes", "500"]);
    for part in ["e2E2", "1... Td4", "D2d2", "j4+ xH4#", "Game 2: Silver"] {
        assert!(table.contains(part), "{part}\n{table}");
    }
    let reviews: Vec<Value> =
        run(&["review", "-", "--nodes", "500", "--json"]).lines().map(json).collect();
    let lengths: Vec<_> =
        reviews.iter().map(|review| review["moves"].as_array().map(Vec::len)).collect();
    assert_eq!(lengths, [Some(5), Some(1)]);
    assert_eq!(reviews[0]["moves"][1]["move"], "Td4");
    assert!(run(&["review", "-", "--nodes", "500"]).contains("accuracy"));
    // The annotated records are records again.
    let annotated = run(&["analyse", "-", "--nodes", "500", "--annotate"]);
    let checked = khet_with_input(&["check", "-"], annotated.as_bytes());
    assert!(checked.status.success(), "{}\n{annotated}", stderr(&checked));
    assert!(annotated.contains("e2E2") && annotated.contains("[%eval "), "{annotated}");
}

#[test]
fn wrong_positions_and_moves_are_reported_in_one_line() {
    let cases: &[(&[&str], &str)] = &[
        (&["show", &START.replace("+e4", "+h4")], "character 63: \"h4:\": the lower left square"),
        (&["moves", &START.replace(":6/", ":7/")], "character 66 (upper level, rank 7): \"7\""),
        (
            &["moves", "4k5/10/10/10/10/10/10/10+e4:K5/6/6/6/6/6 s"],
            "silver's pharaoh may not stand on C7, a corner of the tower",
        ),
        (
            &["perft", "4k5/10/10/10/4P15/10/10/4K5+e4:6/6/6/6/6/6 s", "1"],
            "the column of the tower stands on e4, and a silver pyramid too",
        ),
        (&["apply", START, "Tg4"], "move 1: Tg4: the tower shifts by one square"),
        (&["apply", START, "Tz4"], "move 1: \"Tz4\": a move is written like h2g2, c7C7"),
        (&["apply", "classic", "T+"], "move 1: \"T+\": a move is written like h2g2, d1^d2"),
    ];
    for (args, expected) in cases {
        let line = error_line(&khet(args));
        assert!(line.contains(expected), "{args:?}: {line}");
    }
}

#[test]
fn standard_input_mixes_both_games() {
    let input = format!("classic\n{START}\n{}\n", START.replace("+e4", "+a1"));
    let output = khet_with_input(&["moves", "-", "--json"], input.as_bytes());
    let lines: Vec<Value> = stdout(&output).lines().map(json).collect();
    let counts: Vec<_> = lines.iter().map(|line| line.as_array().map(Vec::len)).collect();
    assert_eq!(counts, [Some(79), Some(77), None]);
    assert!(error_line(&output).starts_with("khet: line 3: "));
}
