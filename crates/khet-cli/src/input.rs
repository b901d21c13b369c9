//! The POSITION argument: a setup's name, a position in notation, or `-` for a list of them.

use std::io::{self, BufRead, Read};

use khet::{Placement, Position, Rules, Setup};
use serde_json::json;

use crate::output::{Output, Problem};

/// A line of standard input may be this long: far longer than any position.
const MAX_LINE: u64 = 64 * 1024;

#[derive(clap::Args)]
pub(crate) struct PositionArgs {
    /// A setup's name, a position in notation, or - to read one from each line of standard input
    position: String,
    /// The edition of the rules: standard or czech
    #[arg(long, default_value_t)]
    pub(crate) rules: Rules,
    /// Write JSON, one value a line; {"error":"…"} for a line of standard input that is no position
    #[arg(long)]
    pub(crate) json: bool,
}

impl PositionArgs {
    /// For a command that takes other things than positions too.
    pub(crate) fn new(position: String, rules: Rules, json: bool) -> PositionArgs {
        PositionArgs { position, rules, json }
    }

    /// Calls `act` with the position, or with each position of standard input.
    pub(crate) fn each_position(
        &self,
        output: &mut Output,
        mut act: impl FnMut(Position, &mut Output) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        self.each_placement(output, |placement, output| {
            let position = Position::new(&placement, self.rules);
            act(position.map_err(|error| Problem::Input(error.to_string()))?, output)
        })
    }

    /// The same for arrangements that nobody may be able to play.
    pub(crate) fn each_placement(
        &self,
        output: &mut Output,
        mut act: impl FnMut(Placement, &mut Output) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        if self.position != "-" {
            return act(read(&self.position)?, output);
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
            match read(text).and_then(|placement| act(placement, output)) {
                Err(Problem::Input(message)) => {
                    // The other lines are not lost, and answers stay in step with questions.
                    if self.json {
                        output.json(&json!({ "error": message }))?;
                    }
                    output.complain(&format!("line {number}: {message}"));
                }
                Err(Problem::Answered(message)) => {
                    output.complain(&format!("line {number}: {message}"));
                }
                done => done?,
            }
        }
        Ok(())
    }

    pub(crate) fn rules(&self) -> Rules {
        self.rules
    }
}

/// The next line, if there is one. Of a line that no position is as long as, only the beginning is
/// kept.
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

/// Reads a setup's name or a position in notation.
pub(crate) fn read(text: &str) -> Result<Placement, Problem> {
    // Every position has slashes, and no name has.
    if text.contains('/') {
        text.parse().map_err(|error| Problem::Input(format!("position: {error}")))
    } else {
        let setup: Result<Setup, _> = text.parse();
        setup.map(Setup::placement).map_err(|error| {
            Problem::Input(format!("neither a position nor a setup's name: {error}"))
        })
    }
}
