//! `khet moves`: lists the legal moves of a position.

use khet::{AnyPosition, GamePosition};

use crate::input::PositionArgs;
use crate::output::{Output, Problem};

/// List the legal moves of a position, each with the effect of its shot
///
/// Example: khet moves classic
///
/// A move whose shot hits something is followed by the hits: j4i3 xj5. With --json, prints an
/// array of moves in notation: ["h2h1","h2g1",…]
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    args.position.each_position(output, |position, output| match position {
        AnyPosition::Standard(position) => list(&position, args.position.json, output),
        AnyPosition::Tower(position) => list(&position, args.position.json, output),
    })
}

/// Writes the moves of a position.
fn list(position: &impl GamePosition, json: bool, output: &mut Output) -> Result<(), Problem> {
    let moves = position.legal_moves();
    if json {
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        return output.json(&moves);
    }
    for &mv in moves.iter() {
        let mut next = *position;
        match next.play(mv) {
            Ok(shot) if !shot.hits.is_empty() => output.line(format_args!("{mv} {shot}"))?,
            _ => output.line(mv)?,
        }
    }
    Ok(())
}
