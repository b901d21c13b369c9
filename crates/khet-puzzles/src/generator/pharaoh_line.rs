//! Lines that force a hit on the pharaoh, proved exhaustively: each move of the solver is the only
//! one that still wins in time, against the reply that holds out longest.

use khet::{Move, Position};

use crate::MateSearch;
use crate::threats::pharaoh_hits;

/// Returns the solution that hits the pharaoh with the `moves`th move and not sooner, if the solver
/// has exactly one way. The moves alternate between the solver and the opponent.
pub(crate) fn pharaoh_line(
    search: &mut MateSearch,
    position: &Position,
    moves: u32,
) -> Option<Vec<Move>> {
    if moves > 1 && search.wins(position, moves - 1) {
        return None;
    }
    let [key] = search.winning_moves(position, moves)[..] else { return None };
    let after = position.aim().play(key).0;
    if moves == 1 {
        return Some(vec![key]);
    }
    let threats = pharaoh_hits(&after.after_null_move());
    let mut best: Option<(u32, Vec<Move>)> = None;
    for &reply in &after.legal_moves() {
        let next = after.aim().play(reply).0;
        if next.outcome().is_some() {
            continue;
        }
        let Some(rest) = pharaoh_line(search, &next, moves - 1) else { continue };
        let value = resistance(&after, reply, &threats, &rest);
        if best.as_ref().is_none_or(|(known, _)| value > *known) {
            let mut line = vec![key, reply];
            line.extend(rest);
            best = Some((value, line));
        }
    }
    best.map(|(_, line)| line)
}

/// Returns how interesting a reply is: one that parries all direct threats, so that the solver
/// needs a new idea, most of all; then one that hits pieces of the solver and none of its own.
fn resistance(position: &Position, reply: Move, threats: &[Move], rest: &[Move]) -> u32 {
    let opponent = position.side_to_move();
    let removed = position.aim().play(reply).1;
    let parries = !rest.first().is_some_and(|mv| threats.contains(mv));
    let hits_solver = !(removed & position.of_color(!opponent)).is_empty();
    let hits_own = !(removed & position.of_color(opponent)).is_empty();
    4 * u32::from(parries) + 2 * u32::from(!hits_own) + u32::from(hits_solver)
}
