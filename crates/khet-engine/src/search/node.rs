//! A node of the search tree: a position with incrementally updated data.

use khet::{AimedPosition, Bitboard, Color, Move, Position, ShotSquares};

use crate::evaluate::{MAX_EVAL, evaluate, psqt, psqt_change};
use crate::network::{Accumulator, Network};
use crate::score::{Value, terminal_value};
use crate::transposition_table::TranspositionTable;

/// A position with both beams, its piece-square sum and the hidden layer of the network. Whatever a
/// move does not change is copied from the parent node.
#[derive(Clone)]
pub(crate) struct Node {
    pub(crate) position: Position,
    /// The beam that the side to move would fire now.
    pub(crate) own: ShotSquares,
    pub(crate) theirs: ShotSquares,
    /// Silver's piece-square sum minus Red's.
    psqt: Value,
    accumulator: Accumulator,
}

impl Node {
    pub(crate) fn new(position: Position, network: &Network) -> Node {
        let side = position.side_to_move();
        let mut accumulator = Accumulator::of_pieces(network, &position);
        let own = accumulator.trace(network, &position, side);
        let theirs = accumulator.trace(network, &position, !side);
        Node { position, own, theirs, psqt: psqt(&position), accumulator }
    }

    pub(crate) fn side(&self) -> Color {
        self.position.side_to_move()
    }

    /// Returns the aim, which plays and generates moves.
    pub(crate) fn aim(&self) -> AimedPosition<'_> {
        self.position.aim_with(self.own)
    }

    /// Writes the child node after a move into `next`, reusing its memory. Returns the squares on
    /// which the shot removed something. The child's entry is prefetched from the table, if given.
    #[inline]
    pub(crate) fn play(
        &self,
        aim: &AimedPosition<'_>,
        mv: Move,
        next: &mut Node,
        network: &Network,
        table: Option<&TranspositionTable>,
    ) -> Bitboard {
        let side = self.side();
        let Node { position, own, theirs, psqt, accumulator } = next;
        let removed = aim.play_into(position, mv);
        if let Some(table) = table {
            table.prefetch(position.key());
        }
        let changed = Bitboard::of(mv.from()) | Bitboard::of(mv.to()) | removed;
        let mut retrace = |sweep: &mut ShotSquares, before: &ShotSquares, by: Color| {
            if (before.path & changed).is_empty() {
                *sweep = *before;
                accumulator.copy_beam(&self.accumulator, by);
            } else {
                *sweep = accumulator.trace(network, position, by);
            }
        };
        retrace(own, &self.theirs, !side);
        retrace(theirs, &self.own, side);
        *psqt = self.psqt + psqt_change(&self.position, position, changed);
        let positions = (&self.position, &*position);
        accumulator.update_pieces(network, &self.accumulator, positions, changed);
        removed
    }

    /// Returns the node after a null move: the side to move passes without a shot.
    pub(crate) fn after_null_move(&self) -> Node {
        Node {
            position: self.position.after_null_move(),
            own: self.theirs,
            theirs: self.own,
            psqt: self.psqt,
            accumulator: self.accumulator.clone(),
        }
    }

    /// Returns whether the opponent's beam hits our pharaoh, which corresponds to check in chess.
    pub(crate) fn pharaoh_attacked(&self) -> bool {
        self.hits_pharaoh(self.theirs.removed, self.side())
    }

    /// Returns whether the pharaoh of a colour is among the removed pieces.
    fn hits_pharaoh(&self, removed: Bitboard, color: Color) -> bool {
        !removed.is_empty()
            && self.position.pharaoh(color).is_some_and(|square| removed.has(square))
    }

    /// Returns whether the side to move wins with any move that leaves its beam unchanged, and has
    /// such a move.
    pub(crate) fn wins_immediately(&self) -> bool {
        let removed = self.own.removed;
        let side = self.side();
        if !self.hits_pharaoh(removed, !side) || self.hits_pharaoh(removed, side) {
            return false;
        }
        let mut has_move = false;
        self.aim().each_undisturbing_move(|_, _| has_move = true);
        has_move
    }

    /// Returns the static evaluation. If the beam already hits pieces of the other side, they are
    /// removed first, as any move that leaves the beam unchanged would do.
    pub(crate) fn evaluate(&self, network: &Network) -> Value {
        let (side, removed) = (self.side(), self.own.removed);
        if removed.is_empty() || !(removed & self.position.of_color(side)).is_empty() {
            let linear = evaluate(&self.position, self.psqt, &self.own, &self.theirs);
            let value = linear + network.evaluate(&self.accumulator, side);
            return value.clamp(-MAX_EVAL, MAX_EVAL);
        }
        let position = self.aim().after();
        let psqt = self.psqt + psqt_change(&self.position, &position, removed);
        let mut accumulator = self.accumulator.clone();
        let positions = (&self.position, &position);
        accumulator.update_pieces(network, &self.accumulator, positions, removed);
        let own = accumulator.trace(network, &position, !side);
        let theirs = accumulator.trace(network, &position, side);
        let linear = evaluate(&position, psqt, &own, &theirs);
        let value = linear + network.evaluate(&accumulator, !side);
        -value.clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Returns the value of a move at `ply` whose shot ended the game, for the side that made it.
    /// `self` is the node before the move.
    pub(crate) fn terminal_value(
        &self,
        next: &Node,
        removed: Bitboard,
        ply: usize,
    ) -> Option<Value> {
        if removed.is_empty() {
            return None;
        }
        let is_pharaoh_hit = |color| next.position.pharaoh(color).is_none();
        terminal_value(self.side(), is_pharaoh_hit, ply)
    }
}

#[cfg(test)]
mod tests {
    use khet::Setup;

    use super::*;
    use crate::network::tests::arbitrary;

    #[test]
    fn incremental_update_equals_a_new_node() {
        let network = arbitrary(7);
        let mut state = 1_u64;
        for setup in Setup::ALL {
            for _ in 0..20 {
                let mut node = Node::new(setup.position(), &network);
                for _ in 0..60 {
                    let moves = node.position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    let mv = moves[(state >> 33) as usize % moves.len()];
                    let mut next = node.clone();
                    node.play(&node.aim(), mv, &mut next, &network, None);
                    node = next;
                    let fresh = Node::new(node.position, &network);
                    assert_eq!((node.own, node.theirs), (fresh.own, fresh.theirs), "{mv}");
                    assert_eq!(node.psqt, fresh.psqt, "{mv}");
                    assert_eq!(node.accumulator, fresh.accumulator, "{mv}");
                }
            }
        }
    }
}
