//! `khet review`: a short review of each game: winning chances, accuracy and turning points.

mod player_table;

use std::cell::RefCell;

use khet::tower::Square;
use khet::{AnyPosition, Color, Record, Rules, TreePath};
use khet_review::{Review, ReviewedMove};

use self::player_table::PlayerTable;
use crate::analyst::AnalystArgs;
use crate::game_review::{game_title, review_games, write_player_totals, write_separator};
use crate::output::{Output, Problem};

/// The largest number of turning points to show.
const MAX_TURNING_POINTS: usize = 8;
/// The largest number of moves of a better line to show.
const MAX_LINE_MOVES: usize = 6;
/// Winning chances in eighths.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Moves per row of the chart.
const CHART_WIDTH: usize = 60;

/// Review games: accuracy, turning points and better moves
///
/// Example: khet review game.kgn --movetime 500
///
/// The chart shows Silver's winning chances after each move, from ▁ (lost) to █ (won). Turning
/// points are the mistakes and blunders, worst first, each with its evaluation, the evaluation of
/// the better move, and the better line. khet analyse shows every move; its --help explains the
/// marks, the accuracy and the JSON format.
///
/// With --players, prints one line per player over all games: the marks per 100 moves, the median
/// accuracy, and the range that holds the middle half of the games.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Game record file, or - for standard input
    #[arg(value_name = "FILE.kgn")]
    input: String,
    #[command(flatten)]
    analyst: AnalystArgs,
    /// Rules for records without a Rules tag: standard or czech
    #[arg(long, default_value_t)]
    rules: Rules,
    /// Write JSON, one object per line
    #[arg(long)]
    json: bool,
    /// Write one line per player over all games
    #[arg(long, conflicts_with = "json")]
    players: bool,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    if !args.players {
        let (input, analyst) = (&args.input, &args.analyst);
        return review_games(input, args.rules, analyst, args.json, output, write_review);
    }
    let table = RefCell::new(PlayerTable::default());
    let add =
        |_, record: &mut Record<AnyPosition>, review: &Review<AnyPosition>, _: &mut Output| {
            table.borrow_mut().add(record, review);
            Ok(())
        };
    review_games(&args.input, args.rules, &args.analyst, false, output, add)?;
    table.into_inner().write(output)
}

/// Writes the chart, the totals and the turning points of a game.
fn write_review(
    game: u64,
    record: &mut Record<AnyPosition>,
    review: &Review<AnyPosition>,
    output: &mut Output,
) -> Result<(), Problem> {
    write_separator(game, output)?;
    output.line(game_title(game, record))?;
    output.line("")?;
    for row in chart(review).chunks(CHART_WIDTH) {
        output.line(row.iter().collect::<String>())?;
    }
    output.line("")?;
    write_player_totals(review, output)?;
    let points = review.turning_points(MAX_TURNING_POINTS);
    if points.is_empty() {
        return Ok(());
    }
    output.line("")?;
    output.line("turning points")?;
    points.iter().try_for_each(|mv| output.line(turning_point(record, mv)))
}

/// Returns a bar with Silver's winning chances after each move.
fn chart(review: &Review<AnyPosition>) -> Vec<char> {
    let bar = |mv: &ReviewedMove<Square>| {
        let eighth = (mv.eval.winning_chances(Color::Silver) * 8.0) as usize;
        BARS[eighth.min(BARS.len() - 1)]
    };
    review.moves.iter().map(bar).collect()
}

/// Returns a turning point: `12... a5b5 ??  +0.30 instead of -2.10, better: c7c6 h2+`
fn turning_point(record: &Record<AnyPosition>, mv: &ReviewedMove<Square>) -> String {
    let number = record.move_number_at(&TreePath::main_line(mv.ply));
    let mark = mv.mark.map_or("", |mark| mark.text());
    let line: Vec<String> = mv.line.iter().take(MAX_LINE_MOVES).map(ToString::to_string).collect();
    let (played, eval, best) = (mv.mv, mv.eval, mv.best_eval);
    format!(
        "{number:>6} {played} {mark:<2}  {eval:+} instead of {best:+}, better: {}",
        line.join(" ")
    )
}
