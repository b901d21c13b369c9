//! The search: principal variation search (PVS) from the root to quiescence. Each pruning and
//! reduction stands under its usual name.

use std::cmp::Reverse;
use std::sync::atomic::Ordering;
use std::time::Duration;

use khet::Move;
use khet::tower::{Position, Square};

use super::history::History;
use super::move_picker::{MovePicker, quiescence_moves};
use super::node::Node;
use crate::SearchRoot;
use crate::limits::{Deadlines, Limits};
use crate::packed::PackedMove;
use crate::reductions::Reductions;
use crate::score::{DRAW, INFINITE, MAX_PLY, Value, WON, loss_at, win_at};
use crate::search::{AspirationWindow, Control, Repetition, RootMove, allows_cutoff};
use crate::transposition_table::{Bound, Entry, TranspositionTable};

/// Number of nodes after which the stop conditions are checked.
const POLL_INTERVAL: u64 = 1024;

/// Half the width of the first aspiration window. It doubles with each failed search.
const ASPIRATION_DELTA: Value = 30;
/// Deepest node at which reverse futility pruning is tried.
const RFP_MAX_DEPTH: i32 = 5;
/// Margin of reverse futility pruning per ply of depth.
const RFP_MARGIN: Value = 80;

/// Shallowest node at which a null move is tried.
const NMP_MIN_DEPTH: i32 = 3;
/// Reduction of a null move search, to which a quarter of the depth is added.
const NMP_REDUCTION: i32 = 3;

/// Deepest node at which late quiet moves are skipped.
const LMP_MAX_DEPTH: i32 = 4;
/// Number of moves after which quiet moves are skipped at depth 0.
const LMP_BASE: usize = 8;
/// The square of the depth times this is added to that number.
const LMP_DEPTH_FACTOR: usize = 3;

/// Shallowest node at which late moves are reduced.
const LMR_MIN_DEPTH: i32 = 2;
/// Number of moves that are never reduced.
const LMR_FULL_DEPTH_MOVES: usize = 3;
/// The reduction changes by one ply for each such amount of a move's history score.
const LMR_HISTORY_DIVISOR: i32 = 8_192;

/// Margin of delta pruning in quiescence.
const DELTA_MARGIN: Value = 150;

/// What a search needs besides its root: the tables of the engine, and when to stop.
pub(super) struct SearchContext<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) history: &'a mut History,
    pub(super) reductions: &'a Reductions,
    pub(super) control: Control<'a>,
    pub(super) limits: Limits,
    pub(super) deadlines: Option<Deadlines>,
}

/// Properties of a node that its move loop needs.
struct NodeContext {
    ply: usize,
    depth: i32,
    on_pv: bool,
    pharaoh_attacked: bool,
    tt_move: PackedMove,
}

/// A running search.
pub(super) struct Search<'a> {
    pub(super) context: SearchContext<'a>,
    root: Position,
    pub(super) root_moves: Vec<RootMove<Square>>,
    root_depth: i32,
    pub(super) nodes: u64,
    seldepth: usize,
    /// Arrangement keys from the start of the game to the current node.
    keys: Vec<u64>,
    /// The number of `keys` that belong to the game; the others belong to the path from the root.
    game_length: usize,
    /// Quiet moves that caused a beta cutoff, by ply.
    killers: Vec<[PackedMove; 2]>,
    /// The principal variation from each ply on.
    pv: Vec<Vec<Move<Square>>>,
    /// The node that is searched next follows a null move. Two of them in a row would only lose
    /// depth.
    after_null_move: bool,
    stopped: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        search_root: &SearchRoot<Position>,
        context: SearchContext<'a>,
    ) -> Search<'a> {
        Search {
            context,
            root: *search_root.position(),
            root_moves: search_root.moves().iter().copied().map(RootMove::new).collect(),
            root_depth: 0,
            nodes: 0,
            seldepth: 0,
            keys: search_root.keys().to_vec(),
            game_length: search_root.keys().len(),
            killers: vec![[PackedMove::NONE; 2]; MAX_PLY + 1],
            pv: vec![Vec::new(); MAX_PLY + 1],
            after_null_move: false,
            stopped: false,
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Returns the time that counts against the limits.
    pub(super) fn time(&self) -> Duration {
        match self.context.control.pondering.load(Ordering::Relaxed) {
            true => Duration::ZERO,
            false => (self.context.control.elapsed)(),
        }
    }

    /// Keeps the values of the last iteration for the next one.
    pub(super) fn start_iteration(&mut self) {
        for root in &mut self.root_moves {
            root.previous = root.latest_value();
        }
    }

    /// Searches the root moves from index `first` on with an aspiration window around the value of
    /// the last iteration.
    pub(super) fn iterate(&mut self, depth: i32, first: usize) {
        self.root_depth = depth;
        let guess = self.root_moves[first].previous;
        let mut window = AspirationWindow::around(guess, depth, ASPIRATION_DELTA);
        loop {
            self.seldepth = 0;
            let value = self.search_root(window.alpha, window.beta, depth, first);
            self.root_moves[first..].sort_by_key(|root| Reverse(root.value));
            if self.stopped || window.contains_or_widen(value) {
                return;
            }
        }
    }

    /// Searches the root moves from index `first` on. Returns the best value. A claim of a draw is
    /// not considered here: the score is the value of playing on, and the caller decides about the
    /// claim.
    fn search_root(&mut self, mut alpha: Value, beta: Value, depth: i32, first: usize) -> Value {
        let root = Node::new(self.root);
        let mut best = -INFINITE;
        for index in first..self.root_moves.len() {
            let (next, removed) = root.play(self.root_moves[index].mv);
            self.pv[1].clear();
            let is_first = index == first;
            let value = match root.terminal_value(&next, removed, 0) {
                Some(value) => value,
                None if is_first => -self.search_child(&next, -beta, -alpha, depth - 1, 1, true),
                None => {
                    let zero_window =
                        -self.search_child(&next, -alpha - 1, -alpha, depth - 1, 1, false);
                    if zero_window > alpha {
                        -self.search_child(&next, -beta, -alpha, depth - 1, 1, true)
                    } else {
                        zero_window
                    }
                }
            };
            if self.stopped {
                return best;
            }
            let root_move = &mut self.root_moves[index];
            if is_first || value > alpha {
                root_move.value = value;
                root_move.seldepth = self.seldepth;
                root_move.pv.truncate(1);
                root_move.pv.extend_from_slice(&self.pv[1]);
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

    /// Searches the position after a move, in quiescence if no depth is left.
    fn search_child(
        &mut self,
        next: &Node,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        on_pv: bool,
    ) -> Value {
        self.keys.push(next.position.repetition_key());
        let value = if depth <= 0 {
            self.quiesce(next, alpha, beta, ply)
        } else {
            self.search(next, alpha, beta, depth, ply, on_pv)
        };
        self.keys.pop();
        value
    }

    /// Searches a node and returns its value for the side to move (fail-soft).
    fn search(
        &mut self,
        node: &Node,
        mut alpha: Value,
        mut beta: Value,
        depth: i32,
        ply: usize,
        on_pv: bool,
    ) -> Value {
        let after_null_move = std::mem::take(&mut self.after_null_move);
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
        let tt_entry = self.context.table.probe(key, ply);
        if let Some(entry) = tt_entry
            && !on_pv
            && entry.depth >= depth
            && allows_cutoff(&entry, alpha, beta)
        {
            return entry.value.max(floor);
        }
        if ply >= MAX_PLY - 1 {
            return node.evaluate().max(floor);
        }
        if node.wins_immediately() {
            return win_at(ply + 1);
        }
        let pharaoh_attacked = node.pharaoh_attacked();
        let static_eval = tt_entry.map_or_else(|| node.evaluate(), |entry| entry.eval);

        if !on_pv && !pharaoh_attacked {
            // Reverse futility pruning (RFP)
            if depth <= RFP_MAX_DEPTH && static_eval - RFP_MARGIN * depth >= beta && beta > -WON {
                return static_eval;
            }

            // Null move pruning (NMP)
            if !after_null_move && depth >= NMP_MIN_DEPTH && static_eval >= beta && beta > -WON {
                let value = self.search_null_move(node, beta, depth, ply);
                if self.stopped {
                    return DRAW;
                }
                if let Some(value) = value {
                    return value;
                }
            }
        }

        let tt_move = tt_entry.map_or(PackedMove::NONE, |entry| entry.mv);
        let context = NodeContext { ply, depth, on_pv, pharaoh_attacked, tt_move };
        let (best, mv) = self.search_moves(node, &context, alpha, beta);
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
        self.context.table.store(
            key,
            ply,
            Entry { mv, value: best, eval: static_eval, depth, bound },
        );
        best.max(floor)
    }

    /// Searches the moves of a node. Returns the best value, and the best move if its value is
    /// above alpha.
    fn search_moves(
        &mut self,
        node: &Node,
        context: &NodeContext,
        mut alpha: Value,
        beta: Value,
    ) -> (Value, PackedMove) {
        let NodeContext { ply, depth, on_pv, pharaoh_attacked, tt_move } = *context;
        let side = node.side();
        let mut picker = MovePicker::new(node, tt_move, self.killers[ply]);
        let mut best = -INFINITE;
        let mut best_move = PackedMove::NONE;
        let mut tried_quiets = Vec::new();
        let mut count = 0;
        let lmp_count = match depth <= LMP_MAX_DEPTH && !pharaoh_attacked && !on_pv {
            true => LMP_BASE + LMP_DEPTH_FACTOR * (depth * depth) as usize,
            false => usize::MAX,
        };
        while let Some(picked) = picker.next(node, self.context.history) {
            let quiet = !picked.tactical;
            // Late move pruning (LMP)
            if quiet && count >= lmp_count && best > -WON {
                continue;
            }
            count += 1;
            let (next, removed) = node.play(picked.mv);
            let new_depth = depth - 1;
            self.pv[ply + 1].clear();
            let value = if let Some(value) = node.terminal_value(&next, removed, ply) {
                value
            } else if count == 1 {
                -self.search_child(&next, -beta, -alpha, new_depth, ply + 1, on_pv)
            } else {
                // Late move reductions (LMR)
                let mut reduced = new_depth;
                if depth >= LMR_MIN_DEPTH
                    && count > LMR_FULL_DEPTH_MOVES
                    && quiet
                    && !pharaoh_attacked
                {
                    let r = self.context.reductions.get(depth, count)
                        - i32::from(on_pv)
                        - self.context.history.get(side, picked.packed) / LMR_HISTORY_DIVISOR;
                    reduced = (new_depth - r).clamp(0, new_depth);
                }
                let mut value =
                    -self.search_child(&next, -alpha - 1, -alpha, reduced, ply + 1, false);
                if value > alpha && reduced < new_depth {
                    value =
                        -self.search_child(&next, -alpha - 1, -alpha, new_depth, ply + 1, false);
                }
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
                    best_move = picked.packed;
                    alpha = value;
                    if on_pv {
                        let (line, below) = self.pv.split_at_mut(ply + 1);
                        line[ply].clear();
                        line[ply].push(picked.mv);
                        line[ply].extend_from_slice(&below[0]);
                    }
                    if value >= beta {
                        if quiet {
                            self.context.history.reward(side, picked.packed, &tried_quiets, depth);
                            self.add_killer(ply, picked.packed);
                        }
                        break;
                    }
                }
            }
            if quiet {
                tried_quiets.push(picked.packed);
            }
        }
        if count == 0 {
            // A side without a legal move loses.
            best = loss_at(ply);
        }
        (best, best_move)
    }

    fn add_killer(&mut self, ply: usize, mv: PackedMove) {
        let killers = &mut self.killers[ply];
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
    }

    /// Lets the side to move pass without a shot. Returns the value if it still reaches beta.
    fn search_null_move(
        &mut self,
        node: &Node,
        beta: Value,
        depth: i32,
        ply: usize,
    ) -> Option<Value> {
        let reduced = depth - NMP_REDUCTION - depth / 4;
        let next = node.after_null_move();
        // The inverted key keeps the unchanged arrangement from counting as a repetition.
        self.keys.push(!next.position.repetition_key());
        let value = if reduced <= 0 {
            -self.quiesce(&next, -beta, -beta + 1, ply + 1)
        } else {
            self.after_null_move = true;
            -self.search(&next, -beta, -beta + 1, reduced, ply + 1, false)
        };
        self.keys.pop();
        if value < beta || self.stopped {
            return None;
        }
        // A forced win after a null move is not proven.
        Some(if value >= WON { beta } else { value })
    }

    /// Searches only moves whose shot hits a piece of the other side, until there are none.
    fn quiesce(&mut self, node: &Node, mut alpha: Value, beta: Value, ply: usize) -> Value {
        self.visit(ply);
        self.pv[ply].clear();
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
        let static_eval = node.evaluate();
        let mut best = static_eval.max(floor);
        alpha = alpha.max(best);
        if alpha >= beta || ply >= MAX_PLY - 1 {
            return best;
        }
        // Delta pruning: skips moves whose gain does not reach alpha.
        let above = (alpha - static_eval - DELTA_MARGIN).max(0);
        for (_, mv) in quiescence_moves(node, above) {
            let (next, removed) = node.play(mv);
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
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Counts a node and checks the stop conditions from time to time.
    fn visit(&mut self, ply: usize) {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        // The first iteration always completes, so that there is a best move.
        if self.root_depth <= 1 {
            return;
        }
        if self.nodes.is_multiple_of(POLL_INTERVAL) {
            let out_of_time =
                self.context.deadlines.is_some_and(|deadlines| self.time() >= deadlines.hard);
            self.stopped |= out_of_time || self.context.control.stop.load(Ordering::Relaxed);
        }
        self.stopped |= self.context.limits.nodes.is_some_and(|limit| self.nodes >= limit);
    }

    /// Returns the repetition status of a node.
    ///
    /// In the standard game a single repetition is a draw only on the path from the root. Here it is
    /// one in the game, too: the opponent can undo each move of the tower with the next one, and
    /// otherwise two engines do so until the third occurrence.
    fn repetition(&self, node: &Node) -> Repetition {
        let draw_claim_at = node.position.rules().draw_claim_at();
        let status = Repetition::of_last(&self.keys, self.game_length, draw_claim_at);
        let (game, path) = self.keys.split_at(self.game_length);
        let is_in_game = path.last().is_some_and(|key| game.contains(key));
        if status == Repetition::None && is_in_game { Repetition::Draw } else { status }
    }
}
