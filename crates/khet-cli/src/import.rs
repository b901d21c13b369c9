//! `khet import`: adds games from record files to a server's database, for its opening explorer.

use std::path::PathBuf;

use khet::Rules;
use khet_server::{AddError, ImportSummary, Importer};
use serde::Serialize;

use crate::database::DatabaseArgs;
use crate::output::{Output, Problem};
use crate::progress;
use crate::record_reader::RecordReader;

/// Bytes between updates of the progress bar.
const BAR_STEP: u64 = 1 << 18;

/// Import games into a server's database; stop the server first
///
/// Example: khet import games.kgn --database khet.sqlite
///
/// The opening explorer counts the games, and each can be viewed: players, ratings (SilverElo,
/// RedElo), date, time control, start, moves and result are kept; comments and variations are not.
/// Duplicates are not counted again. Invalid games and games without a result are skipped and
/// reported with their line. With --json, prints an object for each skipped game,
/// {"file":"…","line":…,"fault":"…"}, and finally {"games":…,"imported":…,"known":…,"left_out":…}.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Game record files, or - for standard input
    #[arg(value_name = "FILE.kgn", required_unless_present = "recount")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    database: DatabaseArgs,
    /// Rules for records without a Rules tag: standard or czech
    #[arg(long, default_value_t)]
    rules: Rules,
    /// Discard the explorer's counts and count all games again
    #[arg(long)]
    recount: bool,
    /// Write JSON, one object per line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize, Default)]
struct Summary {
    /// Number of games read.
    games: u64,
    imported: u64,
    known: u64,
    left_out: u64,
}

/// A game that was not imported, as JSON.
#[derive(Serialize)]
struct SkippedGame<'a> {
    file: &'a str,
    line: usize,
    fault: String,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let DatabaseArgs { database } = &args.database;
    let failed = |error| Problem::Input(format!("{database}: {error}"));
    let open_database = || Importer::open(database, args.recount).map_err(failed);
    let mut importer = if args.recount { Some(open_database()?) } else { None };
    let mut summary = Summary::default();
    for path in &args.files {
        // An unreadable file must not keep the others from being imported.
        let reader = match RecordReader::open(path, args.rules) {
            Ok(reader) => reader,
            Err(Problem::Input(message)) => {
                output.report_error(&message);
                continue;
            }
            Err(problem) => return Err(problem),
        };
        // Opened after the first file, so that a mistyped file name does not create a database.
        let importer = match &mut importer {
            Some(importer) => importer,
            None => importer.insert(open_database()?),
        };
        match import(args, reader, importer, &mut summary, output) {
            Err(Problem::Input(message)) => output.report_error(&message),
            Ok(true) => {}
            // `finish` returns the error of the database.
            Ok(false) => break,
            Err(problem) => return Err(problem),
        }
    }
    let no_file_was_read = importer.is_none();
    let written = match importer {
        Some(importer) => importer.finish().map_err(failed)?,
        None => ImportSummary::default(),
    };
    let summary = Summary { imported: written.new, known: written.known, ..summary };
    if summary.left_out > 0 && summary.left_out == summary.games {
        output.report_error("not one game could be imported");
    }
    if args.json {
        return output.json(&summary);
    }
    if no_file_was_read {
        return Ok(());
    }
    let Summary { games, imported, known, left_out } = summary;
    let plural = if games == 1 { "" } else { "s" };
    output.line(format_args!(
        "{games} game{plural}: {imported} imported, {known} known already, {left_out} left out"
    ))
}

/// Adds the games of a file. Returns `false` if the database can't be written any more.
fn import(
    args: &Args,
    mut reader: RecordReader,
    importer: &mut Importer,
    summary: &mut Summary,
    output: &mut Output,
) -> Result<bool, Problem> {
    let bar = progress::bytes_bar(reader.length());
    let mut bar_position = 0;
    while let Some(game) = reader.next()? {
        summary.games += 1;
        let skipped = match game {
            Err(fault) => Some((fault.line, fault.to_string(), fault.fault)),
            Ok(record) => match importer.add(&record) {
                Ok(()) => None,
                Err(AddError::Rejected(why)) => {
                    let line = reader.game_line();
                    Some((line, format!("line {line}: {why}"), why.to_string()))
                }
                Err(AddError::Closed) => return Ok(false),
            },
        };
        if let Some((line, message, fault)) = skipped {
            summary.left_out += 1;
            bar.suspend(|| output.report_warning(&format!("{}: {message}", reader.name())));
            if args.json {
                output.json(&SkippedGame { file: reader.name(), line, fault })?;
            }
        }
        if reader.bytes_read() - bar_position >= BAR_STEP {
            bar_position = reader.bytes_read();
            bar.set_position(bar_position);
        }
    }
    bar.finish_and_clear();
    Ok(true)
}
