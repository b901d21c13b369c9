//! Move ordering.

use khet::{AimedPosition, Color, Move, Piece, Position};

use crate::material::loss;

/// A move with its ordering score, highest first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    pub(crate) order: i32,
}

const TABLE: i32 = 2_000_000;
const GAIN: i32 = 1_000_000;
const KILLERS: [i32; 2] = [500_001, 500_000];

/// The material that the shots of a position's moves win for the side to move.
#[derive(Debug)]
pub(crate) struct Gains<'a> {
    position: &'a Position,
    aim: &'a AimedPosition<'a>,
    /// The gain of all moves that leave the beam unchanged.
    calm: i32,
}

impl<'a> Gains<'a> {
    pub(crate) fn new(position: &'a Position, aim: &'a AimedPosition<'a>) -> Gains<'a> {
        let pieces =
            aim.shot_squares().removed.into_iter().filter_map(|square| position.get(square));
        Gains { position, aim, calm: sum(position.side_to_move(), pieces) }
    }

    fn of(&self, mv: Move) -> i32 {
        if self.aim.is_disturbed_by(mv) {
            let pieces = self.aim.hits(mv).map(|(_, piece)| piece);
            sum(self.position.side_to_move(), pieces)
        } else {
            self.calm
        }
    }

    /// Returns all legal moves, best first; those that lose material come last.
    pub(crate) fn order_all(
        &self,
        table_move: Option<Move>,
        killers: &[Option<Move>; 2],
        candidates: &mut Vec<Candidate>,
    ) {
        candidates.clear();
        for &mv in &self.position.legal_moves() {
            let gain = self.of(mv);
            let order = if Some(mv) == table_move {
                TABLE
            } else if gain > 0 {
                GAIN + gain
            } else if let Some(index) = killers.iter().position(|&killer| killer == Some(mv)) {
                KILLERS[index]
            } else {
                gain
            };
            candidates.push(Candidate { mv, order });
        }
        sort(candidates);
    }

    /// Returns the moves that win material, largest gain first.
    pub(crate) fn order_winning(&self, candidates: &mut Vec<Candidate>) {
        candidates.clear();
        let moves =
            if self.calm > 0 { self.position.legal_moves() } else { self.aim.disturbing_moves() };
        for &mv in &moves {
            let gain = self.of(mv);
            if gain > 0 {
                candidates.push(Candidate { mv, order: gain });
            }
        }
        sort(candidates);
    }
}

/// Returns the material that the firing side wins by removing these pieces.
fn sum(side: Color, pieces: impl Iterator<Item = Piece>) -> i32 {
    let gain = |piece: Piece| if piece.color() == side { -loss(piece) } else { loss(piece) };
    pieces.map(gain).sum()
}

fn sort(candidates: &mut [Candidate]) {
    candidates.sort_unstable_by_key(|candidate| std::cmp::Reverse(candidate.order));
}
