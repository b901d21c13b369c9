//! `khet review`: how a game went, in short.

use khet::{Color, Place, Record, Rules};
use khet_review::{Review, ReviewedMove};

use crate::analyse::{ThinkerArgs, each_review, table};
use crate::output::{Output, Problem};

/// So many turning points are told.
const TURNING_POINTS: usize = 8;
/// So many moves of a better line are told.
const LINE: usize = 6;
/// How high a chance is, in eighths.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// So many moves stand in a row of the curve.
const ROW: usize = 60;

/// Review games: accuracy, the turning points and what would have been better
///
/// Example: khet review game.kgn --movetime 500
///
/// The curve shows Silver's chances behind each move, from ▁ (lost) to █ (won). Turning points are the
/// mistakes and blunders, worst first, with the evaluation behind the move and behind the better one. How moves
/// are judged, and what --json writes, is told by khet analyse --help, which shows every move.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A file of game records, or - for standard input
    #[arg(value_name = "FILE.kgn")]
    input: String,
    #[command(flatten)]
    thinker: ThinkerArgs,
    /// The edition of the rules for games that name none: standard or czech
    #[arg(long, default_value_t)]
    rules: Rules,
    /// Write JSON, one object a line
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    each_review(&args.input, args.rules, &args.thinker, args.json, output, write)
}

fn write(
    game: u64,
    record: &mut Record,
    review: &Review,
    output: &mut Output,
) -> Result<(), Problem> {
    output.line(table::title(game, record))?;
    output.line("")?;
    for row in curve(review).chunks(ROW) {
        output.line(row.iter().collect::<String>())?;
    }
    output.line("")?;
    table::totals(review, output)?;
    let points = review.turning_points(TURNING_POINTS);
    if points.is_empty() {
        return Ok(());
    }
    output.line("")?;
    output.line("turning points")?;
    points.iter().try_for_each(|mv| output.line(point(record, mv)))
}

/// Silver's chances behind each move.
fn curve(review: &Review) -> Vec<char> {
    let bar = |mv: &ReviewedMove| {
        let eighth = (mv.eval.winning_chances(Color::Silver) * 8.0) as usize;
        BARS[eighth.min(BARS.len() - 1)]
    };
    review.moves.iter().map(bar).collect()
}

/// `12... a5b5 ??  +0.30 instead of -2.10, better: c7c6 h2+`
fn point(record: &Record, mv: &ReviewedMove) -> String {
    let number = record.number_at(&Place::in_game(mv.ply));
    let mark = mv.mark.map_or("", |mark| mark.text());
    let line: Vec<String> = mv.line.iter().take(LINE).map(ToString::to_string).collect();
    let (played, worth, best) = (mv.mv, mv.eval, mv.best_eval);
    format!(
        "{number:>6} {played} {mark:<2}  {worth:+} instead of {best:+}, better: {}",
        line.join(" ")
    )
}
