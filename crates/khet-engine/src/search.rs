//! The search of one thread: principal variation search with its prunings, each under its name.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use khet::{Aim, Bitboard, Color, Position, Sweep, Turn};

use crate::evaluate::evaluate;
use crate::history::{Arrival, History};
use crate::limits::{Deadlines, Limits};
use crate::ordering::{Picker, Scene, gain, standing_gain};
use crate::packed::PackedTurn;
use crate::reductions::reduction;
use crate::score::{DRAW, INFINITE, MAX_PLY, Value, WON, loss_at, win_at};
use crate::table::{Bound, Entry, Table};

/// What the threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) control: Control<'a>,
    /// The first thread has finished.
    pub(crate) done: AtomicBool,
    pub(crate) nodes: AtomicU64,
    pub(crate) limits: Limits,
    pub(crate) deadlines: Option<Deadlines>,
}

/// How a search that is under way is steered from outside.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Set to end the search.
    pub stop: &'a AtomicBool,
    /// As long as it is set, time limits do not count: it is the other player's time.
    pub pondering: &'a AtomicBool,
    /// Tells the time since the search began, or since pondering ended.
    pub elapsed: &'a (dyn Fn() -> Duration + Sync),
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").finish_non_exhaustive()
    }
}

impl Shared<'_> {
    /// The time that counts against the limits.
    pub(crate) fn time(&self) -> Duration {
        if self.control.pondering.load(Ordering::Relaxed) {
            Duration::ZERO
        } else {
            (self.control.elapsed)()
        }
    }
}

/// How often, in nodes, a thread looks at the clock and tells the others of its nodes.
const POLL: u64 = 1024;

/// What the search knows of a ply on the way to the position at hand.
#[derive(Clone, Copy, Default)]
struct Frame {
    eval: Value,
    /// How the turn played here left its piece; none for a pass.
    arrival: Option<Arrival>,
    killers: [PackedTurn; 2],
    /// A turn that is left out, to see whether the others come close.
    excluded: PackedTurn,
}

/// A turn at the root.
#[derive(Clone, Debug)]
pub(crate) struct RootTurn {
    pub(crate) turn: Turn,
    pub(crate) value: Value,
    pub(crate) previous: Value,
    pub(crate) seldepth: usize,
    pub(crate) pv: Vec<Turn>,
}

impl RootTurn {
    /// The value of this iteration, or of the last one if this one did not reach it.
    pub(crate) fn shown(&self) -> Value {
        if self.value == -INFINITE { self.previous } else { self.value }
    }
}

/// One thread.
pub(crate) struct Worker<'a> {
    shared: &'a Shared<'a>,
    pub(crate) nodes: u64,
    reported: u64,
    seldepth: usize,
    /// Arrangements from the start of the game to the position at hand.
    keys: Vec<u64>,
    /// How many of them belong to the game.
    played: usize,
    frames: Box<[Frame; MAX_PLY + 2]>,
    history: &'a mut History,
    pv: Box<[Line; MAX_PLY + 1]>,
    pub(crate) root_turns: Vec<RootTurn>,
    root: Position,
    root_depth: i32,
    /// No passes before this ply, while one is being verified.
    no_pass_before: usize,
    stopped: bool,
}

/// The best turns from a ply on.
#[derive(Clone, Copy)]
struct Line {
    turns: [PackedTurn; MAX_PLY],
    length: usize,
}

/// A node as its parts see it.
struct Node<'a> {
    position: &'a Position,
    own: Sweep,
    theirs: Sweep,
    ply: usize,
}

impl<'a> Node<'a> {
    fn new(position: &'a Position, ply: usize) -> Node<'a> {
        let side = position.side_to_move();
        Node { position, own: position.sweep(side), theirs: position.sweep(!side), ply }
    }

    /// Needed for playing turns. It is a copy of the position: made only when it comes to that.
    fn aim(&self) -> Aim<'a> {
        self.position.aim_along(self.own)
    }

    fn side(&self) -> Color {
        self.position.side_to_move()
    }

    /// Whether the other player lights our pharaoh unless something is done.
    fn endangered(&self) -> bool {
        strikes_pharaoh(self.position, self.theirs.removed, self.side())
    }
}

fn strikes_pharaoh(position: &Position, removed: Bitboard, color: Color) -> bool {
    !removed.is_empty() && position.pharaoh(color).is_some_and(|square| removed.has(square))
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        root: Position,
        keys: &[u64],
        turns: &[Turn],
        history: &'a mut History,
    ) -> Worker<'a> {
        let root_turn = |&turn: &Turn| RootTurn {
            turn,
            value: -INFINITE,
            previous: -INFINITE,
            seldepth: 0,
            pv: vec![turn],
        };
        Worker {
            shared,
            nodes: 0,
            reported: 0,
            seldepth: 0,
            keys: keys.to_vec(),
            played: keys.len(),
            frames: Box::new([Frame::default(); MAX_PLY + 2]),
            history,
            pv: Box::new([Line { turns: [PackedTurn::NONE; MAX_PLY], length: 0 }; MAX_PLY + 1]),
            root_turns: turns.iter().map(root_turn).collect(),
            root,
            root_depth: 0,
            no_pass_before: 0,
            stopped: false,
        }
    }

    pub(crate) fn stopped(&self) -> bool {
        self.stopped
    }

    /// Searches the root turns from `first` on with an aspiration window around the last value.
    pub(crate) fn iterate(&mut self, depth: i32, first: usize) {
        self.root_depth = depth;
        let guess = self.root_turns[first].previous;
        let mut delta = 20;
        let (mut alpha, mut beta) = if depth >= 4 && guess.abs() < WON {
            (guess - delta, guess + delta)
        } else {
            (-INFINITE, INFINITE)
        };
        loop {
            self.seldepth = 0;
            let value = self.search_root(alpha, beta, depth, first);
            self.root_turns[first..].sort_by_key(|root| std::cmp::Reverse(root.value));
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
        let root = self.root;
        let aim = root.aim();
        let mut best = -INFINITE;
        for index in first..self.root_turns.len() {
            let turn = self.root_turns[index].turn;
            let (next, removed) = aim.play(turn);
            self.frames[0].arrival = Some(Arrival::new(root.get(turn.from()), turn.to()));
            let count = index - first;
            self.pv[1].length = 0;
            let value = match self.ended(&root, &next, removed, 0) {
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
            let root_turn = &mut self.root_turns[index];
            if count == 0 || value > alpha {
                root_turn.value = value;
                root_turn.seldepth = seldepth;
                root_turn.pv.truncate(1);
                let rest = line.turns[..line.length].iter().filter_map(|packed| packed.turn());
                root_turn.pv.extend(rest);
            } else {
                root_turn.value = -INFINITE;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// Searches the position after a turn, which is on the way back to its parent.
    fn descend(
        &mut self,
        next: &Position,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        on_pv: bool,
    ) -> Value {
        self.keys.push(next.arrangement_key());
        let value = if depth <= 0 {
            self.quiesce(next, alpha, beta, ply, 0)
        } else {
            self.search(next, alpha, beta, depth, ply, on_pv)
        };
        self.keys.pop();
        value
    }

    /// The value of a turn whose shot ended the game, for the player who fired.
    fn ended(
        &self,
        before: &Position,
        next: &Position,
        removed: Bitboard,
        ply: usize,
    ) -> Option<Value> {
        if removed.is_empty() {
            return None;
        }
        let side = before.side_to_move();
        match (next.pharaoh(side).is_none(), next.pharaoh(!side).is_none()) {
            (false, false) => None,
            (true, true) => Some(DRAW),
            (true, false) => Some(loss_at(ply + 1)),
            (false, true) => Some(win_at(ply + 1)),
        }
    }

    /// Counts a node, and from time to time looks whether the search must end.
    fn visit(&mut self, ply: usize) {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        // The first iteration takes no time, and without it there is nothing to answer.
        if self.root_depth <= 1 {
            return;
        }
        if self.nodes - self.reported >= POLL {
            self.report_nodes();
            let shared = self.shared;
            let told =
                shared.control.stop.load(Ordering::Relaxed) || shared.done.load(Ordering::Relaxed);
            if told || self.is_out_of_time() {
                self.stopped = true;
            }
        }
        if self.shared.limits.nodes.is_some_and(|limit| self.node_count() >= limit) {
            self.stopped = true;
        }
    }

    /// The nodes of all threads, as far as they have been reported.
    pub(crate) fn node_count(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.reported
    }

    pub(crate) fn report_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.reported, Ordering::Relaxed);
        self.reported = self.nodes;
    }

    fn is_out_of_time(&self) -> bool {
        self.shared.deadlines.is_some_and(|deadlines| self.shared.time() >= deadlines.hard)
    }

    /// How often the arrangement at hand stood before: in the game, and on the way from the root.
    fn repetitions(&self) -> (usize, usize) {
        let Some((now, before)) = self.keys.split_last() else { return (0, 0) };
        let (game, way) = before.split_at(self.played.min(before.len()));
        let count = |keys: &[u64]| keys.iter().filter(|&key| key == now).count();
        (count(game), count(way))
    }

    fn search(
        &mut self,
        position: &Position,
        mut alpha: Value,
        mut beta: Value,
        mut depth: i32,
        ply: usize,
        on_pv: bool,
    ) -> Value {
        self.visit(ply);
        self.pv[ply].length = 0;
        if self.stopped {
            return DRAW;
        }

        // Repetition: on the way from the root once is enough, and the game's own count as the
        // rules have it; then the player to move may claim a draw.
        let (game, way) = self.repetitions();
        if way > 0 {
            return DRAW;
        }
        if game + 1 >= position.rules().draw_claim_at() {
            alpha = alpha.max(DRAW);
            if alpha >= beta {
                return alpha;
            }
        }

        // Mate distance pruning.
        alpha = alpha.max(loss_at(ply + 2));
        beta = beta.min(win_at(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        let excluded = self.frames[ply].excluded;
        let key = position.key() ^ u64::from(excluded.bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.shared.table.prefetch(key);
        let node = Node::new(position, ply);
        let known = self.shared.table.probe(key, ply);
        if let Some(entry) = known
            && !on_pv
            && entry.depth >= depth
            && cuts(&entry, alpha, beta)
        {
            return entry.value;
        }
        if ply >= MAX_PLY - 1 {
            return self.stand_pat(&node);
        }
        if let Some(value) = self.wins_at_once(&node) {
            return value;
        }
        let endangered = node.endangered();

        let eval = match known {
            Some(entry) => entry.eval,
            None => self.stand_pat(&node),
        };
        self.frames[ply].eval = eval;
        self.frames[ply + 1].killers = [PackedTurn::NONE; 2];
        let improving = !endangered && ply >= 2 && eval > self.frames[ply - 2].eval;
        let known_turn = known.and_then(|entry| entry.turn.turn());

        if !on_pv && !endangered && excluded == PackedTurn::NONE {
            // Reverse futility pruning.
            let margin = 60 * (depth - i32::from(improving));
            if depth <= 7 && eval - margin >= beta && eval < WON {
                return eval;
            }

            // Razoring.
            if depth <= 3 && eval + 150 * depth <= alpha {
                let value = self.quiesce(position, alpha, beta, ply, 0);
                if value <= alpha {
                    return value;
                }
            }

            // Null turn: the side passes and does not fire.
            if depth >= 3 && eval >= beta && beta > -WON && self.may_pass(ply) {
                let value = self.search_pass(&node, beta, depth, eval);
                if self.stopped {
                    return DRAW;
                }
                if let Some(value) = value {
                    return value;
                }
            }
        }

        // Internal iterative reduction.
        if depth >= 4 && known_turn.is_none() {
            depth -= 1;
        }
        self.search_turns(&node, alpha, beta, depth, on_pv, known, key, eval, improving, endangered)
    }

    #[allow(clippy::too_many_arguments)]
    fn search_turns(
        &mut self,
        node: &Node<'_>,
        mut alpha: Value,
        beta: Value,
        depth: i32,
        on_pv: bool,
        known: Option<Entry>,
        key: u64,
        eval: Value,
        improving: bool,
        endangered: bool,
    ) -> Value {
        let Node { position, ply, .. } = *node;
        let aim = node.aim();
        let excluded = self.frames[ply].excluded;
        let known_turn = known.and_then(|entry| entry.turn.turn());
        let before = self.arrivals_before(ply);
        let killers = self.frames[ply].killers;
        let mut picker = Picker::new(known_turn, killers);
        let mut best = -INFINITE;
        let mut best_turn = PackedTurn::NONE;
        let old_alpha = alpha;
        let mut quiets = QuietList::new();
        let mut count = 0;

        while let Some(picked) = picker.next(&Scene {
            position,
            aim: &aim,
            theirs: &node.theirs,
            memory: self.history.recall(node.side(), before),
        }) {
            let turn = picked.turn;
            let packed = PackedTurn::from(turn);
            if packed == excluded {
                continue;
            }
            count += 1;
            let quiet = !picked.tactical;

            if best > -WON {
                // Late turn pruning.
                let enough = (3 + depth * depth) / if improving { 1 } else { 2 };
                if quiet && !endangered && depth <= 8 && count > enough as usize + 2 {
                    picker.skip_quiets();
                    continue;
                }
                // Futility pruning.
                if quiet && !on_pv && !endangered && depth <= 6 && eval + 60 + 70 * depth <= alpha {
                    picker.skip_quiets();
                    continue;
                }
                // Turns whose own shot costs more than it gains.
                if picked.loses > 0 && depth <= 6 && !on_pv && picked.loses > 20 * depth {
                    continue;
                }
            }

            let mut extension = 0;
            // Singular extension.
            if let Some(entry) = known
                && ply > 0
                && depth >= 7
                && excluded == PackedTurn::NONE
                && Some(turn) == known_turn
                && entry.depth >= depth - 3
                && entry.bound != Bound::Upper
                && entry.value.abs() < WON
                && ply < 2 * self.root_depth as usize
            {
                let bar = entry.value - 2 * depth;
                self.frames[ply].excluded = packed;
                let value = self.search(position, bar - 1, bar, (depth - 1) / 2, ply, false);
                self.frames[ply].excluded = PackedTurn::NONE;
                if self.stopped {
                    return DRAW;
                }
                if value < bar {
                    extension = 1;
                } else if bar >= beta {
                    return bar; // several turns beat beta
                }
            }
            // Threat extension: our pharaoh is about to be lit.
            if endangered && extension == 0 && ply < 2 * self.root_depth as usize {
                extension = 1;
            }

            let (next, removed) = aim.play(turn);
            let arrival = Arrival::new(position.get(turn.from()), turn.to());
            self.frames[ply].arrival = Some(arrival);
            let new_depth = depth - 1 + extension;
            self.pv[ply + 1].length = 0;
            let value = if let Some(value) = self.ended(position, &next, removed, ply) {
                value
            } else if count == 1 {
                -self.descend(&next, -beta, -alpha, new_depth, ply + 1, on_pv)
            } else {
                // Late turn reductions.
                let mut reduced = new_depth;
                if depth >= 2 && count > 2 && quiet && !endangered {
                    let mut by = reduction(depth, count);
                    by += i32::from(!improving) - i32::from(on_pv);
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
                return DRAW;
            }

            if value > best {
                best = value;
                if value > alpha {
                    best_turn = packed;
                    alpha = value;
                    if on_pv {
                        self.extend_pv(ply, packed);
                    }
                    if value >= beta {
                        if quiet {
                            self.reward(node, turn, arrival, before, &quiets, depth);
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
            // Nothing but the excluded turn, or no legal turn at all: who can't move loses.
            return if excluded == PackedTurn::NONE { loss_at(ply) } else { alpha };
        }
        if excluded == PackedTurn::NONE {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > old_alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let entry = Entry { turn: best_turn, value: best, eval, depth, bound };
            self.shared.table.store(key, ply, entry);
        }
        best
    }

    /// Remembers what refuted the position: killers, and histories of the quiet turns.
    fn reward(
        &mut self,
        node: &Node<'_>,
        turn: Turn,
        arrival: Arrival,
        before: [Option<Arrival>; 2],
        quiets: &QuietList,
        depth: i32,
    ) {
        let packed = PackedTurn::from(turn);
        let killers = &mut self.frames[node.ply].killers;
        if killers[0] != packed {
            *killers = [packed, killers[0]];
        }
        let bonus = (120 * depth).min(1_600);
        self.history.update(node.side(), packed, arrival, before, bonus);
        for &(other, arrival) in quiets.iter() {
            self.history.update(node.side(), other, arrival, before, -bonus);
        }
    }

    fn arrivals_before(&self, ply: usize) -> [Option<Arrival>; 2] {
        let at = |back: usize| ply.checked_sub(back).and_then(|ply| self.frames[ply].arrival);
        [at(1), at(2)]
    }

    fn extend_pv(&mut self, ply: usize, turn: PackedTurn) {
        let below = self.pv[ply + 1];
        let line = &mut self.pv[ply];
        line.turns[0] = turn;
        let length = below.length.min(MAX_PLY - 1);
        line.turns[1..=length].copy_from_slice(&below.turns[..length]);
        line.length = length + 1;
    }

    fn may_pass(&self, ply: usize) -> bool {
        ply >= self.no_pass_before && ply > 0 && self.frames[ply - 1].arrival.is_some()
    }

    /// What the other side can do if this one passes and does not fire. If even that is not
    /// enough for it, no turn needs to be tried; at great depth that is verified without passing.
    fn search_pass(
        &mut self,
        node: &Node<'_>,
        beta: Value,
        depth: i32,
        eval: Value,
    ) -> Option<Value> {
        let ply = node.ply;
        let reduced = depth - 3 - depth / 4 - ((eval - beta) / 150).min(3);
        let next = node.position.passed();
        self.frames[ply].arrival = None;
        // The same arrangement stands again, but by no turn: not a repetition.
        self.keys.push(!next.arrangement_key());
        let value = if reduced <= 0 {
            -self.quiesce(&next, -beta, -beta + 1, ply + 1, 0)
        } else {
            -self.search(&next, -beta, -beta + 1, reduced, ply + 1, false)
        };
        self.keys.pop();
        if value < beta || self.stopped {
            return None;
        }
        let value = if value >= WON { beta } else { value };
        if depth < 12 {
            return Some(value);
        }
        let outer = self.no_pass_before;
        self.no_pass_before = ply + (reduced.max(0) as usize) * 3 / 4;
        let verified = self.search(node.position, beta - 1, beta, reduced.max(1), ply, false);
        self.no_pass_before = outer;
        (verified >= beta).then_some(value)
    }

    /// The side to move lights the pharaoh with any turn that leaves its beam alone.
    fn wins_at_once(&self, node: &Node<'_>) -> Option<Value> {
        let removed = node.own.removed;
        let side = node.side();
        if !strikes_pharaoh(node.position, removed, !side)
            || strikes_pharaoh(node.position, removed, side)
        {
            return None;
        }
        let turns = node.position.turns();
        let aim = node.aim();
        let leaves_it = turns.iter().any(|&turn| !aim.is_disturbed_by(turn));
        leaves_it.then(|| win_at(node.ply + 1))
    }

    /// The static value, when nothing is done but what happens by itself: if the beam already rests
    /// on pieces of the other side, they are gone.
    fn stand_pat(&self, node: &Node<'_>) -> Value {
        let own = node.own;
        let side = node.side();
        let theirs_struck = own.removed & node.position.of_color(!side);
        if theirs_struck.is_empty() || own.removed != theirs_struck {
            return evaluate(node.position, &own, &node.theirs);
        }
        let aim = node.aim();
        let after = aim.after();
        -evaluate(after, &after.sweep(!side), &after.sweep(side))
    }

    /// Quiescence: only turns that make the shot hit something of the other side, until the
    /// position is calm; all turns when our pharaoh is about to be lit.
    fn quiesce(
        &mut self,
        position: &Position,
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
        let key = position.key();
        if plies == 0 {
            self.shared.table.prefetch(key);
        }
        let side = position.side_to_move();
        let node = Node::new(position, ply);
        if let Some(value) = self.wins_at_once(&node) {
            return value;
        }
        if ply >= MAX_PLY - 1 {
            return self.stand_pat(&node);
        }
        let known = if plies == 0 { self.shared.table.probe(key, ply) } else { None };
        if let Some(entry) = known
            && cuts(&entry, alpha, beta)
        {
            return entry.value;
        }

        let endangered = node.endangered();
        let all_turns = endangered && plies < 2;
        let old_alpha = alpha;
        let eval = known.map_or_else(|| self.stand_pat(&node), |entry| entry.eval);
        let mut best = if all_turns { loss_at(ply + 2) } else { eval };
        alpha = alpha.max(best);
        if alpha >= beta {
            return best;
        }

        let mut best_turn = PackedTurn::NONE;
        let aim = node.aim();
        let turns = if all_turns { position.turns() } else { aim.disturbing_turns() };
        let standing = standing_gain(position, &aim);
        for &turn in &turns {
            if !all_turns {
                let gained = gain(side, &aim, turn);
                // Delta pruning with what the turn gains over leaving the beam alone.
                if gained <= standing.max(0) || eval + gained - standing.max(0) + 120 <= alpha {
                    continue;
                }
            }
            let (next, removed) = aim.play(turn);
            let value = match self.ended(position, &next, removed, ply) {
                Some(value) => value,
                None => {
                    self.keys.push(next.arrangement_key());
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
        if plies == 0 {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > old_alpha && all_turns {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let entry = Entry { turn: best_turn, value: best, eval, depth: 0, bound };
            self.shared.table.store(key, ply, entry);
        }
        best
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

/// Quiet turns that were tried before the one that was good.
struct QuietList {
    turns: [Option<(PackedTurn, Arrival)>; QuietList::CAPACITY],
    length: usize,
}

impl QuietList {
    const CAPACITY: usize = 32;

    fn new() -> QuietList {
        QuietList { turns: [None; QuietList::CAPACITY], length: 0 }
    }

    fn push(&mut self, turn: PackedTurn, arrival: Arrival) {
        if let Some(place) = self.turns.get_mut(self.length) {
            *place = Some((turn, arrival));
            self.length += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = &(PackedTurn, Arrival)> {
        self.turns[..self.length].iter().flatten()
    }
}
