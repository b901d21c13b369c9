//! A review as a table for people.

use khet::Record;
use khet_review::{PlayerSummary, Review, ReviewedMove};

use super::moves;
use crate::output::{Output, Problem};

pub(super) fn write(
    game: u64,
    record: &Record,
    review: &Review,
    output: &mut Output,
) -> Result<(), Problem> {
    output.line(title(game, record))?;
    output.line("")?;
    let first = review.start.side_to_move as usize;
    let rows: Vec<[String; 5]> =
        review.moves.iter().map(|mv| row(first + mv.ply - 1, mv)).collect();
    let head = ["", "move", "eval", "", "best instead"].map(str::to_string);
    let mut widths = [0; 5];
    for row in rows.iter().chain([&head]) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    for [number, mv, worth, mark, best] in [&head].into_iter().chain(&rows) {
        let [a, b, c, d, _] = widths;
        let line = format!("{number:<a$} {mv:<b$}  {worth:>c$}  {mark:<d$}  {best}");
        output.line(line.trim_end())?;
    }
    output.line("")?;
    totals(review, output)
}

/// How both players did.
pub(crate) fn totals(review: &Review, output: &mut Output) -> Result<(), Problem> {
    output.line("        moves   ?!    ?   ??  accuracy")?;
    output.line(total("Silver", &review.players.silver))?;
    output.line(total("Red", &review.players.red))
}

/// `Game 1: Anna – Computer 4, 1-0`
pub(crate) fn title(game: u64, record: &Record) -> String {
    let [silver, red] = [("Silver", "Silver"), ("Red", "Red")]
        .map(|(tag, otherwise)| record.tag(tag).unwrap_or(otherwise));
    format!("Game {game}: {silver} – {red}, {}", record.result().text())
}

fn row(ply: usize, mv: &ReviewedMove) -> [String; 5] {
    let mark = mv.mark.map_or("", |mark| mark.text());
    let best = if mv.is_best() {
        String::new()
    } else {
        format!("{:<5}  {:+}", mv.best.to_string(), mv.best_eval)
    };
    let worth = format!("{:+}", mv.eval);
    let played = format!("{} {}", mv.mv, mv.shot);
    [moves::number(ply), played.trim_end().to_string(), worth, mark.to_string(), best]
}

fn total(player: &str, summary: &PlayerSummary) -> String {
    let PlayerSummary { moves, inaccuracies, mistakes, blunders, accuracy } = summary;
    let accuracy = accuracy.map_or("–".to_string(), |value| format!("{value:.1} %"));
    format!(
        "{player:<6}  {moves:>5}  {inaccuracies:>3}  {mistakes:>3}  {blunders:>3}  {accuracy:>8}"
    )
}
