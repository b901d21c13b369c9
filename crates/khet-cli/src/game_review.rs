//! Reviews the games of a record file with the engine, for `khet analyse` and `khet review`.

use std::path::Path;

use indicatif::ProgressBar;
use khet::{AnyPosition, Record, Rules};
use khet_review::{PlayerSummary, Review, ReviewBuilder};
use serde::Serialize;
use serde_json::json;

use crate::analyst::{Analyst, AnalystArgs};
use crate::output::{Output, Problem};
use crate::progress;
use crate::record_reader::{RecordFault, RecordReader};

/// Reviews each game of a file and writes it before the next is read: as JSON, or with `write`.
pub(crate) fn review_games(
    input: &str,
    rules: Rules,
    analyst_args: &AnalystArgs,
    json: bool,
    output: &mut Output,
    write: impl Fn(
        u64,
        &mut Record<AnyPosition>,
        &Review<AnyPosition>,
        &mut Output,
    ) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let path = Path::new(input);
    let mut reader = RecordReader::open(path, rules)?;
    let bar = progress::bar(0);
    // A pipe can be read only once; there, the bar grows with each game.
    let counted = !bar.is_hidden() && reader.can_be_read_again();
    if counted {
        bar.set_length(count_moves(path, rules)?);
    }
    let mut analyst = Analyst::new(analyst_args, 1);
    let mut number = 0;
    while let Some(game) = reader.next()? {
        number += 1;
        match game {
            Ok(mut record) => {
                if !counted {
                    bar.inc_length(move_count(&record));
                }
                analyst.clear();
                let review = review_game(&record, &mut analyst, &bar);
                bar.suspend(|| {
                    if json {
                        output.json(&NumberedReview { game: number, review })?;
                        return output.flush();
                    }
                    write(number, &mut record, &review, output)?;
                    output.flush()
                })?;
            }
            Err(fault) => {
                bar.suspend(|| report_fault(reader.name(), number, &fault, json, output))?;
            }
        }
    }
    bar.finish_and_clear();
    if number == 0 {
        return Err(Problem::Input(format!("{}: the file contains no game", reader.name())));
    }
    Ok(())
}

/// Reports an invalid game. The review continues with the next one.
fn report_fault(
    name: &str,
    number: u64,
    fault: &RecordFault,
    json: bool,
    output: &mut Output,
) -> Result<(), Problem> {
    output.report_error(&format!("{name}: {fault}"));
    if json {
        // Keeps one JSON object per game.
        output.json(&json!({ "game": number, "error": fault.to_string() }))?;
    }
    Ok(())
}

/// A review with the number of its game in the file, from 1.
#[derive(Serialize)]
struct NumberedReview {
    game: u64,
    #[serde(flatten)]
    review: Review<AnyPosition>,
}

/// Reviews the main line of a record.
fn review_game(
    record: &Record<AnyPosition>,
    analyst: &mut Analyst,
    bar: &ProgressBar,
) -> Review<AnyPosition> {
    let mut builder = ReviewBuilder::new(&record.game());
    let before = bar.position();
    while let Some(request) = builder.next_search() {
        let result = analyst.search_game(builder.game(), request);
        builder.add_result(result);
        bar.set_position(before + builder.progress().0 as u64);
    }
    builder.finish()
}

/// Returns the number of moves in a game: one step of the progress bar each.
fn move_count(record: &Record<AnyPosition>) -> u64 {
    record.main_line().plies.len() as u64
}

/// Counts the moves of all games in a file.
fn count_moves(path: &Path, rules: Rules) -> Result<u64, Problem> {
    let mut reader = RecordReader::open(path, rules)?;
    let mut moves = 0;
    while let Some(game) = reader.next()? {
        moves += game.map_or(0, |record| move_count(&record));
    }
    Ok(moves)
}

/// Writes an empty line between two games.
pub(crate) fn write_separator(game: u64, output: &mut Output) -> Result<(), Problem> {
    if game > 1 { output.line("") } else { Ok(()) }
}

/// Returns the title of a game: `Game 1: Anna – Computer 4, 1-0`
pub(crate) fn game_title(game: u64, record: &Record<AnyPosition>) -> String {
    let [silver, red] = ["Silver", "Red"].map(|tag| record.tag(tag).unwrap_or(tag));
    format!("Game {game}: {silver} – {red}, {}", record.result().text())
}

/// Writes the number of mistakes and the accuracy of both players.
pub(crate) fn write_player_totals(
    review: &Review<AnyPosition>,
    output: &mut Output,
) -> Result<(), Problem> {
    output.line("        moves   ?!    ?   ??  accuracy")?;
    output.line(player_totals("Silver", &review.players.silver))?;
    output.line(player_totals("Red", &review.players.red))
}

/// Returns a player's numbers of inaccuracies, mistakes and blunders as a line.
fn player_totals(player: &str, totals: &PlayerSummary) -> String {
    let PlayerSummary { moves, inaccuracies, mistakes, blunders, accuracy } = totals;
    let accuracy = accuracy.map_or("–".to_string(), |value| format!("{value:.1} %"));
    format!(
        "{player:<6}  {moves:>5}  {inaccuracies:>3}  {mistakes:>3}  {blunders:>3}  {accuracy:>8}"
    )
}
