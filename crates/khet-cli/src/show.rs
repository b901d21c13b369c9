//! `khet show`: draws a position in the terminal.

use std::collections::BTreeMap;

use khet::{Color, Piece, Placement, Position, Rules, Setup, Shot, Square};
use serde::Serialize;

use crate::drawing::{Drawing, Ink, Size};
use crate::input::PositionArgs;
use crate::output::{Output, Problem};
use crate::whose::Whose;
use crate::words;

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
          default_missing_value = "mover", value_parser = Whose::parse)]
    fire: Option<Whose>,
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
        let shot = position
            .as_ref()
            .ok()
            .zip(args.fire)
            .map(|(position, whose)| position.fire(whose.player(position)));
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
            let mut drawing = Drawing::new(&placement, Size::Small, false);
            if let Some(shot) = &shot {
                drawing.shot(shot);
            }
            output.line(ansi(&drawing))?;
            output.line(placement)?;
            let side = words::player(placement.side_to_move);
            let setup = setup.map_or(String::new(), |setup| format!(" ({setup})"));
            output.line(format_args!("{side} to move{setup}"))?;
            if let Some(shot) = shot {
                output.line(words::shot(&shot))?;
            }
        }
        position.map(|_| ()).map_err(|error| Problem::Answered(error.to_string()))
    })
}

fn texts(values: &[impl ToString]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

/// The drawing with ANSI codes for colours. They are dropped where the output is not a terminal.
fn ansi(drawing: &Drawing) -> String {
    let mut text = String::new();
    for (index, row) in drawing.rows().iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        let mut ink = Ink::Label;
        for &(sign, new) in row {
            if ink != new {
                text.push_str("\x1b[0m");
                text.push_str(code(new));
                ink = new;
            }
            text.push(sign);
        }
        if ink != Ink::Label {
            text.push_str("\x1b[0m");
        }
    }
    text.truncate(text.trim_end().len());
    text
}

fn code(ink: Ink) -> &'static str {
    match ink {
        Ink::Label => "",
        Ink::Grid => "\x1b[90m",
        Ink::Reserved(Color::Silver) | Ink::Afterglow(Color::Silver) => "\x1b[36m",
        Ink::Reserved(Color::Red) | Ink::Afterglow(Color::Red) => "\x1b[31m",
        Ink::Piece(Color::Silver) => "\x1b[1;97m",
        Ink::Piece(Color::Red) => "\x1b[1;91m",
        Ink::Beam(Color::Silver) => "\x1b[1;96m",
        Ink::Beam(Color::Red) => "\x1b[1;95m",
        Ink::Cursor | Ink::Mark => "\x1b[1;93m",
    }
}
