//! Sacrifice: the solver gives a piece away, by an own shot or by moving it where the opponent
//! hits it at once.

use crate::{SolutionLine, SolutionPly};

pub(super) fn detect(line: &SolutionLine) -> bool {
    line.solver_plies().any(|(ply, reply)| {
        ply.hits(line.solver()) || reply.is_some_and(|reply| loses_moved_piece(ply, reply))
    })
}

/// Returns whether the reply hits the piece that has just moved.
fn loses_moved_piece(ply: &SolutionPly, reply: &SolutionPly) -> bool {
    let side = ply.shot.by;
    let target = ply.mv.to();
    let is_moved = |hit: &khet::Hit| hit.square == target && hit.piece.color() == side;
    reply.shot.hits.iter().any(is_moved)
}
