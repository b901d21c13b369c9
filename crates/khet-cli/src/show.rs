//! `khet show`: draws a position in the terminal.

use std::collections::BTreeMap;

use khet::tower::{self, TowerColumn};
use khet::{AnyPlacement, AnyPosition, AnySetup, Color, GamePosition, Piece, Rules, Shot, Square};
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
///
/// With a tower, the upper level is drawn below the board, under the same files, which have capital
/// letters there. ░ is the column; in each of its squares an arrow points to the face whose
/// periscope is there. The other half of each face is a blank wall.
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
    position: String,
    setup: Option<&'static str>,
    rules: Rules,
    side_to_move: Color,
    /// The lower left square of the tower's column.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<Square>,
    pieces: BTreeMap<tower::Square, Piece>,
    faults: Vec<String>,
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shot: Option<Shot<tower::Square>>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    args.position.each_placement(output, |placement, output| args.show(&placement, output))
}

impl Args {
    fn show(&self, placement: &AnyPlacement, output: &mut Output) -> Result<(), Problem> {
        let rules = self.position.rules();
        let position = AnyPosition::new(placement, rules);
        let column = placement.tower_column();
        let report = PositionReport {
            position: placement.to_string(),
            setup: AnySetup::of(placement).map(AnySetup::name),
            rules,
            side_to_move: placement.side_to_move(),
            column: column.map(TowerColumn::lower_left),
            pieces: placement.pieces().collect(),
            faults: texts(&placement.faults()),
            warnings: position.as_ref().map_or(Vec::new(), |valid| texts(&valid.warnings())),
            shot: position.as_ref().ok().and_then(|position| self.shot(position)),
        };
        self.write(&report, column, output)?;
        position.map(|_| ()).map_err(|error| Problem::FaultyPosition(error.to_string()))
    }

    /// Returns the shot that `--fire` asks for.
    fn shot(&self, position: &AnyPosition) -> Option<Shot<tower::Square>> {
        self.fire.map(|owner| position.fire(owner.color(position)))
    }

    /// Writes a position as a drawing or as JSON.
    fn write(
        &self,
        report: &PositionReport,
        column: Option<TowerColumn>,
        output: &mut Output,
    ) -> Result<(), Problem> {
        if self.position.json {
            return output.json(report);
        }
        let pieces = report.pieces.iter().map(|(&square, &piece)| (square, piece));
        let mut drawing = BoardDrawing::new(pieces, column, SquareSize::Small, false);
        if let Some(shot) = &report.shot {
            drawing.draw_shot(shot);
        }
        output.line(ansi(&drawing))?;
        output.line(&report.position)?;
        let side = describe::side_name(report.side_to_move);
        let setup = report.setup.map_or(String::new(), |setup| format!(" ({setup})"));
        output.line(format_args!("{side} to move{setup}"))?;
        match &report.shot {
            Some(shot) => output.line(describe::shot(shot)),
            None => Ok(()),
        }
    }
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
        CellKind::Column => "\x1b[33m",
        CellKind::Reserved(Color::Silver) | CellKind::Afterglow(Color::Silver) => "\x1b[36m",
        CellKind::Reserved(Color::Red) | CellKind::Afterglow(Color::Red) => "\x1b[31m",
        CellKind::Piece(Color::Silver) => "\x1b[1;97m",
        CellKind::Piece(Color::Red) => "\x1b[1;91m",
        CellKind::Beam(Color::Silver) => "\x1b[1;96m",
        CellKind::Beam(Color::Red) => "\x1b[1;95m",
        CellKind::Cursor | CellKind::Mark => "\x1b[1;93m",
    }
}
