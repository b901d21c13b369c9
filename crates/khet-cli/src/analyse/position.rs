//! The best lines of a single position.

use khet::{Outcome, Placement, Position};
use khet_review::PositionEval;
use serde::Serialize;

use super::moves::{Shown, numbered, shown};
use super::thinker::{Found, Thinker};
use crate::output::{Output, Problem};

#[derive(Serialize)]
struct Searched {
    position: Placement,
    nodes: u64,
    lines: Vec<BestLine>,
}

#[derive(Serialize)]
struct BestLine {
    eval: PositionEval,
    depth: u32,
    moves: Vec<Shown>,
}

/// Searches a position and writes its best lines. Where no move is legal there are none.
pub(super) fn run(
    position: Position,
    thinker: &mut Thinker,
    json: bool,
    output: &mut Output,
) -> Result<(), Problem> {
    thinker.forget();
    let thought = thinker.think(position);
    let line =
        |Found { eval, depth, line }| BestLine { eval, depth, moves: shown(position, &line) };
    let lines: Vec<BestLine> = thought.lines.into_iter().map(line).collect();
    if json {
        output.json(&Searched { position: position.placement(), nodes: thought.nodes, lines })?;
    } else {
        write(position, &lines, thought.nodes, position.outcome(), output)?;
    }
    output.flush()
}

fn write(
    position: Position,
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
        let moves = numbered(position.side_to_move(), &line.moves);
        output.line(format_args!("{number:>3}  {eval:>6}  depth {depth:>2}  {moves}"))?;
    }
    output.line(format_args!("nodes {nodes}"))
}
