//! `khet puzzles`: making a file, continuing it, and proving it again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use khet_puzzles::{PUZZLE_FILE_HEADER, Puzzle, PuzzleSource, read_puzzles};
use serde_json::Value;
use tempfile::TempDir;

/// Silver hits the pharaoh with j8+.
const WIN_IN_ONE: &str =
    "4k4P2/2p27/p29/10/1d15d12/10/2P37/4K5 s\tj8+\tpharaoh-in-one\t640\tgames:1:8";
/// The same puzzle with the board rotated and the sides exchanged.
const FLIPPED: &str =
    "5k4/7p12/10/2D15D11/10/9P4/7P42/p44K4 r\ta1+\tpharaoh-in-one\t640\tgames:2:9";

/// A game in which nobody sees that j8+ wins, until the ninth move.
const RECORD: &str = "[Position \"4k4P2/2p27/p29/10/1d15d12/10/2P37/4K5 s\"]\n\n\
    1. e1d1 e8d8 2. d1e1 d8e8 3. e1d1 e8d8 4. d1e1 d8e8 5. j8+ 1-0\n";

fn khet(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_khet")).args(args).output().expect("khet runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// A file in a folder of its own.
struct TestFile {
    path: PathBuf,
    _folder: TempDir,
}

impl TestFile {
    /// Creates the file, unless there is no text for it.
    fn new(name: &str, text: Option<&str>) -> TestFile {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join(name);
        if let Some(text) = text {
            fs::write(&path, text).expect("written");
        }
        TestFile { path, _folder: folder }
    }

    fn name(&self) -> &str {
        self.path.to_str().expect("UTF-8")
    }

    fn puzzles(&self) -> Vec<Puzzle> {
        puzzles(&self.path)
    }
}

fn puzzles(path: &Path) -> Vec<Puzzle> {
    let text = fs::read_to_string(path).expect("the file");
    read_puzzles(&text).collect::<Result<_, _>>().expect("a valid file")
}

fn file_of(lines: &[&str]) -> TestFile {
    let text: String = [PUZZLE_FILE_HEADER].iter().chain(lines).map(|l| format!("{l}\n")).collect();
    TestFile::new("puzzles.txt", Some(&text))
}

/// Runs `khet puzzles make` until the file has this number of puzzles.
fn make(file: &TestFile, count: &str) -> Output {
    khet(&["puzzles", "make", "--out", file.name(), "--count", count, "--threads", "2"])
}

#[test]
fn a_file_that_was_made_is_proved_and_continued() {
    let file = TestFile::new("puzzles.txt", None);
    let output = make(&file, "3");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("3 puzzles, 3 of them new"));
    let first = file.puzzles();
    assert_eq!(first.len(), 3);

    // An interruption leaves half a line.
    let whole = fs::read_to_string(&file.path).expect("the file");
    fs::write(&file.path, format!("{whole}4k4P2/2p27/p2")).expect("written");
    let output = make(&file, "6");
    assert!(text(&output.stdout).starts_with("6 puzzles, 3 of them new"));
    let all = file.puzzles();
    assert_eq!(all[..3], first);
    assert_eq!(all.len(), 6);

    let output = khet(&["puzzles", "check", file.name(), "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&report["puzzles"], &report["proved"]), (&6.into(), &6.into()));
    assert_eq!(report["faults"], 0);
    let output = khet(&["puzzles", "check", file.name(), "--sample", "2"]);
    assert!(text(&output.stdout).starts_with("6 puzzles, 2 of them proved, 0 faults\n"));

    let output = make(&file, "6");
    assert!(text(&output.stdout).starts_with("6 puzzles, 0 of them new"));
    assert_eq!(file.puzzles(), all, "a complete file stays as it is");
}

#[test]
fn games_of_a_record_file_come_first() {
    let games = TestFile::new("club games.kgn", Some(RECORD));
    let file = TestFile::new("puzzles.txt", None);
    let arguments =
        ["puzzles", "make", "--out", file.name(), "--count", "1", "--games", games.name()];
    let output = khet(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let [puzzle] = &file.puzzles()[..] else { panic!("one puzzle") };
    let source = PuzzleSource::Record { file: "club-games".to_string(), game: 1, ply: 8 };
    assert_eq!(puzzle.source, source);
    assert_eq!(puzzle.line.plies()[0].mv.to_string(), "j8+");
}

#[test]
fn a_file_that_is_no_puzzle_file_is_left_as_it_is() {
    for content in ["# Notes\n", "Notes", "khet-puzzles 2\n"] {
        let file = TestFile::new("notes.txt", Some(content));
        let output = make(&file, "1");
        assert_eq!(output.status.code(), Some(2));
        let error = text(&output.stderr);
        assert!(error.starts_with("khet: ") && error.contains("notes.txt: "), "{error}");
        assert_eq!(error.lines().count(), 1);
        assert_eq!(fs::read_to_string(&file.path).expect("the file"), content);
        assert_eq!(khet(&["puzzles", "check", file.name()]).status.code(), Some(2));
    }
}

/// Checks a file and returns its faults.
fn faults(lines: &[&str]) -> Vec<String> {
    let file = file_of(lines);
    let output = khet(&["puzzles", "check", file.name(), "--threads", "1"]);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(i32::from(!errors.is_empty())), "{errors}");
    let prefix = format!("khet: {}: ", file.name());
    errors.lines().map(|line| line.strip_prefix(&prefix).expect(line).to_string()).collect()
}

#[test]
fn faults_name_the_line_and_the_puzzle() {
    assert!(faults(&[WIN_IN_ONE]).is_empty());
    let id = puzzles(&file_of(&[WIN_IN_ONE]).path)[0].id();
    let fault_of = |old: &str, new: &str| {
        let faults = faults(&[&WIN_IN_ONE.replace(old, new)]);
        let [fault] = &faults[..] else { panic!("{faults:?}") };
        fault.clone()
    };
    assert_eq!(
        faults(&[WIN_IN_ONE, FLIPPED]),
        [format!("line 3: puzzle {id}: the same puzzle as in line 2")]
    );
    assert_eq!(
        fault_of("j8+", "e1d1"),
        format!("line 2: puzzle {id}: move 1 does not force a hit on the pharaoh in time")
    );
    assert_eq!(
        fault_of("pharaoh-in-one", "pharaoh-in-one swap"),
        format!("line 2: puzzle {id}: the themes of the solution are: pharaoh-in-one")
    );
    assert_eq!(
        fault_of("j8+", "e1d1 b4+ j8+"),
        format!("line 2: puzzle {id}: move 1: the pharaoh can be hit sooner")
    );
    assert_eq!(
        fault_of("pharaoh-in-one", "defence"),
        format!("line 2: puzzle {id}: a defence, but the pharaoh is not threatened")
    );
    assert_eq!(
        fault_of("j8+\tpharaoh-in-one", "e1d1\tlong-beam"),
        format!("line 2: puzzle {id}: move 1: j8+ is better")
    );
    assert!(fault_of("640", "64").starts_with("line 2: rating: \"64\": "));
}
