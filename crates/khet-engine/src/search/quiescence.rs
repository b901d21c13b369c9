//! Where the search ends: only moves that make the shot hit something, until the position is calm.

use super::node::Node;
use super::{Repetition, Worker};
use crate::ordering::{Promising, standing_gain, worth};
use crate::score::{DRAW, INFINITE, MAX_PLY, Value, win_at};

impl Worker<'_> {
    /// Quiescence: only moves that make the shot hit something of the other side, until the
    /// position is calm.
    pub(super) fn quiesce(
        &mut self,
        node: &Node,
        mut alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        self.visit(ply);
        if self.stopped {
            return DRAW;
        }
        let floor = match self.repetition(node) {
            Repetition::Draw => return DRAW,
            Repetition::Claim => DRAW,
            Repetition::None => -INFINITE,
        };
        if node.wins_at_once() {
            return win_at(ply + 1);
        }
        if ply >= MAX_PLY - 1 {
            return node.evaluate().max(floor);
        }

        let eval = node.evaluate();
        let mut best = eval.max(floor);
        alpha = alpha.max(best);
        if alpha >= beta {
            return best;
        }

        let aim = node.aim();
        let mut promising = Promising::new(self.lists.pop());
        let standing = standing_gain(node).max(0);
        let side = node.side();
        // Delta pruning with what the move gains over leaving the beam alone.
        let above = standing + (alpha - eval - 120).max(0);
        aim.each_disturbing_choice(worth(side), above, |choice, targets, gained| {
            targets.into_iter().for_each(|to| promising.push(gained, choice.mv(to)));
        });
        let mut next = node.clone();
        while let Some(mv) = promising.next() {
            let removed = node.play(&aim, mv, &mut next, None);
            let value = match node.ended(&next, removed, ply) {
                Some(value) => value,
                None => {
                    self.keys.push(next.position.arrangement_key());
                    let value = -self.quiesce(&next, -beta, -alpha, ply + 1);
                    self.keys.pop();
                    value
                }
            };
            if self.stopped {
                return DRAW;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        self.lists.push(promising.into_lists());
        best
    }
}
