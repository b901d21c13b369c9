//! The reason for a hint, as far as the shots before and after the move show it.

use khet::{GamePosition, Kind};

use crate::rules::{Move, Position, Square};

/// The effect of a hinted move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HintReason {
    /// It hits the opponent's pharaoh.
    Wins(Square),
    /// It hits another piece of the opponent.
    Hits(Square),
    /// It saves this piece from the opponent's laser.
    Saves(Square),
    /// None of these.
    Quiet,
}

/// Returns the most important effect of a move, and [`HintReason::Quiet`] for an illegal move.
pub fn reason(position: &Position, mv: Move) -> HintReason {
    let side = position.side_to_move();
    let mut next = *position;
    let Ok(shot) = next.play(mv) else { return HintReason::Quiet };
    let opponent_hits = shot.hits.iter().filter(|hit| hit.piece.color() != side);
    // A split beam may hit a pharaoh and another piece: the pharaoh decides.
    if let Some(hit) = opponent_hits.clone().find(|hit| hit.piece.kind() == Kind::Pharaoh) {
        return HintReason::Wins(hit.square);
    }
    if let Some(hit) = opponent_hits.clone().next() {
        return HintReason::Hits(hit.square);
    }
    let threatened = |position: &Position| {
        let hits = position.fire(!side).hits;
        hits.into_iter().find(|hit| hit.piece.color() == side).map(|hit| hit.square)
    };
    if let (Some(square), None) = (threatened(position), threatened(&next)) {
        return HintReason::Saves(square);
    }
    HintReason::Quiet
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason_of(position: &str, mv: &str) -> HintReason {
        let position: Position = position.parse().expect("a position");
        reason(&position, mv.parse().expect("a move"))
    }

    #[test]
    fn hitting_the_pharaoh_wins() {
        let reason = reason_of("10/10/10/10/4k4P2/10/10/4K5 s", "j4+");
        assert_eq!(reason, HintReason::Wins(khet::Square::E4.into()));
    }

    #[test]
    fn only_a_hit_on_an_opponents_piece_is_a_reason() {
        let reason = reason_of("4k5/10/10/10/4p34P2/10/10/4K5 s", "j4+");
        assert_eq!(reason, HintReason::Hits(khet::Square::E4.into()));
        let reason = reason_of("4k5/10/10/10/4P34P2/10/10/4K5 s", "j4+");
        assert_eq!(reason, HintReason::Quiet);
    }

    #[test]
    fn a_piece_that_leaves_the_opponents_beam_is_saved() {
        let reason = reason_of("4k5/10/10/10/p13O15/10/10/4K5 s", "e4d5");
        assert_eq!(reason, HintReason::Saves(khet::Square::E4.into()));
    }

    #[test]
    fn quiet_and_illegal_moves_have_no_reason() {
        assert_eq!(reason_of("classic", "h2+"), HintReason::Quiet);
        assert_eq!(reason_of("classic", "e1e5"), HintReason::Quiet);
    }
}
