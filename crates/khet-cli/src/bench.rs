//! `khet bench`: the engine's signature (its node count in fixed positions) and speed.

mod speedup;

use std::time::{Duration, Instant};

use khet_engine::{Engine, Options, bench};
use serde::Serialize;

use crate::output::{Output, Problem};
use crate::progress;

/// Measure the engine's speed and signature
///
/// Example: khet bench
///
/// Searches a fixed set of positions to a fixed depth. The total number of nodes is the engine's
/// signature: it is the same on every machine and changes only if the search changes. With --json,
/// prints {"nodes":…,"seconds":…,"nodes_per_second":…}.
///
/// With --threads N, measures the time to depth of N threads relative to one thread instead, in 30
/// middle-game positions, each with an empty transposition table. A ratio below 1 is a speedup.
/// Run it on an otherwise idle machine. With --json, prints
/// {"threads":…,"processors":…,"depth":…,"median":…,"ratios":[…],"positions":[…]}.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Search depth in plies [default: 10; 17 with --threads]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Compare the time to depth of this many threads with that of one
    #[arg(long, value_parser = clap::value_parser!(u16).range(2..=512))]
    threads: Option<u16>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct BenchReport {
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
    let report = BenchReport { nodes, seconds, nodes_per_second: nodes as f64 / seconds };
    if args.json {
        return output.json(&report);
    }
    output.line(format_args!("signature        {}", report.nodes))?;
    output.line(format_args!("seconds          {:.3}", report.seconds))?;
    output.line(format_args!("nodes per second {:.3e}", report.nodes_per_second))
}
