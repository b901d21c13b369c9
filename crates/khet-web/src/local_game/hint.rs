//! Why a move is good, as far as a glance at the beams tells.

use khet::{Kind, Move, Position, Square};

/// What a move that is hinted at does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It lights the other pharaoh.
    Wins(Square),
    /// It removes a piece of the other player.
    Lights(Square),
    /// The other laser would have hit this piece of ours, and no longer does.
    Saves(Square),
    /// None of these.
    Quiet,
}

/// The first reason that holds for a legal move.
pub fn reason(position: &Position, mv: Move) -> Reason {
    let us = position.side_to_move();
    let mut next = *position;
    let Ok(shot) = next.play(mv) else { return Reason::Quiet };
    let theirs = shot.hits.iter().filter(|hit| hit.piece.color() != us);
    // A pharaoh first, whatever else an Eye's halves hit.
    if let Some(hit) = theirs.clone().find(|hit| hit.piece.kind() == Kind::Pharaoh) {
        return Reason::Wins(hit.square);
    }
    if let Some(hit) = theirs.clone().next() {
        return Reason::Lights(hit.square);
    }
    let ours = |position: &Position| {
        let hits = position.fire(!us).hits;
        hits.into_iter().find(|hit| hit.piece.color() == us).map(|hit| hit.square)
    };
    if let (Some(square), None) = (ours(position), ours(&next)) {
        return Reason::Saves(square);
    }
    Reason::Quiet
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason_of(position: &str, mv: &str) -> Reason {
        let position: Position = position.parse().expect("a position");
        reason(&position, mv.parse().expect("a move"))
    }

    #[test]
    fn a_lit_pharaoh_wins() {
        let reason = reason_of("10/10/10/10/4k4P2/10/10/4K5 s", "j4+");
        assert_eq!(reason, Reason::Wins(Square::E4));
    }

    #[test]
    fn a_hit_piece_is_named_if_it_is_theirs() {
        let reason = reason_of("4k5/10/10/10/4p34P2/10/10/4K5 s", "j4+");
        assert_eq!(reason, Reason::Lights(Square::E4));
        let reason = reason_of("4k5/10/10/10/4P34P2/10/10/4K5 s", "j4+");
        assert_eq!(reason, Reason::Quiet);
    }

    #[test]
    fn a_piece_that_leaves_the_other_beam_is_saved() {
        let reason = reason_of("4k5/10/10/10/p13O15/10/10/4K5 s", "e4d5");
        assert_eq!(reason, Reason::Saves(Square::E4));
    }

    #[test]
    fn quiet_and_illegal_moves_have_no_reason() {
        assert_eq!(reason_of("classic", "h2+"), Reason::Quiet);
        assert_eq!(reason_of("classic", "e1e5"), Reason::Quiet);
    }
}
