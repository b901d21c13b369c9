//! The engine: options, threads, iterative deepening and reports.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use khet::{BoardSquare, Game, GamePosition, Move, MoverEval, Position, Square};

use crate::history::History;
use crate::limits::Limits;
use crate::network::Network;
use crate::reductions::Reductions;
use crate::score::{MAX_PLY, mover_eval};
use crate::search::{BusyMoves, Control, RootMove, SearchParameters, SharedSearch, Worker};
use crate::transposition_table::TranspositionTable;

/// The options of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Size of the transposition table in mebibytes.
    pub hash: usize,
    /// Number of search threads.
    pub threads: usize,
    /// Number of principal variations to report (MultiPV).
    pub multi_pv: usize,
    /// Time reserved for the delay until the move reaches the clock.
    pub overhead: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options { hash: 16, threads: 1, multi_pv: 1, overhead: Duration::from_millis(5) }
    }
}

/// A position to search, with the history of its game and the moves to consider; for a game with a
/// tower a `SearchRoot<tower::Position>`.
#[derive(Clone, Debug)]
pub struct SearchRoot<P: GamePosition = Position> {
    position: P,
    /// Arrangement keys of the game up to this position.
    keys: Vec<u64>,
    moves: Vec<Move<P::Square>>,
}

impl<P: GamePosition> SearchRoot<P> {
    /// Creates the root for the last position of a game. The history counts for repetition.
    pub fn new(game: &Game<P>) -> SearchRoot<P> {
        let position = *game.position();
        let keys = game.positions().iter().map(P::repetition_key).collect();
        let moves = position.legal_moves().to_vec();
        SearchRoot { position, keys, moves }
    }

    /// Creates the root for a position without history.
    pub fn from_position(position: P) -> SearchRoot<P> {
        let moves = position.legal_moves().to_vec();
        SearchRoot { position, keys: vec![position.repetition_key()], moves }
    }

    /// Returns the position to search.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// Returns the moves to consider.
    pub fn moves(&self) -> &[Move<P::Square>] {
        &self.moves
    }

    /// Returns the arrangement keys of the game up to this position.
    pub(crate) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Returns the number of plies played in the game before this position.
    pub(crate) fn ply(&self) -> usize {
        self.keys.len() - 1
    }

    /// Returns the root with another type of its position and its moves.
    pub(crate) fn with_position<Q: GamePosition>(
        &self,
        position: Q,
        moves: Vec<Move<Q::Square>>,
    ) -> SearchRoot<Q> {
        SearchRoot { position, keys: self.keys.clone(), moves }
    }

    /// Restricts the search to these moves, as far as they are legal.
    pub fn only(mut self, moves: &[Move<P::Square>]) -> SearchRoot<P> {
        self.moves.retain(|mv| moves.contains(mv));
        self
    }
}

/// A report on one principal variation after an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info<S: BoardSquare = Square> {
    /// The depth of the iteration in plies.
    pub depth: u32,
    /// The largest depth reached, quiescence included.
    pub seldepth: u32,
    /// 1 for the best line, 2 for the second, and so on.
    pub multi_pv: usize,
    /// The evaluation of the line.
    pub score: MoverEval,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// The fill level of the transposition table in thousandths.
    pub hash_full: u32,
    /// Time since the search began.
    pub time: Duration,
    /// The principal variation.
    pub pv: Vec<Move<S>>,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BestMove<S: BoardSquare = Square> {
    /// The best move; `None` if no move is legal.
    pub mv: Option<Move<S>>,
    /// The expected reply of the other side.
    pub ponder: Option<Move<S>>,
    /// The evaluation of the best move.
    pub score: MoverEval,
    /// Positions visited.
    pub nodes: u64,
}

impl<S: BoardSquare> BestMove<S> {
    /// The result if no move is legal.
    pub(crate) const NONE: BestMove<S> =
        BestMove { mv: None, ponder: None, score: MoverEval::MateIn(0), nodes: 0 };
}

/// The engine. Its transposition table and history are kept from one search to the next.
pub struct Engine {
    options: Options,
    table: TranspositionTable,
    network: Arc<Network>,
    parameters: SearchParameters,
    reductions: Reductions,
    history: History,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Engine {
    /// Creates an engine with the built-in network.
    pub fn new(options: Options) -> Engine {
        Engine::with_network(options, Network::built_in())
    }

    /// Creates an engine with another network.
    pub fn with_network(options: Options, network: Arc<Network>) -> Engine {
        let table = TranspositionTable::new(options.hash);
        let parameters = SearchParameters::default();
        let reductions = Reductions::new(&parameters);
        let history = History::new();
        Engine { options, table, network, parameters, reductions, history }
    }

    /// Returns the options.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Changes the options. Another hash size clears the transposition table.
    pub fn set_options(&mut self, options: Options) {
        if options.hash != self.options.hash {
            self.table = TranspositionTable::new(options.hash);
        }
        self.options = options;
    }

    /// Replaces the network of the evaluation. Clears the transposition table and the history, whose
    /// values come from the old one.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.network = network;
        self.clear();
    }

    /// Replaces the constants of the search, for tuners.
    pub fn set_parameters(&mut self, parameters: SearchParameters) {
        self.parameters = parameters;
        self.reductions = Reductions::new(&parameters);
    }

    /// Searches until a limit is reached, without a way to stop it earlier. Time limits are not
    /// supported.
    pub fn search_to_limits(&mut self, search_root: &SearchRoot, limits: Limits) -> BestMove {
        let never = AtomicBool::new(false);
        let control = Control { stop: &never, pondering: &never, elapsed: &|| Duration::ZERO };
        self.search(search_root, limits, control, &mut |_| {})
    }

    /// Clears the transposition table and the history, for a new game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history = History::new();
    }

    /// Searches until a limit is reached or the control stops it. Calls `report` with every
    /// principal variation of each iteration.
    pub fn search(
        &mut self,
        search_root: &SearchRoot,
        limits: Limits,
        control: Control<'_>,
        report: &mut dyn FnMut(&Info),
    ) -> BestMove {
        self.table.new_search();
        let deadlines =
            limits.deadlines(search_root.position.side_to_move(), self.options.overhead);
        let shared = SharedSearch {
            table: &self.table,
            network: &self.network,
            parameters: self.parameters,
            reductions: &self.reductions,
            busy_moves: BusyMoves::new(self.options.threads),
            control,
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            limits,
            deadlines,
        };
        if search_root.moves.is_empty() {
            return BestMove::NONE;
        }
        let worker = || {
            let SearchRoot { position, keys, moves } = search_root;
            Worker::new(&shared, *position, keys, moves, &self.history)
        };
        let mut main = worker();
        let multi_pv = self.options.multi_pv;
        thread::scope(|scope| {
            for _ in 1..self.options.threads {
                let mut helper = worker();
                let help = move || help(&mut helper);
                // If the system refuses another thread, the search runs on those that started.
                if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            deepen(&mut main, &shared, multi_pv, report);
            shared.done.store(true, Ordering::Relaxed);
        });
        main.report_nodes();
        let best = &main.root_moves[0];
        BestMove {
            mv: Some(best.mv),
            ponder: best.pv.get(1).copied(),
            score: mover_eval(best.latest_value()),
            nodes: shared.nodes.load(Ordering::Relaxed),
        }
    }
}

/// Runs iterative deepening on the main thread.
fn deepen(
    worker: &mut Worker<'_>,
    shared: &SharedSearch<'_>,
    multi_pv: usize,
    report: &mut dyn FnMut(&Info),
) {
    let limits = shared.limits;
    let deepest = limits.depth.unwrap_or(MAX_PLY as u32 - 1).min(MAX_PLY as u32 - 1) as i32;
    let lines = multi_pv.clamp(1, worker.root_moves.len());
    let mut steady = 0;
    let mut last_best = None;
    for depth in 1..=deepest {
        for root in &mut worker.root_moves {
            root.previous = root.latest_value();
        }
        for line in 0..lines {
            worker.iterate(depth, line);
            worker.root_moves[..=line].sort_by_key(|root| std::cmp::Reverse(root.value));
            if worker.is_stopped() {
                break;
            }
        }
        if worker.is_stopped() && depth > 1 {
            // The unfinished iteration is not reported; its root moves keep their last values.
            break;
        }
        for (index, root) in worker.root_moves[..lines].iter().enumerate() {
            report(&info(root, index, depth, worker, shared));
        }
        if worker.is_stopped() {
            break;
        }

        let best = &worker.root_moves[0];
        steady = if last_best == Some(best.mv) { steady + 1 } else { 0 };
        last_best = Some(best.mv);
        if limits.has_found_mate(best.value) {
            break;
        }
        if let Some(deadlines) = shared.deadlines {
            let enough = limits.time_for_iterations(deadlines, steady);
            let decided = worker.root_moves.len() == 1 && limits.movetime.is_none();
            if shared.time() >= enough || decided {
                break;
            }
        }
    }
}

/// Runs a helper thread, which searches the same depths as the main thread and shares its tables.
fn help(worker: &mut Worker<'_>) {
    for depth in 1..MAX_PLY as i32 {
        for root in &mut worker.root_moves {
            root.previous = root.latest_value();
        }
        worker.iterate(depth, 0);
        if worker.is_stopped() {
            break;
        }
    }
    worker.report_nodes();
}

/// Returns the report on a root move.
fn info(
    root: &RootMove,
    index: usize,
    depth: i32,
    worker: &Worker<'_>,
    shared: &SharedSearch<'_>,
) -> Info {
    Info {
        depth: depth as u32,
        seldepth: root.seldepth as u32,
        multi_pv: index + 1,
        score: mover_eval(root.latest_value()),
        nodes: worker.node_count(),
        hash_full: shared.table.fullness(),
        time: (shared.control.elapsed)(),
        pv: root.pv.clone(),
    }
}
