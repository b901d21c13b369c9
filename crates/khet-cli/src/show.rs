//! `khet show`: draws a position in the terminal.

use std::collections::BTreeMap;

use khet::{Color, Piece, Placement, Position, Rules, Setup, Shot, Square};
use serde::Serialize;

use crate::input::PositionArgs;
use crate::output::{Output, Problem};

mod drawing;

/// Draw a position
///
/// Example: khet show classic --fire
///
/// Silver's pieces have capital letters, Red's small ones: K pharaoh, P pyramid (the black half is
/// its back), D djed, O obelisk (2 is a stack), E Eye of Horus, S scarab, A Anubis and X sphinx
/// (arrow: front). Empty squares marked ☥ are reserved for Silver, ◉ for Red.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Also draw the beam of the laser, as if it were fired now: the mover's, or silver or red
    #[arg(long, value_name = "WHOSE", num_args = 0..=1, require_equals = true,
          default_missing_value = "mover", value_parser = parse_whose)]
    fire: Option<Whose>,
}

#[derive(Clone, Copy)]
enum Whose {
    Mover,
    Player(Color),
}

fn parse_whose(text: &str) -> Result<Whose, String> {
    match text {
        "mover" => Ok(Whose::Mover),
        _ => text
            .parse()
            .map(Whose::Player)
            .map_err(|error: khet::ParseColorError| error.to_string()),
    }
}

#[derive(Serialize)]
struct Shown {
    position: Placement,
    setup: Option<Setup>,
    rules: Rules,
    side_to_move: Color,
    pieces: BTreeMap<Square, Piece>,
    faults: Vec<String>,
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shot: Option<Shot>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    args.position.each_placement(output, |placement, output| {
        let rules = args.position.rules();
        let position = Position::new(&placement, rules);
        let shot = position.as_ref().ok().zip(args.fire).map(|(position, whose)| {
            position.fire(match whose {
                Whose::Mover => position.side_to_move(),
                Whose::Player(color) => color,
            })
        });
        let setup = Setup::of(&placement);
        if args.position.json {
            output.json(&Shown {
                position: placement,
                setup,
                rules,
                side_to_move: placement.side_to_move,
                pieces: placement.pieces().collect(),
                faults: texts(&placement.faults()),
                warnings: position.as_ref().map_or(Vec::new(), |it| texts(&it.warnings())),
                shot,
            })?;
        } else {
            output.line(drawing::draw(&placement, shot.as_ref()))?;
            output.line(placement)?;
            let side = if placement.side_to_move == Color::Silver { "Silver" } else { "Red" };
            let setup = setup.map_or(String::new(), |setup| format!(" ({setup})"));
            output.line(format_args!("{side} to move{setup}"))?;
            if let Some(shot) = shot {
                output.line(describe(&shot))?;
            }
        }
        position.map(|_| ()).map_err(|error| Problem::Input(error.to_string()))
    })
}

fn texts(values: &[impl ToString]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

/// The shot in a sentence.
fn describe(shot: &Shot) -> String {
    let whose = if shot.by == Color::Silver { "Silver's" } else { "Red's" };
    let hits: Vec<String> = shot
        .hits
        .iter()
        .map(|hit| format!("{} {} on {}", hit.piece.color(), hit.piece.role(), hit.square))
        .collect();
    match hits.as_slice() {
        [] => format!("{whose} laser hits nothing."),
        hits => format!("{whose} laser hits the {}.", hits.join(" and the ")),
    }
}
