//! Move ordering.

use khet::{AimedPosition, Color, Move, Piece, Position};

use crate::material::loss;

/// A move with its ordering score, highest first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    pub(crate) order: i32,
}

/// Ordering scores of the move from the table, of winning moves and of killer moves.
const TABLE_MOVE_SCORE: i32 = 2_000_000;
const GAIN_SCORE: i32 = 1_000_000;
const KILLER_SCORES: [i32; 2] = [500_001, 500_000];

/// The material that the shots of a position's moves win for the side to move.
#[derive(Debug)]
pub(crate) struct Gains<'a> {
    position: &'a Position,
    aim: &'a AimedPosition<'a>,
    /// The gain of all moves that leave the beam unchanged.
    undisturbed: i32,
}

impl<'a> Gains<'a> {
    pub(crate) fn new(position: &'a Position, aim: &'a AimedPosition<'a>) -> Gains<'a> {
        let pieces =
            aim.shot_squares().removed.into_iter().filter_map(|square| position.get(square));
        Gains { position, aim, undisturbed: gain_of_pieces(position.side_to_move(), pieces) }
    }

    /// Returns the material that the shot of a move wins.
    fn of_move(&self, mv: Move) -> i32 {
        if self.aim.is_disturbed_by(mv) {
            let pieces = self.aim.hits(mv).map(|(_, piece)| piece);
            gain_of_pieces(self.position.side_to_move(), pieces)
        } else {
            self.undisturbed
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
            let gain = self.of_move(mv);
            let order = if Some(mv) == table_move {
                TABLE_MOVE_SCORE
            } else if gain > 0 {
                GAIN_SCORE + gain
            } else if let Some(index) = killers.iter().position(|&killer| killer == Some(mv)) {
                KILLER_SCORES[index]
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
        let moves = if self.undisturbed > 0 {
            self.position.legal_moves()
        } else {
            self.aim.disturbing_moves()
        };
        for &mv in &moves {
            let gain = self.of_move(mv);
            if gain > 0 {
                candidates.push(Candidate { mv, order: gain });
            }
        }
        sort(candidates);
    }
}

/// Returns the material that the firing side wins by removing these pieces.
fn gain_of_pieces(side: Color, pieces: impl Iterator<Item = Piece>) -> i32 {
    let gain = |piece: Piece| if piece.color() == side { -loss(piece) } else { loss(piece) };
    pieces.map(gain).sum()
}

/// Sorts the candidates, highest score first.
fn sort(candidates: &mut [Candidate]) {
    candidates.sort_unstable_by_key(|candidate| std::cmp::Reverse(candidate.order));
}
