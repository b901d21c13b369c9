//! Deflection: a piece that the solver moves reflects the opponent's beam, which otherwise hits a
//! piece of the solver, or which now hits one of the opponent. A move that ends the game is none.

use khet::{Color, Position, Square};

use crate::threats::aims_at;
use crate::{SolutionLine, SolutionPly};

pub(super) fn detect(line: &SolutionLine) -> bool {
    line.solver_plies().any(|(ply, _)| ply.shot.outcome.is_none() && is_deflection(ply))
}

fn is_deflection(ply: &SolutionPly) -> bool {
    let solver = ply.shot.by;
    let (before, after) = (&ply.before, &ply.after);
    let was_harmful = aims_at(before, !solver, solver);
    let turns_on_owner = aims_at(after, !solver, !solver) && !aims_at(before, !solver, !solver);
    (was_harmful || turns_on_owner)
        && !aims_at(after, !solver, solver)
        && [ply.mv.from(), ply.mv.to()].iter().any(|&square| reflects(after, !solver, square))
}

/// Returns whether the beam of one side is reflected on a square.
fn reflects(position: &Position, laser: Color, square: Square) -> bool {
    let shot = position.fire(laser);
    let mut steps = shot.beams.iter().flat_map(|beam| &beam.steps);
    steps.any(|step| step.square == square && step.reflection().is_some())
}
