//! `khet check`: replays every game of record files.

use std::path::{Path, PathBuf};

use khet::Rules;
use serde::Serialize;

use crate::games::{Fault, Games};
use crate::output::{Output, Problem};
use crate::progress;

/// The bar moves on after this many bytes.
const BAR_STEP: u64 = 1 << 20;

/// Replay the games of record files and report the first fault of each
///
/// Example: khet check games.kgn
///
/// Faults are reported with their line and column. With --json an object for each fault,
/// {"file":"…","line":…,"column":…,"fault":"…"}, and at the end
/// {"games":…,"faults":…,"moves":…}.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of game records, or - for standard input
    #[arg(value_name = "FILE.kgn", required = true)]
    files: Vec<PathBuf>,
    /// The edition of the rules for games that name none: standard or czech
    #[arg(long, default_value_t)]
    rules: Rules,
    /// Write JSON, one object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize, Default)]
struct Summary {
    games: u64,
    faults: u64,
    /// Moves of faultless games, variations included.
    moves: u64,
}

#[derive(Serialize)]
struct Reported<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    fault: String,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let mut summary = Summary::default();
    for path in &args.files {
        // One file that can't be read does not keep the others from being checked.
        match check(args, path, &mut summary, output) {
            Err(Problem::Input(message)) => output.complain(&message),
            done => done?,
        }
    }
    if args.json {
        return output.json(&summary);
    }
    let Summary { games, faults, moves } = summary;
    let (games, moves) = (counted(games, "game"), counted(moves, "move"));
    output.line(format_args!("{games}, {faults} of them faulty; {moves}"))
}

fn check(
    args: &Args,
    path: &Path,
    summary: &mut Summary,
    output: &mut Output,
) -> Result<(), Problem> {
    let mut games = Games::open(path, args.rules)?;
    let bar = progress::bytes_bar(games.length());
    let mut shown = 0;
    while let Some(game) = games.next()? {
        summary.games += 1;
        match game {
            Ok(record) => summary.moves += record.main_line().count_moves(),
            Err(fault) => {
                summary.faults += 1;
                report(args, games.name(), fault, output)?;
            }
        }
        if games.bytes_read() - shown >= BAR_STEP {
            shown = games.bytes_read();
            bar.set_position(shown);
        }
    }
    bar.finish_and_clear();
    Ok(())
}

fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

fn report(args: &Args, file: &str, fault: Fault, output: &mut Output) -> Result<(), Problem> {
    output.complain(&format!("{file}: {fault}"));
    if args.json {
        let Fault { line, column, fault } = fault;
        return output.json(&Reported { file, line, column, fault });
    }
    Ok(())
}
