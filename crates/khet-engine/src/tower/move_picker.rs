//! Move ordering: the move of the transposition table, moves whose shot hits more than the beam
//! does anyway, quiet moves by history, and last those that give away a hit.

use khet::Move;
use khet::tower::Square;

use super::history::History;
use super::node::Node;
use super::packed::pack;
use crate::packed::PackedMove;
use crate::score::Value;

/// Score of a move that gains by its shot, to which the gain is added.
const TACTICAL: i32 = 1 << 20;
/// Bonus of a move that may avert a hit on the pharaoh.
const EVASION: i32 = 1 << 18;
/// Bonus of a move that has caused a beta cutoff at the same ply.
const KILLER: i32 = 1 << 16;

/// A move with its place in the order.
#[derive(Clone, Copy)]
pub(super) struct PickedMove {
    pub(super) mv: Move<Square>,
    pub(super) packed: PackedMove,
    score: i32,
    /// The shot hits more than it would after other moves.
    pub(super) tactical: bool,
}

/// The moves of a node, in the order in which they are searched.
pub(super) struct MovePicker {
    moves: Vec<PickedMove>,
    /// The number of moves that have been picked.
    picked: usize,
    tt_move: PackedMove,
    killers: [PackedMove; 2],
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    TtMove,
    Scoring,
    Rest,
}

impl MovePicker {
    pub(super) fn new(node: &Node, tt_move: PackedMove, killers: [PackedMove; 2]) -> MovePicker {
        let list = node.position.legal_moves();
        let picked = |&mv| PickedMove { mv, packed: pack(mv), score: 0, tactical: false };
        let moves = list.iter().map(picked).collect();
        MovePicker { moves, picked: 0, tt_move, killers, stage: Stage::TtMove }
    }

    /// Returns the next move. The moves are scored only after that of the transposition table,
    /// which is often enough.
    pub(super) fn next(&mut self, node: &Node, history: &History) -> Option<PickedMove> {
        if self.stage == Stage::TtMove {
            self.stage = Stage::Scoring;
            if let Some(index) = self.moves.iter().position(|it| it.packed == self.tt_move) {
                let undisturbed = node.undisturbed_gain();
                let found = &mut self.moves[index];
                found.tactical = is_tactical(node, found.mv, undisturbed);
                self.moves.swap(0, index);
                self.picked = 1;
                return Some(self.moves[0]);
            }
        }
        if self.stage == Stage::Scoring {
            self.stage = Stage::Rest;
            self.score(node, history);
        }
        let rest = self.moves.get_mut(self.picked..)?;
        // The bits break ties, so that the order does not depend on how moves are swapped.
        let key = |it: &PickedMove| (it.score, it.packed.bits());
        let index = (0..rest.len()).max_by_key(|&index| key(&rest[index]))?;
        rest.swap(0, index);
        self.picked += 1;
        Some(rest[0])
    }

    fn score(&mut self, node: &Node, history: &History) {
        let undisturbed = node.undisturbed_gain();
        let attacked = node.pharaoh_attacked();
        for it in &mut self.moves[self.picked..] {
            it.score = history.get(node.side(), it.packed);
            if self.killers.contains(&it.packed) {
                it.score += KILLER;
            }
            if attacked && node.position.disturbs(it.mv, &node.theirs) {
                it.score += EVASION;
            }
            if node.disturbs_own_shot(it.mv) {
                let gain = node.gain_of(it.mv);
                it.tactical = gain > undisturbed.max(0);
                it.score += match gain - undisturbed {
                    0 => 0,
                    more @ 1.. => TACTICAL + 8 * more,
                    less => less * 8 - TACTICAL,
                };
            }
        }
    }
}

fn is_tactical(node: &Node, mv: Move<Square>, undisturbed: Value) -> bool {
    node.disturbs_own_shot(mv) && node.gain_of(mv) > undisturbed.max(0)
}

/// Returns the moves for quiescence, best first: those that gain more than `above`, and one that
/// leaves the beam unchanged if that gains something.
pub(super) fn quiescence_moves(node: &Node, above: Value) -> Vec<(Value, Move<Square>)> {
    let undisturbed = node.undisturbed_gain();
    let mut keeps_beam = false;
    let mut moves = Vec::new();
    for &mv in &node.position.legal_moves() {
        if node.disturbs_own_shot(mv) {
            let gain = node.gain_of(mv);
            if gain > above.max(undisturbed) {
                moves.push((gain, mv));
            }
        } else if undisturbed > above && !keeps_beam {
            keeps_beam = true;
            moves.push((undisturbed, mv));
        }
    }
    moves.sort_by_key(|&(gain, _)| std::cmp::Reverse(gain));
    moves
}
