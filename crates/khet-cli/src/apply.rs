//! `khet apply`: plays moves and tells what the shots did.

use khet::{Color, Move, Outcome, Placement, Shot};
use serde::Serialize;

use crate::input::PositionArgs;
use crate::output::{Output, Problem};

/// Play moves from a position
///
/// Example: khet apply classic j4i3 a5b5
///
/// Prints each move with what its shot removed, and the position that comes out. With --json
/// {"position":"…","result":null|"silver"|"red"|"draw","shots":[…]}, where a shot has every square
/// that its beams visited.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Moves in notation, such as h2g2, d1^d2, h2+, h2-
    #[arg(value_name = "TURN", required = true)]
    moves: Vec<String>,
}

#[derive(Serialize)]
struct Applied {
    position: Placement,
    result: Option<&'static str>,
    shots: Vec<Played>,
}

#[derive(Serialize)]
struct Played {
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
            shots.push(Played { mv, shot });
        }
        let outcome = position.outcome();
        if args.position.json {
            let position = position.placement();
            return output.json(&Applied { position, result: outcome.map(result), shots });
        }
        for Played { mv, shot } in &shots {
            output.line(format!("{mv} {shot}").trim_end())?;
        }
        output.line(position)?;
        outcome.map_or(Ok(()), |outcome| output.line(outcome))
    })
}

fn result(outcome: Outcome) -> &'static str {
    match outcome.winner {
        Some(Color::Silver) => "silver",
        Some(Color::Red) => "red",
        None => "draw",
    }
}
