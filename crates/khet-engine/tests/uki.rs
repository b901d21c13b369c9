//! The engine protocol as a program on the other end sees it.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::thread::{self, JoinHandle};

use khet::{Game, Move, Setup};

/// An engine on the other end of two pipes.
struct Talk {
    input: Option<PipeWriter>,
    output: BufReader<PipeReader>,
    engine: Option<JoinHandle<()>>,
}

impl Talk {
    fn new() -> Talk {
        let (engine_input, input) = pipe().expect("a pipe");
        let (output, engine_output) = pipe().expect("a pipe");
        let engine = thread::spawn(|| {
            khet_engine::uki::run(BufReader::new(engine_input), engine_output);
        });
        Talk { input: Some(input), output: BufReader::new(output), engine: Some(engine) }
    }

    fn say(&mut self, line: &str) {
        let input = self.input.as_mut().expect("the pipe is open");
        writeln!(input, "{line}").expect("the engine listens");
    }

    fn hear(&mut self) -> Option<String> {
        let mut line = String::new();
        let length = self.output.read_line(&mut line).expect("UTF-8");
        (length > 0).then(|| line.trim_end().to_string())
    }

    /// All lines up to the one that begins so.
    fn hear_until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(line) = self.hear() {
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
        panic!("no line begins with {start:?}: {lines:?}");
    }

    fn best_move(&mut self) -> Move {
        let line = self.hear_until("bestmove").pop().expect("a line");
        line.split(' ').nth(1).expect("a move").parse().expect(&line)
    }
}

impl Drop for Talk {
    /// Whatever happened, the engine ends when its input does.
    fn drop(&mut self) {
        drop(self.input.take());
        while self.hear().is_some() {}
        let ended = self.engine.take().is_some_and(|engine| engine.join().is_ok());
        assert!(ended || thread::panicking(), "the engine panicked");
    }
}

#[test]
fn it_introduces_itself() {
    let mut talk = Talk::new();
    talk.say("uki");
    let lines = talk.hear_until("ukiok");
    assert!(lines[0].starts_with("id name Khet"));
    for option in ["Hash", "Threads", "MultiPV", "Ponder", "Level", "Rules"] {
        let start = format!("option name {option} type ");
        assert!(lines.iter().any(|line| line.starts_with(&start)), "{option}");
    }
    talk.say("isready");
    assert_eq!(talk.hear().as_deref(), Some("readyok"));
}

#[test]
fn it_answers_with_lines_and_a_legal_move() {
    let mut talk = Talk::new();
    talk.say("position setup classic moves h2+ a5b5");
    talk.say("go depth 5");
    let lines = talk.hear_until("bestmove");
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
fn it_searches_until_it_is_stopped() {
    let mut talk = Talk::new();
    talk.say("position setup dynasty");
    talk.say("go infinite");
    talk.hear_until("info depth 3");
    talk.say("isready");
    talk.hear_until("readyok");
    talk.say("stop");
    talk.best_move();
    // And is ready for the next question.
    talk.say("go nodes 500");
    talk.best_move();
}

#[test]
fn it_quits_while_it_thinks() {
    let mut talk = Talk::new();
    talk.say("go infinite");
    talk.hear_until("info depth 2");
    talk.say("quit");
    talk.hear_until("bestmove");
    assert_eq!(talk.hear(), None);
}

#[test]
fn a_hit_ends_pondering() {
    let mut talk = Talk::new();
    talk.say("position setup imhotep moves c1d2");
    talk.say("go ponder movetime 20");
    talk.hear_until("info depth 4");
    talk.say("ponderhit");
    talk.best_move();
}

#[test]
fn a_hit_bounds_no_open_search() {
    let mut talk = Talk::new();
    talk.say("go infinite");
    talk.say("ponderhit");
    // The end of the input does.
    drop(talk.input.take());
    talk.best_move();
    assert_eq!(talk.hear(), None);
}

#[test]
fn a_table_that_does_not_fit_ends_nothing() {
    let mut talk = Talk::new();
    talk.say("setoption name Hash value 1048576");
    talk.say("isready");
    talk.hear_until("readyok");
    talk.say("setoption name Hash value 1");
    talk.say("go nodes 500");
    talk.best_move();
}

#[test]
fn it_looks_only_at_the_moves_it_is_told() {
    let mut talk = Talk::new();
    talk.say("position setup classic");
    talk.say("go depth 3 searchmoves c1b1 c1b2");
    assert!(["c1b1", "c1b2"].contains(&talk.best_move().to_string().as_str()));
}

#[test]
fn several_lines_begin_with_different_moves() {
    let mut talk = Talk::new();
    talk.say("setoption name MultiPV value 4");
    talk.say("position setup classic");
    talk.say("go depth 4");
    let lines = talk.hear_until("bestmove");
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
    let mut talk = Talk::new();
    talk.say("position setup classic");
    talk.say("go perft 2");
    let lines = talk.hear_until("Nodes searched");
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 6228"));
    assert_eq!(
        lines.iter().filter(|line| line.contains(": 7") || line.contains(": 8")).count(),
        79
    );
}

#[test]
fn wrong_lines_are_told_and_change_nothing() {
    let mut talk = Talk::new();
    talk.say("position setup classic moves h2+");
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
        talk.say(line);
        let answer = talk.hear().expect("an answer");
        assert!(answer.starts_with("info string "), "{line}: {answer}");
    }
    talk.say("go depth 2");
    let mv = talk.best_move();
    let mut game = Game::new(Setup::Classic.position());
    game.play("h2+".parse().expect("a move")).expect("legal");
    assert!(game.play(mv).is_ok(), "{mv} after h2+");
}

#[test]
fn noise_is_survived() {
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
    let mut talk = Talk::new();
    let mut input = talk.input.take().expect("a pipe");
    let writer = thread::spawn(move || input.write_all(&noise));
    let lines = {
        let mut lines = Vec::new();
        while let Some(line) = talk.hear() {
            lines.push(line);
        }
        lines
    };
    writer.join().expect("no panic").expect("the engine listens");
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{:?}", lines.last());
}

#[test]
fn a_lost_or_won_game_has_no_move() {
    let mut talk = Talk::new();
    talk.say("position fen 4k5/10/10/10/10/10/10/4K4P4 s moves j1-");
    talk.say("go depth 3");
    assert_eq!(talk.hear_until("bestmove").pop().as_deref(), Some("bestmove (none)"));
}

/// A whole game by protocol, one engine against itself.
fn whole_game(start: &str) {
    let mut talk = Talk::new();
    let mut game = Game::new(start.parse().expect(start));
    while game.outcome().is_none() && game.moves().len() < 200 && !game.can_claim_draw() {
        let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
        let moves =
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        talk.say(&format!("position fen {}{moves}", game.start()));
        talk.say("go nodes 300");
        let mv = talk.best_move();
        game.play(mv).expect("the engine plays by the rules");
    }
    assert!(game.moves().len() > 10);
}

#[test]
fn it_plays_a_whole_game_of_khet_2() {
    whole_game(Setup::Khet2Classic.notation());
}

#[test]
fn it_plays_a_whole_game_with_the_eye_of_horus() {
    whole_game(Setup::Osiris.notation());
}
