//! The fuzz target `uki`: commands to the engine.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use khet_engine::uki;

/// Sends the bytes to an engine, line by line, and panics if its answers break the protocol.
///
/// A panic on an engine thread does not reach the caller, so the caller must abort the process on
/// every panic, as libFuzzer does.
pub fn talk(data: &[u8]) {
    let mut lines = vec![b"setoption name Hash value 1".to_vec()];
    lines.extend(data.split(|&byte| byte == b'\n').map(bounded));
    // A session ends with `quit` or with the end of the input.
    if data.first() == Some(&b'!') {
        lines.push(b"quit".to_vec());
    }
    let output = Output::default();
    uki::run(lines.join(&b'\n').as_slice(), output.clone());
    check(&lines, &output.text());
}

/// Returns the line with limits on time and memory.
fn bounded(line: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(line);
    let mut words: Vec<String> = text.split_whitespace().map(String::from).collect();
    let greedy =
        |word: &String| ["hash", "threads", "perft"].contains(&word.to_ascii_lowercase().as_str());
    let searches = words.first().is_some_and(|word| word == "go");
    if words.iter().any(greedy) {
        for word in &mut words {
            if let Ok(number) = word.parse::<u64>() {
                *word = (number % 4).to_string();
            }
        }
    } else if searches {
        words.extend(["nodes", "300"].map(String::from));
    } else {
        return line.to_vec();
    }
    words.join(" ").into_bytes()
}

/// Checks that the answers fit the commands.
fn check(lines: &[Vec<u8>], answers: &str) {
    let first_word =
        |line: &Vec<u8>| String::from_utf8_lossy(line).split_whitespace().next().map(String::from);
    let commands: Vec<String> =
        lines.iter().filter_map(first_word).take_while(|word| word != "quit").collect();
    let sent = |command: &str| commands.iter().filter(|&word| word == command).count();
    let answered = |start: &str| answers.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(answered("readyok"), sent("isready"));
    assert_eq!(answered("ukiok"), sent("uki"));
    assert!(answered("bestmove ") + answered("Nodes searched: ") <= sent("go"));
    for line in answers.lines() {
        let starts = ["id ", "option ", "ukiok", "readyok", "info ", "bestmove "];
        // Perft prints counts after each move and in total.
        let counts = line.rsplit_once(": ").is_some_and(|(_, count)| count.parse::<u64>().is_ok());
        let known = line.is_empty() || counts || starts.iter().any(|start| line.starts_with(start));
        assert!(known && !line.contains(char::is_control), "{line:?}");
    }
}

/// The collected output of the engine.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Output {
    fn text(&self) -> String {
        let bytes = self.0.lock().expect("no thread panicked").clone();
        String::from_utf8(bytes).expect("the engine writes UTF-8")
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no thread panicked").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
