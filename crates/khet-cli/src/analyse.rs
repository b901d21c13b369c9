//! `khet analyse`: evaluates every move of games, or single positions, with the engine.

mod game_table;
mod move_line;
mod position;

use khet::{AnyPosition, Record, Rules};
use khet_review::{Review, annotate};

use crate::analyst::{Analyst, AnalystArgs};
use crate::game_review::{review_games, write_separator};
use crate::input::PositionArgs;
use crate::output::{Output, Problem};
use crate::record_reader;

/// Analyse games or positions with the engine
///
/// Example: khet analyse game.kgn --movetime 500
///
/// Evaluations are from Silver's point of view: +1.35 is an advantage of 1.35 pyramids, #3 a win in
/// three moves, #-3 a loss in three, 1-0 a game won. For a position, prints the best lines.
///
/// For a game, prints every move with the evaluation after it and, if another move was better, that
/// move with its evaluation. Moves are marked by the winning chances they lose against the best
/// move: ?! from 4 %, ? from 8 %, ?? from 16 %. A move is also marked ?? if it misses an immediate
/// win and no win is left. The winning chances are 1/(1+e^(-x/1.5)) for an advantage of x pyramids.
/// A player's accuracy is the mean of 100 % times e^(-5 loss) over all moves, where a loss of all
/// winning chances is 1. Each move has the weight 4c(1-c), at least 0.05, where c is the mean of
/// the winning chances after the best move and after the move: moves of a decided game count
/// little.
///
/// With --json, prints one object per game (an invalid game has only its number and an error),
/// {"game":1,"start":"…","moves":[{"ply":1,"move":"h2+","shot":"xg3","eval":"0.35","depth":9,
/// "best":"h2g2","best_eval":"0.40","line":["h2g2",…],"mark":null|"?!"|"?"|"??"},…],"players":
/// {"silver":{"moves":…,"inaccuracies":…,"mistakes":…,"blunders":…,"accuracy":…},"red":{…}}}, or
/// one object per position, {"position":"…","nodes":…,"lines":[{"eval":"0.35","depth":9,"moves":
/// [{"move":"h2+","shot":"xg3"},…]},…]}.
///
/// With --annotate, prints the game records with [%eval] comments, marks, and better lines as
/// variations. Existing comments and variations are kept.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Game record file, setup name, position in notation, or - to read records, or positions one
    /// per line, from standard input
    #[arg(value_name = "FILE.kgn|POSITION", allow_hyphen_values = true)]
    input: String,
    #[command(flatten)]
    analyst: AnalystArgs,
    /// Number of best lines to show for a position [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=100))]
    lines: Option<u8>,
    /// Rules for positions and for records without a Rules tag: standard or czech
    #[arg(long, default_value_t)]
    rules: Rules,
    /// Write JSON, one object per line
    #[arg(long, conflicts_with = "annotate")]
    json: bool,
    /// Write the game records with the analysis in them
    #[arg(long)]
    annotate: bool,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    if record_reader::is_record_input(&args.input)? {
        if args.lines.is_some() {
            let message = "--lines needs a position; a game gets one line per move";
            return Err(Problem::Input(message.to_string()));
        }
        return args.analyse_games(output);
    }
    if args.annotate {
        let message = "--annotate needs a game record, not a position";
        return Err(Problem::Input(message.to_string()));
    }
    let lines = usize::from(args.lines.unwrap_or(1));
    let mut analyst = Analyst::new(&args.analyst, lines);
    let positions = PositionArgs::new(args.input.clone(), args.rules, args.json);
    positions.each_position(output, |position, output| {
        position::run(position, &mut analyst, args.json, output)
    })
}

impl Args {
    fn analyse_games(&self, output: &mut Output) -> Result<(), Problem> {
        let write = |game,
                     record: &mut Record<AnyPosition>,
                     review: &Review<AnyPosition>,
                     output: &mut Output| {
            write_separator(game, output)?;
            if self.annotate {
                annotate(record, review);
                return output.text(record);
            }
            game_table::write_table(game, record, review, output)
        };
        review_games(&self.input, self.rules, &self.analyst, self.json, output, write)
    }
}
