//! The plies between the root and quiescence: principal variation search (PVS). Each pruning and
//! reduction stands under its usual name.

use std::collections::VecDeque;

use super::node::Node;
use super::tried_quiets::TriedQuiets;
use super::{Repetition, Worker};
use crate::history::PieceTo;
use crate::move_picker::{MovePicker, PickContext};
use crate::packed::PackedMove;
use crate::score::{DRAW, INFINITE, MAX_PLY, Value, WON, loss_at, win_at};
use crate::transposition_table::{Bound, Entry};

/// Shallowest node at which a null move is tried.
const NMP_MIN_DEPTH: i32 = 3;
/// Limit of the reduction by the static evaluation.
const NMP_MAX_EVAL_REDUCTION: i32 = 3;

/// Shallowest node at which late moves are reduced.
const LMR_MIN_DEPTH: i32 = 2;
/// Number of moves that are never reduced.
const LMR_FULL_DEPTH_MOVES: usize = 2;

/// Shallowest node at which a singular extension is tried.
const SINGULAR_MIN_DEPTH: i32 = 6;
/// The depth of a table entry may be smaller than that of the node by this much for its move to be
/// tried for singularity.
const SINGULAR_ENTRY_DEPTH: i32 = 3;
/// All other moves must be worse than the table's value by this much per ply of depth.
const SINGULAR_MARGIN: Value = 2;

/// Properties of a node that its move loop needs.
struct NodeContext {
    ply: usize,
    depth: i32,
    on_pv: bool,
    pharaoh_attacked: bool,
    /// The table has a lower bound for the node, so one of its first moves probably fails high.
    expects_cutoff: bool,
    /// The singular move, which is searched one ply deeper.
    singular: PackedMove,
    /// The move that is left out.
    excluded: PackedMove,
}

impl Worker<'_> {
    /// Searches a node and returns its value for the side to move (fail-soft).
    pub(super) fn search(
        &mut self,
        node: &Node,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        ply: usize,
        on_pv: bool,
    ) -> Value {
        let excluded = std::mem::replace(&mut self.excluded, PackedMove::NONE);
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

        // Mate distance pruning
        alpha = alpha.max(loss_at(ply + 2));
        beta = beta.min(win_at(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        let key = node.position.key();
        let tt_entry = self.shared.table.probe(key, ply);
        if let Some(entry) = tt_entry
            && !on_pv
            && excluded == PackedMove::NONE
            && entry.depth >= depth
            && allows_cutoff(&entry, alpha, beta)
        {
            return entry.value.max(floor);
        }
        if ply >= MAX_PLY - 1 {
            return node.evaluate(self.shared.network).max(floor);
        }
        if node.wins_immediately() {
            return win_at(ply + 1);
        }
        let pharaoh_attacked = node.pharaoh_attacked();

        let static_eval = match tt_entry {
            Some(entry) => entry.eval,
            None => node.evaluate(self.shared.network),
        };
        let tt_move = tt_entry.map_or(PackedMove::NONE, |entry| entry.mv);

        let parameters = &self.shared.parameters;
        if !on_pv && !pharaoh_attacked && excluded == PackedMove::NONE {
            // Reverse futility pruning (RFP)
            if depth <= parameters.rfp_max_depth
                && static_eval - parameters.rfp_margin * depth >= beta
                && static_eval < WON
            {
                return static_eval;
            }

            // Null move pruning (NMP)
            if depth >= NMP_MIN_DEPTH
                && static_eval >= beta
                && beta > -WON
                && self.null_move_allowed(ply)
            {
                let value = self.search_null_move(node, beta, depth, ply, static_eval);
                if self.stopped {
                    return DRAW;
                }
                if let Some(value) = value {
                    return value;
                }
            }
        }

        // Singular extension
        let mut singular = PackedMove::NONE;
        if let Some(entry) = tt_entry
            && depth >= SINGULAR_MIN_DEPTH
            && excluded == PackedMove::NONE
            && tt_move != PackedMove::NONE
            && entry.depth >= depth - SINGULAR_ENTRY_DEPTH
            && entry.bound != Bound::Upper
            && entry.value.abs() < WON
        {
            let limit = entry.value - SINGULAR_MARGIN * depth;
            self.excluded = tt_move;
            let value = self.search(node, limit - 1, limit, (depth - 1) / 2, ply, false);
            if self.stopped {
                return DRAW;
            }
            if value < limit {
                singular = tt_move;
            } else if limit >= beta {
                // Multi-cut: another move fails high as well.
                return limit.max(floor);
            }
        }

        let context = NodeContext {
            ply,
            depth,
            on_pv,
            pharaoh_attacked,
            expects_cutoff: tt_entry.is_some_and(|entry| entry.bound == Bound::Lower),
            singular,
            excluded,
        };
        let mut picker = MovePicker::new(tt_move, self.buffers.pop());
        let (best, best_move) = self.search_moves(node, &context, &mut picker, alpha, beta);
        self.buffers.push(picker.into_buffer());
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
        if excluded == PackedMove::NONE {
            let entry = Entry { mv: best_move, value: best, eval: static_eval, depth, bound };
            self.shared.table.store(key, ply, entry);
        }
        best.max(floor)
    }

    /// Searches the moves of a node. Returns the best value, and the best move if its value is
    /// above alpha.
    fn search_moves(
        &mut self,
        node: &Node,
        context: &NodeContext,
        picker: &mut MovePicker,
        mut alpha: Value,
        beta: Value,
    ) -> (Value, PackedMove) {
        let NodeContext { ply, depth, on_pv, pharaoh_attacked, excluded, .. } = *context;
        let position = &node.position;
        let aim = node.aim();
        let previous = self.previous_piece_tos(ply);
        let mut next = node.clone();
        let mut best = -INFINITE;
        let mut best_move = PackedMove::NONE;
        let mut quiets = TriedQuiets::new();
        let mut count = 0;
        // Moves that other threads are searching, with their numbers.
        let mut deferred = VecDeque::new();
        let shared = self.shared;
        let parameters = &shared.parameters;
        let lmp_count = match depth <= parameters.lmp_max_depth && !pharaoh_attacked {
            true => {
                let in_64ths = parameters.lmp_base + parameters.lmp_depth_share * depth * depth;
                in_64ths as usize / 64
            }
            false => usize::MAX,
        };

        loop {
            // Late move pruning (LMP)
            if count >= lmp_count && best > -WON {
                picker.skip_quiets();
            }
            let history = self.history.view(node.side(), previous);
            let (picked, number) = match picker.next(&PickContext { node, aim: &aim, history }) {
                Some(picked) => {
                    let packed = PackedMove::from(picked.mv);
                    if packed == excluded {
                        continue;
                    }
                    count += 1;
                    if count > 1 && shared.busy_moves.is_busy(position.key(), packed, depth) {
                        deferred.push_back((picked, count));
                        continue;
                    }
                    (picked, count)
                }
                None => match deferred.pop_front() {
                    Some(deferred) => deferred,
                    None => break,
                },
            };
            let mv = picked.mv;
            let packed = PackedMove::from(mv);
            let quiet = !picked.tactical;

            let table = (depth > 1).then_some(self.shared.table);
            let removed = node.play(&aim, mv, &mut next, self.shared.network, table);
            let piece_to = PieceTo::new(position.get(mv.from()), mv.to());
            self.piece_tos[ply] = piece_to;
            let new_depth = depth - 1 + i32::from(packed == context.singular);
            self.pv[ply + 1].clear();
            let value = if let Some(value) = node.terminal_value(&next, removed, ply) {
                value
            } else if number == 1 {
                -self.search_child(&next, -beta, -alpha, new_depth, ply + 1, on_pv)
            } else {
                // Late move reductions (LMR)
                let mut reduced = new_depth;
                if depth >= LMR_MIN_DEPTH
                    && number > LMR_FULL_DEPTH_MOVES
                    && quiet
                    && !pharaoh_attacked
                {
                    let mut r = shared.reductions.get(depth, number);
                    r -= i32::from(on_pv);
                    r += i32::from(context.expects_cutoff);
                    r -= picked.history / parameters.lmr_history_divisor;
                    reduced = (new_depth - r).clamp(0, new_depth);
                }
                let busy = shared.busy_moves.mark(position.key(), packed, depth);
                let mut value =
                    -self.search_child(&next, -alpha - 1, -alpha, reduced, ply + 1, false);
                if value > alpha && reduced < new_depth {
                    value =
                        -self.search_child(&next, -alpha - 1, -alpha, new_depth, ply + 1, false);
                }
                drop(busy);
                if on_pv && value > alpha && value < beta {
                    value = -self.search_child(&next, -beta, -alpha, new_depth, ply + 1, true);
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
                            self.update_history(node, (packed, piece_to), previous, &quiets, depth);
                        }
                        break;
                    }
                }
            }
            if quiet {
                quiets.push(packed, piece_to);
            }
        }

        if count == 0 {
            // A side without a legal move loses. If one move was left out, nothing is known.
            best = if excluded == PackedMove::NONE { loss_at(ply) } else { alpha };
        }
        (best, best_move)
    }

    /// Rewards the quiet move that caused a beta cutoff and penalizes the quiet moves tried before.
    fn update_history(
        &mut self,
        node: &Node,
        (packed, piece_to): (PackedMove, PieceTo),
        previous: [PieceTo; 2],
        quiets: &TriedQuiets,
        depth: i32,
    ) {
        let parameters = &self.shared.parameters;
        let bonus = (parameters.history_bonus * depth).min(parameters.max_history_bonus);
        self.history.update(node.side(), packed, piece_to, previous, bonus);
        for (other, piece_to) in quiets.iter() {
            self.history.update(node.side(), other, piece_to, previous, -bonus);
        }
    }

    /// Returns the piece and target square of the moves one and two plies ago.
    fn previous_piece_tos(&self, ply: usize) -> [PieceTo; 2] {
        let at =
            |back: usize| ply.checked_sub(back).map_or(PieceTo::NONE, |ply| self.piece_tos[ply]);
        [at(1), at(2)]
    }

    /// Two null moves in a row would only lose depth.
    fn null_move_allowed(&self, ply: usize) -> bool {
        ply > 0 && self.piece_tos[ply - 1] != PieceTo::NONE
    }

    /// Lets the side to move pass without a shot. Returns the value if it still reaches beta.
    fn search_null_move(
        &mut self,
        node: &Node,
        beta: Value,
        depth: i32,
        ply: usize,
        static_eval: Value,
    ) -> Option<Value> {
        let parameters = &self.shared.parameters;
        let by_eval =
            ((static_eval - beta) / parameters.nmp_eval_margin).min(NMP_MAX_EVAL_REDUCTION);
        let by_depth = (parameters.nmp_reduction + parameters.nmp_depth_share * depth) / 64;
        let reduced = depth - by_depth - by_eval;
        let next = node.after_null_move();
        self.piece_tos[ply] = PieceTo::NONE;
        // The inverted key keeps the unchanged arrangement from counting as a repetition.
        self.keys.push(!next.position.repetition_key());
        let value = if reduced <= 0 {
            -self.quiesce(&next, -beta, -beta + 1, ply + 1)
        } else {
            -self.search(&next, -beta, -beta + 1, reduced, ply + 1, false)
        };
        self.keys.pop();
        if value < beta || self.stopped {
            return None;
        }
        // A forced win after a null move is not proven.
        Some(if value >= WON { beta } else { value })
    }
}

/// Returns whether a table entry decides the search window.
pub(crate) fn allows_cutoff(entry: &Entry, alpha: Value, beta: Value) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value >= beta,
        Bound::Upper => entry.value <= alpha,
    }
}
