//! The engine for games with the Tower of Kadesh: a plain alpha-beta search of its own.
//!
//! The search of the standard game follows beams and updates its network in ways that a second level
//! and a moving tower would complicate, so it is not shared. Limits, reports, levels, the
//! transposition table and the values of the search are the same. One thread searches.
//!
//! ```
//! use khet::{Game, tower};
//! use khet_engine::tower::Engine;
//! use khet_engine::{Limits, Options, SearchRoot};
//!
//! // The beam runs along rank 8 as soon as the pyramid on j8 faces south-west.
//! let start: tower::Position = "2k6P2/10/10/10/10/10/10/5K4+e4:6/6/6/6/6/6 s".parse()?;
//! let mut engine = Engine::new(Options::default());
//! let search_root = SearchRoot::new(&Game::new(start));
//! let best = engine.search_to_limits(&search_root, Limits { depth: Some(2), ..Limits::default() });
//! assert_eq!(best.mv, Some("j8+".parse()?));
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

pub mod bench;
mod evaluate;
mod history;
mod move_picker;
mod node;
mod packed;
mod search;
#[cfg(test)]
mod tests;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use khet::tower::{Position, Square};

pub(crate) use self::evaluate::evaluate;
use self::history::History;
use self::search::{Search, SearchContext};
use crate::limits::Limits;
use crate::reductions::Reductions;
use crate::score::{MAX_PLY, mover_eval};
use crate::search::SearchParameters;
use crate::transposition_table::TranspositionTable;
use crate::{BestMove, Control, Info, Options, SearchRoot};

/// The engine for games with a tower. Its transposition table and history are kept from one search
/// to the next.
pub struct Engine {
    options: Options,
    table: TranspositionTable,
    reductions: Reductions,
    history: History,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Engine {
    /// Creates an engine. It uses one thread, whatever the options say.
    pub fn new(options: Options) -> Engine {
        Engine {
            options,
            table: TranspositionTable::new(options.hash),
            reductions: Reductions::new(&SearchParameters::default()),
            history: History::new(),
        }
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

    /// Clears the transposition table and the history, for a new game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history = History::new();
    }

    /// Searches until a limit is reached, without a way to stop it earlier. Time limits are not
    /// supported.
    pub fn search_to_limits(
        &mut self,
        search_root: &SearchRoot<Position>,
        limits: Limits,
    ) -> BestMove<Square> {
        let never = AtomicBool::new(false);
        let control = Control { stop: &never, pondering: &never, elapsed: &|| Duration::ZERO };
        self.search(search_root, limits, control, &mut |_| {})
    }

    /// Searches until a limit is reached or the control stops it. Calls `report` with every
    /// principal variation of each iteration.
    pub fn search(
        &mut self,
        search_root: &SearchRoot<Position>,
        limits: Limits,
        control: Control<'_>,
        report: &mut dyn FnMut(&Info<Square>),
    ) -> BestMove<Square> {
        if search_root.moves().is_empty() {
            return BestMove::NONE;
        }
        self.table.new_search();
        let side = search_root.position().side_to_move();
        let context = SearchContext {
            table: &self.table,
            history: &mut self.history,
            reductions: &self.reductions,
            control,
            limits,
            deadlines: limits.deadlines(side, self.options.overhead),
        };
        let mut search = Search::new(search_root, context);
        deepen(&mut search, self.options.multi_pv, report);
        let best = &search.root_moves[0];
        BestMove {
            mv: Some(best.mv),
            ponder: best.pv.get(1).copied(),
            score: mover_eval(best.latest_value()),
            nodes: search.nodes,
        }
    }
}

/// Runs iterative deepening.
fn deepen(search: &mut Search<'_>, multi_pv: usize, report: &mut dyn FnMut(&Info<Square>)) {
    let limits = search.context.limits;
    let deepest = limits.depth.unwrap_or(MAX_PLY as u32 - 1).min(MAX_PLY as u32 - 1) as i32;
    let lines = multi_pv.clamp(1, search.root_moves.len());
    let mut steady = 0;
    let mut last_best = None;
    for depth in 1..=deepest {
        search.start_iteration();
        for line in 0..lines {
            search.iterate(depth, line);
            search.root_moves[..=line].sort_by_key(|root| std::cmp::Reverse(root.value));
            if search.is_stopped() {
                // The unfinished iteration is not reported; its root moves keep their last values.
                return;
            }
        }
        for index in 0..lines {
            report(&info(search, index, depth));
        }

        let best = &search.root_moves[0];
        steady = if last_best == Some(best.mv) { steady + 1 } else { 0 };
        last_best = Some(best.mv);
        if limits.has_found_mate(best.value) {
            break;
        }
        if let Some(deadlines) = search.context.deadlines {
            let decided = search.root_moves.len() == 1 && limits.movetime.is_none();
            if search.time() >= limits.time_for_iterations(deadlines, steady) || decided {
                break;
            }
        }
    }
}

/// Returns the report on a root move.
fn info(search: &Search<'_>, index: usize, depth: i32) -> Info<Square> {
    let root = &search.root_moves[index];
    Info {
        depth: depth as u32,
        seldepth: root.seldepth as u32,
        multi_pv: index + 1,
        score: mover_eval(root.latest_value()),
        nodes: search.nodes,
        hash_full: search.context.table.fullness(),
        time: (search.context.control.elapsed)(),
        pv: root.pv.clone(),
    }
}
