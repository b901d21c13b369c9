//! The way of a network from self-play to the engine, with the real program: generate, fit, export,
//! load, play.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use khet::{Game, Move, Setup};
use tempfile::TempDir;

/// Nodes per move: enough for games with a winner.
const NODES: &str = "60";
/// The first bytes of a file of training positions, and the sizes of its parts.
const MAGIC: &[u8] = b"KHETPOS1";
const BLOCK_HEADER_SIZE: usize = 6;
const POSITION_SIZE: usize = 47;

/// A folder with the files of one test.
struct Workshop(TempDir);

impl Workshop {
    fn new() -> Workshop {
        Workshop(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn write(&self, name: &str, content: &[u8]) {
        fs::write(self.path(name), content).expect(name);
    }

    /// Returns the program with arguments; names of files are relative to the folder.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_khet-tune"));
        command.args(arguments).current_dir(self.0.path());
        command
    }

    fn output(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("khet-tune starts")
    }

    /// Runs the program and returns what it prints.
    fn run(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {errors}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    fn generate(&self, file: &str, games: &str, threads: &str) {
        self.run(&["generate", file, "--games", games, "--nodes", NODES, "--threads", threads]);
    }

    /// Checks that the program fails with a message that names `file` and that no file of the
    /// folder is changed, created or removed.
    fn check_refused(&self, arguments: &[&str], file: &str) {
        let before = self.contents();
        let output = self.output(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(file), "{arguments:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        assert!(self.contents() == before, "{arguments:?} changed a file");
    }

    fn contents(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let entries = fs::read_dir(self.0.path()).expect("the folder");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        paths.map(|path| (path.clone(), fs::read(&path).expect("a file"))).collect()
    }
}

/// Returns the bytes of each game in a file of training positions.
fn games(file: &[u8]) -> BTreeMap<u32, Vec<u8>> {
    let mut rest = file.strip_prefix(MAGIC).expect("training positions");
    let mut games = BTreeMap::new();
    while !rest.is_empty() {
        let (header, positions) = rest.split_first_chunk::<BLOCK_HEADER_SIZE>().expect("a header");
        let [a, b, c, d, e, f] = *header;
        let size = usize::from(u16::from_le_bytes([e, f])) * POSITION_SIZE;
        let (positions, next) = positions.split_at_checked(size).expect("a whole game");
        let earlier = games.insert(u32::from_le_bytes([a, b, c, d]), positions.to_vec());
        assert_eq!(earlier, None, "no game is stored twice");
        rest = next;
    }
    games
}

/// Starts `generate` with more games than it can play, and kills it when the file has some bytes.
fn interrupt_generate(workshop: &Workshop, file: &str, bytes: u64) {
    let arguments = ["generate", file, "--games", "1000000", "--nodes", NODES, "--threads", "1"];
    let mut command = workshop.command(&arguments);
    let mut child = command.stdout(Stdio::null()).spawn().expect("khet-tune starts");
    let size = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
    while size(&workshop.path(file)) < bytes {
        assert!(child.try_wait().expect("a state").is_none(), "it ended by itself");
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
}

#[test]
fn interrupted_generation_continues_with_the_same_games() {
    let workshop = Workshop::new();
    workshop.generate("whole.bin", "40", "1");
    let whole = games(&workshop.read("whole.bin"));
    assert_eq!(whole.keys().copied().collect::<Vec<u32>>(), (0..40).collect::<Vec<u32>>());
    assert!(whole.values().any(|positions| !positions.is_empty()));

    interrupt_generate(&workshop, "parts.bin", 5_000);
    // An interruption can cut a game off.
    workshop.write("parts.bin", &workshop.read("parts.bin")[..5_000]);
    let read = workshop.output(&["fit", "parts.bin", "--checkpoint", "x.fit", "--epochs", "1"]);
    assert!(read.status.success(), "the games before the interruption can be used");
    workshop.generate("parts.bin", "40", "2");
    assert!(games(&workshop.read("parts.bin")) == whole);

    // A file that has all games stays as it is.
    let before = workshop.read("parts.bin");
    workshop.generate("parts.bin", "40", "2");
    assert!(workshop.read("parts.bin") == before);
}

/// Returns the validation loss of each epoch from what `fit` prints.
fn validation_losses(printed: &str) -> Vec<f64> {
    let epochs = printed.lines().filter(|line| line.starts_with("epoch "));
    let losses = epochs.filter_map(|line| line.rsplit(' ').next()?.parse().ok());
    losses.collect()
}

#[test]
fn a_network_is_trained_exported_loaded_and_plays() {
    let workshop = Workshop::new();
    workshop.generate("training.bin", "300", "2");
    let fit = |checkpoint: &str, threads: &str| {
        let arguments = ["fit", "training.bin", "--checkpoint", checkpoint, "--threads", threads];
        // The results of so few and weak games are noise; their search scores can be learned.
        let target = ["--result-share", "0"];
        let options = ["--epochs", "16", "--learning-rate", "0.005", "--seed", "7"];
        workshop.run(&[&arguments[..], &target[..], &options[..]].concat())
    };
    let printed = fit("network.fit", "1");
    let losses = validation_losses(&printed);
    assert_eq!(losses.len(), 16, "{printed}");
    assert!(losses[15] < losses[0], "{printed}");

    // Neither another run nor another number of threads changes a bit.
    fit("again.fit", "1");
    assert!(workshop.read("again.fit") == workshop.read("network.fit"));
    fit("threads.fit", "3");
    assert!(workshop.read("threads.fit") == workshop.read("network.fit"));

    let description = workshop.run(&["export", "network.fit", "network.net"]);
    for part in ["positions of training.bin", "seed 7", "16 epochs", "validation loss"] {
        assert!(description.contains(part), "{part}: {description}");
    }
    let path = workshop.path("network.net");
    let load = format!("setoption name Network value {}", path.display());
    let loaded = talk(&[&load, "position setup classic", "go nodes 500"]);
    let built_in = talk(&["position setup classic", "go nodes 500"]);
    assert!(loaded.iter().all(|line| !line.starts_with("info string")), "{loaded:?}");
    let best: Move = loaded
        .last()
        .and_then(|line| line.strip_prefix("bestmove ")?.split(' ').next()?.parse().ok())
        .unwrap_or_else(|| panic!("no move: {loaded:?}"));
    Game::new(Setup::Classic.position()).play(best).expect("the engine plays by the rules");
    assert_ne!(without_times(&loaded), without_times(&built_in), "the network changes the search");

    let play = ["generate", "second.bin", "--games", "4", "--nodes", NODES];
    workshop.run(&[&play[..], &["--network", "network.net"]].concat());
    let (first, second) = (workshop.read("training.bin"), workshop.read("second.bin"));
    let (first, second) = (games(&first), games(&second));
    assert!((0..4).any(|game| first[&game] != second[&game]), "the network plays");

    // A second generation starts from the first checkpoint.
    let printed = workshop.run(&[
        "fit",
        "second.bin",
        "--checkpoint",
        "next.fit",
        "--from",
        "network.fit",
        "--epochs",
        "1",
    ]);
    assert_eq!(validation_losses(&printed).len(), 1, "{printed}");
}

#[test]
fn unusable_files_are_named_and_nothing_is_written() {
    let workshop = Workshop::new();
    workshop.generate("training.bin", "2", "1");
    let fit = ["fit", "training.bin", "--checkpoint", "good.fit", "--epochs", "1"];
    workshop.run(&fit);
    let checkpoint = workshop.read("good.fit");
    workshop.write("short.fit", &checkpoint[..checkpoint.len() / 2]);
    workshop.write("shorter.fit", &checkpoint[..checkpoint.len() - 4]);
    workshop.write("foreign.txt", b"A letter to the pharaoh.\n");
    workshop.run(&["export", "good.fit", "good.net"]);
    let network = workshop.read("good.net");
    workshop.write("short.net", &network[..network.len() - 1]);
    let mut damaged = network.clone();
    damaged[1_000] ^= 1;
    workshop.write("damaged.net", &damaged);
    workshop.write("old.net", b"what was here before");

    for checkpoint in ["missing.fit", "foreign.txt", "short.fit", "shorter.fit", "training.bin"] {
        workshop.check_refused(&["export", checkpoint, "new.net"], checkpoint);
        workshop.check_refused(&["export", checkpoint, "old.net"], checkpoint);
        let from = ["--checkpoint", "good.fit", "--from", checkpoint];
        workshop.check_refused(&[&["fit", "training.bin"], &from[..]].concat(), checkpoint);
    }
    workshop.check_refused(&["export", "good.fit", "missing/new.net"], "missing/new.net");
    for positions in ["missing.bin", "foreign.txt", "good.fit", "good.net"] {
        let arguments = ["fit", "training.bin", positions, "--checkpoint", "good.fit"];
        workshop.check_refused(&arguments, positions);
        if positions != "missing.bin" {
            workshop.check_refused(&["generate", positions, "--games", "1"], positions);
        }
    }
    let arguments = ["fit", "training.bin", "--checkpoint", "missing/new.fit"];
    workshop.check_refused(&arguments, "missing/new.fit");
    for network in ["missing.net", "foreign.txt", "short.net", "damaged.net", "good.fit"] {
        for file in ["new.bin", "training.bin"] {
            let arguments = ["generate", file, "--games", "9", "--network", network];
            workshop.check_refused(&arguments, network);
        }
    }
}

/// Sends lines to an engine and returns its answers.
fn talk(lines: &[&str]) -> Vec<String> {
    let answers = Answers::default();
    khet_engine::uki::run(lines.join("\n").as_bytes(), answers.clone());
    let bytes = answers.0.lock().expect("no thread panicked").clone();
    String::from_utf8(bytes).expect("UTF-8").lines().map(str::to_owned).collect()
}

/// Returns the lines without what depends on the clock.
fn without_times(lines: &[String]) -> Vec<String> {
    let words = |line: &String| {
        let words: Vec<&str> = line.split(' ').collect();
        let timed = |index: usize| ["nps", "time"].contains(&words[index]);
        let kept = |index: &usize| !timed(*index) && (*index == 0 || !timed(*index - 1));
        (0..words.len()).filter(kept).map(|index| words[index]).collect::<Vec<&str>>().join(" ")
    };
    lines.iter().map(words).collect()
}

/// The collected output of an engine.
#[derive(Clone, Default)]
struct Answers(Arc<Mutex<Vec<u8>>>);

impl Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no thread panicked").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn statistics_do_not_depend_on_threads_and_interruptions() {
    let workshop = Workshop::new();
    let statistics = |page: &str, games: &str, threads: &str| {
        let json = format!("{page}.json");
        let options = ["--games", games, "--nodes", NODES, "--seed", "3", "--threads", threads];
        workshop.run(&[&["statistics", page, "--json", &json], &options[..]].concat());
    };
    statistics("whole.md", "2", "2");
    let page = String::from_utf8(workshop.read("whole.md")).expect("UTF-8");
    let figures = workshop.read("whole.md.json");
    for part in ["# What the engine", "| classic | 2 |", "| isis | 2 |", "--games 2 --nodes 60"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("NaN"), "{page}");

    // One game of each setup, of which an interruption cuts off the last.
    statistics("parts.md", "1", "1");
    let games = workshop.read("parts.games");
    workshop.write("parts.games", &games[..games.len() - 5]);
    statistics("parts.md", "2", "1");
    assert_eq!(String::from_utf8(workshop.read("parts.md")).expect("UTF-8"), page);
    assert!(workshop.read("parts.md.json") == figures);

    // Games of a longer run do not count.
    statistics("parts.md", "1", "2");
    statistics("short.md", "1", "2");
    assert!(workshop.read("short.md") == workshop.read("parts.md"));

    let other = ["statistics", "whole.md", "--games", "2", "--nodes", "61"];
    workshop.check_refused(&other, "whole.games");
    workshop.write("letter.games", b"A letter to the pharaoh.\n");
    workshop.check_refused(&["statistics", "letter.md", "--games", "1"], "letter.games");
    let missing = ["statistics", "new.md", "--games", "1", "--network", "missing.net"];
    workshop.check_refused(&missing, "missing.net");
}
