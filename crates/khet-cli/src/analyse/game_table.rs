//! The review of a game as a table with one row per move.

use khet::tower::Square;
use khet::{AnyPosition, Record};
use khet_review::{Review, ReviewedMove};

use super::move_line::move_number;
use crate::game_review::{game_title, write_player_totals};
use crate::output::{Output, Problem};

/// Writes the title, the table and the totals of a game.
pub(super) fn write_table(
    game: u64,
    record: &Record<AnyPosition>,
    review: &Review<AnyPosition>,
    output: &mut Output,
) -> Result<(), Problem> {
    output.line(game_title(game, record))?;
    output.line("")?;
    let first = review.start.side_to_move() as usize;
    let rows: Vec<[String; 5]> =
        review.moves.iter().map(|mv| row(first + mv.ply - 1, mv)).collect();
    let header = ["", "move", "eval", "", "best instead"].map(str::to_string);
    let mut widths = [0; 5];
    for row in rows.iter().chain([&header]) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    for [number, mv, eval, mark, best] in [&header].into_iter().chain(&rows) {
        let [a, b, c, d, _] = widths;
        let line = format!("{number:<a$} {mv:<b$}  {eval:>c$}  {mark:<d$}  {best}");
        output.line(line.trim_end())?;
    }
    output.line("")?;
    write_player_totals(review, output)
}

/// Returns the cells of a move's row.
fn row(ply: usize, mv: &ReviewedMove<Square>) -> [String; 5] {
    let mark = mv.mark.map_or("", |mark| mark.text());
    let best = if mv.is_best() {
        String::new()
    } else {
        format!("{:<5}  {:+}", mv.best.to_string(), mv.best_eval)
    };
    let eval = format!("{:+}", mv.eval);
    let mv_and_shot = format!("{} {}", mv.mv, mv.shot);
    [move_number(ply), mv_and_shot.trim_end().to_string(), eval, mark.to_string(), best]
}
