//! `khet apply`: plays moves from a position and prints their shots.

use khet::{Color, Move, Outcome, Placement, Shot};
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
    /// Moves in notation, such as h2g2, d1^d2, h2+, h2-
    #[arg(value_name = "MOVE", required = true)]
    moves: Vec<String>,
}

#[derive(Serialize)]
struct ApplyReport {
    position: Placement,
    result: Option<&'static str>,
    shots: Vec<MoveShot>,
}

/// A move and its shot.
#[derive(Serialize)]
struct MoveShot {
    #[serde(rename = "move")]
    mv: Move,
    #[serde(flatten)]
    shot: Shot,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let mut moves = Vec::new();
    for (index, text) in args.moves.iter().enumerate() {
        let mv: Result<Move, _> = text.parse();
        moves.push(mv.map_err(|error| Problem::Input(format!("move {}: {error}", index + 1)))?);
    }
    args.position.each_position(output, |mut position, output| {
        let mut shots = Vec::new();
        for (index, &mv) in moves.iter().enumerate() {
            let problem = |error| Problem::Input(format!("move {}: {error}", index + 1));
            let mv = position.check(mv).map_err(problem)?;
            let shot = position.play(mv).map_err(problem)?;
            shots.push(MoveShot { mv, shot });
        }
        let outcome = position.outcome();
        if args.position.json {
            let position = position.placement();
            return output.json(&ApplyReport { position, result: outcome.map(result), shots });
        }
        for MoveShot { mv, shot } in &shots {
            output.line(format!("{mv} {shot}").trim_end())?;
        }
        output.line(position)?;
        outcome.map_or(Ok(()), |outcome| output.line(outcome))
    })
}

/// Returns the result for the JSON output.
fn result(outcome: Outcome) -> &'static str {
    match outcome.winner {
        Some(Color::Silver) => "silver",
        Some(Color::Red) => "red",
        None => "draw",
    }
}
