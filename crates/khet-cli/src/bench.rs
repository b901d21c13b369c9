//! `khet bench`: the engine's signature and speed.

mod speedup;

use std::time::{Duration, Instant};

use khet_engine::{Engine, Options, bench};
use serde::Serialize;

use crate::output::{Output, Problem};
use crate::progress;

/// Search a fixed set of positions: the number of nodes is the engine's signature
///
/// Example: khet bench
///
/// With --json {"nodes":…,"seconds":…,"nodes_per_second":…}. The nodes are the same on every machine.
///
/// With --threads 2 it measures instead how much sooner two threads reach a depth than one does, in 30
/// positions of the middle game, each time with an empty table; below 1 is sooner. The machine should have nothing
/// else to do. With --json {"threads":…,"processors":…,"depth":…,"median":…,"ratios":[…],"positions":[…]}.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Plies to search [default: 10, with --threads 17]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Compare the time of that many threads with the time of one
    #[arg(long, value_parser = clap::value_parser!(u16).range(2..=512))]
    threads: Option<u16>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Problem> {
    if let Some(threads) = args.threads {
        let depth = args.depth.unwrap_or(speedup::DEPTH);
        let report = speedup::measure(threads.into(), depth);
        return if args.json { output.json(&report) } else { report.print(output) };
    }
    let positions = bench::positions();
    let bar = progress::bar(positions.len() as u64);
    let mut engine = Engine::new(Options::default());
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    for position in positions {
        engine.clear();
        let started = Instant::now();
        nodes += bench::search(&mut engine, position, args.depth.unwrap_or(bench::DEPTH));
        time += started.elapsed();
        bar.inc(1);
    }
    let seconds = time.as_secs_f64();
    bar.finish_and_clear();
    let report = Report { nodes, seconds, nodes_per_second: nodes as f64 / seconds };
    if args.json {
        return output.json(&report);
    }
    output.line(format_args!("signature        {}", report.nodes))?;
    output.line(format_args!("seconds          {:.3}", report.seconds))?;
    output.line(format_args!("nodes per second {:.3e}", report.nodes_per_second))
}
