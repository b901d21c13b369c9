//! Self-hit trap: the solver turns the opponent's beam on the opponent's own pieces, and even the
//! best reply lets it hit one of them.

use crate::threats::aims_at;
use crate::{SolutionLine, SolutionPly};

pub(super) fn detect(line: &SolutionLine) -> bool {
    line.solver_plies().any(|(ply, reply)| sets_trap(ply) && has_to_hit(ply, reply))
}

/// Returns whether the opponent's beam is turned on the opponent's own pieces by this move.
fn sets_trap(ply: &SolutionPly) -> bool {
    let opponent = !ply.shot.by;
    ply.shot.outcome.is_none()
        && !aims_at(&ply.before, opponent, opponent)
        && aims_at(&ply.after, opponent, opponent)
}

/// Returns whether the reply hits a piece of its own side. After the last move of a solution, every
/// possible reply has to hit the own pharaoh.
fn has_to_hit(ply: &SolutionPly, reply: Option<&SolutionPly>) -> bool {
    let opponent = !ply.shot.by;
    match reply {
        Some(reply) => reply.hits(opponent),
        None => {
            let aim = ply.after.aim();
            let moves = ply.after.legal_moves();
            moves.iter().all(|&mv| aim.play(mv).0.pharaoh(opponent).is_none())
        }
    }
}
