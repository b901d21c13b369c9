//! `khet match`: the statistics against published numbers, and matches with misbehaving engines.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use khet::{AnyPosition, Game, Record, Records, Setup, Termination};
use serde_json::{Value, json};

#[path = "../src/matches/elo.rs"]
mod elo;
#[path = "../src/matches/sprt.rs"]
mod sprt;

/// Engines for the matches. Each is an ignored test of this executable, which `khet match` starts
/// by its name.
mod fakes {
    use std::io::{self, BufRead, BufReader, Write};
    use std::time::Duration;

    use khet::{Game, Move, Setup};

    /// Returns whether the process was started as this engine, and not to run all ignored tests.
    fn is_started_as_engine() -> bool {
        std::env::args().any(|argument| argument == "--exact")
    }

    /// Speaks enough UKI for a game, and calls `answer` after `go`.
    fn run_engine(mut answer: impl FnMut(&Game)) {
        if !is_started_as_engine() {
            return;
        }
        let mut game = Game::new(Setup::Classic.position());
        send(b"\nid name fake\noption name Level type spin default 1 min 1 max 9\n");
        for line in io::stdin().lock().lines() {
            let line = line.expect("UTF-8");
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["uki"] => send(b"ukiok\n"),
                ["isready"] => send(b"readyok\n"),
                ["position", "setup", setup, ..] => {
                    let setup: Setup = setup.parse().expect("a setup");
                    game = Game::new(setup.position());
                    for mv in &words[words.len().min(4)..] {
                        game.play(mv.parse().expect("a move")).expect("legal");
                    }
                }
                ["go", ..] => answer(&game),
                ["quit"] => return,
                _ => {}
            }
        }
    }

    fn send(text: &[u8]) {
        // Fails if the match has ended.
        let _ = io::stdout().write_all(text);
        let _ = io::stdout().flush();
    }

    fn play(mv: impl std::fmt::Display) {
        send(format!("info depth 3 score cp 135 nodes 1000 pv x\nbestmove {mv}\n").as_bytes());
    }

    /// Plays a move without an evaluation.
    fn play_without_info(mv: impl std::fmt::Display) {
        send(format!("bestmove {mv}\n").as_bytes());
    }

    fn first_move(game: &Game) -> Move {
        game.position().legal_moves()[0]
    }

    #[test]
    #[ignore = "started by khet match as an engine"]
    fn honest() {
        run_engine(|game| play(first_move(game)));
    }

    #[test]
    #[ignore = "started by khet match as an engine"]
    fn baseline() {
        if is_started_as_engine() {
            khet_baseline::run(BufReader::new(io::stdin()), io::stdout());
        }
    }

    #[test]
    #[ignore = "started by khet match as an engine"]
    fn rotates() {
        run_engine(|game| play_without_info(["f4+", "e5+"][game.moves().len() % 2]));
    }

    #[test]
    #[ignore = "started by khet match as an engine"]
    fn insists() {
        run_engine(|game| play(["f4+", "e5+"][game.moves().len() % 2]));
    }

    #[test]
    #[ignore = "started by khet match as an engine"]
    fn hangs() {
        run_engine(|_| send(b"info string no idea\n"));
    }

    #[test]
    #[ignore = "started by khet match as an engine"]
    fn floods() {
        run_engine(|_| {
            let noise = "info string noise\n".repeat(1000);
            while io::stdout().write_all(noise.as_bytes()).is_ok() {}
        });
    }

    #[test]
    #[ignore = "started by khet match as an engine"]
    fn dies() {
        let mut moves = 0;
        run_engine(|game| {
            moves += 1;
            if moves == 3 {
                eprintln!("the {{core}} melted");
                std::process::exit(7);
            }
            play(first_move(game));
        });
    }

    #[test]
    #[ignore = "started by khet match as an engine"]
    fn cheats() {
        run_engine(|_| play("a1a2"));
    }

    #[test]
    #[ignore = "started by khet match as an engine"]
    fn babbles() {
        run_engine(|_| {
            send(&[b'x'; 200_000]);
            send(b"\n\xff\xfe}\x00{\n\r\ninfo depth score cp nodes -1 multipv\n");
            send(b"info score cp 99999999999\n");
            send(b"bestmove \xff}\x1b]{\"\n");
        });
    }

    #[test]
    #[ignore = "started by khet match as an engine"]
    fn dawdles() {
        run_engine(|game| {
            std::thread::sleep(Duration::from_millis(200));
            play(first_move(game));
        });
    }

    #[test]
    #[ignore = "started by khet match as an engine"]
    fn leaves() {
        if is_started_as_engine() {
            eprintln!("no time");
            std::process::exit(3);
        }
    }
}

/// Returns the command that starts one of the engines above.
fn fake(name: &str) -> String {
    let program = std::env::current_exe().expect("a path");
    let program = program.to_str().expect("UTF-8");
    format!("'{program}' fakes::{name} --exact --ignored --nocapture --test-threads=2")
}

fn khet(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_khet")).args(args).output().expect("khet starts")
}

fn khet_match(engines: [&str; 2], args: &[&str]) -> Output {
    let [first, second] = engines.map(|engine| match engine {
        "khet engine" => engine.to_string(),
        _ => fake(engine),
    });
    khet(&[&["match", "--json", "--engine", &first, "--engine", &second], args].concat())
}

/// Plays a match and returns its report.
fn report(engines: [&str; 2], args: &[&str]) -> Value {
    let output = khet_match(engines, args);
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.success(), "{stderr}");
    assert_eq!(stderr, "");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Plays a match and returns its report and its records.
fn report_and_records(file: &str, engines: [&str; 2], args: &[&str]) -> (Value, String) {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(file);
    let path = path.to_str().expect("UTF-8");
    let report = report(engines, &[args, &["--output", path]].concat());
    let checked = khet(&["check", path]);
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    (report, fs::read_to_string(path).expect("records"))
}

/// Checks for exit code 2 and one line on standard error, and returns it.
fn error_line(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).expect("UTF-8");
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    text.trim_end().to_string()
}

fn close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() < tolerance, "{value} is not {expected}");
}

// Elo

#[test]
fn elo_of_a_score() {
    assert_eq!(elo::elo_from_score(0.5), Some(0.0));
    close(elo::elo_from_score(0.75).expect("finite"), 190.8485, 1e-4);
    close(elo::elo_from_score(0.25).expect("finite"), -190.8485, 1e-4);
    assert_eq!(elo::elo_from_score(0.0), None);
    assert_eq!(elo::elo_from_score(1.0), None);
    close(elo::score_from_elo(190.8485), 0.75, 1e-6);
    close(elo::score_from_elo(400.0), 10.0 / 11.0, 1e-12);
}

#[test]
fn error_and_los_come_from_pairs() {
    close(elo::elo_error(&[100, 300, 800, 350, 120]).expect("finite"), 7.96937, 1e-4);
    close(elo::likelihood_of_superiority(&[100, 300, 800, 350, 120]), 0.989404, 1e-5);
    close(elo::elo_error(&[10, 20, 40, 25, 15]).expect("finite"), 37.32606, 1e-4);
    close(elo::likelihood_of_superiority(&[10, 20, 40, 25, 15]), 0.895181, 1e-5);
    close(elo::likelihood_of_superiority(&[15, 25, 40, 20, 10]), 1.0 - 0.895181, 1e-5);
    close(elo::likelihood_of_superiority(&[1, 2, 3, 2, 1]), 0.5, 1e-6);
}

#[test]
fn the_error_is_unknown_if_all_pairs_end_alike() {
    assert_eq!(elo::elo_error(&[0; 5]), None);
    assert_eq!(elo::elo_error(&[0, 0, 9, 0, 0]), None);
    assert_eq!(elo::elo_error(&[0, 0, 0, 1, 1]), None);
    close(elo::likelihood_of_superiority(&[0; 5]), 0.5, 1e-6);
    close(elo::likelihood_of_superiority(&[0, 0, 9, 0, 0]), 0.5, 1e-6);
    close(elo::likelihood_of_superiority(&[0, 0, 0, 0, 9]), 1.0, 1e-6);
}

// SPRT

fn sprt(elo0: f64, elo1: f64) -> sprt::Sprt {
    sprt::Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
}

/// Tests of Stockfish from the time of hypotheses in logistic Elo: pull requests
/// 2971, 2951, 3103, 2971 and 2920.
#[test]
fn log_likelihood_ratios_are_those_of_fishtest() {
    for (elo0, elo1, pairs, published) in [
        (-0.5, 1.5, [17, 253, 1042, 337, 39], 2.96),
        (-0.5, 1.5, [59, 754, 2467, 865, 75], 2.95),
        (-1.25, 0.25, [293, 5085, 20082, 5070, 326], 2.95),
        (0.25, 1.75, [11, 407, 3238, 513, 11], 2.93),
        (-0.5, 1.5, [665, 4806, 9333, 4893, 747], 2.95),
    ] {
        close(sprt(elo0, elo1).log_likelihood_ratio(&pairs), published, 0.005);
    }
}

#[test]
fn the_sign_of_the_llr_shows_the_likelier_hypothesis() {
    let ratio = |pairs| sprt(0.0, 10.0).log_likelihood_ratio(&pairs);
    assert_eq!(ratio([0; 5]), 0.0);
    assert!(ratio([0, 10, 40, 30, 10]) > 0.0);
    assert!(ratio([10, 30, 40, 10, 0]) < 0.0);
    assert!(ratio([0, 0, 0, 0, 5]) > 0.0);
    assert!(ratio([5, 0, 0, 0, 0]) < 0.0);
    let pairs = [3, 5, 100, 40, 20];
    let mirrored = sprt(-10.0, 0.0).log_likelihood_ratio(&[20, 40, 100, 5, 3]);
    close(ratio(pairs), -mirrored, 1e-9);
}

#[test]
fn sprt_accepts_a_hypothesis_at_its_bounds() {
    let (lower, upper) = sprt(0.0, 5.0).bounds();
    close(lower, -2.944, 1e-3);
    close(upper, 2.944, 1e-3);
    let accepted = |llr| sprt(0.0, 5.0).accepted(llr).map(|hypothesis| hypothesis.to_string());
    assert_eq!(accepted(2.94), None);
    assert_eq!(accepted(2.95).as_deref(), Some("H1"));
    assert_eq!(accepted(-2.94), None);
    assert_eq!(accepted(-2.95).as_deref(), Some("H0"));
    let (lower, upper) = sprt::Sprt { alpha: 0.1, beta: 0.2, ..sprt(0.0, 5.0) }.bounds();
    close(lower, (0.2f64 / 0.9).ln(), 1e-12);
    close(upper, 8f64.ln(), 1e-12);
}

#[test]
fn sprt_arguments_are_parsed() {
    assert_eq!("0,5".parse(), Ok(sprt(0.0, 5.0)));
    let other = sprt::Sprt { alpha: 0.1, beta: 0.2, ..sprt(-3.0, 1.5) };
    assert_eq!("-3,1.5,0.1,0.2".parse(), Ok(other));
    for text in
        ["", "0", "0,x", "5,0", "0,0", "0,5,0.1", "0,5,0,0.1", "0,5,0.1,1", "NaN,5", "0,inf"]
    {
        assert!(text.parse::<sprt::Sprt>().is_err(), "{text}");
    }
}

// Matches

#[test]
fn engines_play_games_with_a_tower() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tower.kgn");
    let engine = "khet engine";
    let output = Command::new(env!("CARGO_BIN_EXE_khet"))
        .args(["match", "--engine", engine, "--engine", engine, "--games", "4", "--nodes", "200"])
        .args(["--setup", "orontes", "classic", "--max-moves", "24", "--json", "--output"])
        .arg(&path)
        .output()
        .expect("khet runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["games"], 4);
    let records = fs::read_to_string(&path).expect("records");
    let records: Vec<Record<AnyPosition>> =
        Records::any(&records).collect::<Result<_, _>>().expect("valid records");
    let with_tower = records.iter().filter(|record| record.start().placement().has_tower()).count();
    assert_eq!((records.len(), with_tower), (4, 2));
    for record in &records {
        let termination = record.outcome().expect("an end").termination;
        assert!(
            matches!(
                termination,
                Termination::PharaohHit | Termination::Repetition | Termination::MoveLimit
            ),
            "{record}"
        );
    }
}

#[test]
fn a_match_writes_a_report_and_records() {
    let args =
        ["--games", "6", "--depth", "1", "--max-moves", "30", "--name", "Ra", "--name", "Set"];
    let (report, records) = report_and_records("reported.kgn", ["baseline", "baseline"], &args);
    assert_eq!(report["games"], 6);
    let count = |name: &str| report[name].as_u64().expect("a number");
    assert_eq!(count("wins") + count("draws") + count("losses"), 6);
    let pairs: Vec<u64> = report["pentanomial"]
        .as_array()
        .expect("an array")
        .iter()
        .filter_map(Value::as_u64)
        .collect();
    assert_eq!(pairs.iter().sum::<u64>(), 3);
    // Equal engines play the same game with both colours.
    assert_eq!(pairs[2], 3);
    assert_eq!(report["score"], 0.5);
    assert_eq!(report["elo"], 0.0);
    assert_eq!(report["engines"][0]["name"], "Ra");
    assert_eq!(report["engines"][1]["depth"], 1.0);
    assert_eq!(
        report["engines"][0]["forfeits"],
        json!({ "time": 0, "illegal": 0, "crash": 0, "hang": 0 })
    );
    assert!(report["engines"][0]["nodes_per_second"].as_f64().expect("a number") > 0.0);
    assert!(report.get("sprt").is_none());

    let records: Vec<_> = Records::new(&records).map(|record| record.expect("a record")).collect();
    assert_eq!(records.len(), 6);
    for round in ["1", "2", "3"] {
        let games: Vec<_> = ["1", "2"]
            .map(|game| {
                let is_it =
                    |record: &&Record| record.tag("Round") == Some(&format!("{round}.{game}"));
                records.iter().find(is_it).expect("the round was played")
            })
            .into();
        assert_eq!(games[0].start(), games[1].start());
        let opening = |record: &Record| record.game().moves()[..4].to_vec();
        assert_eq!(opening(games[0]), opening(games[1]));
        assert_eq!(games[0].tag("Silver"), Some("Ra"));
        assert_eq!(games[1].tag("Silver"), Some("Set"));
        for game in games {
            for (tag, value) in [
                ("Event", "Engine match"),
                ("Site", "khet"),
                ("Rules", "standard"),
                ("TimeControl", "depth 1"),
            ] {
                assert_eq!(game.tag(tag), Some(value));
            }
            assert_eq!(game.tag("Date").map(str::len), Some(10));
            assert!(game.tag("Termination").is_some());
            let plies = &game.main_line().plies;
            assert_eq!(plies[3].comments[0].text(), "end of the random opening, seed 1");
            assert!(plies[4].comments[0].eval().is_some());
        }
    }
}

#[test]
fn evaluations_are_silvers_view() {
    let args = ["--games", "1", "--depth", "1", "--max-moves", "6"];
    let (_, records) = report_and_records("evaluations.kgn", ["honest", "honest"], &args);
    assert_eq!(records.matches("[%eval 1.35]").count(), 1);
    assert_eq!(records.matches("[%eval -1.35]").count(), 1);
}

#[test]
fn openings_are_quiet_and_depend_on_the_seed() {
    let games = |seed: &str, file: &str| {
        let args = ["--games", "24", "--depth", "1", "--max-moves", "4", "--seed", seed];
        let (report, records) = report_and_records(file, ["honest", "honest"], &args);
        assert_eq!(report["terminations"], json!({ "move-limit": 24 }));
        let mut games: Vec<Game> =
            Records::new(&records).map(|record| record.expect("a record").game()).collect();
        games.sort_by_key(|game| game.position().to_string());
        games
    };
    let first = games("1", "seed-1.kgn");
    for game in &first {
        assert_eq!(game.moves().len(), 4);
        let pieces = |game: &Game| game.position().occupied().len();
        let before = Game::new(*game.start());
        // Unstacking adds a piece; no piece is hit.
        assert!(pieces(game) >= pieces(&before));
        let pharaoh = game.position().pharaoh(!game.position().side_to_move());
        for &mv in &game.position().legal_moves() {
            let hits: Vec<_> = game.position().aim().hits(mv).collect();
            assert!(hits.iter().all(|&(square, _)| Some(square) != pharaoh));
        }
    }
    for setup in [Setup::Classic, Setup::Imhotep, Setup::Dynasty] {
        let count = first.iter().filter(|game| *game.start() == setup.position()).count();
        assert_eq!(count, 8);
    }
    assert_eq!(first, games("1", "seed-1-again.kgn"));
    assert_ne!(first, games("2", "seed-2.kgn"));
}

#[test]
fn games_with_a_node_limit_are_reproducible() {
    let play = |concurrency: &str| {
        let args =
            ["--games", "8", "--nodes", "300", "--max-moves", "40", "--concurrency", concurrency];
        let report = report(["baseline", "baseline"], &args);
        ["wins", "draws", "losses", "pentanomial", "terminations", "moves_per_game"]
            .map(|key| report[key].clone())
    };
    assert_eq!(play("1"), play("64"));
}

#[test]
fn an_engine_that_hangs_forfeits() {
    // The timeout is the time per move plus the margin.
    let args = ["--games", "1", "--movetime", "1", "--hang-margin", "2000"];
    let (report, records) = report_and_records("hangs.kgn", ["hangs", "honest"], &args);
    assert_eq!(report["losses"], 1);
    assert_eq!(report["engines"][0]["forfeits"]["hang"], 1);
    assert!(records.contains("[Termination \"engine-hang\"]"));
    assert!(records.contains("{engine-hang: no answer within 2001 ms: no idea}"));
    assert!(records.contains("[Result \"0-1\"]"));
}

#[test]
fn an_engine_that_floods_its_output_forfeits() {
    let args = ["--games", "1", "--movetime", "1", "--hang-margin", "2000"];
    let report = report(["floods", "honest"], &args);
    assert_eq!(report["losses"], 1);
    assert_eq!(report["engines"][0]["forfeits"]["hang"], 1);
}

#[test]
fn an_engine_that_crashes_forfeits_and_is_started_again() {
    let args = ["--games", "4", "--depth", "1"];
    let (report, records) = report_and_records("dies.kgn", ["honest", "dies"], &args);
    assert_eq!(report["wins"], 4);
    assert_eq!(report["engines"][1]["forfeits"]["crash"], 4);
    assert_eq!(records.matches("[Termination \"engine-crash\"]").count(), 4);
    assert_eq!(records.matches("(exit status: 7): the (core) melted}").count(), 4);
    // It plays two moves in each game.
    assert_eq!(report["engines"][1]["moves"], 8);
}

#[test]
fn an_illegal_move_forfeits() {
    let args = ["--games", "2", "--depth", "1"];
    let (report, records) = report_and_records("cheats.kgn", ["cheats", "honest"], &args);
    assert_eq!(report["losses"], 2);
    assert_eq!(report["engines"][0]["forfeits"]["illegal"], 2);
    assert_eq!(records.matches("[Termination \"illegal-move\"]").count(), 2);
    assert!(records.contains("{illegal-move: a1a2: there is no piece on a1}"), "{records}");
    assert_eq!(report["pentanomial"], json!([1, 0, 0, 0, 0]));
    assert_eq!(report["elo"], Value::Null);
    assert_eq!(report["elo_error"], Value::Null);
}

#[test]
fn garbage_forfeits_and_keeps_the_record_valid() {
    let args = ["--games", "2", "--depth", "1"];
    let (report, records) = report_and_records("babbles.kgn", ["honest", "babbles"], &args);
    assert_eq!(report["wins"], 2);
    assert_eq!(report["engines"][1]["forfeits"]["illegal"], 2);
    assert_eq!(records.matches("a move is written like").count(), 2);
}

#[test]
fn exceeding_the_clock_forfeits() {
    let args = ["--games", "1", "--time", "0.05+0", "--time-margin", "0", "--hang-margin", "60000"];
    let (report, records) = report_and_records("dawdles.kgn", ["dawdles", "honest"], &args);
    assert_eq!(report["losses"], 1);
    assert_eq!(report["engines"][0]["forfeits"]["time"], 1);
    assert!(records.contains("[Termination \"time\"]"));
    assert!(records.contains("[TimeControl \"0.05+0\"]"));
}

#[test]
fn clocks_are_recorded() {
    let args = ["--games", "1", "--time", "3600+60", "--max-moves", "6"];
    let (_, records) = report_and_records("clocks.kgn", ["honest", "honest"], &args);
    assert!(records.contains("[%clk 1:0"), "{records}");
}

#[test]
fn late_moves_are_counted() {
    let args = ["--games", "1", "--movetime", "1", "--hang-margin", "60000", "--max-moves", "6"];
    let report = report(["dawdles", "honest"], &args);
    assert_eq!(report["engines"][0]["late_moves"], 1);
    assert_eq!(report["draws"], 1);
}

#[test]
fn threefold_repetition_is_a_draw() {
    let args = ["--games", "2", "--depth", "1", "--setup", "classic", "--random-plies", "0"];
    let (report, records) = report_and_records("rotates.kgn", ["rotates", "rotates"], &args);
    assert_eq!(report["draws"], 2);
    assert_eq!(report["moves_per_game"], 8.0);
    assert_eq!(records.matches("[Termination \"repetition\"]").count(), 2);
    assert_eq!(records.matches("[Result \"1/2-1/2\"]").count(), 2);
}

#[test]
fn an_engine_that_is_ahead_does_not_claim_a_draw() {
    let args = ["--games", "2", "--depth", "1", "--max-moves", "20", "--random-plies", "0"];
    let report = report(["insists", "insists"], &args);
    assert_eq!(report["terminations"], json!({ "move-limit": 2 }));
}

#[test]
fn games_are_adjudicated_as_draws_at_the_move_limit() {
    let args = ["--games", "2", "--depth", "1", "--max-moves", "6", "--setup", "isis"];
    let (report, records) = report_and_records("long.kgn", ["honest", "honest"], &args);
    assert_eq!(report["terminations"], json!({ "move-limit": 2 }));
    assert!(records.contains("[Setup \"Isis\"]"));
}

#[test]
fn a_position_can_be_the_start() {
    let position = "4k5/10/10/10/10/2P17/10/4K5 r";
    let args = ["--games", "2", "--depth", "1", "--max-moves", "8", "--setup", position];
    let (report, records) = report_and_records("position.kgn", ["baseline", "baseline"], &args);
    assert_eq!(report["games"], 2);
    assert!(records.contains(&format!("[Position \"{position}\"]")));
}

#[test]
fn czech_rules_need_engines_with_a_rules_option() {
    let args = ["--games", "2", "--depth", "1", "--max-moves", "30", "--rules", "czech"];
    let (report, records) = report_and_records("czech.kgn", ["baseline", "baseline"], &args);
    assert_eq!(report["engines"][0]["forfeits"]["illegal"], 0);
    assert_eq!(records.matches("[Rules \"czech\"]").count(), 2);
    let line = error_line(&khet_match(["baseline", "honest"], &args));
    assert_eq!(line, "khet: engine 2: no option Rules; its options are: Level");
}

#[test]
fn the_program_khet_is_this_executable() {
    let args =
        ["--games", "2", "--depth", "1", "--max-moves", "8", "--option1", "Threads=2", "Hash=1"];
    let report = report(["khet engine", "khet engine"], &args);
    assert_eq!(report["games"], 2);
}

#[test]
fn sprt_ends_the_match() {
    let args = ["--games", "1000", "--depth", "1", "--sprt", "0,300"];
    let report = report(["honest", "cheats"], &args);
    assert_eq!(report["sprt"]["accepted"], "H1");
    let value = |name: &str| report["sprt"][name].as_f64().expect("a number");
    assert!(value("llr") >= value("upper"));
    assert!(report["games"].as_u64().expect("a number") < 1000);
}

#[test]
fn an_undecided_sprt_accepts_no_hypothesis() {
    let args = ["--games", "2", "--depth", "1", "--max-moves", "6", "--sprt", "-10,0,0.1,0.1"];
    let report = report(["honest", "honest"], &args);
    assert_eq!(report["sprt"]["accepted"], Value::Null);
    assert_eq!(report["sprt"]["elo0"], -10.0);
}

#[test]
fn the_report_is_text_without_json() {
    let (first, second) = (fake("honest"), fake("cheats"));
    let output = khet(&[
        "match", "--engine", &first, "--engine", &second, "--games", "2", "--depth", "1", "--sprt",
        "0,5",
    ]);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    for line in [
        "fake (1) vs fake (2)",
        "games         2: 2 won, 0 drawn, 0 lost",
        "score         100.00 %",
        "Elo           ? ± ? (95 %)",
        "pentanomial   0: 0, ½: 0, 1: 0, 1½: 0, 2: 1",
        "terminations  illegal-move 2",
        "  forfeits    time 0, illegal move 2, crash 0, hang 0",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
}

#[test]
fn errors_are_reported_in_one_line() {
    let honest = fake("honest");
    let cases: &[(&[&str], &str)] = &[
        (&["--engine", &honest], "a match has two engines, not 1: give --engine twice"),
        (&["--engine", "/nowhere", "--engine", &honest], "engine 1: /nowhere does not start: "),
        (
            &["--engine", &honest, "--engine", &fake("leaves")],
            "engine 2: the engine ended (exit status: 3): no time",
        ),
        (
            &["--engine", &honest, "--engine", &honest, "--option2", "Fury=3"],
            "engine 2: no option Fury; its options are: Level",
        ),
        (
            &["--engine", &honest, "--engine", &honest, "--setup", "clasic"],
            "neither a position nor a setup's name: \"clasic\"",
        ),
        (
            &["--engine", &honest, "--engine", &honest, "--setup", "4k4k/10/10/10/10/10/10/4K5 s"],
            "setup: red has 2 of the piece pharaoh",
        ),
        (
            // No move of Silver saves the obelisk on j1.
            &[
                "--engine",
                &honest,
                "--engine",
                &honest,
                "--setup",
                "4k5/10/10/10/10/10/8P1P1/4K4O1 s",
            ],
            "no quiet opening of 4 moves was found",
        ),
        (
            &["--engine", &honest, "--engine", &honest, "--output", "/nowhere/games.kgn"],
            "/nowhere/games.kgn: ",
        ),
        (
            &[
                "--engine", &honest, "--engine", &honest, "--name", "a", "--name", "b", "--name",
                "c",
            ],
            "give --name at most twice",
        ),
    ];
    for (args, expected) in cases {
        let line = error_line(&khet(&[&["match"], *args].concat()));
        assert!(line.contains(expected), "{args:?}: {line}");
    }
}

#[test]
fn bad_arguments_get_exit_code_2() {
    for args in [
        &[][..],
        &["--engine", "'x", "--engine", "y"],
        &["--engine", " ", "--engine", "y"],
        &["--engine", "x", "--engine", "y", "--depth", "1", "--nodes", "1"],
        &["--engine", "x", "--engine", "y", "--time", "-1"],
        &["--engine", "x", "--engine", "y", "--time", "0+1"],
        &["--engine", "x", "--engine", "y", "--sprt", "5,0"],
        &["--engine", "x", "--engine", "y", "--option1", "=1"],
        &["--engine", "x", "--engine", "y", "--games", "0"],
    ] {
        let output = khet(&[&["match"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn the_help_has_an_example() {
    let output = khet(&["match", "--help"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("Example: khet match "));
}
