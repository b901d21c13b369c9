//! The search of one thread: what it keeps, and when it must end. The search itself goes from the
//! [root] by principal variation search through the [interior] to [quiescence].

mod interior;
mod line;
mod node;
mod quiescence;
mod quiets;
mod root;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use khet::{Move, Position};

use crate::history::{Arrival, History};
use crate::limits::{Deadlines, Limits};
use crate::ordering::Lists;
use crate::score::{INFINITE, MAX_PLY, Value};
use crate::search::line::Line;
pub(crate) use crate::search::node::Node;
use crate::table::Table;

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

/// A move at the root.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    pub(crate) value: Value,
    pub(crate) previous: Value,
    pub(crate) seldepth: usize,
    pub(crate) pv: Vec<Move>,
}

impl RootMove {
    /// The value of this iteration, or of the last one if this one did not reach it.
    pub(crate) fn shown(&self) -> Value {
        if self.value == -INFINITE { self.previous } else { self.value }
    }
}

/// A node's repetition status.
enum Repetition {
    /// The side to move can't claim a draw.
    None,
    /// The position has occurred in the game so often that the side to move may claim a draw: its
    /// value is at least a draw.
    Claim,
    /// The position has occurred on the path from the root. Scored as a draw at once, because both
    /// sides can repeat it again.
    Draw,
}

/// One thread.
pub(crate) struct Worker<'a> {
    shared: &'a Shared<'a>,
    pub(crate) nodes: u64,
    reported: u64,
    seldepth: usize,
    /// Arrangement keys from the start of the game to the current node.
    keys: Vec<u64>,
    /// The number of `keys` that belong to the game; the others belong to the path from the root.
    game_length: usize,
    /// How the move of each ply on the way left its piece; none for a pass.
    arrivals: [Arrival; MAX_PLY + 2],
    history: &'a mut History,
    /// Lists of moves that no node needs at the moment: clearing new ones would take time.
    #[allow(clippy::vec_box)] // they are handed out, not copied
    lists: Vec<Box<Lists>>,
    pv: Box<[Line; MAX_PLY + 1]>,
    pub(crate) root_moves: Vec<RootMove>,
    root: Position,
    root_depth: i32,
    stopped: bool,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        root: Position,
        keys: &[u64],
        moves: &[Move],
        history: &'a mut History,
    ) -> Worker<'a> {
        let root_move = |&mv: &Move| RootMove {
            mv,
            value: -INFINITE,
            previous: -INFINITE,
            seldepth: 0,
            pv: vec![mv],
        };
        Worker {
            shared,
            nodes: 0,
            reported: 0,
            seldepth: 0,
            keys: keys.to_vec(),
            game_length: keys.len(),
            arrivals: [Arrival::NONE; MAX_PLY + 2],
            history,
            lists: Vec::new(),
            pv: Box::new([Line::EMPTY; MAX_PLY + 1]),
            root_moves: moves.iter().map(root_move).collect(),
            root,
            root_depth: 0,
            stopped: false,
        }
    }

    pub(crate) fn stopped(&self) -> bool {
        self.stopped
    }

    /// Searches the position after a move, which is on the way back to its parent.
    fn descend(
        &mut self,
        next: &Node,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        on_pv: bool,
    ) -> Value {
        self.keys.push(next.position.arrangement_key());
        let value = if depth <= 0 {
            self.quiesce(next, alpha, beta, ply)
        } else {
            self.search(next, alpha, beta, depth, ply, on_pv)
        };
        self.keys.pop();
        value
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

    /// Returns how often the position of a node has occurred before, in terms of the draw rule.
    fn repetition(&self, node: &Node) -> Repetition {
        let Some((key, before)) = self.keys.split_last() else { return Repetition::None };
        let (game, path) = before.split_at(self.game_length.min(before.len()));
        if path.contains(key) {
            return Repetition::Draw;
        }
        let occurrences = 1 + game.iter().filter(|&other| other == key).count();
        if occurrences >= node.position.rules().draw_claim_at() {
            Repetition::Claim
        } else {
            Repetition::None
        }
    }
}
