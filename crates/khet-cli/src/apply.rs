//! `khet apply`: plays moves from a position and prints their shots.

use std::fmt::Display;

use khet::{AnyPosition, BoardSquare, Color, GamePosition, Move, Outcome, Shot};
use serde::Serialize;

use crate::input::PositionArgs;
use crate::output::{Output, Problem};

/// Play moves from a position
///
/// Example: khet apply classic j4i3 a5b5
///
/// Prints each move with the hits of its shot, and the final position. With --json, prints
/// {"position":"…","result":null|"silver"|"red"|"draw","shots":[…]}, where each shot lists every
/// square that its beams cross.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Moves in notation, such as h2g2, d1^d2, h2+, h2-; with a tower also c7C7, Te5, T+, T-
    #[arg(value_name = "MOVE", required = true)]
    moves: Vec<String>,
}

#[derive(Serialize)]
struct ApplyReport<S: BoardSquare> {
    position: String,
    result: Option<&'static str>,
    shots: Vec<MoveShot<S>>,
}

/// A move and its shot.
#[derive(Serialize)]
struct MoveShot<S: BoardSquare> {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    shot: Shot<S>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    args.position.each_position(output, |position, output| match position {
        AnyPosition::Standard(position) => apply(args, position, output),
        AnyPosition::Tower(position) => apply(args, position, output),
    })
}

/// Plays the moves from a position and writes the report.
fn apply<P: GamePosition<Square: Serialize>>(
    args: &Args,
    mut position: P,
    output: &mut Output,
) -> Result<(), Problem> {
    let mut shots = Vec::new();
    for (index, text) in args.moves.iter().enumerate() {
        let problem = |error: &dyn Display| Problem::Input(format!("move {}: {error}", index + 1));
        let mv: Move<P::Square> = text.parse().map_err(|error| problem(&error))?;
        let mv = position.check(mv).map_err(|error| problem(&error))?;
        let shot = position.play(mv).map_err(|error| problem(&error))?;
        shots.push(MoveShot { mv: mv.to_string(), shot });
    }
    let outcome = position.outcome();
    if args.position.json {
        let position = position.to_string();
        return output.json(&ApplyReport { position, result: outcome.map(result), shots });
    }
    for MoveShot { mv, shot } in &shots {
        output.line(format!("{mv} {shot}").trim_end())?;
    }
    output.line(position)?;
    outcome.map_or(Ok(()), |outcome| output.line(outcome))
}

/// Returns the result for the JSON output.
fn result(outcome: Outcome) -> &'static str {
    match outcome.winner {
        Some(Color::Silver) => "silver",
        Some(Color::Red) => "red",
        None => "draw",
    }
}
