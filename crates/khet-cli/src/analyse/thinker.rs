//! The engine as the analysis uses it: a position in, the best lines out.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use khet::{Game, Move, Position};
use khet_engine::{Control, Engine, Info, Limits, Options, Task};
use khet_review::{PositionEval, SearchRequest, SearchResult};

/// How long, and with what, every position is searched.
#[derive(clap::Args)]
pub(crate) struct ThinkerArgs {
    /// Search every position so many plies deep
    #[arg(long, group = "limit", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Visit so many nodes in every position
    #[arg(long, group = "limit", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Think so many milliseconds about every position [default: 200]
    #[arg(long, group = "limit", value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    movetime: Option<u32>,
    /// How many threads search; one, with --depth or --nodes, finds the same every time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// The size of the engine's table in mebibytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
}

/// Milliseconds for a position when no limit is given.
const DEFAULT_MOVETIME: u32 = 200;

impl ThinkerArgs {
    fn limits(&self, lines: usize) -> Limits {
        let unlimited = self.depth.is_none() && self.nodes.is_none();
        let movetime = self.movetime.or(unlimited.then_some(DEFAULT_MOVETIME));
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: movetime.map(|time| Duration::from_millis(u64::from(time))),
            // Nothing is better than a win on the spot; but it says nothing of the other lines.
            mate: (lines == 1).then_some(1),
            ..Limits::default()
        }
    }
}

/// A line that the engine found.
pub(super) struct Found {
    pub(super) eval: PositionEval,
    pub(super) depth: u32,
    /// The moves; there is at least one.
    pub(super) line: Vec<Move>,
}

/// All that was found in a position.
pub(super) struct Thought {
    /// The best lines, best first; none where no move is legal.
    pub(super) lines: Vec<Found>,
    pub(super) nodes: u64,
}

pub(super) struct Thinker {
    engine: Engine,
    limits: Limits,
}

impl Thinker {
    pub(super) fn new(args: &ThinkerArgs, lines: usize) -> Thinker {
        let engine = Engine::new(Options {
            hash: args.hash as usize,
            threads: usize::from(args.threads),
            multi_pv: lines,
            overhead: Duration::ZERO,
        });
        Thinker { engine, limits: args.limits(lines) }
    }

    /// Forgets what was found before, so that the next answers do not depend on it.
    pub(super) fn forget(&mut self) {
        self.engine.clear();
    }

    /// Searches a position without a past.
    pub(super) fn think(&mut self, position: Position) -> Thought {
        let task = Task::from_position(position);
        let (lines, nodes) = with_control(|control| self.engine.lines(&task, self.limits, control));
        let found = |Info { score, depth, pv, .. }| Found {
            eval: PositionEval::from_mover(score, position.side_to_move()),
            depth,
            line: pv,
        };
        Thought { lines: lines.into_iter().map(found).collect(), nodes }
    }

    /// Runs a search of a review.
    pub(super) fn search_game(
        &mut self,
        game: &Game,
        request: SearchRequest,
    ) -> Option<SearchResult> {
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
