//! The engine as the analysis uses it: a position in, the best lines out.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use khet::{Game, Move, Position};
use khet_engine::{Control, Engine, Info, Limits, Options, Task};
use khet_review::{Answer, PositionEval, Question};

/// How long, and with what, every position is searched.
#[derive(clap::Args)]
pub(crate) struct AnalystArgs {
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

impl AnalystArgs {
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
pub(crate) struct Found {
    pub(crate) eval: PositionEval,
    pub(crate) depth: u32,
    /// The moves; there is at least one.
    pub(crate) line: Vec<Move>,
}

/// All that was found in a position.
pub(crate) struct Thought {
    /// The best lines, best first; none where no move is legal.
    pub(crate) lines: Vec<Found>,
    pub(crate) nodes: u64,
}

pub(crate) struct Analyst {
    engine: Engine,
    limits: Limits,
}

impl Analyst {
    pub(crate) fn new(args: &AnalystArgs, lines: usize) -> Analyst {
        let engine = Engine::new(Options {
            hash: args.hash as usize,
            threads: usize::from(args.threads),
            multi_pv: lines,
            overhead: Duration::ZERO,
        });
        Analyst { engine, limits: args.limits(lines) }
    }

    /// Forgets what was found before, so that the next answers do not depend on it.
    pub(crate) fn forget(&mut self) {
        self.engine.clear();
    }

    /// Searches a position without a past.
    pub(crate) fn think(&mut self, position: Position) -> Thought {
        let (lines, nodes) = self.search(&Task::from_position(position), self.limits);
        let found = |Info { score, depth, pv, .. }| Found {
            eval: PositionEval::from_mover(score, position.side_to_move()),
            depth,
            line: pv,
        };
        Thought { lines: lines.into_iter().map(found).collect(), nodes }
    }

    /// Answers a question about a game that is not over; what stood on the board before counts.
    pub(crate) fn answer(&mut self, game: &Game, question: Question) -> Option<Answer> {
        let task = Task::new(game);
        let task = match question.only {
            Some(mv) => task.only(&[mv]),
            None => task,
        };
        let limits = Limits { depth: question.depth.or(self.limits.depth), ..self.limits };
        let (lines, _) = self.search(&task, limits);
        let Info { score, depth, pv, .. } = lines.into_iter().next()?;
        Some(Answer { score, depth, line: pv })
    }

    /// The best lines, and the nodes.
    fn search(&mut self, task: &Task, limits: Limits) -> (Vec<Info>, u64) {
        let started = Instant::now();
        let never = AtomicBool::new(false);
        let elapsed = || started.elapsed();
        let control = Control { stop: &never, pondering: &never, elapsed: &elapsed };
        self.engine.lines(task, limits, control)
    }
}
