//! Eye of Horus: the solver moves an Eye, or an Eye splits one of the solver's shots.

use khet::{Role, Shot};

use crate::{SolutionLine, SolutionPly};

pub(super) fn detect(line: &SolutionLine) -> bool {
    line.solver_plies().any(|(ply, _)| is_split(&ply.shot) || moves_eye(ply))
}

fn is_split(shot: &Shot) -> bool {
    shot.beams.iter().any(|beam| beam.eye().is_some())
}

fn moves_eye(ply: &SolutionPly) -> bool {
    ply.before.get(ply.mv.from()).is_some_and(|piece| piece.role() == Role::Eye)
}
