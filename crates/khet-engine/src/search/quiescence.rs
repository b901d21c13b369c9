//! Where the search ends: only turns that make the shot hit something, until the position is calm.

use super::node::Node;
use super::{Worker, cuts};
use crate::ordering::{Promising, gain, standing_gain};
use crate::packed::PackedTurn;
use crate::score::{DRAW, MAX_PLY, Value, win_at};
use crate::table::{Bound, Entry};

impl Worker<'_> {
    /// Quiescence: only turns that make the shot hit something of the other side, until the
    /// position is calm.
    pub(super) fn quiesce(
        &mut self,
        node: &Node,
        mut alpha: Value,
        beta: Value,
        ply: usize,
        plies: usize,
    ) -> Value {
        self.visit(ply);
        if self.stopped {
            return DRAW;
        }
        if self.repetitions().1 > 0 {
            return DRAW;
        }
        let key = node.position.key();
        if node.wins_at_once() {
            return win_at(ply + 1);
        }
        if ply >= MAX_PLY - 1 {
            return node.evaluate();
        }
        let known = if plies == 0 { self.shared.table.probe(key, ply) } else { None };
        if let Some(entry) = known
            && cuts(&entry, alpha, beta)
        {
            return entry.value;
        }

        let eval = known.map_or_else(|| node.evaluate(), |entry| entry.eval);
        let mut best = eval;
        alpha = alpha.max(best);
        if alpha >= beta {
            return best;
        }

        let aim = node.aim();
        let mut promising = Promising::new(self.lists.pop());
        let standing = standing_gain(node).max(0);
        let side = node.side();
        aim.each_disturbing_choice(|choice, spoils| {
            let gained = gain(side, spoils) - standing;
            // Delta pruning with what the turn gains over leaving the beam alone.
            if gained > 0 && eval + gained + 120 > alpha {
                choice.turns().for_each(|turn| promising.push(gained, turn));
            }
        });
        let mut best_turn = PackedTurn::NONE;
        while let Some(turn) = promising.next() {
            let (next, removed) = node.play(&aim, turn, self.shared.table);
            let value = match node.ended(&next, removed, ply) {
                Some(value) => value,
                None => {
                    self.keys.push(next.position.arrangement_key());
                    let value = -self.quiesce(&next, -beta, -alpha, ply + 1, plies + 1);
                    self.keys.pop();
                    value
                }
            };
            if self.stopped {
                return DRAW;
            }
            if value > best {
                best = value;
                best_turn = PackedTurn::from(turn);
                if value > alpha {
                    alpha = value;
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        self.lists.push(promising.into_lists());
        if plies == 0 {
            let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
            let entry = Entry { turn: best_turn, value: best, eval, depth: 0, bound };
            self.shared.table.store(key, ply, entry);
        }
        best
    }
}
