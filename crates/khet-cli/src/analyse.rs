//! `khet analyse`: what the engine thinks of games and positions.

mod moves;
mod position;
pub(crate) mod table;
mod thinker;

use std::path::Path;

use indicatif::ProgressBar;
use khet::{Record, Rules};
use khet_review::{Review, ReviewBuilder, annotate};
use serde::Serialize;
use serde_json::json;

use self::thinker::Thinker;
pub(crate) use self::thinker::ThinkerArgs;
use crate::games::{self, Fault, Games};
use crate::input::PositionArgs;
use crate::output::{Output, Problem};
use crate::progress;

/// Search every position of games, or one position, for the best moves
///
/// Example: khet analyse game.kgn --movetime 500
///
/// Evaluations are Silver's: +1.35 is an advantage of so many pyramids, #3 a win in three moves, #-3 a
/// loss, 1-0 the end. Of a position, the best lines are shown.
///
/// Of a game, every move is shown with the evaluation behind it, and with the best move and the
/// evaluation behind that where another was played. A move is marked by the winning chances that it lost against
/// the best one: ?! from 5 %, ? from 10 %, ?? from 20 % on, and ?? where the pharaoh could have been
/// lit on the spot and no win is in sight any more. The chances are 1/(1+e^(-x/2.2)), where x is the
/// advantage in pyramids. A player's accuracy is the mean over all moves of 100 % times
/// e^(-4.5 loss), where a loss of all chances is 1.
///
/// With --json an object for each game (a faulty one has only its number and an error), {"game":1,"start":"…","moves":[{"ply":1,"move":"h2+",
/// "shot":"xg3","eval":"0.35","best":"h2g2","best_eval":"0.40","line":["h2g2",…],
/// "mark":null|"?!"|"?"|"??"},…],"players":{"silver":{"moves":…,"inaccuracies":…,"mistakes":…,
/// "blunders":…,"accuracy":…},"red":{…}}}, or for each position, {"position":"…","nodes":…,"lines":
/// [{"eval":"0.35","depth":9,"moves":[{"move":"h2+","shot":"xg3"},…]},…]}.
///
/// With --annotate the records are written, with [%eval] comments, marks, and better lines as
/// variations; all that was in them stays.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A file of game records, a setup's name, a position in notation, or - to read records, or
    /// positions one a line, from standard input
    #[arg(value_name = "FILE.kgn|POSITION", allow_hyphen_values = true)]
    input: String,
    #[command(flatten)]
    thinker: ThinkerArgs,
    /// How many lines of a position to show, best first [default: 1]
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=100))]
    lines: Option<u8>,
    /// The edition of the rules, for positions and for games that name none: standard or czech
    #[arg(long, default_value_t)]
    rules: Rules,
    /// Write JSON, one object a line
    #[arg(long, conflicts_with = "annotate")]
    json: bool,
    /// Write the records with what was found in them
    #[arg(long)]
    annotate: bool,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    if games::are_named_by(&args.input)? {
        if args.lines.is_some() {
            let message = "--lines is for positions; the moves of a game get one line each";
            return Err(Problem::Input(message.to_string()));
        }
        return args.records(output);
    }
    if args.annotate {
        return Err(Problem::Input("--annotate is for records, not for positions".to_string()));
    }
    let lines = usize::from(args.lines.unwrap_or(1));
    let mut thinker = Thinker::new(&args.thinker, lines);
    let positions = PositionArgs::new(args.input.clone(), args.rules, args.json);
    positions.each_position(output, |position, output| {
        position::run(position, &mut thinker, args.json, output)
    })
}

impl Args {
    fn records(&self, output: &mut Output) -> Result<(), Problem> {
        let write = |game: u64, record: &mut Record, review: &Review, output: &mut Output| {
            if self.annotate {
                annotate(record, review);
                return output.text(record);
            }
            table::write(game, record, review, output)
        };
        each_review(&self.input, self.rules, &self.thinker, self.json, output, write)
    }
}

/// Reviews game after game of a file, and writes each before the next is read: as JSON, or as `write` does.
pub(crate) fn each_review(
    input: &str,
    rules: Rules,
    thinker: &ThinkerArgs,
    json: bool,
    output: &mut Output,
    write: impl Fn(u64, &mut Record, &Review, &mut Output) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let path = Path::new(input);
    let mut games = Games::open(path, rules)?;
    let bar = progress::bar(0);
    let counted = !bar.is_hidden() && games.can_be_read_again();
    if counted {
        bar.set_length(count_steps(path, rules)?);
    }
    let mut thinker = Thinker::new(thinker, 1);
    let mut number = 0;
    while let Some(game) = games.next()? {
        number += 1;
        match game {
            Ok(mut record) => {
                if !counted {
                    bar.inc_length(steps_of(&record));
                }
                thinker.forget();
                let review = review(&record, &mut thinker, &bar);
                bar.suspend(|| {
                    if json {
                        output.json(&Numbered { game: number, review })?;
                        return output.flush();
                    }
                    if number > 1 {
                        output.line("")?;
                    }
                    write(number, &mut record, &review, output)?;
                    output.flush()
                })?;
            }
            Err(fault) => bar.suspend(|| complain(games.name(), number, &fault, json, output))?,
        }
    }
    bar.finish_and_clear();
    if number == 0 {
        return Err(Problem::Input(format!("{}: there is no game in it", games.name())));
    }
    Ok(())
}

/// A faulty game is left out; the others are not lost.
fn complain(
    name: &str,
    number: u64,
    fault: &Fault,
    json: bool,
    output: &mut Output,
) -> Result<(), Problem> {
    output.complain(&format!("{name}: {fault}"));
    if json {
        // Objects stay in step with games.
        output.json(&json!({ "game": number, "error": fault.to_string() }))?;
    }
    Ok(())
}

/// A review, and the number of its game in the file, from 1.
#[derive(Serialize)]
struct Numbered {
    game: u64,
    #[serde(flatten)]
    review: Review,
}

/// Reviews the main line of a record.
fn review(record: &Record, thinker: &mut Thinker, bar: &ProgressBar) -> Review {
    let mut builder = ReviewBuilder::new(&record.game());
    let before = bar.position();
    while let Some(request) = builder.next_search() {
        let result = thinker.search_game(builder.game(), request);
        builder.add_result(result);
        bar.set_position(before + builder.progress().0 as u64);
    }
    builder.finish()
}

/// By how many steps a review moves the bar on: one for each move.
fn steps_of(record: &Record) -> u64 {
    record.line().plies.len() as u64
}

/// How many turns the games of a file have, for the bar.
fn count_steps(path: &Path, rules: Rules) -> Result<u64, Problem> {
    let mut games = Games::open(path, rules)?;
    let mut steps = 0;
    while let Some(game) = games.next()? {
        steps += game.map_or(0, |record| steps_of(&record));
    }
    Ok(steps)
}
