//! Pharaoh in one, two or three: the number of moves within which the pharaoh is hit by force.

use crate::{SolutionGoal, SolutionLine};

/// Returns the number of the solver's moves, if they force a hit on the pharaoh.
pub(super) fn detect(line: &SolutionLine, goal: SolutionGoal) -> Option<u32> {
    (goal == SolutionGoal::Pharaoh).then(|| line.solver_moves() as u32)
}
