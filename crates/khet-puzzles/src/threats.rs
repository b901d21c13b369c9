//! Threats: the moves that would hit a pharaoh if the other side passed, and what a laser is aimed at.

use khet::{AimedPosition, Color, Move, Position};

/// Returns the moves of the side to move that hit the opponent's pharaoh at once, and not its own.
pub(crate) fn pharaoh_hits(position: &Position) -> Vec<Move> {
    let aim = position.aim();
    let side = position.side_to_move();
    let aims_at = |pharaoh| aim.shot_squares().removed.has(pharaoh);
    // A move that does not touch the beam hits what the laser is aimed at.
    let is_aimed = position.pharaoh(!side).is_some_and(aims_at);
    let moves = if is_aimed { position.legal_moves() } else { aim.disturbing_moves() };
    moves.iter().copied().filter(|&mv| aimed_hit(&aim, mv, side)).collect()
}

/// Returns whether a legal move hits the opponent's pharaoh, and not the own one.
pub(crate) fn hits_pharaoh(position: &Position, mv: Move) -> bool {
    aimed_hit(&position.aim(), mv, position.side_to_move())
}

/// Returns whether a legal move of a side hits the opponent's pharaoh, and not the own one.
fn aimed_hit(aim: &AimedPosition<'_>, mv: Move, side: Color) -> bool {
    let (next, _) = aim.play(mv);
    next.pharaoh(!side).is_none() && next.pharaoh(side).is_some()
}

/// Returns whether the opponent of the side to move could hit its pharaoh at once if it passed.
pub fn is_pharaoh_threatened(position: &Position) -> bool {
    !pharaoh_hits(&position.after_null_move()).is_empty()
}

/// Returns whether the laser of one side would hit a piece of that colour now.
pub(crate) fn aims_at(position: &Position, laser: Color, color: Color) -> bool {
    let removed = position.shot_squares(laser).removed;
    !(removed & position.of_color(color)).is_empty()
}
