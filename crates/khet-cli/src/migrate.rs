//! `khet migrate`: copies the server's database from SQLite to PostgreSQL and back.

use std::path::PathBuf;

use indicatif::ProgressBar;
use khet_server::{
    DatabaseLocation, LocationParser, TransferObserver, TransferPhase, TransferSummary,
    VerifyFault, VerifyObserver, VerifySummary, maintenance,
};
use serde::Serialize;

use crate::output::{Output, Problem};
use crate::progress;

/// Move the server's database between SQLite and PostgreSQL; stop the server first
///
/// Example: khet migrate sqlite-to-postgres --from khet.sqlite --to postgres://khet@db.example/khet
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    direction: TransferDirection,
}

#[derive(clap::Subcommand)]
enum TransferDirection {
    /// Copy a database file into an empty database of a PostgreSQL server
    ///
    /// Example: khet migrate sqlite-to-postgres --from khet.sqlite --to postgres://khet@db.example/khet
    ///
    /// If the command is interrupted, run it again: it continues where it was. At the end it compares
    /// all rows of both databases, and replays every game of the copy. Until then no server starts
    /// with the copy. With --json, prints an object for each fault, {"game":"…","fault":"…"}, and
    /// finally {"rows":…,"games":…,"imported":…,"events":…,"faults":…}.
    SqliteToPostgres(SqliteToPostgresArgs),
    /// Copy a database of a PostgreSQL server into a new database file
    ///
    /// Example: khet migrate postgres-to-sqlite --from postgres://khet@db.example/khet --to khet.sqlite
    ///
    /// Works like sqlite-to-postgres.
    PostgresToSqlite(PostgresToSqliteArgs),
}

#[derive(clap::Args)]
struct SqliteToPostgresArgs {
    /// Database file of the server
    #[arg(long, value_name = "FILE")]
    from: PathBuf,
    /// Empty database: postgres://USER@HOST/NAME
    #[arg(long, value_name = "URL", value_parser = LocationParser)]
    to: DatabaseLocation,
    /// Write JSON, one object per line
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct PostgresToSqliteArgs {
    /// Database of the servers: postgres://USER@HOST/NAME
    #[arg(long, value_name = "URL", value_parser = LocationParser)]
    from: DatabaseLocation,
    /// Database file, which is created
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// Write JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// The counts, as JSON.
#[derive(Serialize)]
struct TransferReport {
    rows: u64,
    games: u64,
    imported: u64,
    events: u64,
    faults: u64,
}

/// A fault, as JSON.
#[derive(Serialize)]
struct TransferFaultReport {
    game: Option<String>,
    fault: String,
}

/// Shows the progress and writes the faults.
struct TransferReporter<'a> {
    target: &'a DatabaseLocation,
    json: bool,
    output: &'a mut Output,
    bar: ProgressBar,
    written: Result<(), Problem>,
}

impl TransferObserver for TransferReporter<'_> {
    fn phase(&mut self, phase: TransferPhase, steps: u64) {
        self.bar.finish_and_clear();
        self.bar = progress::phase_bar(steps);
        self.bar.set_message(match phase {
            TransferPhase::Copy => "copying rows",
            TransferPhase::Compare => "comparing rows",
            TransferPhase::Replay => "replaying games",
        });
    }

    fn advance(&mut self, steps: u64) {
        self.bar.inc(steps);
    }
}

impl VerifyObserver for TransferReporter<'_> {
    fn total(&mut self, games: u64) {
        self.bar.set_length(games);
    }

    fn replayed(&mut self) {
        self.bar.inc(1);
    }

    fn fault(&mut self, fault: VerifyFault) {
        let VerifyFault { game, fault } = fault;
        let target = self.target;
        let message = match &game {
            Some(game) => format!("{target}: game {game}: {fault}"),
            None => format!("{target}: {fault}"),
        };
        let TransferReporter { output, bar, .. } = self;
        bar.suspend(|| output.report_fault(&message));
        if self.json && self.written.is_ok() {
            self.written = self.output.json(&TransferFaultReport { game, fault });
        }
    }
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let (from, to, json) = match &args.direction {
        TransferDirection::SqliteToPostgres(SqliteToPostgresArgs { from, to, json }) => {
            if !from.exists() {
                return Err(Problem::Input(format!("{}: no such file", from.display())));
            }
            expect_server(to, "--to")?;
            (DatabaseLocation::File(from.clone()), to.clone(), *json)
        }
        TransferDirection::PostgresToSqlite(PostgresToSqliteArgs { from, to, json }) => {
            expect_server(from, "--from")?;
            (from.clone(), DatabaseLocation::File(to.clone()), *json)
        }
    };
    let bar = progress::phase_bar(0);
    let mut reporter = TransferReporter { target: &to, json, output, bar, written: Ok(()) };
    let transferred = maintenance::transfer(&from, &to, &mut reporter);
    reporter.bar.finish_and_clear();
    reporter.written?;
    let TransferSummary { rows, verified } =
        transferred.map_err(|error| Problem::Input(format!("{from} to {to}: {error}")))?;
    let VerifySummary { games, imported, events, faults } = verified;
    if json {
        return output.json(&TransferReport { rows, games, imported, events, faults });
    }
    output.line(format_args!("copied {from} to {to}, rows: {rows}"))?;
    output.line(format_args!(
        "games: {games}, events: {events}, imported games: {imported}, faults: {faults}"
    ))
}

/// Returns an error if an option names a file.
fn expect_server(location: &DatabaseLocation, option: &str) -> Result<(), Problem> {
    match location.file() {
        None => Ok(()),
        Some(file) => {
            let file = file.display();
            let message = format!("{option}: {file} is not a URL that begins with postgres://");
            Err(Problem::Input(message))
        }
    }
}
