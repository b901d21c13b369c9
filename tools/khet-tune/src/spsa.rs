//! Tunes the constants of the search by self-play: simultaneous perturbation stochastic
//! approximation (SPSA).
//!
//! Each pair of games is played between two engines whose constants all differ a little, up or down
//! at random, from the current values. The values then move towards the better engine. Steps and
//! differences shrink over time as on Fishtest, Stockfish's testing framework.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fs, io, thread};

use khet::Setup;
use khet_engine::tuning::SearchParameters;
use khet_engine::{Engine, Options};

use crate::progress;
use crate::random::Random;
use crate::self_play::{play, random_opening};

/// Number of pairs that are played from the same values, on any number of threads.
const ROUND: u64 = 16;
/// Number of random plies of an opening.
const RANDOM_PLIES: usize = 4;
/// Exponents of the size of a step and of the difference between the engines.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The last difference between the engines, as a share of a constant's range.
const FINAL_DIFFERENCE: f64 = 0.06;
/// The size of the last step in proportion to the square of the last difference.
const FINAL_STEP: f64 = 0.006;
/// Share of the pairs for which the first steps are damped.
const STABILITY: f64 = 0.1;
/// Size of the transposition table in mebibytes.
const HASH: usize = 8;

/// Tunes the constants of the search by self-play.
///
/// A state file that was interrupted is continued. The same seed gives the same values with any
/// number of threads.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: khet-tune spsa search.spsa --pairs 20000 --nodes 3000")]
pub(crate) struct SpsaArgs {
    /// The file with the current values.
    state: PathBuf,
    /// Number of pairs of games in all.
    #[arg(long, default_value_t = 20_000)]
    pairs: u64,
    /// Positions that the engine searches for each move.
    #[arg(long, default_value_t = 3_000)]
    nodes: u64,
    /// Number of threads; all cores by default.
    #[arg(long)]
    threads: Option<usize>,
    /// Seed of openings and perturbations.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A constant that is being tuned.
#[derive(Clone, PartialEq, Debug)]
struct TunedConstant {
    name: &'static str,
    value: f64,
    least: f64,
    most: f64,
}

/// Plays the pairs that are missing, and prints the values.
pub(crate) fn run(args: &SpsaArgs) -> Result<(), Box<dyn Error>> {
    let mut constants = defaults();
    let mut done = read_state(&args.state, &mut constants)
        .map_err(|error| format!("{}: {error}", args.state.display()))?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.unwrap_or(cores).max(1);
    let bar = progress::bar(args.pairs, "pairs");
    bar.set_position(done);
    let mut engines: Vec<[Engine; 2]> = (0..threads)
        .map(|_| [(); 2].map(|()| Engine::new(Options { hash: HASH, ..Options::default() })))
        .collect();
    while done < args.pairs {
        let round: Vec<u64> = (done..(done + ROUND).min(args.pairs)).collect();
        let played = play_round(args, &constants, &round, &mut engines);
        for (pair, (directions, result)) in round.iter().zip(played) {
            take_step(args, &mut constants, *pair, &directions, result);
        }
        done += round.len() as u64;
        write_state(&args.state, done, &constants)
            .map_err(|error| format!("{}: {error}", args.state.display()))?;
        bar.set_position(done);
    }
    bar.finish();
    let defaults = defaults();
    for (constant, default) in constants.iter().zip(defaults) {
        println!("{:<24} {:>8.1}   was {}", constant.name, constant.value, default.value);
    }
    Ok(())
}

/// The perturbation of a pair, and the result for the engine with the constants that were raised by
/// it, from −2 to 2.
type PlayedPair = (Vec<f64>, f64);

/// Plays the pairs of a round on all threads. Returns them in the order of the round.
fn play_round(
    args: &SpsaArgs,
    constants: &[TunedConstant],
    round: &[u64],
    engines: &mut [[Engine; 2]],
) -> Vec<PlayedPair> {
    let threads = engines.len();
    let mut played: Vec<(u64, PlayedPair)> = thread::scope(|scope| {
        let tasks: Vec<_> = engines
            .iter_mut()
            .enumerate()
            .map(|(thread, engines)| {
                scope.spawn(move || {
                    let pairs = round.iter().skip(thread).step_by(threads);
                    pairs
                        .map(|&pair| (pair, play_pair(args, constants, pair, engines)))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        tasks.into_iter().filter_map(|task| task.join().ok()).flatten().collect()
    });
    played.sort_unstable_by_key(|&(pair, _)| pair);
    played.into_iter().map(|(_, played)| played).collect()
}

/// Plays two games from one opening, with exchanged colours.
fn play_pair(
    args: &SpsaArgs,
    constants: &[TunedConstant],
    pair: u64,
    [first, second]: &mut [Engine; 2],
) -> PlayedPair {
    let mut random = Random::new(args.seed, pair);
    let directions: Vec<f64> =
        constants.iter().map(|_| if random.below(2) == 0 { 1.0 } else { -1.0 }).collect();
    for (engine, sign) in [(&mut *first, 1.0), (&mut *second, -1.0)] {
        let mut parameters = SearchParameters::default();
        let perturbed = constants.iter().zip(&directions);
        for (entry, (constant, direction)) in parameters.entries().into_iter().zip(perturbed) {
            let shift = sign * direction * constant.difference(args, pair);
            let value = (constant.value + shift).clamp(constant.least, constant.most);
            // Rounded at random, so that small differences count on average.
            *entry.value = (value + random.below(1_000) as f64 / 1_000.0).floor() as i32;
        }
        engine.set_parameters(parameters);
    }
    let start = |random: &mut Random| Setup::ALL[random.below(Setup::ALL.len())].position();
    let opening = random_opening(start, |_| RANDOM_PLIES, &mut random);
    let as_silver = play(opening.clone(), first, second, args.nodes);
    let as_red = 1.0 - play(opening, second, first, args.nodes);
    (directions, 2.0 * (as_silver + as_red - 1.0))
}

impl TunedConstant {
    /// Returns by how much the engines of a pair differ from the current value.
    fn difference(&self, args: &SpsaArgs, pair: u64) -> f64 {
        let last = (self.most - self.least) * FINAL_DIFFERENCE;
        last * (args.pairs as f64 / (pair + 1) as f64).powf(GAMMA)
    }

    /// Returns the size of a step in proportion to the difference.
    fn step(&self, args: &SpsaArgs, pair: u64) -> f64 {
        let last = (self.most - self.least) * FINAL_DIFFERENCE;
        let damping = STABILITY * args.pairs as f64;
        let ratio = (damping + args.pairs as f64) / (damping + (pair + 1) as f64);
        FINAL_STEP * last * last * ratio.powf(ALPHA) / self.difference(args, pair)
    }
}

/// Moves all values towards the better engine of a pair.
fn take_step(
    args: &SpsaArgs,
    constants: &mut [TunedConstant],
    pair: u64,
    directions: &[f64],
    result: f64,
) {
    for (constant, direction) in constants.iter_mut().zip(directions) {
        let value = constant.value + constant.step(args, pair) * result * direction;
        constant.value = value.clamp(constant.least, constant.most);
    }
}

/// Returns all constants with their current values in the engine.
fn defaults() -> Vec<TunedConstant> {
    let mut parameters = SearchParameters::default();
    let entries = parameters.entries().into_iter();
    let constants = entries.map(|entry| TunedConstant {
        name: entry.name,
        value: f64::from(*entry.value),
        least: f64::from(*entry.range.start()),
        most: f64::from(*entry.range.end()),
    });
    constants.collect()
}

/// Reads the values of a state file into the constants. Returns the number of pairs that have been
/// played, 0 if there is no file.
fn read_state(path: &Path, constants: &mut [TunedConstant]) -> io::Result<u64> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    let invalid = |line: &str| {
        io::Error::new(io::ErrorKind::InvalidData, format!("{line:?} is no line of a state file"))
    };
    let mut done = None;
    for line in text.lines() {
        let (name, number) = line.split_once(' ').ok_or_else(|| invalid(line))?;
        if name == "pairs" {
            done = Some(number.parse().map_err(|_| invalid(line))?);
            continue;
        }
        let constant = constants.iter_mut().find(|constant| constant.name == name);
        let constant = constant.ok_or_else(|| invalid(line))?;
        constant.value = number.parse().map_err(|_| invalid(line))?;
    }
    done.ok_or_else(|| invalid(""))
}

/// Writes a state file: first under another name, so that an interruption leaves the old one.
fn write_state(path: &Path, done: u64, constants: &[TunedConstant]) -> io::Result<()> {
    let mut text = format!("pairs {done}\n");
    for constant in constants {
        text += &format!("{} {}\n", constant.name, constant.value);
    }
    let unfinished = path.with_extension("unfinished");
    fs::write(&unfinished, text)?;
    fs::rename(unfinished, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(pairs: u64) -> SpsaArgs {
        SpsaArgs { state: PathBuf::new(), pairs, nodes: 20, threads: None, seed: 3 }
    }

    #[test]
    fn state_is_read_as_it_was_written() {
        let path = std::env::temp_dir().join(format!("khet-tune-{}.spsa", std::process::id()));
        let mut written = defaults();
        written[2].value += 0.123_456_789;
        write_state(&path, 48, &written).expect("written");
        let mut read = defaults();
        assert_eq!(read_state(&path, &mut read).expect("the file"), 48);
        assert_eq!(read, written);
        fs::write(&path, "something else\n").expect("written");
        assert!(read_state(&path, &mut read).is_err());
        fs::remove_file(&path).expect("removed");
        assert_eq!(read_state(&path, &mut read).expect("no file"), 0);
    }

    #[test]
    fn values_move_towards_the_better_engine_and_stay_in_their_range() {
        let args = arguments(100);
        let mut constants = defaults();
        let before = constants.clone();
        let directions: Vec<f64> =
            (0..constants.len()).map(|index| if index % 2 == 0 { 1.0 } else { -1.0 }).collect();
        take_step(&args, &mut constants, 0, &directions, 2.0);
        for ((after, before), direction) in constants.iter().zip(&before).zip(&directions) {
            assert!((after.value - before.value) * direction > 0.0, "{}", after.name);
        }
        for _ in 0..100_000 {
            take_step(&args, &mut constants, 0, &directions, 2.0);
        }
        assert!(constants.iter().all(|it| it.value == it.least || it.value == it.most));
    }

    #[test]
    fn a_round_is_the_same_with_any_number_of_threads() {
        let (args, constants) = (arguments(100), defaults());
        let round: Vec<u64> = (0..5).collect();
        let played = |threads: usize| {
            let mut engines: Vec<[Engine; 2]> = (0..threads)
                .map(|_| [(); 2].map(|()| Engine::new(Options { hash: 1, ..Options::default() })))
                .collect();
            play_round(&args, &constants, &round, &mut engines)
        };
        assert_eq!(played(1), played(3));
    }
}
