//! The root of the search, with aspiration windows. A claim of a draw is not considered here: the
//! score is the value of playing on, and the caller decides about the claim.

use std::collections::VecDeque;

use super::node::Node;
use super::{AspirationWindow, SharedSearch, Worker};
use crate::history::PieceTo;
use crate::packed::PackedMove;
use crate::score::{INFINITE, Value};

/// Number of root moves that are never reduced.
const ROOT_LMR_FULL_DEPTH_MOVES: usize = 4;
/// Shallowest iteration with late move reductions at the root.
const ROOT_LMR_MIN_DEPTH: i32 = 3;

impl Worker<'_> {
    /// Searches the root moves from `first` on with an aspiration window around the value of the
    /// last iteration.
    pub(crate) fn iterate(&mut self, depth: i32, first: usize) {
        self.root_depth = depth;
        let guess = self.root_moves[first].previous;
        let delta = self.shared.parameters.aspiration_delta;
        let mut window = AspirationWindow::around(guess, depth, delta);
        loop {
            self.seldepth = 0;
            let value = self.search_root(window.alpha, window.beta, depth, first);
            self.root_moves[first..].sort_by_key(|root| std::cmp::Reverse(root.value));
            if self.stopped || window.contains_or_widen(value) {
                return;
            }
        }
    }

    /// Searches the root moves from index `first` on. Returns the best value.
    fn search_root(&mut self, mut alpha: Value, beta: Value, depth: i32, first: usize) -> Value {
        let SharedSearch { network, table, reductions, busy_moves, .. } = self.shared;
        let root = Node::new(self.root, network);
        let aim = root.aim();
        let mut next = root.clone();
        let mut best = -INFINITE;
        // Moves that other threads are searching come last.
        let mut deferred = VecDeque::new();
        let mut indices = first..self.root_moves.len();
        loop {
            let index = match indices.next() {
                Some(index) => {
                    let mv = PackedMove::from(self.root_moves[index].mv);
                    if index > first && busy_moves.is_busy(root.position.key(), mv, depth) {
                        deferred.push_back(index);
                        continue;
                    }
                    index
                }
                None => match deferred.pop_front() {
                    Some(index) => index,
                    None => break,
                },
            };
            let mv = self.root_moves[index].mv;
            let removed = root.play(&aim, mv, &mut next, network, Some(table));
            self.piece_tos[0] = PieceTo::new(root.position.get(mv.from()), mv.to());
            let count = index - first;
            self.pv[1].clear();
            let value = match root.terminal_value(&next, removed, 0) {
                Some(value) => value,
                None if count == 0 => -self.search_child(&next, -beta, -alpha, depth - 1, 1, true),
                None => {
                    let reduced =
                        if count >= ROOT_LMR_FULL_DEPTH_MOVES && depth >= ROOT_LMR_MIN_DEPTH {
                            depth - 1 - reductions.get(depth, count) / 2
                        } else {
                            depth - 1
                        };
                    let packed = PackedMove::from(mv);
                    let busy = busy_moves.mark(root.position.key(), packed, depth);
                    let mut value =
                        -self.search_child(&next, -alpha - 1, -alpha, reduced, 1, false);
                    if value > alpha && reduced < depth - 1 {
                        value = -self.search_child(&next, -alpha - 1, -alpha, depth - 1, 1, false);
                    }
                    drop(busy);
                    if value > alpha {
                        value = -self.search_child(&next, -beta, -alpha, depth - 1, 1, true);
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
