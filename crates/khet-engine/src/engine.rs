//! The engine: options, threads, iterative deepening, what it reports.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use khet::{Game, Move, MoverEval, Position};

use crate::history::History;
use crate::limits::Limits;
use crate::score::{MAX_PLY, WIN, WON, mover_eval};
use crate::search::{Control, RootMove, Shared, Worker};
use crate::table::Table;

/// How the engine is set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Size of the transposition table in mebibytes.
    pub hash: usize,
    /// Threads that search.
    pub threads: usize,
    /// How many best lines are reported.
    pub multi_pv: usize,
    /// Time kept back for the way of an answer to the player's clock.
    pub overhead: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options { hash: 16, threads: 1, multi_pv: 1, overhead: Duration::from_millis(5) }
    }
}

/// What to think about.
#[derive(Clone, Debug)]
pub struct Task {
    /// The position, with the arrangements that stood before it in the game.
    position: Position,
    keys: Vec<u64>,
    moves: Vec<Move>,
}

impl Task {
    /// The position on the board of a game; its history counts for repetition.
    pub fn new(game: &Game) -> Task {
        let position = *game.position();
        let keys = game.positions().iter().map(Position::arrangement_key).collect();
        Task { position, keys, moves: position.legal_moves().to_vec() }
    }

    /// A position without a past.
    pub fn from_position(position: Position) -> Task {
        let moves = position.legal_moves().to_vec();
        Task { position, keys: vec![position.arrangement_key()], moves }
    }

    /// The position to think about.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves to choose from.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Looks only at these moves, as far as they are legal.
    pub fn only(mut self, moves: &[Move]) -> Task {
        self.moves.retain(|mv| moves.contains(mv));
        self
    }
}

/// A line that the search found, as it goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Plies that were searched.
    pub depth: u32,
    /// The longest line that was looked at.
    pub seldepth: u32,
    /// 1 for the best line, 2 for the second, and so on.
    pub multi_pv: usize,
    /// What the line is worth to the side to move.
    pub score: MoverEval,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// How full the table is, in thousandths.
    pub hash_full: u32,
    /// Time since the search began.
    pub time: Duration,
    /// The line.
    pub pv: Vec<Move>,
}

/// What the engine would play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The move; `None` if there is no legal one.
    pub mv: Option<Move>,
    /// What it expects the other side to answer.
    pub ponder: Option<Move>,
    /// What it thinks of that.
    pub score: MoverEval,
    /// Positions visited.
    pub nodes: u64,
}

/// A player. What it learnt in one search helps it in the next.
pub struct Engine {
    options: Options,
    table: Table,
    /// One for each thread.
    histories: Vec<History>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Engine {
    /// An engine with these options.
    pub fn new(options: Options) -> Engine {
        Engine { options, table: Table::new(options.hash), histories: Vec::new() }
    }

    /// Its options.
    pub fn options(&self) -> Options {
        self.options
    }

    /// Changes the options. A table of another size is a new one.
    pub fn set_options(&mut self, options: Options) {
        if options.hash != self.options.hash {
            self.table = Table::new(options.hash);
        }
        self.options = options;
    }

    /// Thinks up to these limits, with nobody to stop it. The limits must not be of time.
    pub fn search_alone(&mut self, task: &Task, limits: Limits) -> Answer {
        let never = AtomicBool::new(false);
        let control = Control { stop: &never, pondering: &never, elapsed: &|| Duration::ZERO };
        self.search(task, limits, control, &mut |_| {})
    }

    /// Forgets what it learnt: for a new game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.histories.clear();
    }

    /// Thinks until a limit is reached or it is told to stop, and calls `report` with every line that
    /// it found.
    pub fn search(
        &mut self,
        task: &Task,
        limits: Limits,
        control: Control<'_>,
        report: &mut dyn FnMut(&Info),
    ) -> Answer {
        self.table.new_search();
        let deadlines = limits.deadlines(task.position.side_to_move(), self.options.overhead);
        let shared = Shared {
            table: &self.table,
            control,
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            limits,
            deadlines,
        };
        if task.moves.is_empty() {
            return Answer { mv: None, ponder: None, score: MoverEval::MateIn(0), nodes: 0 };
        }
        self.histories.resize_with(self.options.threads.max(1), History::new);
        let mut workers = self
            .histories
            .iter_mut()
            .map(|history| Worker::new(&shared, task.position, &task.keys, &task.moves, history));
        let Some(mut main) = workers.next() else { unreachable!("there is at least one thread") };
        let multi_pv = self.options.multi_pv;
        thread::scope(|scope| {
            for (number, mut helper) in workers.enumerate() {
                let help = move || help(&mut helper, number + 1);
                // Where there is no room for another thread, those that started do the work.
                if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            deepen(&mut main, &shared, multi_pv, report);
            shared.done.store(true, Ordering::Relaxed);
        });
        main.report_nodes();
        let best = &main.root_moves[0];
        Answer {
            mv: Some(best.mv),
            ponder: best.pv.get(1).copied(),
            score: mover_eval(best.shown()),
            nodes: shared.nodes.load(Ordering::Relaxed),
        }
    }
}

/// Iterative deepening, with as many lines as are asked for.
fn deepen(
    worker: &mut Worker<'_>,
    shared: &Shared<'_>,
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
            root.previous = root.shown();
        }
        for line in 0..lines {
            worker.iterate(depth, line);
            worker.root_moves[..=line].sort_by_key(|root| std::cmp::Reverse(root.value));
            if worker.stopped() {
                break;
            }
        }
        if worker.stopped() && depth > 1 {
            // What an unfinished iteration found is kept where it is better known.
            break;
        }
        for (index, root) in worker.root_moves[..lines].iter().enumerate() {
            report(&info(root, index, depth, worker, shared));
        }
        if worker.stopped() {
            break;
        }

        let best = &worker.root_moves[0];
        steady = if last_best == Some(best.mv) { steady + 1 } else { 0 };
        last_best = Some(best.mv);
        if let Some(moves) = limits.mate
            && best.value >= WON
            && (WIN - best.value + 1) / 2 <= moves as i32
        {
            break;
        }
        if let Some(deadlines) = shared.deadlines {
            // A best move that has not changed for a while needs less time.
            let part = if limits.movetime.is_some() { 100 } else { 110 - 10 * steady.min(6) };
            let enough = deadlines.soft * part / 100;
            let decided = worker.root_moves.len() == 1 && limits.movetime.is_none();
            if shared.time() >= enough || decided {
                break;
            }
        }
    }
}

/// The helpers of Lazy SMP fill the shared table, each at slightly other depths.
fn help(worker: &mut Worker<'_>, number: usize) {
    for depth in 1..MAX_PLY as i32 {
        if number % 2 == 1 && depth % 2 == 0 && depth > 2 {
            continue;
        }
        for root in &mut worker.root_moves {
            root.previous = root.shown();
        }
        worker.iterate(depth, 0);
        if worker.stopped() {
            break;
        }
    }
    worker.report_nodes();
}

fn info(
    root: &RootMove,
    index: usize,
    depth: i32,
    worker: &Worker<'_>,
    shared: &Shared<'_>,
) -> Info {
    Info {
        depth: depth as u32,
        seldepth: root.seldepth as u32,
        multi_pv: index + 1,
        score: mover_eval(root.shown()),
        nodes: worker.node_count(),
        hash_full: shared.table.fullness(),
        time: (shared.control.elapsed)(),
        pv: root.pv.clone(),
    }
}
