//! `khet perft`: counts move sequences, to test the move generator and measure its speed.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use khet::{Move, Position};
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
    mv: Move,
    nodes: u64,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    args.position.each_position(output, |position, output| {
        let report = args.count(&position);
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

impl Args {
    /// Counts the nodes below each move.
    fn count(&self, position: &Position) -> PerftReport {
        let started = Instant::now();
        let moves = position.legal_moves();
        let mut root_moves: Vec<PerftEntry> =
            moves.iter().map(|&mv| PerftEntry { mv, nodes: 0 }).collect();
        let nodes = match self.depth {
            0 => {
                root_moves.clear();
                1
            }
            1 if !self.play_leaves => {
                root_moves.iter_mut().for_each(|root_move| root_move.nodes = 1);
                u64::from(position.count_legal_moves())
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
    fn count_root_moves(&self, position: &Position, moves: &[Move]) -> Vec<u64> {
        let perft = if self.play_leaves { khet::perft_played } else { khet::perft };
        let bar = progress::bar(moves.len() as u64);
        let next = AtomicUsize::new(0);
        let work = || {
            let aim = position.aim();
            let mut counts = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(&mv) = moves.get(index) else { return counts };
                counts.push((index, perft(&aim.play(mv).0, self.depth - 1)));
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
