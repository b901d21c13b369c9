//! The engine protocol from the point of view of a client.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::path::{Path, PathBuf};
use std::process;
use std::thread::{self, JoinHandle};

use khet::{AnyPosition, Game, GamePosition, Move, Setup, tower};
use khet_engine::Network;

/// An engine on the other end of two pipes.
struct TestEngine {
    input: Option<PipeWriter>,
    output: BufReader<PipeReader>,
    thread: Option<JoinHandle<()>>,
}

impl TestEngine {
    fn new() -> TestEngine {
        let (engine_input, input) = pipe().expect("a pipe");
        let (output, engine_output) = pipe().expect("a pipe");
        let thread = thread::spawn(|| {
            khet_engine::uki::run(BufReader::new(engine_input), engine_output);
        });
        TestEngine { input: Some(input), output: BufReader::new(output), thread: Some(thread) }
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the pipe is open");
        writeln!(input, "{line}").expect("the engine listens");
    }

    fn read_line(&mut self) -> Option<String> {
        let mut line = String::new();
        let length = self.output.read_line(&mut line).expect("UTF-8");
        (length > 0).then(|| line.trim_end().to_string())
    }

    /// Reads lines up to the first one with this prefix.
    fn read_until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.read_line() {
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
        panic!("no line begins with {start:?}: {lines:?}");
    }

    fn best_move(&mut self) -> Move {
        self.best_any_move().without_tower().expect("a move without a tower")
    }

    fn best_any_move(&mut self) -> Move<tower::Square> {
        let line = self.read_until("bestmove").pop().expect("a line");
        line.split(' ').nth(1).expect("a move").parse().expect(&line)
    }
}

impl Drop for TestEngine {
    /// The engine must exit when its input ends, also after a failed test.
    fn drop(&mut self) {
        drop(self.input.take());
        while self.read_line().is_some() {}
        let ended = self.thread.take().is_some_and(|thread| thread.join().is_ok());
        assert!(ended || thread::panicking(), "the engine panicked");
    }
}

#[test]
fn uki_lists_the_options() {
    let mut engine = TestEngine::new();
    engine.send("uki");
    let lines = engine.read_until("ukiok");
    assert!(lines[0].starts_with("id name Khet"));
    for option in ["Hash", "Threads", "MultiPV", "Ponder", "Level", "Rules", "Network"] {
        let start = format!("option name {option} type ");
        assert!(lines.iter().any(|line| line.starts_with(&start)), "{option}");
    }
    engine.send("isready");
    assert_eq!(engine.read_line().as_deref(), Some("readyok"));
}

#[test]
fn go_reports_lines_and_a_legal_best_move() {
    let mut engine = TestEngine::new();
    engine.send("position setup classic moves h2+ a5b5");
    engine.send("go depth 5");
    let lines = engine.read_until("bestmove");
    let last_info = &lines[lines.len() - 2];
    assert!(last_info.starts_with("info depth 5 seldepth "), "{last_info}");
    for word in [" multipv 1 score cp ", " nodes ", " nps ", " hashfull ", " time ", " pv "] {
        assert!(last_info.contains(word), "{word}: {last_info}");
    }
    let mut game = Game::new(Setup::Classic.position());
    for mv in ["h2+", "a5b5"] {
        game.play(mv.parse().expect(mv)).expect(mv);
    }
    let best: Move = lines
        .last()
        .and_then(|line| line.split(' ').nth(1))
        .expect("a move")
        .parse()
        .expect("a move");
    assert!(game.play(best).is_ok());
}

#[test]
fn infinite_search_ends_with_stop() {
    let mut engine = TestEngine::new();
    engine.send("position setup dynasty");
    engine.send("go infinite");
    engine.read_until("info depth 3");
    engine.send("isready");
    engine.read_until("readyok");
    engine.send("stop");
    engine.best_move();
    // And is ready for the next question.
    engine.send("go nodes 500");
    engine.best_move();
}

#[test]
fn quit_ends_a_running_search() {
    let mut engine = TestEngine::new();
    engine.send("go infinite");
    engine.read_until("info depth 2");
    engine.send("quit");
    engine.read_until("bestmove");
    assert_eq!(engine.read_line(), None);
}

#[test]
fn ponderhit_ends_pondering() {
    let mut engine = TestEngine::new();
    engine.send("position setup imhotep moves c1d2");
    engine.send("go ponder movetime 20");
    engine.read_until("info depth 4");
    engine.send("ponderhit");
    engine.best_move();
}

#[test]
fn ponderhit_does_not_limit_an_infinite_search() {
    let mut engine = TestEngine::new();
    engine.send("go infinite");
    engine.send("ponderhit");
    // The end of the input does.
    drop(engine.input.take());
    engine.best_move();
    assert_eq!(engine.read_line(), None);
}

#[test]
fn too_large_hash_is_rejected() {
    let mut engine = TestEngine::new();
    engine.send("setoption name Hash value 1048576");
    engine.send("isready");
    engine.read_until("readyok");
    engine.send("setoption name Hash value 1");
    engine.send("go nodes 500");
    engine.best_move();
}

#[test]
fn searchmoves_restricts_the_moves() {
    let mut engine = TestEngine::new();
    engine.send("position setup classic");
    engine.send("go depth 3 searchmoves c1b1 c1b2");
    assert!(["c1b1", "c1b2"].contains(&engine.best_move().to_string().as_str()));
}

#[test]
fn multipv_lines_begin_with_different_moves() {
    let mut engine = TestEngine::new();
    engine.send("setoption name MultiPV value 4");
    engine.send("position setup classic");
    engine.send("go depth 4");
    let lines = engine.read_until("bestmove");
    let last: Vec<&String> =
        lines.iter().filter(|line| line.starts_with("info depth 4 ")).collect();
    assert_eq!(last.len(), 4);
    let mut first_moves: Vec<&str> =
        last.iter().filter_map(|line| line.split(" pv ").nth(1)?.split(' ').next()).collect();
    first_moves.sort_unstable();
    first_moves.dedup();
    assert_eq!(first_moves.len(), 4);
}

#[test]
fn perft_lists_and_adds_up() {
    let mut engine = TestEngine::new();
    engine.send("position setup classic");
    engine.send("go perft 2");
    let lines = engine.read_until("Nodes searched");
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 6228"));
    assert_eq!(
        lines.iter().filter(|line| line.contains(": 7") || line.contains(": 8")).count(),
        79
    );
}

#[test]
fn invalid_commands_are_reported_and_change_nothing() {
    let mut engine = TestEngine::new();
    engine.send("position setup classic moves h2+");
    for line in [
        "hello",
        "position",
        "position setup nowhere",
        "position fen 10/10 s",
        "position fen 4k4k/10/10/10/10/10/10/4K5 s",
        "position setup classic moves e1e5",
        "position setup classic moves h2+ x",
        "position setup classic then h2+",
        "go fast",
        "go depth many",
        "go searchmoves e1e5 depth 2",
        "setoption name Wings value 2",
        "setoption name Hash value 0",
        "setoption name Threads value -3",
        "setoption",
    ] {
        engine.send(line);
        let answer = engine.read_line().expect("an answer");
        assert!(answer.starts_with("info string "), "{line}: {answer}");
    }
    engine.send("go depth 2");
    let mv = engine.best_move();
    let mut game = Game::new(Setup::Classic.position());
    game.play("h2+".parse().expect("a move")).expect("legal");
    assert!(game.play(mv).is_ok(), "{mv} after h2+");
}

#[test]
fn random_input_is_survived() {
    let mut state = 1u64;
    let mut noise = Vec::new();
    let words =
        ["go", "position", "fen", "moves", "depth", "1", "stop", "setoption", "name", "\u{fffd}"];
    for _ in 0..3_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let pick = (state >> 33) as usize;
        match pick % 3 {
            0 => noise.extend_from_slice(words[pick / 3 % words.len()].as_bytes()),
            1 => noise.push((pick >> 8) as u8),
            _ => noise.push(if pick % 8 < 2 { b'\n' } else { b' ' }),
        }
    }
    noise.extend_from_slice(b"\nstop\nposition setup osiris\ngo depth 1\n");
    let mut engine = TestEngine::new();
    let mut input = engine.input.take().expect("a pipe");
    let writer = thread::spawn(move || input.write_all(&noise));
    let lines = {
        let mut lines = Vec::new();
        while let Some(line) = engine.read_line() {
            lines.push(line);
        }
        lines
    };
    writer.join().expect("no panic").expect("the engine listens");
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{:?}", lines.last());
}

#[test]
fn finished_game_has_no_best_move() {
    let mut engine = TestEngine::new();
    engine.send("position fen 4k5/10/10/10/10/10/10/4K4P4 s moves j1-");
    engine.send("go depth 3");
    assert_eq!(engine.read_until("bestmove").pop().as_deref(), Some("bestmove (none)"));
}

/// A whole game by protocol, one engine against itself.
fn whole_game(start: &str) {
    let mut engine = TestEngine::new();
    let mut game = Game::new(start.parse::<AnyPosition>().expect(start));
    while game.outcome().is_none() && game.moves().len() < 200 && !game.can_claim_draw() {
        let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
        let moves =
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        engine.send(&format!("position fen {}{moves}", game.start()));
        engine.send("go nodes 300");
        let mv = engine.best_any_move();
        game.play(mv).expect("the engine plays by the rules");
    }
    assert!(game.moves().len() > 10);
}

#[test]
fn engine_plays_a_whole_game_of_khet_2() {
    whole_game(Setup::Khet2Classic.notation());
}

#[test]
fn engine_plays_a_whole_game_with_the_eye_of_horus() {
    whole_game(Setup::Osiris.notation());
}

#[test]
fn engine_plays_a_whole_game_with_a_tower() {
    whole_game(tower::Setup::Orontes.notation());
}

/// The moves of a line are legal one after another, from this position on.
fn assert_legal_line(start: AnyPosition, line: &str) {
    let mut position = start;
    for mv in line.split(" pv ").nth(1).expect(line).split(' ') {
        position.play(mv.parse().expect(line)).expect(line);
    }
}

#[test]
fn go_reports_lines_with_a_tower() {
    let mut engine = TestEngine::new();
    engine.send("setoption name MultiPV value 3");
    engine.send("position setup ramesses moves G6F6 Td4");
    engine.send("go depth 3");
    let lines = engine.read_until("bestmove");
    let mut position = AnyPosition::from(tower::Setup::Ramesses.position());
    for mv in ["G6F6", "Td4"] {
        position.play(mv.parse().expect("a move")).expect("a legal move");
    }
    let reports: Vec<&String> =
        lines.iter().filter(|line| line.starts_with("info depth 3 ")).collect();
    assert_eq!(reports.len(), 3, "{lines:?}");
    for (index, line) in reports.iter().enumerate() {
        assert!(line.contains(&format!(" multipv {} score ", index + 1)), "{line}");
        assert_legal_line(position, line);
    }
    let best = lines.last().and_then(|line| line.split(' ').nth(1)).expect("a move");
    assert!(reports[0].contains(&format!(" pv {best}")), "{best} {}", reports[0]);
}

#[test]
fn searchmoves_may_be_moves_of_the_tower() {
    let mut engine = TestEngine::new();
    engine.send("position setup orontes");
    engine.send("go searchmoves Td4 T- depth 2");
    assert!(["Td4", "T-"].contains(&engine.best_any_move().to_string().as_str()));
    // A move of the tower wins.
    engine.send(
        "position fen x34a3p23/4p3ks23/p19/p21s17/7S11P4/3S2A1P13P3/4KP14/3P4A14X1\
         +f4:6/1p3P43/4P21/1p44/6/6 s",
    );
    engine.send("go mate 1");
    let lines = engine.read_until("bestmove");
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove Tg5")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains(" score mate 1 ")), "{lines:?}");
}

#[test]
fn search_with_a_tower_ends_with_stop_and_with_ponderhit() {
    let mut engine = TestEngine::new();
    engine.send("position setup nefertari");
    engine.send("go infinite");
    engine.read_until("info depth 3");
    engine.send("isready");
    engine.read_until("readyok");
    engine.send("stop");
    engine.best_any_move();
    engine.send("go ponder movetime 20");
    engine.read_until("info depth 3");
    engine.send("ponderhit");
    engine.best_any_move();
    engine.send("go stime 200 rtime 200 sinc 10 rinc 10");
    engine.best_any_move();
    engine.send("go nodes 2000");
    let lines = engine.read_until("bestmove");
    assert!(lines.iter().any(|line| line.starts_with("info depth ")), "{lines:?}");
}

#[test]
fn every_level_plays_with_a_tower() {
    let mut engine = TestEngine::new();
    let mut game = Game::new(tower::Setup::Orontes.position());
    let mut moves = String::new();
    for level in 1..10 {
        engine.send(&format!("setoption name Level value {level}"));
        engine.send(&format!("position setup orontes{moves}"));
        engine.send("go nodes 500");
        let mv = engine.best_any_move();
        game.play(mv).expect("a legal move");
        moves = if moves.is_empty() { format!(" moves {mv}") } else { format!("{moves} {mv}") };
    }
}

#[test]
fn perft_with_a_tower_lists_and_adds_up() {
    let mut engine = TestEngine::new();
    engine.send("position setup orontes");
    engine.send("go perft 2");
    let lines = engine.read_until("Nodes searched");
    let position = tower::Setup::Orontes.position();
    let total = format!("Nodes searched: {}", tower::perft(&position, 2));
    assert_eq!(lines.last(), Some(&total));
    let branches = lines.iter().filter(|line| line.contains(": ")).count() - 1;
    assert_eq!(branches, position.legal_moves().len());
}

#[test]
fn one_engine_plays_both_games() {
    let mut engine = TestEngine::new();
    let lines = engine.search_lines("classic");
    let tower_lines = engine.search_lines("orontes");
    assert_ne!(lines, tower_lines);
    for _ in 0..2 {
        assert_eq!(engine.search_lines("classic"), lines);
        assert_eq!(engine.search_lines("orontes"), tower_lines);
    }
    engine.send("setoption name Rules value czech");
    engine.send("position setup classic moves Td4");
    let complaint = engine.read_line().expect("an answer");
    assert_eq!(complaint, "info string Td4: this game has no tower");
    engine.send("position fen 4k5/10/10/10/10/10/10/4K5+h4:6/6/6/6/6/6 s");
    let complaint = engine.read_line().expect("an answer");
    assert!(complaint.contains("the lower left square of the column, c3 to g5"), "{complaint}");
}

/// Returns the bytes of a network with the opposite opinion of the built-in one.
fn opposite_network() -> Vec<u8> {
    let mut weights = Network::built_in().weights().clone();
    weights.output_bias = -weights.output_bias;
    weights.output.as_flattened_mut().iter_mut().for_each(|weight| *weight = -*weight);
    Network::new(weights, "the opposite of the built-in network").to_bytes()
}

/// A folder for the files of one test. It is removed at the end.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new(test: &str) -> TestFolder {
        let path = env::temp_dir().join(format!("khet-uki-{test}-{}", process::id()));
        fs::create_dir_all(&path).expect("a folder");
        TestFolder(path)
    }

    /// Writes a file and returns its path.
    fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).expect(name);
        path
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl TestEngine {
    /// Sets the option `Network` and returns the complaint, if there is one.
    fn set_network(&mut self, value: impl std::fmt::Display) -> Option<String> {
        self.send(&format!("setoption name Network value {value}"));
        self.send("isready");
        let mut answers = self.read_until("readyok");
        answers.pop();
        assert!(answers.len() <= 1, "{answers:?}");
        answers.pop()
    }

    /// Returns the scores and variations of a search with an empty table.
    fn search_lines(&mut self, setup: &str) -> Vec<String> {
        self.send("ukinewgame");
        self.send(&format!("position setup {setup}"));
        self.send("go nodes 2000");
        let mut lines = self.read_until("bestmove");
        for line in &mut lines {
            if let (Some(nps), Some(pv)) = (line.find(" nps "), line.find(" pv ")) {
                line.replace_range(nps..pv, "");
            }
        }
        lines
    }
}

#[test]
fn a_loaded_network_replaces_the_built_in_one() {
    let folder = TestFolder::new("loaded");
    // A file name with a space is one value.
    let path = folder.write("the opposite.net", &opposite_network());
    let mut engine = TestEngine::new();
    let built_in = engine.search_lines("classic");
    assert_eq!(engine.search_lines("classic"), built_in, "searches with a node limit repeat");
    assert_eq!(engine.set_network(path.display()), None);
    let opposite = engine.search_lines("classic");
    assert_ne!(opposite, built_in);
    for value in ["<empty>", ""] {
        assert_eq!(engine.set_network(value), None);
        assert_eq!(engine.search_lines("classic"), built_in, "{value:?}");
        assert_eq!(engine.set_network(path.display()), None);
        assert_eq!(engine.search_lines("classic"), opposite);
    }
    // The network of an engine that has not searched yet is the same one.
    let mut other = TestEngine::new();
    assert_eq!(other.set_network(path.display()), None);
    assert_eq!(other.search_lines("classic"), opposite);
}

#[test]
fn unusable_networks_are_refused_and_the_old_one_stays() {
    let folder = TestFolder::new("refused");
    let good = opposite_network();
    let mut damaged = good.clone();
    damaged[good.len() / 2] ^= 4;
    let mut small = good.clone();
    small[10..12].copy_from_slice(&7_u16.to_le_bytes());
    let mut engine = TestEngine::new();
    let good_path = folder.write("good.net", &good);
    assert_eq!(engine.set_network(good_path.display()), None);
    let lines = engine.search_lines("classic");
    let nested = "a".repeat(40);
    let cases: [(PathBuf, &str); 10] = [
        (folder.0.join("missing.net"), "os error 2"),
        (folder.0.join(format!("{nested}/{nested}/{nested}/{nested}/x.net")), "os error 2"),
        (folder.0.clone(), "not a file"),
        (folder.write("empty.net", b""), "not a network of Khet"),
        (folder.write("letter.net", b"A letter to the pharaoh.\n"), "not a network of Khet"),
        (folder.write("cut.net", &good[..good.len() - 1]), "cut off or too long"),
        (folder.write("header.net", &good[..12]), "cut off or too long"),
        (folder.write("long.net", &[&good[..], b"x"].concat()), "cut off or too long"),
        (folder.write("damaged.net", &damaged), "its hash does not match"),
        (folder.write("small.net", &small), "7 hidden neurons; this engine needs"),
    ];
    for (path, reason) in cases {
        let complaint = engine.set_network(path.display()).expect("a complaint");
        assert!(complaint.starts_with("info string Network: "), "{complaint}");
        assert!(complaint.contains(reason), "{complaint}");
        let name = path.file_name().map(Path::new).expect("a name").display().to_string();
        assert!(complaint.contains(&name), "{complaint}");
        assert_eq!(engine.search_lines("classic"), lines, "{complaint}");
    }
}

#[test]
fn network_is_not_replaced_during_a_search() {
    let folder = TestFolder::new("busy");
    let path = folder.write("good.net", &opposite_network());
    let mut engine = TestEngine::new();
    engine.send("go infinite");
    engine.send(&format!("setoption name Network value {}", path.display()));
    engine.read_until("info string still searching");
    engine.send("stop");
    engine.best_move();
}
