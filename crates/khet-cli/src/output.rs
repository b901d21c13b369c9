//! Output of a command: results on standard output, errors and warnings on standard error.

use std::fmt;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use serde::Serialize;

/// An error that ends a command early.
#[derive(Debug)]
pub(crate) enum Problem {
    /// Wrong input, described in one line: what is wrong and where.
    Input(String),
    /// A position with faults, which are already part of the command's output. No JSON error
    /// object is written for it, so that there is one output value per input line.
    FaultyPosition(String),
    /// The reader has closed our output, as in `khet moves classic | head`. Not an error.
    BrokenPipe,
    Io(io::Error),
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Problem {
        match error.kind() {
            ErrorKind::BrokenPipe => Problem::BrokenPipe,
            _ => Problem::Io(error),
        }
    }
}

/// Exit code for wrong input, the same that clap uses for wrong arguments.
const WRONG_INPUT_EXIT_CODE: u8 = 2;

/// Exit code if what was checked has faults.
const FAULTS_EXIT_CODE: u8 = 1;

/// Buffered standard output, and whether an error was reported.
pub(crate) struct Output {
    out: BufWriter<anstream::Stdout>,
    wrong_input: bool,
    faults: bool,
}

impl Output {
    pub(crate) fn new() -> Output {
        Output { out: BufWriter::new(anstream::stdout()), wrong_input: false, faults: false }
    }

    /// Writes a line of text.
    pub(crate) fn line(&mut self, text: impl fmt::Display) -> Result<(), Problem> {
        Ok(writeln!(self.out, "{text}")?)
    }

    /// Writes a text that ends with its own line break.
    pub(crate) fn text(&mut self, text: impl fmt::Display) -> Result<(), Problem> {
        Ok(write!(self.out, "{text}")?)
    }

    /// Writes a value as one line of JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Problem> {
        serde_json::to_writer(&mut self.out, value).map_err(io::Error::from)?;
        Ok(writeln!(self.out)?)
    }

    /// Writes an error to standard error. The command may continue, but exits with code 2.
    pub(crate) fn report_error(&mut self, message: &str) {
        self.wrong_input = true;
        self.report_warning(message);
    }

    /// Writes a fault of what is being checked to standard error. The command exits with code 1.
    pub(crate) fn report_fault(&mut self, message: &str) {
        self.faults = true;
        self.report_warning(message);
    }

    /// Writes a message to standard error that does not change the exit code.
    pub(crate) fn report_warning(&mut self, message: &str) {
        // Keeps results and messages in order on a terminal.
        let _ = self.out.flush();
        // If standard error is closed, there is no other place to report to.
        let _ = writeln!(anstream::stderr(), "khet: {message}");
    }

    pub(crate) fn flush(&mut self) -> Result<(), Problem> {
        Ok(self.out.flush()?)
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match (self.wrong_input, self.faults) {
            (true, _) => ExitCode::from(WRONG_INPUT_EXIT_CODE),
            (false, true) => ExitCode::from(FAULTS_EXIT_CODE),
            (false, false) => ExitCode::SUCCESS,
        }
    }
}
