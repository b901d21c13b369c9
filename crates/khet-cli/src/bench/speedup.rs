//! Time to depth of several search threads, relative to one thread.

use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use khet::Position;
use khet_engine::{Control, Engine, Limits, Options, SearchRoot, bench};
use serde::Serialize;

use crate::output::{Output, Problem};
use crate::progress;

/// Size of the transposition table in mebibytes.
const HASH_SIZE: usize = 64;

/// Default search depth: takes about a second with one thread.
pub(super) const DEPTH: u32 = 17;

#[derive(Serialize)]
pub(super) struct SpeedupReport {
    threads: usize,
    /// Available processors. With fewer processors than threads, the ratios are meaningless.
    processors: Option<usize>,
    depth: u32,
    median: f64,
    ratios: Vec<f64>,
    positions: Vec<PositionTiming>,
}

/// Times to depth in one position.
#[derive(Serialize)]
struct PositionTiming {
    position: String,
    /// Seconds with one thread.
    one: f64,
    /// Seconds with several threads.
    several: f64,
    ratio: f64,
}

/// Searches the bench positions with one and with several threads.
pub(super) fn measure(threads: usize, depth: u32) -> SpeedupReport {
    let engine = |threads| Engine::new(Options { hash: HASH_SIZE, threads, ..Options::default() });
    let (mut one, mut several) = (engine(1), engine(threads));
    let positions = bench::midgame();
    let bar = progress::bar(2 * positions.len() as u64);
    let timing = |position| {
        let seconds = |engine: &mut Engine| {
            let time = time_to_depth(engine, position, depth);
            bar.inc(1);
            time.as_secs_f64()
        };
        let (one, several) = (seconds(&mut one), seconds(&mut several));
        PositionTiming { position: position.to_string(), one, several, ratio: several / one }
    };
    let positions: Vec<PositionTiming> = positions.into_iter().map(timing).collect();
    bar.finish_and_clear();
    let ratios: Vec<f64> = positions.iter().map(|timing| timing.ratio).collect();
    SpeedupReport {
        threads,
        processors: thread::available_parallelism().ok().map(usize::from),
        depth,
        median: median(&ratios),
        ratios,
        positions,
    }
}

/// Returns the time to reach a depth, starting with an empty transposition table.
fn time_to_depth(engine: &mut Engine, position: Position, depth: u32) -> Duration {
    engine.clear();
    let search_root = SearchRoot::from_position(position);
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let never = AtomicBool::new(false);
    let started = Instant::now();
    let elapsed = || started.elapsed();
    let control = Control { stop: &never, pondering: &never, elapsed: &elapsed };
    // Taken from the last report: `search` returns a little later, when all threads have ended.
    let mut reached = Duration::ZERO;
    engine.search(&search_root, limits, control, &mut |info| reached = info.time);
    reached
}

fn median(ratios: &[f64]) -> f64 {
    let mut sorted = ratios.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        _ if sorted.is_empty() => f64::NAN,
        0 => (sorted[middle - 1] + sorted[middle]) / 2.0,
        _ => sorted[middle],
    }
}

impl SpeedupReport {
    /// Writes the table.
    pub(super) fn print(&self, output: &mut Output) -> Result<(), Problem> {
        let SpeedupReport { threads, processors, depth, median, ratios, positions } = self;
        let several = format!("{threads} threads");
        output
            .line(format_args!("   1 thread {several:>11}  ratio  position, to depth {depth}"))?;
        for PositionTiming { position, one, several, ratio } in positions {
            output.line(format_args!("{one:>9.3} s {several:>9.3} s  {ratio:>5.3}  {position}"))?;
        }
        if let Some(processors) = processors
            && processors < threads
        {
            output.line(format_args!("only {processors} processors for {threads} threads"))?;
        }
        output.line(format_args!("median ratio {median:.3} of {} positions", ratios.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_odd_and_even_counts() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
