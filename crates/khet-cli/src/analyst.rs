//! The engine for analysis: searches positions and games with the limits of the command line.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use khet::tower::Square;
use khet::{AnyPosition, Game, GamePosition, Move};
use khet_engine::{AnyEngine, Control, GameEngine, Info, Limits, Options, SearchRoot};
use khet_review::{PositionEval, SearchRequest, SearchResult};

/// Options that limit and configure the search.
#[derive(clap::Args)]
pub(crate) struct AnalystArgs {
    /// Search depth per position, in plies
    #[arg(long, value_name = "N", group = "limit",
          value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Nodes per position
    #[arg(long, value_name = "N", group = "limit",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Time per position in milliseconds [default: 200, if there is no other limit]
    #[arg(long, group = "limit", value_name = "MS",
          value_parser = clap::value_parser!(u32).range(1..))]
    movetime: Option<u32>,
    /// Number of search threads; with a tower one thread searches. With one thread and --depth or
    /// --nodes, results are reproducible
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Size of the transposition table in mebibytes
    #[arg(long, value_name = "MB", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
}

/// Milliseconds per position if no limit is given.
const DEFAULT_MOVETIME: u32 = 200;

impl AnalystArgs {
    /// Returns the limits of a search; a default time if none is given.
    fn limits(&self, lines: usize) -> Limits {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        let movetime = self.movetime.or(unlimited.then_some(DEFAULT_MOVETIME));
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: movetime.map(|time| Duration::from_millis(u64::from(time))),
            // Stops at a win in one, which can't be improved, unless other lines are wanted too.
            mate: (lines == 1).then_some(1),
            ..Limits::default()
        }
    }
}

/// One of the best lines of a position.
pub(crate) struct AnalysedLine {
    pub(crate) eval: PositionEval,
    pub(crate) depth: u32,
    /// The moves, at least one.
    pub(crate) line: Vec<Move<Square>>,
}

/// The analysis of a position.
pub(crate) struct Analysis {
    /// The best lines, best first; empty if there is no legal move.
    pub(crate) lines: Vec<AnalysedLine>,
    pub(crate) nodes: u64,
}

/// An engine with the limits of the command line.
pub(crate) struct Analyst {
    engine: AnyEngine,
    limits: Limits,
}

impl Analyst {
    pub(crate) fn new(args: &AnalystArgs, lines: usize) -> Analyst {
        let engine = AnyEngine::new(Options {
            hash: args.hash as usize,
            threads: usize::from(args.threads),
            multi_pv: lines,
            overhead: Duration::ZERO,
        });
        Analyst { engine, limits: args.limits(lines) }
    }

    /// Clears the transposition table, so that results do not depend on earlier searches.
    pub(crate) fn clear(&mut self) {
        self.engine.clear();
    }

    /// Analyses a position without a game history.
    pub(crate) fn analyse(&mut self, position: AnyPosition) -> Analysis {
        let search_root = SearchRoot::from_position(position);
        let (lines, nodes) =
            with_control(|control| self.engine.best_lines(&search_root, self.limits, control));
        let line = |Info { score, depth, pv, .. }| AnalysedLine {
            eval: PositionEval::from_mover(score, position.side_to_move()),
            depth,
            line: pv,
        };
        Analysis { lines: lines.into_iter().map(line).collect(), nodes }
    }

    /// Runs a search of a review.
    pub(crate) fn search_game(
        &mut self,
        game: &Game<AnyPosition>,
        request: SearchRequest<Square>,
    ) -> Option<SearchResult<Square>> {
        let limits = self.limits;
        with_control(|control| {
            khet_review::engine::search(&mut self.engine, game, request, limits, control)
        })
    }
}

/// Calls `search` with a control that never stops it and measures the time from now.
fn with_control<T>(search: impl FnOnce(Control<'_>) -> T) -> T {
    let started = Instant::now();
    let never = AtomicBool::new(false);
    search(Control { stop: &never, pondering: &never, elapsed: &|| started.elapsed() })
}
