//! `khet perft`: counts move sequences, to test the move generator and measure its speed.

use std::hint::black_box;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use khet::{AnyPosition, BoardSquare, GamePosition, Move, Position, tower};
use serde::Serialize;

use crate::input::PositionArgs;
use crate::output::{Output, Problem};
use crate::progress;

/// Count the move sequences of a given length (perft)
///
/// Example: khet perft classic 5
///
/// The moves of the last ply are counted without playing them, unless --play-leaves is given. A
/// move that hits a pharaoh ends its sequence: it counts at the last ply only. With --json, prints
/// {"nodes":…,"seconds":…,"nodes_per_second":…}.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Length of the sequences in plies, 0 to 9
    #[arg(value_parser = clap::value_parser!(u32).range(0..=9))]
    depth: u32,
    /// Also print the count for each root move
    #[arg(long)]
    divide: bool,
    /// Play the moves of the last ply and fire the laser, instead of only counting them
    #[arg(long)]
    play_leaves: bool,
    /// Number of threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

#[derive(Serialize)]
struct PerftReport {
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<PerftEntry>>,
}

/// A move in the root position and the number of sequences that start with it.
#[derive(Serialize)]
struct PerftEntry {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    args.position.each_position(output, |position, output| {
        let report = match position {
            AnyPosition::Standard(position) => args.count(&position),
            AnyPosition::Tower(position) => args.count(&position),
        };
        if args.position.json {
            return output.json(&report);
        }
        for root_move in report.divide.iter().flatten() {
            output.line(format_args!("{} {}", root_move.mv, root_move.nodes))?;
        }
        output.line(format_args!("nodes            {}", report.nodes))?;
        output.line(format_args!("seconds          {:.3}", report.seconds))?;
        output.line(format_args!("nodes per second {:.3e}", report.nodes_per_second))
    })
}

/// A position whose move sequences are counted.
trait PerftPosition: GamePosition<Square: BoardSquare<TowerMove: Sync> + Sync> + Sync {
    /// Counts the sequences of a length. `play_leaves` also plays the moves of the last ply.
    fn perft(&self, depth: u32, play_leaves: bool) -> u64;
}

impl PerftPosition for Position {
    fn perft(&self, depth: u32, play_leaves: bool) -> u64 {
        if play_leaves { khet::perft_played(self, depth) } else { khet::perft(self, depth) }
    }
}

impl PerftPosition for tower::Position {
    fn perft(&self, depth: u32, play_leaves: bool) -> u64 {
        if !play_leaves {
            return tower::perft(self, depth);
        }
        let Some(rest) = depth.checked_sub(1) else { return 1 };
        let count = |&mv: &Move<tower::Square>| {
            let mut next = *self;
            next.play_unchecked(mv);
            black_box(&next).perft(rest, true)
        };
        self.legal_moves().iter().map(count).sum()
    }
}

impl Args {
    /// Counts the nodes below each move.
    fn count<P: PerftPosition>(&self, position: &P) -> PerftReport {
        let started = Instant::now();
        let moves = position.legal_moves();
        let mut root_moves: Vec<PerftEntry> =
            moves.iter().map(|mv| PerftEntry { mv: mv.to_string(), nodes: 0 }).collect();
        let nodes = match self.depth {
            0 => {
                root_moves.clear();
                1
            }
            1 if !self.play_leaves => {
                root_moves.iter_mut().for_each(|root_move| root_move.nodes = 1);
                position.perft(1, false)
            }
            _ => {
                let counts = self.count_root_moves(position, &moves);
                for (root_move, nodes) in root_moves.iter_mut().zip(counts) {
                    root_move.nodes = nodes;
                }
                root_moves.iter().map(|root_move| root_move.nodes).sum()
            }
        };
        let seconds = started.elapsed().as_secs_f64();
        let nodes_per_second = if seconds > 0.0 { nodes as f64 / seconds } else { 0.0 };
        PerftReport { nodes, seconds, nodes_per_second, divide: self.divide.then_some(root_moves) }
    }

    /// Counts the nodes below each root move. Each thread takes the next root move when it is idle.
    fn count_root_moves<P: PerftPosition>(
        &self,
        position: &P,
        moves: &[Move<P::Square>],
    ) -> Vec<u64> {
        let bar = progress::bar(moves.len() as u64);
        let next = AtomicUsize::new(0);
        let work = || {
            let mut counts = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(&mv) = moves.get(index) else { return counts };
                let mut next = *position;
                next.play_unchecked(mv);
                counts.push((index, next.perft(self.depth - 1, self.play_leaves)));
                bar.inc(1);
            }
        };
        let mut nodes = vec![0; moves.len()];
        thread::scope(|scope| {
            // If a thread can't be started, the others do its share of the work.
            let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
            let helpers: Vec<_> = (1..self.threads).map_while(start).collect();
            let own = work();
            let counts = helpers.into_iter().map(|helper| match helper.join() {
                Ok(counts) => counts,
                Err(panic) => resume_unwind(panic),
            });
            for (index, count) in counts.flatten().chain(own) {
                nodes[index] = count;
            }
        });
        bar.finish_and_clear();
        nodes
    }
}
