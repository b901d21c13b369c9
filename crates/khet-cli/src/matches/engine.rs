//! An engine that runs: a process, spoken to over UKI, which may do anything.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::command_line::CommandLine;
use super::info::Info;

/// How long an engine may take for anything but a move.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long it may take to leave when it is told to.
const FAREWELL: Duration = Duration::from_millis(500);

/// A line that is longer is cut in pieces.
const MAX_LINE: u64 = 64 * 1024;

/// So many lines may wait to be read. Then an engine that goes on writing has to wait itself.
const MAX_WAITING: usize = 256;

/// So many lines on standard error are repeated. A panic in Rust has two: where, and what.
const MAX_COMPLAINTS: usize = 2;

/// A problem whose description is this long needs no more of it.
const MAX_PROBLEM: usize = 100;

/// Why an engine can't go on, as the record tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// The process is gone, or has never been.
    Crash(String),
    /// It runs, but does not answer.
    Hang(String),
}

impl Trouble {
    pub(crate) fn text(&self) -> &str {
        match self {
            Trouble::Crash(text) | Trouble::Hang(text) => text,
        }
    }
}

/// An option that is set when the engine starts. A button has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EngineOption {
    pub(crate) name: String,
    pub(crate) value: Option<String>,
}

/// What an engine says about itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct About {
    pub(crate) name: Option<String>,
    /// The names of its options.
    pub(crate) options: Vec<String>,
}

impl About {
    /// Takes in a line between `uki` and `ukiok`.
    fn update(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("id name ") {
            self.name = Some(name.trim().to_string());
        } else if let Some(rest) = line.strip_prefix("option name ") {
            let name = rest.split(" type ").next().unwrap_or(rest);
            self.options.push(name.trim().to_string());
        }
    }

    pub(crate) fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// What came of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Thought {
    /// The word behind `bestmove`, whatever it is.
    pub(crate) answer: String,
    pub(crate) time: Duration,
    pub(crate) info: Info,
}

/// A line of the engine, and when it came.
struct Line {
    text: String,
    at: Instant,
}

/// A running engine. It is told to leave, and made to, when it is dropped.
pub(crate) struct Engine {
    child: Child,
    /// Gone when the engine has been told to leave.
    input: Option<ChildStdin>,
    lines: Receiver<Line>,
    /// The first lines on its standard error since the last question: what a program that dies has
    /// to say.
    complaints: Arc<Mutex<Vec<String>>>,
    about: About,
}

impl Engine {
    /// Starts the process, learns its name and options, and sets these.
    pub(crate) fn start(
        command: &CommandLine,
        options: &[EngineOption],
    ) -> Result<Engine, Trouble> {
        let mut engine = Engine::spawn(command).map_err(|error| {
            Trouble::Crash(format!("{} does not start: {error}", command.program))
        })?;
        engine.say("uki")?;
        let mut about = About::default();
        engine.wait_for("ukiok", |line| about.update(line))?;
        engine.about = about;
        for EngineOption { name, value } in options {
            engine.say(&match value {
                Some(value) => format!("setoption name {name} value {value}"),
                None => format!("setoption name {name}"),
            })?;
        }
        engine.wait_until_ready()?;
        Ok(engine)
    }

    fn spawn(command: &CommandLine) -> io::Result<Engine> {
        let mut child = Command::new(command.executable()?)
            .args(&command.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (sender, lines) = mpsc::sync_channel(MAX_WAITING);
        let complaints = Arc::new(Mutex::new(Vec::new()));
        // Nobody waits for these threads: a child of the engine may hold its output open for long.
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || pass_on(output, &sender));
        }
        if let Some(errors) = child.stderr.take() {
            let complaints = Arc::clone(&complaints);
            thread::spawn(move || remember(errors, &complaints));
        }
        let input = child.stdin.take();
        Ok(Engine { child, input, lines, complaints, about: About::default() })
    }

    pub(crate) fn about(&self) -> &About {
        &self.about
    }

    fn say(&mut self, line: &str) -> Result<(), Trouble> {
        let Some(input) = &mut self.input else { return Err(self.crashed()) };
        match input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush()) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.crashed()),
        }
    }

    /// The next line, if one comes before the deadline.
    fn hear(&mut self, deadline: Instant) -> Result<Option<Line>, Trouble> {
        // An engine that never stops writing must not be listened to for ever.
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        match self.lines.recv_timeout(left) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.crashed()),
        }
    }

    fn wait_for(&mut self, word: &str, mut visit: impl FnMut(&str)) -> Result<(), Trouble> {
        let deadline = Instant::now() + PATIENCE;
        while let Some(line) = self.hear(deadline)? {
            if line.text == word {
                return Ok(());
            }
            visit(&line.text);
        }
        Err(Trouble::Hang(format!("no {word} within {} s", PATIENCE.as_secs())))
    }

    fn wait_until_ready(&mut self) -> Result<(), Trouble> {
        self.say("isready")?;
        self.wait_for("readyok", |_| {})
    }

    /// Tells the engine that another game begins, and waits until it is ready for it.
    pub(crate) fn new_game(&mut self) -> Result<(), Trouble> {
        self.say("ukinewgame")?;
        self.wait_until_ready()
    }

    /// Lets the engine think, and waits for its answer until `longest` has passed.
    pub(crate) fn think(
        &mut self,
        position: &str,
        go: &str,
        longest: Duration,
    ) -> Result<Thought, Trouble> {
        // What it said since its last answer is no answer to this question.
        for _ in 0..2 * MAX_WAITING {
            if self.lines.try_recv().is_err() {
                break;
            }
        }
        self.complaints.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.say(position)?;
        self.say(go)?;
        let started = Instant::now();
        let mut info = Info::default();
        let mut problem = format!("no answer within {} ms", longest.as_millis());
        while let Some(line) = self.hear(started + longest)? {
            let (command, rest) = line.text.split_once(' ').unwrap_or((&line.text, ""));
            match command {
                "info" => {
                    info.update(rest);
                    // Perhaps it says why there will be no answer.
                    if let Some(remark) = rest.strip_prefix("string ")
                        && problem.len() < MAX_PROBLEM
                    {
                        problem.push_str(": ");
                        problem.push_str(remark);
                    }
                }
                "bestmove" => {
                    let answer = rest.split_whitespace().next().unwrap_or_default().to_string();
                    let time = line.at.saturating_duration_since(started);
                    return Ok(Thought { answer, time, info });
                }
                _ => {}
            }
        }
        Err(Trouble::Hang(self.with_complaints(problem)))
    }

    /// How the process ended, and what it complained of.
    fn crashed(&mut self) -> Trouble {
        let text = match self.wait(FAREWELL) {
            Some(status) => format!("the engine ended ({status})"),
            None => "the engine closed its input or output".to_string(),
        };
        // What it wrote last may still be on its way to us.
        thread::sleep(Duration::from_millis(5));
        Trouble::Crash(self.with_complaints(text))
    }

    /// A text with what the engine wrote on standard error since it was last asked: a thread of it
    /// may have died.
    fn with_complaints(&self, mut text: String) -> String {
        for line in self.complaints.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            text.push_str(": ");
            text.push_str(line);
        }
        text
    }

    /// Waits for the process to end, but not longer than that.
    fn wait(&mut self, longest: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + longest;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }

    /// Ends the process without waiting for it to agree.
    pub(crate) fn kill(mut self) {
        self.input = None;
        let _ = self.child.kill();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(mut input) = self.input.take() {
            let _ = input.write_all(b"quit\n");
        }
        if self.wait(FAREWELL).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Reads lines as they come, and notes when.
fn pass_on(output: impl Read, lines: &SyncSender<Line>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match output.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            Ok(0) | Err(_) => return,
        }
        let at = Instant::now();
        let text = String::from_utf8_lossy(line.trim_ascii()).into_owned();
        if lines.send(Line { text, at }).is_err() {
            return;
        }
    }
}

/// Reads lines to the end, and keeps the first ones that are not empty.
fn remember(errors: impl Read, complaints: &Mutex<Vec<String>>) {
    let mut errors = BufReader::new(errors);
    loop {
        let mut line = Vec::new();
        match errors.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            Ok(0) | Err(_) => return,
        }
        let line = String::from_utf8_lossy(line.trim_ascii()).into_owned();
        let mut complaints = complaints.lock().unwrap_or_else(PoisonError::into_inner);
        if !line.is_empty() && complaints.len() < MAX_COMPLAINTS {
            complaints.push(line);
        }
    }
}
