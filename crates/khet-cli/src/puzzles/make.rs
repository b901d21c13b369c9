//! `khet puzzles make`: finds puzzles in games and appends them to a file.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use khet_puzzles::generator::{LevelGames, PuzzleFinder, PuzzleSet, PuzzleTargets};
use khet_puzzles::{PUZZLE_FILE_HEADER, Puzzle, PuzzleSource, PuzzleTheme, read_puzzles};

use super::game_queue::{GameQueue, QueuedGame};
use crate::output::{Output, Problem};
use crate::progress;

/// Find puzzles in games and append them to a file
///
/// Example: khet puzzles make --out puzzles.txt --count 5000 --threads 2
///
/// Looks through the games of record files, if there are any, and then through games of the
/// engine's levels against each other, until the file has the wanted number of puzzles. Each is
/// proved: forced hits on the pharaoh exhaustively, all others by a deep search of every move.
/// Themes that are short are preferred. A file that exists is continued, also after an
/// interruption. docs/puzzles.md describes the format and the themes.
#[derive(clap::Args)]
pub(super) struct MakeArgs {
    /// File to write; continued if it exists
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of puzzles in the file at the end
    #[arg(long, value_name = "N", default_value_t = 5000,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// Number of threads [default: the number of CPU cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Random seed of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Game record file to look through first; may be repeated. Games with a tower are left out
    #[arg(long, value_name = "FILE.kgn")]
    games: Vec<PathBuf>,
}

pub(super) fn run(args: &MakeArgs, output: &mut Output) -> Result<(), Problem> {
    let targets = PuzzleTargets::new(args.count as usize);
    let mut set = PuzzleSet::new(targets);
    let mut file = open(&args.out, &mut set)?;
    let queue = GameQueue::open(&args.games, args.seed, &set)?;
    let known = set.len();
    let started = Instant::now();
    let set = Mutex::new(set);
    let queue = Mutex::new(queue);
    let bar = progress::puzzle_bar(targets.count() as u64);
    bar.enable_steady_tick(Duration::from_secs(1));
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = args.threads.map_or(cores, NonZero::get);
    let (sender, puzzles) = mpsc::channel();
    let written = thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, set, queue) = (sender.clone(), &set, &queue);
            scope.spawn(move || find_puzzles(args.seed, queue, set, &sender));
        }
        // The channel ends with the last thread's sender.
        drop(sender);
        show_progress(&bar, &lock(&set), known, started);
        for puzzle in puzzles {
            // Each line is written at once, so that an interruption loses no puzzle. Without a
            // receiver, the threads end.
            file.write_all(format!("{puzzle}\n").as_bytes())?;
            show_progress(&bar, &lock(&set), known, started);
        }
        Ok(())
    });
    bar.finish_and_clear();
    written.map_err(|error: io::Error| unusable(&args.out, &error))?;
    for warning in lock(&queue).take_warnings() {
        output.report_warning(&warning);
    }
    write_summary(&lock(&set), targets, known, started, output)
}

/// Opens the file, or creates it with its header. Adds its puzzles to the set and cuts off a line
/// whose writing was interrupted.
fn open(path: &Path, set: &mut PuzzleSet) -> Result<File, Problem> {
    let failed = |error: io::Error| unusable(path, &error);
    let mut options = OpenOptions::new();
    let mut file =
        options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(failed)?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    if whole == 0 {
        if !PUZZLE_FILE_HEADER.starts_with(&text) {
            let message = format!("{}: not a puzzle file; it is left as it is", path.display());
            return Err(Problem::Input(message));
        }
        file.set_len(0).map_err(failed)?;
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        file.write_all(format!("{PUZZLE_FILE_HEADER}\n").as_bytes()).map_err(failed)?;
        return Ok(file);
    }
    for puzzle in read_puzzles(&text[..whole]) {
        let puzzle =
            puzzle.map_err(|error| Problem::Input(format!("{}: {error}", path.display())))?;
        set.add_known(&puzzle);
    }
    file.set_len(whole as u64).map_err(failed)?;
    file.seek(SeekFrom::End(0)).map_err(failed)?;
    Ok(file)
}

fn unusable(path: &Path, error: &io::Error) -> Problem {
    Problem::Input(format!("{}: {error}", path.display()))
}

/// Looks through one game after the other and sends the puzzles, until the set is complete.
fn find_puzzles(
    seed: u64,
    queue: &Mutex<GameQueue>,
    set: &Mutex<PuzzleSet>,
    sender: &Sender<Puzzle>,
) {
    let mut finder = PuzzleFinder::default();
    let mut level_games = LevelGames::default();
    let mut is_wanted = true;
    while is_wanted {
        let next = {
            let set = lock(set);
            if set.is_complete() {
                return;
            }
            lock(queue).next(&set)
        };
        let mut send = |puzzle| is_wanted = sender.send(puzzle).is_ok();
        match next {
            QueuedGame::Record { file, number, game } => {
                let source = |ply| PuzzleSource::Record { file: file.clone(), game: number, ply };
                finder.search(&game, source, set, &mut send);
            }
            QueuedGame::SelfPlay { setup, number } => {
                let game = level_games.play(setup, seed, number);
                let source = |ply| PuzzleSource::SelfPlay { setup, seed, game: number, ply };
                finder.search(&game, source, set, &mut send);
            }
        }
    }
}

/// Locks a mutex. What it holds is never left half changed, so a panic of another thread does not
/// matter.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn show_progress(bar: &ProgressBar, set: &PuzzleSet, known: usize, started: Instant) {
    bar.set_position(set.len() as u64);
    bar.set_prefix(format!("{} per hour", rate(set.len() - known, started)));
    let count = |theme: &PuzzleTheme| match set.missing(*theme) {
        0 => format!("{theme} {}", set.count(*theme)),
        missing => format!("{theme} {} ({missing} short)", set.count(*theme)),
    };
    bar.set_message(PuzzleTheme::ALL.iter().map(count).collect::<Vec<_>>().join(", "));
}

/// Returns the number of puzzles per hour.
fn rate(puzzles: usize, started: Instant) -> u64 {
    let hours = started.elapsed().as_secs_f64() / 3600.0;
    if hours > 0.0 { (puzzles as f64 / hours) as u64 } else { 0 }
}

fn write_summary(
    set: &PuzzleSet,
    targets: PuzzleTargets,
    known: usize,
    started: Instant,
    output: &mut Output,
) -> Result<(), Problem> {
    let new = set.len() - known;
    let rate = rate(new, started);
    output.line(format_args!("{} puzzles, {new} of them new ({rate} per hour)", set.len()))?;
    for theme in PuzzleTheme::ALL {
        let (count, least) = (set.count(theme), targets.least(theme));
        output.line(format_args!("{theme:<18} {count:>6} of at least {least}"))?;
    }
    Ok(())
}
