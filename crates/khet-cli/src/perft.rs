//! `khet perft`: counts move sequences, and how fast.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use khet::{Move, Position};
use serde::Serialize;

use crate::input::PositionArgs;
use crate::output::{Output, Problem};
use crate::progress;

/// Count the move sequences of a length, and how many a second
///
/// Example: khet perft classic 5
///
/// The moves of the last ply are counted, not played, unless --play-leaves is given. A move that
/// lights a pharaoh counts at the last ply, and has nothing behind it before. With --json
/// {"nodes":…,"seconds":…,"nodes_per_second":…}.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// The length of the sequences, 0 to 9
    #[arg(value_parser = clap::value_parser!(u32).range(0..=9))]
    depth: u32,
    /// Also print the number behind each first move
    #[arg(long)]
    divide: bool,
    /// Play the moves of the last ply and fire, instead of counting them
    #[arg(long)]
    play_leaves: bool,
    /// How many threads share the work
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

#[derive(Serialize)]
struct Report {
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Branch>>,
}

#[derive(Serialize)]
struct Branch {
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
        for branch in report.divide.iter().flatten() {
            output.line(format_args!("{} {}", branch.mv, branch.nodes))?;
        }
        output.line(format_args!("nodes            {}", report.nodes))?;
        output.line(format_args!("seconds          {:.3}", report.seconds))?;
        output.line(format_args!("nodes per second {:.3e}", report.nodes_per_second))
    })
}

impl Args {
    fn count(&self, position: &Position) -> Report {
        let started = Instant::now();
        let moves = position.legal_moves();
        let mut branches: Vec<Branch> = moves.iter().map(|&mv| Branch { mv, nodes: 0 }).collect();
        let nodes = match self.depth {
            0 => {
                branches.clear();
                1
            }
            1 if !self.play_leaves => {
                branches.iter_mut().for_each(|branch| branch.nodes = 1);
                u64::from(position.count_legal_moves())
            }
            _ => {
                for (branch, nodes) in branches.iter_mut().zip(self.share(position, &moves)) {
                    branch.nodes = nodes;
                }
                branches.iter().map(|branch| branch.nodes).sum()
            }
        };
        let seconds = started.elapsed().as_secs_f64();
        let nodes_per_second = if seconds > 0.0 { nodes as f64 / seconds } else { 0.0 };
        Report { nodes, seconds, nodes_per_second, divide: self.divide.then_some(branches) }
    }

    /// The nodes behind each first move. Threads take one first move after the other.
    fn share(&self, position: &Position, moves: &[Move]) -> Vec<u64> {
        let perft = if self.play_leaves { khet::perft_played } else { khet::perft };
        let bar = progress::bar(moves.len() as u64);
        let taken = AtomicUsize::new(0);
        let work = || {
            let aim = position.aim();
            let mut counts = Vec::new();
            loop {
                let index = taken.fetch_add(1, Ordering::Relaxed);
                let Some(&mv) = moves.get(index) else { return counts };
                counts.push((index, perft(&aim.play(mv).0, self.depth - 1)));
                bar.inc(1);
            }
        };
        let mut nodes = vec![0; moves.len()];
        thread::scope(|scope| {
            // Where there is no room for another thread, those that started do the work.
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
