//! `khet apply`: plays turns and tells what the shots did.

use khet::{Color, Outcome, Placement, Shot, Turn};
use serde::Serialize;

use crate::input::PositionArgs;
use crate::output::{Output, Problem};

/// Play turns from a position
///
/// Example: khet apply classic j4i3 a5b5
///
/// Prints each turn with what its shot removed, and the position that comes out. With --json
/// {"position":"…","result":null|"silver"|"red"|"draw","shots":[…]}, where a shot has every square
/// that its beams visited.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Turns in notation, such as h2g2, d1^d2, h2+, h2-
    #[arg(value_name = "TURN", required = true)]
    turns: Vec<String>,
}

#[derive(Serialize)]
struct Applied {
    position: Placement,
    result: Option<&'static str>,
    shots: Vec<Played>,
}

#[derive(Serialize)]
struct Played {
    turn: Turn,
    #[serde(flatten)]
    shot: Shot,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    let mut turns = Vec::new();
    for (index, text) in args.turns.iter().enumerate() {
        let turn: Result<Turn, _> = text.parse();
        turns.push(turn.map_err(|error| Problem::Input(format!("turn {}: {error}", index + 1)))?);
    }
    args.position.each_position(output, |mut position, output| {
        let mut shots = Vec::new();
        for (index, &turn) in turns.iter().enumerate() {
            let problem = |error| Problem::Input(format!("turn {}: {error}", index + 1));
            let turn = position.check(turn).map_err(problem)?;
            let shot = position.play(turn).map_err(problem)?;
            shots.push(Played { turn, shot });
        }
        let outcome = position.outcome();
        if args.position.json {
            let position = position.placement();
            return output.json(&Applied { position, result: outcome.map(result), shots });
        }
        for Played { turn, shot } in &shots {
            output.line(format!("{turn} {shot}").trim_end())?;
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
