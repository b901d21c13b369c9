//! Analysis of a single position: its best lines.

use khet::{AnyPlacement, AnyPosition, GamePosition, Outcome};
use khet_review::PositionEval;
use serde::Serialize;

use super::move_line::{LineMove, numbered_line, play_line};
use crate::analyst::{AnalysedLine, Analyst};
use crate::output::{Output, Problem};

/// The analysis of a position, as JSON.
#[derive(Serialize)]
struct PositionAnalysis {
    position: AnyPlacement,
    nodes: u64,
    lines: Vec<BestLine>,
}

#[derive(Serialize)]
struct BestLine {
    eval: PositionEval,
    depth: u32,
    moves: Vec<LineMove>,
}

/// Searches a position and writes its best lines; none if there is no legal move.
pub(super) fn run(
    position: AnyPosition,
    analyst: &mut Analyst,
    json: bool,
    output: &mut Output,
) -> Result<(), Problem> {
    analyst.clear();
    let analysis = analyst.analyse(position);
    let line = |AnalysedLine { eval, depth, line }| {
        let moves = play_line(position, &line);
        BestLine { eval, depth, moves }
    };
    let lines: Vec<BestLine> = analysis.lines.into_iter().map(line).collect();
    let nodes = analysis.nodes;
    if json {
        output.json(&PositionAnalysis { position: position.placement(), nodes, lines })?;
    } else {
        write_lines(position, &lines, nodes, position.outcome(), output)?;
    }
    output.flush()
}

/// Writes the position and its best lines, or the outcome.
fn write_lines(
    position: AnyPosition,
    lines: &[BestLine],
    nodes: u64,
    outcome: Option<Outcome>,
    output: &mut Output,
) -> Result<(), Problem> {
    output.line(position)?;
    if let Some(outcome) = outcome {
        return output.line(outcome);
    }
    for (index, line) in lines.iter().enumerate() {
        let (number, eval, depth) = (index + 1, format!("{:+}", line.eval), line.depth);
        let moves = numbered_line(position.side_to_move(), &line.moves);
        output.line(format_args!("{number:>3}  {eval:>6}  depth {depth:>2}  {moves}"))?;
    }
    output.line(format_args!("nodes {nodes}"))
}
