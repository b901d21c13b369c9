//! A running engine: a child process that speaks UKI. It may hang, crash, or send anything.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::command_line::CommandLine;
use super::search_info::EngineInfo;

/// Timeout for `uki` and `isready`.
const READY_TIMEOUT: Duration = Duration::from_secs(10);

/// How long an engine may take to exit after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// The longest line in bytes; a longer one is split.
const MAX_LINE: u64 = 64 * 1024;

/// Capacity of the queue of unread lines. When it is full, the engine blocks on writing.
const MAX_QUEUED_LINES: usize = 256;

/// Lines of standard error to quote. A Rust panic has two: its place and its message.
const MAX_STDERR_LINES: usize = 2;

/// Length of a failure message from which no more `info string` lines are appended.
const MAX_MESSAGE: usize = 100;

/// The reason why an engine can't continue, with a message for the game record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum EngineFailure {
    /// The process has ended, or could not be started.
    Crash(String),
    /// The process runs, but does not answer.
    Hang(String),
}

impl EngineFailure {
    pub(crate) fn text(&self) -> &str {
        match self {
            EngineFailure::Crash(text) | EngineFailure::Hang(text) => text,
        }
    }
}

/// An engine option to set at the start. A button has no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EngineOption {
    pub(crate) name: String,
    pub(crate) value: Option<String>,
}

/// The name and options that an engine declares between `uki` and `ukiok`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct EngineDescription {
    pub(crate) name: Option<String>,
    /// Names of the options.
    pub(crate) options: Vec<String>,
}

impl EngineDescription {
    /// Parses an `id` or `option` line; ignores others.
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

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BestMoveReply {
    /// The word after `bestmove`; it may not be a legal move.
    pub(crate) best_move: String,
    pub(crate) time: Duration,
    pub(crate) info: EngineInfo,
}

/// A line of the engine's standard output, and when it arrived.
struct OutputLine {
    text: String,
    received_at: Instant,
}

/// A running engine process. Dropping it sends `quit`, and kills the process if it does not exit.
pub(crate) struct EngineProcess {
    child: Child,
    /// `None` once the engine has been told to quit.
    input: Option<ChildStdin>,
    lines: Receiver<OutputLine>,
    /// First lines on standard error since the last search: usually the reason of a crash.
    stderr: Arc<Mutex<Vec<String>>>,
    description: EngineDescription,
}

impl EngineProcess {
    /// Starts the process, reads its name and options, and sets options.
    pub(crate) fn start(
        command: &CommandLine,
        options: &[EngineOption],
    ) -> Result<EngineProcess, EngineFailure> {
        let mut engine = EngineProcess::spawn(command).map_err(|error| {
            EngineFailure::Crash(format!("{} does not start: {error}", command.program))
        })?;
        engine.send("uki")?;
        let mut description = EngineDescription::default();
        engine.wait_for("ukiok", |line| description.update(line))?;
        engine.description = description;
        for EngineOption { name, value } in options {
            engine.send(&match value {
                Some(value) => format!("setoption name {name} value {value}"),
                None => format!("setoption name {name}"),
            })?;
        }
        engine.wait_until_ready()?;
        Ok(engine)
    }

    /// Starts the process and the threads that read its output.
    fn spawn(command: &CommandLine) -> io::Result<EngineProcess> {
        let mut child = Command::new(command.executable()?)
            .args(&command.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (sender, lines) = mpsc::sync_channel(MAX_QUEUED_LINES);
        let stderr = Arc::new(Mutex::new(Vec::new()));
        // The threads are not joined: a child of the engine may keep its output open for long.
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || forward_lines(output, &sender));
        }
        if let Some(errors) = child.stderr.take() {
            let stderr = Arc::clone(&stderr);
            thread::spawn(move || collect_stderr(errors, &stderr));
        }
        let input = child.stdin.take();
        let description = EngineDescription::default();
        Ok(EngineProcess { child, input, lines, stderr, description })
    }

    pub(crate) fn description(&self) -> &EngineDescription {
        &self.description
    }

    /// Sends a line to the engine.
    fn send(&mut self, line: &str) -> Result<(), EngineFailure> {
        let Some(input) = &mut self.input else { return Err(self.crash_failure()) };
        match input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush()) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.crash_failure()),
        }
    }

    /// Returns the next line, or `None` if there is none before the deadline.
    fn receive(&mut self, deadline: Instant) -> Result<Option<OutputLine>, EngineFailure> {
        // Checked first: an engine that floods its output always has another line queued.
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        match self.lines.recv_timeout(left) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.crash_failure()),
        }
    }

    /// Reads lines until one equals `word`, and passes the others to `visit`.
    fn wait_for(&mut self, word: &str, mut visit: impl FnMut(&str)) -> Result<(), EngineFailure> {
        let deadline = Instant::now() + READY_TIMEOUT;
        while let Some(line) = self.receive(deadline)? {
            if line.text == word {
                return Ok(());
            }
            visit(&line.text);
        }
        Err(EngineFailure::Hang(format!("no {word} within {} s", READY_TIMEOUT.as_secs())))
    }

    fn wait_until_ready(&mut self) -> Result<(), EngineFailure> {
        self.send("isready")?;
        self.wait_for("readyok", |_| {})
    }

    /// Sends `ukinewgame` and waits until the engine is ready.
    pub(crate) fn new_game(&mut self) -> Result<(), EngineFailure> {
        self.send("ukinewgame")?;
        self.wait_until_ready()
    }

    /// Lets the engine search a position, and waits for its `bestmove` until the timeout.
    pub(crate) fn search(
        &mut self,
        position: &str,
        go: &str,
        timeout: Duration,
    ) -> Result<BestMoveReply, EngineFailure> {
        // Discards lines that were sent after the last `bestmove`.
        for _ in 0..2 * MAX_QUEUED_LINES {
            if self.lines.try_recv().is_err() {
                break;
            }
        }
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.send(position)?;
        self.send(go)?;
        let started = Instant::now();
        let mut info = EngineInfo::default();
        let mut message = format!("no answer within {} ms", timeout.as_millis());
        while let Some(line) = self.receive(started + timeout)? {
            let (command, rest) = line.text.split_once(' ').unwrap_or((&line.text, ""));
            match command {
                "info" => {
                    info.update(rest);
                    // May explain why there will be no answer.
                    if let Some(text) = rest.strip_prefix("string ")
                        && message.len() < MAX_MESSAGE
                    {
                        message.push_str(": ");
                        message.push_str(text);
                    }
                }
                "bestmove" => {
                    let best_move = rest.split_whitespace().next().unwrap_or_default().to_string();
                    let time = line.received_at.saturating_duration_since(started);
                    return Ok(BestMoveReply { best_move, time, info });
                }
                _ => {}
            }
        }
        Err(EngineFailure::Hang(self.append_stderr(message)))
    }

    /// Returns a failure with the exit status of the process and its standard error.
    fn crash_failure(&mut self) -> EngineFailure {
        let message = match self.wait(QUIT_TIMEOUT) {
            Some(status) => format!("the engine ended ({status})"),
            None => "the engine closed its input or output".to_string(),
        };
        // Gives the thread that reads standard error time to receive the last lines.
        thread::sleep(Duration::from_millis(5));
        EngineFailure::Crash(self.append_stderr(message))
    }

    /// Appends the engine's standard error since the last search. Useful for a hang too: one of the
    /// engine's threads may have panicked.
    fn append_stderr(&self, mut message: String) -> String {
        for line in self.stderr.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            message.push_str(": ");
            message.push_str(line);
        }
        message
    }

    /// Waits for the process to end, at most until the timeout.
    fn wait(&mut self, timeout: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + timeout;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }

    /// Kills the process without sending `quit`.
    pub(crate) fn kill(mut self) {
        self.input = None;
        let _ = self.child.kill();
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        if let Some(mut input) = self.input.take() {
            let _ = input.write_all(b"quit\n");
        }
        if self.wait(QUIT_TIMEOUT).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Forwards lines with the time of their arrival.
fn forward_lines(output: impl Read, lines: &SyncSender<OutputLine>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match output.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            Ok(0) | Err(_) => return,
        }
        let received_at = Instant::now();
        let text = String::from_utf8_lossy(line.trim_ascii()).into_owned();
        if lines.send(OutputLine { text, received_at }).is_err() {
            return;
        }
    }
}

/// Reads standard error to its end and keeps the first lines that are not empty.
fn collect_stderr(errors: impl Read, stderr: &Mutex<Vec<String>>) {
    let mut errors = BufReader::new(errors);
    loop {
        let mut line = Vec::new();
        match errors.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            Ok(0) | Err(_) => return,
        }
        let line = String::from_utf8_lossy(line.trim_ascii()).into_owned();
        let mut stderr = stderr.lock().unwrap_or_else(PoisonError::into_inner);
        if !line.is_empty() && stderr.len() < MAX_STDERR_LINES {
            stderr.push(line);
        }
    }
}
