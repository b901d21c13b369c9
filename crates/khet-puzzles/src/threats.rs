//! Threats: the moves that would hit a pharaoh if the other side passed, and what a laser is aimed at.

use khet::{Color, Move, Position};

/// Returns the moves of the side to move that hit the opponent's pharaoh at once, and not its own.
pub(crate) fn pharaoh_hits(position: &Position) -> Vec<Move> {
    let moves = position.legal_moves();
    moves.iter().copied().filter(|&mv| hits_pharaoh(position, mv)).collect()
}

/// Returns whether a legal move hits the opponent's pharaoh, and not the own one.
pub(crate) fn hits_pharaoh(position: &Position, mv: Move) -> bool {
    let side = position.side_to_move();
    let (next, _) = position.aim().play(mv);
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
