//! Unstack: the top of one of the solver's stacks moves alone.

use khet::Move;

use crate::SolutionLine;

pub(super) fn detect(line: &SolutionLine) -> bool {
    line.solver_plies().any(|(ply, _)| matches!(ply.mv, Move::Unstack { .. }))
}
