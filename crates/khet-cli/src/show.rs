//! `khet show`: draws a position in the terminal.

use std::collections::BTreeMap;

use khet::{Color, Piece, Placement, Position, Rules, Setup, Shot, Square};
use serde::Serialize;

use crate::board_drawing::{BoardDrawing, CellKind, SquareSize};
use crate::describe;
use crate::input::PositionArgs;
use crate::laser_owner::LaserOwner;
use crate::output::{Output, Problem};

/// Draw a position in the terminal
///
/// Example: khet show classic --fire
///
/// Silver's pieces have capital letters, Red's small ones: K pharaoh, P pyramid (the filled half is
/// its back), D djed, O obelisk (2 is a stack), E Eye of Horus, S scarab, A Anubis and X sphinx
/// (the arrow shows the front). Empty squares marked ☥ are reserved for Silver, ◉ for Red.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Also draw a shot from this position: mover (the side to move), silver or red
    #[arg(long, value_name = "SIDE", num_args = 0..=1, require_equals = true,
          default_missing_value = "mover", value_parser = LaserOwner::parse)]
    fire: Option<LaserOwner>,
}

/// A position as JSON.
#[derive(Serialize)]
struct PositionReport {
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
            .map(|(position, owner)| position.fire(owner.color(position)));
        let setup = Setup::of(&placement);
        if args.position.json {
            output.json(&PositionReport {
                position: placement,
                setup,
                rules,
                side_to_move: placement.side_to_move,
                pieces: placement.pieces().collect(),
                faults: texts(&placement.faults()),
                warnings: position.as_ref().map_or(Vec::new(), |valid| texts(&valid.warnings())),
                shot,
            })?;
        } else {
            let mut drawing = BoardDrawing::new(&placement, SquareSize::Small, false);
            if let Some(shot) = &shot {
                drawing.draw_shot(shot);
            }
            output.line(ansi(&drawing))?;
            output.line(placement)?;
            let side = describe::side_name(placement.side_to_move);
            let setup = setup.map_or(String::new(), |setup| format!(" ({setup})"));
            output.line(format_args!("{side} to move{setup}"))?;
            if let Some(shot) = shot {
                output.line(describe::shot(&shot))?;
            }
        }
        position.map(|_| ()).map_err(|error| Problem::FaultyPosition(error.to_string()))
    })
}

fn texts(values: &[impl ToString]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

/// Returns the drawing with ANSI colour codes. [`Output`] drops them if standard output is not a
/// terminal.
fn ansi(drawing: &BoardDrawing) -> String {
    let mut text = String::new();
    for (index, row) in drawing.rows().iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        let mut current = CellKind::Label;
        for &(character, kind) in row {
            if current != kind {
                text.push_str("\x1b[0m");
                text.push_str(color_code(kind));
                current = kind;
            }
            text.push(character);
        }
        if current != CellKind::Label {
            text.push_str("\x1b[0m");
        }
    }
    text.truncate(text.trim_end().len());
    text
}

fn color_code(kind: CellKind) -> &'static str {
    match kind {
        CellKind::Label => "",
        CellKind::Grid => "\x1b[90m",
        CellKind::Reserved(Color::Silver) | CellKind::Afterglow(Color::Silver) => "\x1b[36m",
        CellKind::Reserved(Color::Red) | CellKind::Afterglow(Color::Red) => "\x1b[31m",
        CellKind::Piece(Color::Silver) => "\x1b[1;97m",
        CellKind::Piece(Color::Red) => "\x1b[1;91m",
        CellKind::Beam(Color::Silver) => "\x1b[1;96m",
        CellKind::Beam(Color::Red) => "\x1b[1;95m",
        CellKind::Cursor | CellKind::Mark => "\x1b[1;93m",
    }
}
