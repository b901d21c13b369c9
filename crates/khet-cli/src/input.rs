//! The POSITION argument: a setup name, a position in notation, or `-` for a list of them.

use std::io::{self, BufRead, Read};

use khet::{AnyPlacement, AnyPosition, AnySetup, Rules};
use serde_json::json;

use crate::output::{Output, Problem};

/// The longest line of standard input in bytes; longer than any position.
const MAX_LINE: u64 = 64 * 1024;

#[derive(clap::Args)]
pub(crate) struct PositionArgs {
    /// Setup name, position in notation, or - to read one per line from standard input
    position: String,
    /// Rules of the game: standard or czech
    #[arg(long, default_value_t)]
    pub(crate) rules: Rules,
    /// Write JSON, one value per position; {"error":"…"} for an invalid line of standard input
    #[arg(long)]
    pub(crate) json: bool,
}

impl PositionArgs {
    /// Builds the arguments for a command that declares its own argument for files or positions.
    pub(crate) fn new(position: String, rules: Rules, json: bool) -> PositionArgs {
        PositionArgs { position, rules, json }
    }

    /// Calls `handle` with the position, or with each position of standard input.
    pub(crate) fn each_position(
        &self,
        output: &mut Output,
        mut handle: impl FnMut(AnyPosition, &mut Output) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        self.each_placement(output, |placement, output| {
            let position = AnyPosition::new(&placement, self.rules);
            handle(position.map_err(|error| Problem::Input(error.to_string()))?, output)
        })
    }

    /// Like [`PositionArgs::each_position`], but also accepts placements with faults.
    pub(crate) fn each_placement(
        &self,
        output: &mut Output,
        mut handle: impl FnMut(AnyPlacement, &mut Output) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        if self.position != "-" {
            return handle(parse_placement(&self.position)?, output);
        }
        let mut input = io::stdin().lock();
        for number in 1.. {
            let unreadable =
                |error| Problem::Input(format!("standard input, line {number}: {error}"));
            let Some(line) = next_line(&mut input).map_err(unreadable)? else { break };
            let text = String::from_utf8_lossy(&line);
            let text = text.strip_prefix('\u{feff}').unwrap_or(&text).trim_end();
            if text.is_empty() {
                continue;
            }
            match parse_placement(text).and_then(|placement| handle(placement, output)) {
                Err(Problem::Input(message)) => {
                    // A wrong line does not stop the others. It gets an error object, so that each
                    // input line still yields one JSON value.
                    if self.json {
                        output.json(&json!({ "error": message }))?;
                    }
                    output.report_error(&format!("line {number}: {message}"));
                }
                Err(Problem::FaultyPosition(message)) => {
                    // The command has already written its JSON value.
                    output.report_error(&format!("line {number}: {message}"));
                }
                result => result?,
            }
        }
        Ok(())
    }

    pub(crate) fn rules(&self) -> Rules {
        self.rules
    }
}

/// Reads the next line, if there is one. Of a line longer than [`MAX_LINE`], only the beginning
/// is kept.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    let mut ended = line.ends_with(b"\n");
    while !ended {
        let mut rest = Vec::new();
        let length = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut rest)?;
        ended = length == 0 || rest.ends_with(b"\n");
    }
    Ok(Some(line))
}

/// Parses a setup name or a position in notation, with or without a tower.
pub(crate) fn parse_placement(text: &str) -> Result<AnyPlacement, Problem> {
    // Every position contains slashes, and no setup name does.
    if text.contains('/') {
        text.parse().map_err(|error| Problem::Input(format!("position: {error}")))
    } else {
        let setup = text.parse().map(AnySetup::placement);
        setup.map_err(|error| {
            Problem::Input(format!("neither a position nor a setup's name: {error}"))
        })
    }
}
