//! The first ply: the moves among which the search chooses.

use super::Worker;
use super::node::Node;
use crate::history::Arrival;
use crate::reductions::reduction;
use crate::score::{INFINITE, Value, WON};

impl Worker<'_> {
    /// Searches the root moves from `first` on with an aspiration window around the last value.
    pub(crate) fn iterate(&mut self, depth: i32, first: usize) {
        self.root_depth = depth;
        let guess = self.root_moves[first].previous;
        let mut delta = 20;
        let (mut alpha, mut beta) = if depth >= 4 && guess.abs() < WON {
            (guess - delta, guess + delta)
        } else {
            (-INFINITE, INFINITE)
        };
        loop {
            self.seldepth = 0;
            let value = self.search_root(alpha, beta, depth, first);
            self.root_moves[first..].sort_by_key(|root| std::cmp::Reverse(root.value));
            if self.stopped {
                return;
            }
            if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - delta).max(-INFINITE);
            } else if value >= beta {
                beta = (value + delta).min(INFINITE);
            } else {
                return;
            }
            delta += delta;
            if delta > 1_000 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    fn search_root(&mut self, mut alpha: Value, beta: Value, depth: i32, first: usize) -> Value {
        let root = Node::new(self.root);
        let aim = root.aim();
        let mut next = root.clone();
        let mut best = -INFINITE;
        for index in first..self.root_moves.len() {
            let mv = self.root_moves[index].mv;
            let removed = root.play(&aim, mv, &mut next, Some(self.shared.table));
            self.arrivals[0] = Arrival::new(root.position.get(mv.from()), mv.to());
            let count = index - first;
            self.pv[1].clear();
            let value = match root.ended(&next, removed, 0) {
                Some(value) => value,
                None if count == 0 => -self.descend(&next, -beta, -alpha, depth - 1, 1, true),
                None => {
                    let reduced = if count >= 4 && depth >= 3 {
                        depth - 1 - reduction(depth, count) / 2
                    } else {
                        depth - 1
                    };
                    let mut value = -self.descend(&next, -alpha - 1, -alpha, reduced, 1, false);
                    if value > alpha && reduced < depth - 1 {
                        value = -self.descend(&next, -alpha - 1, -alpha, depth - 1, 1, false);
                    }
                    if value > alpha {
                        value = -self.descend(&next, -beta, -alpha, depth - 1, 1, true);
                    }
                    value
                }
            };
            if self.stopped {
                return best;
            }
            let seldepth = self.seldepth;
            let line = self.pv[1];
            let root_move = &mut self.root_moves[index];
            if count == 0 || value > alpha {
                root_move.value = value;
                root_move.seldepth = seldepth;
                root_move.pv.truncate(1);
                root_move.pv.extend(line.moves());
            } else {
                root_move.value = -INFINITE;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
