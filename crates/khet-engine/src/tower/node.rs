//! A position in the search, with the shots of both sides.

use khet::tower::{Position, Square, SquareSet};
use khet::{Color, Move, ShotSquares};

use super::evaluate;
use crate::evaluate::piece_value;
use crate::score::{Value, terminal_value};

/// A position with both shots as they would be fired now.
pub(super) struct Node {
    pub(super) position: Position,
    pub(super) own: ShotSquares<Square>,
    pub(super) theirs: ShotSquares<Square>,
}

impl Node {
    pub(super) fn new(position: Position) -> Node {
        let side = position.side_to_move();
        let [own, theirs] = [side, !side].map(|by| position.shot_squares(by));
        Node { position, own, theirs }
    }

    pub(super) fn side(&self) -> Color {
        self.position.side_to_move()
    }

    /// Returns the node after a move, and the squares on which its shot hit something. A shot that
    /// neither the move nor a removed piece disturbs is not traced again.
    pub(super) fn play(&self, mv: Move<Square>) -> (Node, SquareSet) {
        let side = self.side();
        let mut position = self.position;
        let removed = position.play_unchecked(mv);
        let trace = |before: &ShotSquares<Square>, by: Color| {
            if self.position.disturbs(mv, before) || !(before.path & removed).is_empty() {
                position.shot_squares(by)
            } else {
                *before
            }
        };
        let (own, theirs) = (trace(&self.theirs, !side), trace(&self.own, side));
        (Node { position, own, theirs }, removed)
    }

    /// Returns the node after a null move: the side to move passes without a shot.
    pub(super) fn after_null_move(&self) -> Node {
        Node { position: self.position.after_null_move(), own: self.theirs, theirs: self.own }
    }

    /// Returns the static evaluation for the side to move.
    pub(super) fn evaluate(&self) -> Value {
        evaluate(&self.position, &self.own, &self.theirs)
    }

    /// Returns whether the opponent's beam hits our pharaoh, which corresponds to check in chess.
    pub(super) fn pharaoh_attacked(&self) -> bool {
        self.hits_pharaoh(self.theirs.removed, self.side())
    }

    /// Returns whether the pharaoh of a colour is among the removed pieces.
    fn hits_pharaoh(&self, removed: SquareSet, color: Color) -> bool {
        !removed.is_empty()
            && self.position.pharaoh(color).is_some_and(|square| removed.has(square))
    }

    /// Returns whether the side to move wins with any move that leaves its beam unchanged, and has
    /// such a move.
    pub(super) fn wins_immediately(&self) -> bool {
        let removed = self.own.removed;
        let side = self.side();
        self.hits_pharaoh(removed, !side)
            && !self.hits_pharaoh(removed, side)
            && self.position.legal_moves().iter().any(|&mv| !self.disturbs_own_shot(mv))
    }

    /// Returns whether a move may change the shot that follows it.
    pub(super) fn disturbs_own_shot(&self, mv: Move<Square>) -> bool {
        self.position.disturbs(mv, &self.own)
    }

    /// Returns what the side to move gains by its shot if the move leaves its beam unchanged.
    pub(super) fn undisturbed_gain(&self) -> Value {
        gain(&self.position, self.own.removed)
    }

    /// Returns what the side to move gains by the shot after a move.
    pub(super) fn gain_of(&self, mv: Move<Square>) -> Value {
        let fired = self.position.before_shot(mv);
        gain(&fired, fired.shot_squares(self.side()).removed)
    }

    /// Returns the value of a move at `ply` whose shot ended the game, for the side that made it.
    /// `self` is the node before the move.
    pub(super) fn terminal_value(
        &self,
        next: &Node,
        removed: SquareSet,
        ply: usize,
    ) -> Option<Value> {
        if removed.is_empty() {
            return None;
        }
        let is_pharaoh_hit = |color| next.position.pharaoh(color).is_none();
        terminal_value(self.side(), is_pharaoh_hit, ply)
    }
}

/// Returns the value of removed pieces of the other side minus that of the side to move's own.
fn gain(position: &Position, removed: SquareSet) -> Value {
    let side = position.side_to_move();
    let pieces = removed.into_iter().filter_map(|square| position.get(square));
    let value = |piece: khet::Piece| match piece.color() == side {
        true => -piece_value(piece),
        false => piece_value(piece),
    };
    pieces.map(value).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tower::tests::{POSITIONS, random_positions};

    #[test]
    fn shots_that_are_not_traced_again_are_right() {
        for start in POSITIONS {
            for position in random_positions(start, 60) {
                let node = Node::new(position);
                for &mv in &position.legal_moves() {
                    let (next, _) = node.play(mv);
                    let fresh = Node::new(next.position);
                    assert_eq!((next.own, next.theirs), (fresh.own, fresh.theirs), "{mv}");
                }
            }
        }
    }
}
