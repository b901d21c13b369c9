//! The search of one thread: its state and its stop conditions. The search itself goes from the
//! [root] by principal variation search through the [interior] to [quiescence].

mod aspiration;
mod busy_moves;
mod interior;
mod node;
mod parameters;
mod pv_line;
mod quiescence;
mod repetition;
mod root;
mod tried_quiets;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use khet::{BoardSquare, Move, Position, Square};

use crate::history::{History, PieceTo};
use crate::limits::{Deadlines, Limits};
use crate::move_picker::MoveBuffer;
use crate::network::Network;
use crate::packed::PackedMove;
use crate::reductions::Reductions;
use crate::score::{INFINITE, MAX_PLY, Value};
pub(crate) use crate::search::aspiration::AspirationWindow;
pub(crate) use crate::search::busy_moves::BusyMoves;
pub(crate) use crate::search::interior::allows_cutoff;
pub(crate) use crate::search::node::Node;
pub use crate::search::parameters::{ParameterEntry, SearchParameters};
use crate::search::pv_line::PvLine;
pub(crate) use crate::search::repetition::Repetition;
use crate::transposition_table::TranspositionTable;

/// State that all threads of a search share.
pub(crate) struct SharedSearch<'a> {
    pub(crate) table: &'a TranspositionTable,
    pub(crate) network: &'a Network,
    pub(crate) parameters: SearchParameters,
    pub(crate) reductions: &'a Reductions,
    pub(crate) busy_moves: BusyMoves,
    pub(crate) control: Control<'a>,
    /// Set when the main thread has finished.
    pub(crate) done: AtomicBool,
    pub(crate) nodes: AtomicU64,
    pub(crate) limits: Limits,
    pub(crate) deadlines: Option<Deadlines>,
}

/// Controls a running search from outside.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Set to end the search.
    pub stop: &'a AtomicBool,
    /// While this is set, time limits do not count, because the opponent's clock is running.
    pub pondering: &'a AtomicBool,
    /// Returns the time since the search began, or since pondering ended.
    pub elapsed: &'a (dyn Fn() -> Duration + Sync),
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").finish_non_exhaustive()
    }
}

impl SharedSearch<'_> {
    /// Returns the time that counts against the limits.
    pub(crate) fn time(&self) -> Duration {
        if self.control.pondering.load(Ordering::Relaxed) {
            Duration::ZERO
        } else {
            (self.control.elapsed)()
        }
    }
}

/// Number of nodes after which a thread checks the stop conditions and adds to the shared count.
const POLL_INTERVAL: u64 = 1024;

/// A root move with its search results.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<S: BoardSquare = Square> {
    pub(crate) mv: Move<S>,
    pub(crate) value: Value,
    /// The value of the last iteration.
    pub(crate) previous: Value,
    pub(crate) seldepth: usize,
    pub(crate) pv: Vec<Move<S>>,
}

impl<S: BoardSquare> RootMove<S> {
    pub(crate) fn new(mv: Move<S>) -> RootMove<S> {
        RootMove { mv, value: -INFINITE, previous: -INFINITE, seldepth: 0, pv: vec![mv] }
    }

    /// Returns the value of this iteration, or of the last one if this one has not searched the
    /// move.
    pub(crate) fn latest_value(&self) -> Value {
        if self.value == -INFINITE { self.previous } else { self.value }
    }
}

/// One search thread.
pub(crate) struct Worker<'a> {
    shared: &'a SharedSearch<'a>,
    pub(crate) nodes: u64,
    reported: u64,
    seldepth: usize,
    /// Arrangement keys from the start of the game to the current node.
    keys: Vec<u64>,
    /// The number of `keys` that belong to the game; the others belong to the path from the root.
    game_length: usize,
    /// Piece and target square of the move at each ply of the path; `NONE` for a null move.
    piece_tos: [PieceTo; MAX_PLY + 2],
    history: &'a History,
    /// The move that the next call of `search` leaves out, to find out whether it is singular.
    excluded: PackedMove,
    /// Move buffers that are free for reuse, because clearing new ones would take time.
    #[allow(clippy::vec_box)] // boxes are moved out and in without a copy
    buffers: Vec<Box<MoveBuffer>>,
    pv: Box<[PvLine; MAX_PLY + 1]>,
    pub(crate) root_moves: Vec<RootMove>,
    root: Position,
    root_depth: i32,
    stopped: bool,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(
        shared: &'a SharedSearch<'a>,
        root: Position,
        keys: &[u64],
        moves: &[Move],
        history: &'a History,
    ) -> Worker<'a> {
        Worker {
            shared,
            nodes: 0,
            reported: 0,
            seldepth: 0,
            keys: keys.to_vec(),
            game_length: keys.len(),
            piece_tos: [PieceTo::NONE; MAX_PLY + 2],
            history,
            excluded: PackedMove::NONE,
            buffers: Vec::new(),
            pv: Box::new([PvLine::EMPTY; MAX_PLY + 1]),
            root_moves: moves.iter().copied().map(RootMove::new).collect(),
            root,
            root_depth: 0,
            stopped: false,
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
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

    /// Counts a node and checks the stop conditions from time to time.
    fn visit(&mut self, ply: usize) {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        // The first iteration always completes, so that there is a best move.
        if self.root_depth <= 1 {
            return;
        }
        if self.nodes - self.reported >= POLL_INTERVAL {
            self.report_nodes();
            let shared = self.shared;
            let stop_requested =
                shared.control.stop.load(Ordering::Relaxed) || shared.done.load(Ordering::Relaxed);
            if stop_requested || self.is_out_of_time() {
                self.stopped = true;
            }
        }
        if self.shared.limits.nodes.is_some_and(|limit| self.node_count() >= limit) {
            self.stopped = true;
        }
    }

    /// Returns the nodes of all threads, as far as they have been reported.
    pub(crate) fn node_count(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.reported
    }

    /// Adds the nodes since the last report to the count of all threads.
    pub(crate) fn report_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.reported, Ordering::Relaxed);
        self.reported = self.nodes;
    }

    fn is_out_of_time(&self) -> bool {
        self.shared.deadlines.is_some_and(|deadlines| self.shared.time() >= deadlines.hard)
    }

    fn repetition(&self, node: &Node) -> Repetition {
        let draw_claim_at = node.position.rules().draw_claim_at();
        Repetition::of_last(&self.keys, self.game_length, draw_claim_at)
    }
}
