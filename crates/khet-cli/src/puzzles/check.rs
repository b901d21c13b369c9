//! `khet puzzles check`: proves the puzzles of a file again.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use khet_puzzles::{
    Puzzle, PuzzleChecker, PuzzleFault, PuzzleFileError, PuzzleId, PuzzleProblem, PuzzleTheme,
    read_puzzles,
};
use serde::Serialize;

use crate::output::{Output, Problem};
use crate::progress;

/// Prove the puzzles of a file again
///
/// Example: khet puzzles check puzzles.txt --sample 100 --seed 7
///
/// Checks the format of every line and that no puzzle occurs twice, also not with the sides
/// exchanged. Of every puzzle, or of a random sample, it proves that each move of the solution is
/// the only good one and that forced hits on the pharaoh are forced, and it finds the themes again.
/// Faults are reported with the line and the puzzle's name, and the exit code is 1. With --json,
/// prints an object for each fault, {"line":…,"puzzle":"…","fault":"…"}, and finally
/// {"puzzles":…,"proved":…,"faults":…,"themes":{"swap":…,…}}.
#[derive(clap::Args)]
pub(super) struct CheckPuzzlesArgs {
    /// Puzzle file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Number of puzzles to prove, drawn at random [default: all]
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Random seed of the sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of threads [default: the number of CPU cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Write JSON, one object per line
    #[arg(long)]
    json: bool,
}

/// A puzzle with the number of its line.
struct NumberedPuzzle {
    line: usize,
    puzzle: Puzzle,
}

/// A fault, as JSON.
#[derive(Serialize)]
struct PuzzleFaultReport {
    line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    puzzle: Option<String>,
    fault: String,
}

/// The result of the check, as JSON.
#[derive(Serialize)]
struct PuzzleCheckSummary {
    puzzles: usize,
    proved: usize,
    faults: usize,
    themes: BTreeMap<&'static str, usize>,
}

pub(super) fn run(args: &CheckPuzzlesArgs, output: &mut Output) -> Result<(), Problem> {
    let name = args.file.display();
    let text = fs::read_to_string(&args.file)
        .map_err(|error| Problem::Input(format!("{name}: {error}")))?;
    let mut faults = Vec::new();
    let mut puzzles = Vec::new();
    for (index, read) in read_puzzles(&text).enumerate() {
        match read {
            Ok(puzzle) => puzzles.push(NumberedPuzzle { line: index + 2, puzzle }),
            Err(error @ PuzzleFileError { problem: PuzzleProblem::Header, .. }) => {
                return Err(Problem::Input(format!("{name}: {error}")));
            }
            Err(PuzzleFileError { line, problem }) => {
                let fault = problem.to_string();
                faults.push(PuzzleFaultReport { line, puzzle: None, fault });
            }
        }
    }
    faults.extend(duplicates(&puzzles));
    let sample = args.draw_sample(&puzzles);
    faults.extend(args.prove(&sample));
    faults.sort_by_key(|fault| fault.line);
    for fault in &faults {
        let puzzle = fault.puzzle.as_ref().map_or(String::new(), |id| format!("puzzle {id}: "));
        output.report_fault(&format!("{name}: line {}: {puzzle}{}", fault.line, fault.fault));
        if args.json {
            output.json(fault)?;
        }
    }
    let count = |theme: PuzzleTheme| {
        puzzles.iter().filter(|numbered| numbered.puzzle.themes.contains(theme)).count()
    };
    let summary = PuzzleCheckSummary {
        puzzles: puzzles.len(),
        proved: sample.len(),
        faults: faults.len(),
        themes: PuzzleTheme::ALL.map(|theme| (theme.name(), count(theme))).into(),
    };
    if args.json {
        return output.json(&summary);
    }
    let PuzzleCheckSummary { puzzles, proved, faults, .. } = summary;
    output.line(format_args!("{puzzles} puzzles, {proved} of them proved, {faults} faults"))?;
    for theme in PuzzleTheme::ALL {
        output.line(format_args!("{theme:<18} {:>6}", count(theme)))?;
    }
    Ok(())
}

/// Returns a fault for each puzzle that occurs a second time.
fn duplicates(puzzles: &[NumberedPuzzle]) -> Vec<PuzzleFaultReport> {
    let mut lines: HashMap<PuzzleId, usize> = HashMap::new();
    let mut faults = Vec::new();
    for NumberedPuzzle { line, puzzle } in puzzles {
        let id = puzzle.id();
        let first = *lines.entry(id).or_insert(*line);
        if first != *line {
            let fault = format!("the same puzzle as in line {first}");
            faults.push(PuzzleFaultReport { line: *line, puzzle: Some(id.to_string()), fault });
        }
    }
    faults
}

impl CheckPuzzlesArgs {
    /// Draws the puzzles to prove.
    fn draw_sample<'a>(&self, puzzles: &'a [NumberedPuzzle]) -> Vec<&'a NumberedPuzzle> {
        let mut sample: Vec<&NumberedPuzzle> = puzzles.iter().collect();
        if let Some(size) = self.sample {
            fastrand::Rng::with_seed(self.seed).shuffle(&mut sample);
            sample.truncate(size);
        }
        sample
    }

    /// Proves puzzles on several threads, and returns the faults.
    fn prove(&self, sample: &[&NumberedPuzzle]) -> Vec<PuzzleFaultReport> {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let threads = self.threads.map_or(cores, NonZero::get).min(sample.len());
        let next = AtomicUsize::new(0);
        let bar = progress::bar(sample.len() as u64);
        let (sender, results) = mpsc::channel::<(usize, Result<(), PuzzleFault>)>();
        let mut faults = Vec::new();
        thread::scope(|scope| {
            for _ in 0..threads {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    let mut checker = PuzzleChecker::default();
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(numbered) = sample.get(index) else { return };
                        if sender.send((index, checker.check(&numbered.puzzle))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for (index, result) in results {
                bar.inc(1);
                if let Err(fault) = result {
                    let NumberedPuzzle { line, puzzle } = sample[index];
                    let (puzzle, fault) = (Some(puzzle.id().to_string()), fault.to_string());
                    faults.push(PuzzleFaultReport { line: *line, puzzle, fault });
                }
            }
        });
        bar.finish_and_clear();
        faults
    }
}
