//! Quiescence search: after the last ply, only moves whose shot hits something.

use super::node::Node;
use super::{Repetition, Worker};
use crate::move_picker::{QuiescenceMoves, capture_values, undisturbed_gain};
use crate::score::{DRAW, INFINITE, MAX_PLY, Value, win_at};

impl Worker<'_> {
    /// Searches only moves whose shot hits a piece of the other side, until there are none.
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
        if node.wins_immediately() {
            return win_at(ply + 1);
        }
        if ply >= MAX_PLY - 1 {
            return node.evaluate(self.shared.network).max(floor);
        }

        let static_eval = node.evaluate(self.shared.network);
        let mut best = static_eval.max(floor);
        alpha = alpha.max(best);
        if alpha >= beta {
            return best;
        }

        let aim = node.aim();
        let mut moves = QuiescenceMoves::new(self.buffers.pop());
        let undisturbed = undisturbed_gain(node).max(0);
        let side = node.side();
        // Delta pruning: skips moves whose gain does not reach alpha.
        let delta_margin = self.shared.parameters.delta_margin;
        let above = undisturbed + (alpha - static_eval - delta_margin).max(0);
        aim.each_disturbing_move(capture_values(side), above, |choice, targets, gained| {
            targets.into_iter().for_each(|to| moves.push(gained, choice.with_target(to)));
        });
        let mut next = node.clone();
        while let Some(mv) = moves.next() {
            let removed = node.play(&aim, mv, &mut next, self.shared.network, None);
            let value = match node.terminal_value(&next, removed, ply) {
                Some(value) => value,
                None => {
                    self.keys.push(next.position.repetition_key());
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
        self.buffers.push(moves.into_buffer());
        best
    }
}
