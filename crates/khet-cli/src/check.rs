//! `khet check`: validates game records by replaying them.

use std::path::{Path, PathBuf};

use khet::Rules;
use serde::Serialize;

use crate::output::{Output, Problem};
use crate::progress;
use crate::record_reader::{RecordFault, RecordReader};

/// Bytes between updates of the progress bar.
const BAR_STEP: u64 = 1 << 20;

/// Validate game records: replay every game and report its first error
///
/// Example: khet check games.kgn
///
/// Errors are reported with line and column. With --json, prints an object for each error,
/// {"file":"…","line":…,"column":…,"fault":"…"}, and finally {"games":…,"faults":…,"moves":…}.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Game record files, or - for standard input
    #[arg(value_name = "FILE.kgn", required = true)]
    files: Vec<PathBuf>,
    /// Rules for records without a Rules tag: standard or czech
    #[arg(long, default_value_t)]
    rules: Rules,
    /// Write JSON, one object per line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize, Default)]
struct CheckSummary {
    games: u64,
    faults: u64,
    /// Moves of valid games, including variations.
    moves: u64,
}

/// The error of a game, as JSON.
#[derive(Serialize)]
struct FaultReport<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    fault: String,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let mut summary = CheckSummary::default();
    for path in &args.files {
        // An unreadable file must not keep the others from being checked.
        match check_file(args, path, &mut summary, output) {
            Err(Problem::Input(message)) => output.report_error(&message),
            done => done?,
        }
    }
    if args.json {
        return output.json(&summary);
    }
    let CheckSummary { games, faults, moves } = summary;
    let (games, moves) = (count_of(games, "game"), count_of(moves, "move"));
    output.line(format_args!("{games}, {faults} of them faulty; {moves}"))
}

/// Checks the games of a file.
fn check_file(
    args: &Args,
    path: &Path,
    summary: &mut CheckSummary,
    output: &mut Output,
) -> Result<(), Problem> {
    let mut reader = RecordReader::open(path, args.rules)?;
    let bar = progress::bytes_bar(reader.length());
    let mut bar_position = 0;
    while let Some(game) = reader.next()? {
        summary.games += 1;
        match game {
            Ok(record) => summary.moves += record.main_line().count_moves(),
            Err(fault) => {
                summary.faults += 1;
                report_fault(args, reader.name(), fault, output)?;
            }
        }
        if reader.bytes_read() - bar_position >= BAR_STEP {
            bar_position = reader.bytes_read();
            bar.set_position(bar_position);
        }
    }
    bar.finish_and_clear();
    Ok(())
}

/// Returns a number with its noun, such as `2 games`.
fn count_of(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Writes a fault to standard error and, with `--json`, to the output.
fn report_fault(
    args: &Args,
    file: &str,
    fault: RecordFault,
    output: &mut Output,
) -> Result<(), Problem> {
    output.report_error(&format!("{file}: {fault}"));
    if args.json {
        let RecordFault { line, column, fault } = fault;
        return output.json(&FaultReport { file, line, column, fault });
    }
    Ok(())
}
