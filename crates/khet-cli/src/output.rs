//! What a command says: results on standard output, complaints on standard error.

use std::fmt;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use serde::Serialize;

/// What ends a command early.
#[derive(Debug)]
pub(crate) enum Problem {
    /// The input is wrong: a line that says what and where.
    Input(String),
    /// The same, of a question that was answered all the same: the answer names the faults.
    Answered(String),
    /// Nobody reads the output any more, as in `khet moves classic | head`.
    Unheard,
    /// The machine fails us.
    Io(io::Error),
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Problem {
        match error.kind() {
            ErrorKind::BrokenPipe => Problem::Unheard,
            _ => Problem::Io(error),
        }
    }
}

/// Exit code for wrong input, the same that clap uses for wrong arguments.
const WRONG_INPUT: u8 = 2;

pub(crate) struct Output {
    out: BufWriter<anstream::Stdout>,
    wrong_input: bool,
}

impl Output {
    pub(crate) fn new() -> Output {
        Output { out: BufWriter::new(anstream::stdout()), wrong_input: false }
    }

    /// A line for people.
    pub(crate) fn line(&mut self, text: impl fmt::Display) -> Result<(), Problem> {
        Ok(writeln!(self.out, "{text}")?)
    }

    /// A text that ends its own last line.
    pub(crate) fn text(&mut self, text: impl fmt::Display) -> Result<(), Problem> {
        Ok(write!(self.out, "{text}")?)
    }

    /// A line for programs.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Problem> {
        serde_json::to_writer(&mut self.out, value).map_err(io::Error::from)?;
        Ok(writeln!(self.out)?)
    }

    /// A line about wrong input, on standard error. The command may go on, but it fails at the end.
    pub(crate) fn complain(&mut self, message: &str) {
        self.wrong_input = true;
        self.remark(message);
    }

    /// A line on standard error about something that is no failure of the command.
    pub(crate) fn remark(&mut self, message: &str) {
        // What was found before belongs before it on a terminal.
        let _ = self.out.flush();
        // Where standard error is closed there is nobody to tell.
        let _ = writeln!(anstream::stderr(), "khet: {message}");
    }

    pub(crate) fn flush(&mut self) -> Result<(), Problem> {
        Ok(self.out.flush()?)
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        if self.wrong_input { ExitCode::from(WRONG_INPUT) } else { ExitCode::SUCCESS }
    }
}
