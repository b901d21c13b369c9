//! Tests the engine as a process, through its input and output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use khet::{Game, Move, Setup};

struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start() -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_khet-baseline"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Engine { child, input, output }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the engine listens");
    }

    /// Returns all lines up to and including the first that starts with this word.
    fn read_until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let length = self.output.read_line(&mut line).expect("UTF-8");
            assert!(length > 0, "the engine ended before {word}: {lines:?}");
            lines.push(line.trim_end().to_string());
            if line.split_whitespace().next() == Some(word) {
                return lines;
            }
        }
    }

    fn read_best_move(&mut self) -> (Move, Vec<String>) {
        let lines = self.read_until("bestmove");
        let mv = lines.last().and_then(|line| line.split(' ').nth(1)).expect("a move");
        (mv.parse().expect("a move"), lines)
    }

    fn quit(mut self) {
        self.send("quit");
        assert!(self.child.wait().expect("it ends").success());
    }
}

#[test]
fn uki_command_is_answered_with_name_and_options() {
    let mut engine = Engine::start();
    engine.send("uki");
    let lines = engine.read_until("ukiok");
    assert!(lines[0].starts_with("id name khet-baseline"));
    assert!(lines.iter().any(|line| line.starts_with("option name Hash type spin")));
    engine.send("isready");
    assert_eq!(engine.read_until("readyok"), ["readyok"]);
    engine.quit();
}

#[test]
fn win_in_one_is_found() {
    let mut engine = Engine::start();
    engine.send("position fen 10/10/10/4k4P2/10/10/10/4K5 s");
    engine.send("go depth 9");
    let (mv, lines) = engine.read_best_move();
    assert_eq!(mv.to_string(), "j5+");
    assert!(lines[0].contains(" score mate 1 "), "{lines:?}");
    engine.quit();
}

#[test]
fn threatened_pharaoh_moves_away() {
    // Silver hits the pharaoh next unless it leaves the rank.
    let mut engine = Engine::start();
    engine.send("position fen 10/10/10/4k4P2/10/10/10/4K5 r");
    engine.send("go depth 4");
    let (mv, _) = engine.read_best_move();
    assert!(mv.to_string().starts_with("e5") && !mv.to_string().ends_with('5'), "{mv}");
    engine.quit();
}

#[test]
fn undefended_pyramid_is_won() {
    let mut engine = Engine::start();
    engine.send("position fen 4k5/10/10/4p34P2/10/10/10/4K5 s");
    engine.send("go depth 1");
    let (mv, lines) = engine.read_best_move();
    assert_eq!(mv.to_string(), "j5+");
    assert!(lines[0].contains(" score cp 100 "), "{lines:?}");
    engine.quit();
}

#[test]
fn repetition_is_sought_when_losing_and_avoided_when_winning() {
    // Both pharaohs have moved back and forth; Silver is a pyramid ahead.
    let start = "4k5/10/10/10/10/2P17/10/4K5 s";
    let moves = "e1d1 e8d8 d1e1 d8e8 e1d1 e8d8";
    let mut engine = Engine::start();
    engine.send(&format!("position fen {start} moves {moves} d1e1"));
    engine.send("go depth 3");
    let (mv, lines) = engine.read_best_move();
    assert_eq!(mv.to_string(), "d8e8");
    assert!(lines[0].contains(" score cp 0 "), "{lines:?}");

    engine.send("ukinewgame");
    engine.send(&format!("position fen {start} moves {moves}"));
    engine.send("go depth 3");
    let (mv, lines) = engine.read_best_move();
    assert_ne!(mv.to_string(), "d1e1");
    assert!(lines[2].contains(" score cp 100 "), "{lines:?}");
    engine.quit();
}

#[test]
fn best_moves_are_legal_in_every_setup() {
    for setup in Setup::ALL {
        let mut engine = Engine::start();
        let mut game = Game::new(setup.position());
        let mut moves = String::new();
        while game.outcome().is_none() && game.moves().len() < 12 {
            engine.send(&format!("position setup {setup}{moves}"));
            engine.send("go nodes 500");
            let (mv, _) = engine.read_best_move();
            game.play(mv).expect("legal");
            let start = if moves.is_empty() { " moves" } else { "" };
            moves.push_str(&format!("{start} {mv}"));
        }
        engine.quit();
    }
}

#[test]
fn czech_rules_can_be_set() {
    let mut engine = Engine::start();
    engine.send("setoption name Rules value czech");
    engine.send("position fen 4k5/10/10/4p15/4D15/10/10/4K5 s moves e4e5");
    assert!(engine.read_until("info")[0].contains("in this edition a swap is between pieces"));
    engine.quit();
}

#[test]
fn invalid_commands_are_reported_and_ignored() {
    let mut engine = Engine::start();
    for line in [
        "fly",
        "position",
        "position setup clasic",
        "position fen 4k5/10 s",
        "position setup classic moves a1a9",
        "position setup classic moves f8f7",
        "position setup classic then h2+",
        "setoption name Hash value 0",
        "setoption Hash",
        "\u{7f}\u{0}",
    ] {
        engine.send(line);
        assert!(engine.read_until("info")[0].starts_with("info string "), "{line}");
    }
    engine.input.write_all(b"\xff\xfe\n\n  \n").expect("the engine listens");
    engine.read_until("info");
    engine.send("go fast depth 1 nodes");
    let (mv, lines) = engine.read_best_move();
    assert!(lines[0].starts_with("info string go: fast"));
    assert!(Setup::Classic.position().check(mv).is_ok());
    engine.quit();
}

#[test]
fn stop_ends_an_infinite_search() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.read_until("info");
    engine.send("isready");
    engine.read_until("readyok");
    engine.send("go depth 1");
    engine.send("stop");
    let (_, lines) = engine.read_best_move();
    assert!(lines.contains(&"info string go: a search is running".to_string()), "{lines:?}");
    // It goes on as if nothing had happened.
    engine.send("go depth 2");
    engine.read_best_move();
    engine.quit();
}

#[test]
fn finished_infinite_search_waits_for_stop() {
    let mut engine = Engine::start();
    engine.send("position fen 10/10/10/4k4P2/10/10/10/4K5 s");
    engine.send("go infinite");
    engine.read_until("info");
    engine.send("isready");
    assert_eq!(engine.read_until("readyok"), ["readyok"]);
    engine.send("stop");
    assert_eq!(engine.read_best_move().0.to_string(), "j5+");
    engine.quit();
}

#[test]
fn quit_and_end_of_input_end_a_search() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.read_until("info");
    engine.quit();

    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.read_until("info");
    drop(engine.input);
    assert!(engine.child.wait().expect("it ends").success());
}

#[test]
fn finished_position_has_no_best_move() {
    let mut engine = Engine::start();
    engine.send("position fen 10/10/10/4k4P2/10/10/10/4K5 s moves j5+");
    engine.send("go depth 3");
    assert_eq!(engine.read_until("bestmove").last().map(String::as_str), Some("bestmove (none)"));
    engine.quit();
}
