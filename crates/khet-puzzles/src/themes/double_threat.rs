//! Double threat: one move of the solver makes two threats, and no reply parries both. Either the
//! pharaoh is threatened in two ways, each of which has a reply that parries it alone, and no reply
//! parries all threats; or the pharaoh and a piece are threatened, the opponent saves the pharaoh,
//! and the piece falls.

use khet::{Move, Position};

use crate::threats::{hits_pharaoh, pharaoh_hits};
use crate::{SolutionLine, SolutionPly};

pub(super) fn detect(line: &SolutionLine) -> bool {
    let plies = line.plies();
    (0..plies.len()).step_by(2).any(|index| {
        let [ply, reply, next] = &plies[index..plies.len().min(index + 3)] else { return false };
        let threats = pharaoh_hits(&ply.after.after_null_move());
        has_two_threats(&ply.after, &threats) || is_fork(&threats, ply, reply, next)
    })
}

/// Returns whether no reply parries all threats to the pharaoh, and two of them are independent: each
/// has a reply that parries it and not the other one.
fn has_two_threats(position: &Position, threats: &[Move]) -> bool {
    // The threats that are left after each reply, as bits.
    let left: Vec<u128> = position
        .legal_moves()
        .iter()
        .map(|&reply| position.aim().play(reply).0)
        .filter(|next| next.outcome().is_none())
        .map(|next| {
            let carried_out =
                |&threat: &Move| next.check(threat).is_ok() && hits_pharaoh(&next, threat);
            let bits = threats.iter().enumerate().take(128);
            bits.filter(|(_, threat)| carried_out(threat)).fold(0, |set, (bit, _)| set | 1 << bit)
        })
        .collect();
    let parries = |one: usize, other: usize| {
        left.iter().any(|left| left & 1 << one == 0 && left & 1 << other != 0)
    };
    let count = threats.len().min(128);
    left.iter().all(|&left| left != 0)
        && (0..count).any(|one| (0..one).any(|other| parries(one, other) && parries(other, one)))
}

/// Returns whether a move threatens the pharaoh and a piece: the reply saves the pharaoh, and the
/// next move hits a piece that it would also have hit if the opponent had passed.
fn is_fork(threats: &[Move], ply: &SolutionPly, reply: &SolutionPly, next: &SolutionPly) -> bool {
    let opponent = reply.shot.by;
    let passed = ply.after.after_null_move();
    !threats.is_empty()
        && pharaoh_hits(&reply.after).is_empty()
        && passed.check(next.mv).is_ok()
        && next.shot.hits.iter().any(|hit| {
            let threatened = passed.aim().play(next.mv).1;
            hit.piece.color() == opponent && threatened.has(hit.square)
        })
}
