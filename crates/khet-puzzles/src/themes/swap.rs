//! Swap: the solver's djed, scarab or Eye changes places with another piece.

use khet::{Move, Role};

use crate::{SolutionLine, SolutionPly};

pub(super) fn detect(line: &SolutionLine) -> bool {
    line.solver_plies().any(|(ply, _)| is_swap(ply))
}

fn is_swap(ply: &SolutionPly) -> bool {
    let Move::Step { from, to } = ply.mv else { return false };
    let mover = ply.before.get(from).map(|piece| piece.role());
    ply.before.get(to).is_some() && matches!(mover, Some(Role::Djed | Role::Scarab | Role::Eye))
}
