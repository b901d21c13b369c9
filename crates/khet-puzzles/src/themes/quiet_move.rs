//! Quiet move: a move of the solver, not the last one, that hits nothing, although the solver could
//! hit a piece of the opponent and has no threat to the own pharaoh to parry.

use khet::Position;

use crate::{SolutionLine, SolutionPly, is_pharaoh_threatened};

pub(super) fn detect(line: &SolutionLine) -> bool {
    line.solver_plies().any(|(ply, reply)| reply.is_some() && is_quiet(ply))
}

fn is_quiet(ply: &SolutionPly) -> bool {
    ply.shot.hits.is_empty() && can_hit(&ply.before) && !is_pharaoh_threatened(&ply.before)
}

/// Returns whether the side to move has a shot that hits the opponent and no own piece.
fn can_hit(position: &Position) -> bool {
    let own = position.of_color(position.side_to_move());
    let aim = position.aim();
    position.legal_moves().iter().any(|&mv| {
        let mut hits = aim.hits(mv).peekable();
        hits.peek().is_some() && hits.all(|(square, _)| !own.has(square))
    })
}
