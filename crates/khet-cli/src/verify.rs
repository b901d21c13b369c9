//! `khet verify`: replays every game of a server's database.

use indicatif::ProgressBar;
use khet_server::{DatabaseLocation, LocationParser, VerifyFault, VerifyObserver, VerifySummary};
use serde::Serialize;

use crate::output::{Output, Problem};
use crate::progress;

/// Verify a database or a backup: replay every game
///
/// Example: khet verify khet-monday.sqlite
///
/// Checks the file and its tables, replays the events of each game, and compares the result with
/// what lists show. The database is not changed; a server may use it. The exit code is 1 if there are
/// faults. With --json, prints an object for each fault, {"game":"…","fault":"…"}, and finally
/// {"games":…,"imported":…,"events":…,"faults":…}.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Database file of a server, a backup of one, or postgres://USER@HOST/NAME
    #[arg(value_name = "FILE|URL", value_parser = LocationParser)]
    database: DatabaseLocation,
    /// Write JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// The counts, as JSON.
#[derive(Serialize)]
struct VerifyReport {
    games: u64,
    imported: u64,
    events: u64,
    faults: u64,
}

/// A fault, as JSON.
#[derive(Serialize)]
struct VerifyFaultReport {
    game: Option<String>,
    fault: String,
}

/// Shows the progress and writes the faults.
struct Reporter<'a> {
    args: &'a Args,
    output: &'a mut Output,
    bar: ProgressBar,
    written: Result<(), Problem>,
}

impl VerifyObserver for Reporter<'_> {
    fn total(&mut self, games: u64) {
        self.bar.set_length(games);
    }

    fn replayed(&mut self) {
        self.bar.inc(1);
    }

    fn fault(&mut self, fault: VerifyFault) {
        let VerifyFault { game, fault } = fault;
        let database = &self.args.database;
        let message = match &game {
            Some(game) => format!("{database}: game {game}: {fault}"),
            None => format!("{database}: {fault}"),
        };
        let Reporter { output, bar, .. } = self;
        bar.suspend(|| output.report_fault(&message));
        if self.args.json && self.written.is_ok() {
            self.written = self.output.json(&VerifyFaultReport { game, fault });
        }
    }
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let database = &args.database;
    if database.file().is_some_and(|file| !file.exists()) {
        return Err(Problem::Input(format!("{database}: no such file")));
    }
    let mut reporter = Reporter { args, output, bar: progress::bar(0), written: Ok(()) };
    let verified = khet_server::maintenance::verify(database, &mut reporter);
    reporter.bar.finish_and_clear();
    reporter.written?;
    let VerifySummary { games, imported, events, faults } =
        verified.map_err(|error| Problem::Input(format!("{database}: {error}")))?;
    if args.json {
        return output.json(&VerifyReport { games, imported, events, faults });
    }
    output.line(format_args!(
        "games: {games}, events: {events}, imported games: {imported}, faults: {faults}"
    ))
}
