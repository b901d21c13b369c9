//! `khet import`: games that were played elsewhere, for the explorer of a server.

use std::path::PathBuf;

use khet::Rules;
use khet_server::{AddError, Importer};
use serde::Serialize;

use crate::games::Games;
use crate::output::{Output, Problem};
use crate::progress;

/// The bar moves on after this many bytes.
const BAR_STEP: u64 = 1 << 18;

/// Bring games of record files into a server's database, while it does not run
///
/// Example: khet import games.kgn --database khet.sqlite
///
/// The games are counted by the explorer, and each can be seen again: who played, ratings (SilverElo,
/// RedElo), date, clocks, start, moves and result are kept; comments and variations are not. A game
/// that is there already is not counted again. A game that is faulty or has no result is left out,
/// with its line, and the rest goes on. With --json an object for each of those,
/// {"file":"…","line":…,"fault":"…"}, and at the end
/// {"games":…,"imported":…,"known":…,"left_out":…}.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files of game records, or - for standard input
    #[arg(value_name = "FILE.kgn", required_unless_present = "recount")]
    files: Vec<PathBuf>,
    /// The file in which the server keeps everything
    #[arg(long, env = "KHET_DATABASE", default_value = "khet.sqlite", value_name = "FILE")]
    database: PathBuf,
    /// The edition of the rules for games that name none: standard or czech
    #[arg(long, default_value_t)]
    rules: Rules,
    /// Forget what the explorer has counted, and count all games anew
    #[arg(long)]
    recount: bool,
    /// Write JSON, one object a line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize, Default)]
struct Summary {
    /// All that were read.
    games: u64,
    imported: u64,
    known: u64,
    left_out: u64,
}

#[derive(Serialize)]
struct LeftOut<'a> {
    file: &'a str,
    line: usize,
    fault: String,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let failed = |error| Problem::Input(format!("{}: {error}", args.database.display()));
    let open_database = || Importer::open(&args.database, args.recount).map_err(failed);
    let mut importer = if args.recount { Some(open_database()?) } else { None };
    let mut summary = Summary::default();
    for path in &args.files {
        // A file that cannot be read does not keep the others from being imported.
        let games = match Games::open(path, args.rules) {
            Ok(games) => games,
            Err(Problem::Input(message)) => {
                output.complain(&message);
                continue;
            }
            Err(problem) => return Err(problem),
        };
        // Opened after the first file, so that a mistyped file name does not create a database.
        let importer = match &mut importer {
            Some(importer) => importer,
            None => importer.insert(open_database()?),
        };
        match import(args, games, importer, &mut summary, output) {
            Err(Problem::Input(message)) => output.complain(&message),
            Ok(true) => {}
            // `finish` below returns the error of the database.
            Ok(false) => break,
            Err(problem) => return Err(problem),
        }
    }
    let written = match importer {
        Some(importer) => importer.finish().map_err(failed)?,
        None => khet_server::Summary::default(),
    };
    let summary = Summary { imported: written.new, known: written.known, ..summary };
    if summary.left_out > 0 && summary.left_out == summary.games {
        output.complain("not one game could be imported");
    }
    if args.json {
        return output.json(&summary);
    }
    let Summary { games, imported, known, left_out } = summary;
    let plural = if games == 1 { "" } else { "s" };
    output.line(format_args!(
        "{games} game{plural}: {imported} imported, {known} known already, {left_out} left out"
    ))
}

/// Adds the games of a file; `false` if nothing can be written any more.
fn import(
    args: &Args,
    mut games: Games,
    importer: &mut Importer,
    summary: &mut Summary,
    output: &mut Output,
) -> Result<bool, Problem> {
    let bar = progress::bytes_bar(games.length());
    let mut shown = 0;
    while let Some(game) = games.next()? {
        summary.games += 1;
        let left_out = match game {
            Err(fault) => Some((fault.line, fault.to_string(), fault.fault)),
            Ok(record) => match importer.add(&record) {
                Ok(()) => None,
                Err(AddError::NotTaken(why)) => {
                    let line = games.game_line();
                    Some((line, format!("line {line}: {why}"), why.to_string()))
                }
                Err(AddError::Closed) => return Ok(false),
            },
        };
        if let Some((line, told, fault)) = left_out {
            summary.left_out += 1;
            bar.suspend(|| output.remark(&format!("{}: {told}", games.name())));
            if args.json {
                output.json(&LeftOut { file: games.name(), line, fault })?;
            }
        }
        if games.bytes_read() - shown >= BAR_STEP {
            shown = games.bytes_read();
            bar.set_position(shown);
        }
    }
    bar.finish_and_clear();
    Ok(true)
}
