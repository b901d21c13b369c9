//! Quiet move: a move of the solver, not the last one, that hits nothing and does not yet threaten
//! the pharaoh, although the opponent does not threaten the solver's either.

use crate::threats::pharaoh_hits;
use crate::{SolutionLine, SolutionPly, is_pharaoh_threatened};

pub(super) fn detect(line: &SolutionLine) -> bool {
    line.solver_plies().any(|(ply, reply)| reply.is_some() && is_quiet(ply))
}

fn is_quiet(ply: &SolutionPly) -> bool {
    ply.shot.hits.is_empty()
        && pharaoh_hits(&ply.after.after_null_move()).is_empty()
        && !is_pharaoh_threatened(&ply.before)
}
