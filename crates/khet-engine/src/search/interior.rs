//! The plies between the root and quiescence: principal variation search with its prunings, each
//! under its name.

use super::node::Node;
use super::quiets::Quiets;
use super::{Repetition, Worker};
use crate::history::Arrival;
use crate::ordering::{Picker, Scene};
use crate::packed::PackedMove;
use crate::reductions::reduction;
use crate::score::{DRAW, INFINITE, MAX_PLY, Value, WON, loss_at, win_at};
use crate::table::{Bound, Entry};

/// What is known of a node when its turns are tried.
struct Ahead {
    ply: usize,
    depth: i32,
    on_pv: bool,
    /// Our pharaoh is about to be lit.
    endangered: bool,
}

impl Worker<'_> {
    pub(super) fn search(
        &mut self,
        node: &Node,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        ply: usize,
        on_pv: bool,
    ) -> Value {
        self.visit(ply);
        self.pv[ply].clear();
        if self.stopped {
            return DRAW;
        }

        // Repetition. The claim depends on the game's history, so the floor limits what is returned
        // but never what is stored in the transposition table.
        let floor = match self.repetition(node) {
            Repetition::Draw => return DRAW,
            Repetition::Claim => DRAW,
            Repetition::None => -INFINITE,
        };
        alpha = alpha.max(floor);
        if alpha >= beta {
            return alpha;
        }

        // Mate distance pruning.
        alpha = alpha.max(loss_at(ply + 2));
        beta = beta.min(win_at(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        let key = node.position.key();
        let known = self.shared.table.probe(key, ply);
        if let Some(entry) = known
            && !on_pv
            && entry.depth >= depth
            && cuts(&entry, alpha, beta)
        {
            return entry.value.max(floor);
        }
        if ply >= MAX_PLY - 1 {
            return node.evaluate().max(floor);
        }
        if node.wins_at_once() {
            return win_at(ply + 1);
        }
        let endangered = node.endangered();

        let eval = match known {
            Some(entry) => entry.eval,
            None => node.evaluate(),
        };
        let known_move = known.map_or(PackedMove::NONE, |entry| entry.mv);

        if !on_pv && !endangered {
            // Reverse futility pruning.
            if depth <= 6 && eval - 70 * depth >= beta && eval < WON {
                return eval;
            }

            // Null move: the side passes and does not fire.
            if depth >= 3 && eval >= beta && beta > -WON && self.may_pass(ply) {
                let value = self.search_pass(node, beta, depth, ply, eval);
                if self.stopped {
                    return DRAW;
                }
                if let Some(value) = value {
                    return value;
                }
            }
        }

        let ahead = Ahead { ply, depth, on_pv, endangered };
        let mut picker = Picker::new(known_move, self.lists.pop());
        let (best, best_move) = self.search_moves(node, &ahead, &mut picker, alpha, beta);
        self.lists.push(picker.into_lists());
        if self.stopped {
            return DRAW;
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry { mv: best_move, value: best, eval, depth, bound };
        self.shared.table.store(key, ply, entry);
        best.max(floor)
    }

    /// Tries the moves one by one: the best value, and the move that reached it if it is above
    /// alpha.
    fn search_moves(
        &mut self,
        node: &Node,
        ahead: &Ahead,
        picker: &mut Picker,
        mut alpha: Value,
        beta: Value,
    ) -> (Value, PackedMove) {
        let Ahead { ply, depth, on_pv, endangered } = *ahead;
        let position = &node.position;
        let aim = node.aim();
        let before = self.arrivals_before(ply);
        let mut next = node.clone();
        let mut best = -INFINITE;
        let mut best_move = PackedMove::NONE;
        let mut quiets = Quiets::new();
        let mut count = 0;
        let last_quiet = match depth <= 8 && !endangered {
            true => (7 + depth * depth) as usize / 2,
            false => usize::MAX,
        };

        loop {
            // Late move pruning.
            if count >= last_quiet && best > -WON {
                picker.skip_quiets();
            }
            let memory = self.history.recall(node.side(), before);
            let Some(picked) = picker.next(&Scene { node, aim: &aim, memory }) else { break };
            let mv = picked.mv;
            let packed = PackedMove::from(mv);
            count += 1;
            let quiet = !picked.tactical;

            let table = (depth > 1).then_some(self.shared.table);
            let removed = node.play(&aim, mv, &mut next, table);
            let arrival = Arrival::new(position.get(mv.from()), mv.to());
            self.arrivals[ply] = arrival;
            let new_depth = depth - 1;
            self.pv[ply + 1].clear();
            let value = if let Some(value) = node.ended(&next, removed, ply) {
                value
            } else if count == 1 {
                -self.descend(&next, -beta, -alpha, new_depth, ply + 1, on_pv)
            } else {
                // Late move reductions.
                let mut reduced = new_depth;
                if depth >= 2 && count > 2 && quiet && !endangered {
                    let mut by = reduction(depth, count);
                    by -= i32::from(on_pv);
                    by -= picked.history / 8_192;
                    reduced = (new_depth - by).clamp(0, new_depth);
                }
                let mut value = -self.descend(&next, -alpha - 1, -alpha, reduced, ply + 1, false);
                if value > alpha && reduced < new_depth {
                    value = -self.descend(&next, -alpha - 1, -alpha, new_depth, ply + 1, false);
                }
                if on_pv && value > alpha && value < beta {
                    value = -self.descend(&next, -beta, -alpha, new_depth, ply + 1, true);
                }
                value
            };
            if self.stopped {
                return (DRAW, PackedMove::NONE);
            }

            if value > best {
                best = value;
                if value > alpha {
                    best_move = packed;
                    alpha = value;
                    if on_pv {
                        let (line, below) = self.pv.split_at_mut(ply + 1);
                        line[ply].set(packed, &below[0]);
                    }
                    if value >= beta {
                        if quiet {
                            self.reward(node, (packed, arrival), before, &quiets, depth);
                        }
                        break;
                    }
                }
            }
            if quiet {
                quiets.push(packed, arrival);
            }
        }

        if count == 0 {
            // No legal move at all: who can't move loses.
            best = loss_at(ply);
        }
        (best, best_move)
    }

    /// Remembers what refuted the position, and what did not.
    fn reward(
        &mut self,
        node: &Node,
        (packed, arrival): (PackedMove, Arrival),
        before: [Arrival; 2],
        quiets: &Quiets,
        depth: i32,
    ) {
        let bonus = (120 * depth).min(1_600);
        self.history.update(node.side(), packed, arrival, before, bonus);
        for (other, arrival) in quiets.iter() {
            self.history.update(node.side(), other, arrival, before, -bonus);
        }
    }

    fn arrivals_before(&self, ply: usize) -> [Arrival; 2] {
        let at =
            |back: usize| ply.checked_sub(back).map_or(Arrival::NONE, |ply| self.arrivals[ply]);
        [at(1), at(2)]
    }

    fn may_pass(&self, ply: usize) -> bool {
        ply > 0 && self.arrivals[ply - 1] != Arrival::NONE
    }

    /// What the other side can do if this one passes and does not fire. If even that is not
    /// enough for it, no move needs to be tried.
    fn search_pass(
        &mut self,
        node: &Node,
        beta: Value,
        depth: i32,
        ply: usize,
        eval: Value,
    ) -> Option<Value> {
        let reduced = depth - 3 - depth / 4 - ((eval - beta) / 150).min(3);
        let next = node.passed();
        self.arrivals[ply] = Arrival::NONE;
        // The same arrangement stands again, but by no move: not a repetition.
        self.keys.push(!next.position.arrangement_key());
        let value = if reduced <= 0 {
            -self.quiesce(&next, -beta, -beta + 1, ply + 1)
        } else {
            -self.search(&next, -beta, -beta + 1, reduced, ply + 1, false)
        };
        self.keys.pop();
        if value < beta || self.stopped {
            return None;
        }
        Some(if value >= WON { beta } else { value })
    }
}

/// Whether what is stored already decides the window.
fn cuts(entry: &Entry, alpha: Value, beta: Value) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value >= beta,
        Bound::Upper => entry.value <= alpha,
    }
}
