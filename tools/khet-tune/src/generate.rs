//! Plays games of the engine against itself from random openings and stores their positions.

use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use khet::{Color, GameResult, Move, MoverEval, PieceBox, Position, Rules, Setup, random_setup};
use khet_engine::{Engine, Limits, Network, Options, SearchRoot};

use crate::progress;
use crate::random::Random;
use crate::self_play::random_opening;
use crate::training_file::{TrainingFileWriter, TrainingPosition};

/// Least number of random plies at the start of each game; every second game has one more.
const RANDOM_PLIES: usize = 7;
/// A game that lasts longer is a draw.
const MAX_PLIES: usize = 240;
/// Positions with a larger score are not stored: they teach nothing about even positions.
const MAX_SCORE: i32 = 3_000;
/// Size of the transposition table in mebibytes.
const HASH: usize = 8;
/// Number of standard setups, which come first in [`Setup::ALL`].
const STANDARD_SETUPS: usize = 3;

/// Plays games of the engine against itself and stores their quiet positions.
///
/// A file that was interrupted is continued. The same seed gives the same games with any number of
/// threads.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: khet-tune generate training.bin --games 50000 --nodes 5000")]
pub(crate) struct GenerateArgs {
    /// The file of training positions.
    file: PathBuf,
    /// Number of games in the file at the end.
    #[arg(long, default_value_t = 10_000)]
    games: u32,
    /// Positions that the engine searches for each move.
    #[arg(long, default_value_t = 5_000)]
    nodes: u64,
    /// Number of threads; all cores by default.
    #[arg(long)]
    threads: Option<usize>,
    /// Seed of the openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Network that plays; by default the one that is part of the engine.
    #[arg(long)]
    network: Option<PathBuf>,
}

/// Plays the games that are not in the file yet.
pub(crate) fn run(args: &GenerateArgs) -> Result<(), Box<dyn Error>> {
    // The network comes first: if it is unusable, no file is created.
    let network = match &args.network {
        Some(path) => read_network(path)?,
        None => Network::built_in(),
    };
    let failed = |error: io::Error| format!("{}: {error}", args.file.display());
    let mut writer = TrainingFileWriter::open(&args.file).map_err(failed)?;
    let missing: Vec<u32> = (0..args.games).filter(|&game| !writer.has_game(game)).collect();
    let bar = progress::bar(u64::from(args.games), "games");
    bar.set_position(u64::from(args.games) - missing.len() as u64);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU32::new(0);
    let (sender, games) = mpsc::channel();
    thread::scope(|scope| -> Result<(), Box<dyn Error>> {
        for _ in 0..args.threads.unwrap_or(cores).max(1) {
            let (sender, missing, next) = (sender.clone(), &missing, &next);
            let options = Options { hash: HASH, ..Options::default() };
            let mut engine = Engine::with_network(options, Arc::clone(&network));
            scope.spawn(move || play_games(&mut engine, args, missing, next, &sender));
        }
        // The channel ends with the last thread's sender.
        drop(sender);
        for (game, positions) in games {
            writer.append(game, &positions).map_err(failed)?;
            bar.inc(1);
            bar.set_message(format!("{} positions", writer.positions()));
        }
        Ok(())
    })?;
    bar.finish();
    println!("{} games, {} positions", args.games, writer.positions());
    Ok(())
}

/// Reads the file of a network.
pub(crate) fn read_network(path: &Path) -> Result<Arc<Network>, Box<dyn Error>> {
    let failed = |error: &dyn Error| format!("{}: {error}", path.display());
    let bytes = fs::read(path).map_err(|error| failed(&error))?;
    Ok(Arc::new(Network::from_bytes(&bytes).map_err(|error| failed(&error))?))
}

/// Plays one missing game after the other and sends their positions, until none is left.
fn play_games(
    engine: &mut Engine,
    args: &GenerateArgs,
    missing: &[u32],
    next: &AtomicU32,
    sender: &Sender<(u32, Vec<TrainingPosition>)>,
) {
    while let Some(&game) = missing.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
        let mut random = Random::new(args.seed, u64::from(game));
        // The receiver is gone if the file could not be written.
        if sender.send((game, play(engine, args.nodes, &mut random))).is_err() {
            return;
        }
    }
}

/// Returns a start position: mostly of the standard game, of the others often enough to learn
/// their pieces, and sometimes of a random setup.
fn start_position(random: &mut Random) -> Position {
    match random.below(20) {
        0..9 => Setup::ALL[random.below(STANDARD_SETUPS)].position(),
        9..18 => {
            let others = &Setup::ALL[STANDARD_SETUPS..];
            others[random.below(others.len())].position()
        }
        _ => {
            let pieces = [PieceBox::Standard, PieceBox::Khet2][random.below(2)];
            let setup = random_setup(pieces, random.below(2) == 0, random.next());
            Position::new(&setup, Rules::Standard).unwrap_or(Setup::Classic.position())
        }
    }
}

/// Plays a game and returns its quiet positions.
fn play(engine: &mut Engine, nodes: u64, random: &mut Random) -> Vec<TrainingPosition> {
    let plies = |random: &mut Random| RANDOM_PLIES + random.below(2);
    let mut game = random_opening(start_position, plies, random);
    let mut positions = Vec::new();
    engine.clear();
    while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
        if game.claim_draw().is_ok() {
            break;
        }
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let best = engine.search_to_limits(&SearchRoot::new(&game), limits);
        let Some(mv) = best.mv else { break };
        let position = *game.position();
        match best.score {
            MoverEval::Cp(score) if score.abs() <= MAX_SCORE && is_quiet(&position, mv) => {
                let (score, ply) = (score as i16, game.moves().len() as u16);
                positions.push(TrainingPosition { position, ply, score, result: GameResult::Draw });
            }
            // A forced win is not played out.
            MoverEval::MateIn(moves) if moves > 3 => {
                let _ = game.resign(!position.side_to_move());
                break;
            }
            _ => {}
        }
        if game.play(mv).is_err() {
            break;
        }
    }
    let result = match game.outcome().and_then(|outcome| outcome.winner) {
        Some(Color::Silver) => GameResult::SilverWins,
        Some(Color::Red) => GameResult::RedWins,
        None => GameResult::Draw,
    };
    positions.iter_mut().for_each(|position| position.result = result);
    positions
}

/// Returns whether a static evaluation can judge the position: neither the beam as it is nor the
/// best move hits anything, and the opponent does not attack the pharaoh.
pub(crate) fn is_quiet(position: &Position, best: Move) -> bool {
    let side = position.side_to_move();
    let aim = position.aim();
    let attacked = position.shot_squares(!side).removed;
    aim.shot_squares().removed.is_empty()
        && aim.hits(best).next().is_none()
        && position.pharaoh(side).is_none_or(|pharaoh| !attacked.has(pharaoh))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_game_again() {
        let mut engine = Engine::new(Options { hash: 1, ..Options::default() });
        let mut game = |seed, number| play(&mut engine, 50, &mut Random::new(seed, number));
        let first = game(1, 1);
        assert!(first.len() > 5);
        assert_ne!(game(1, 2), first);
        assert_ne!(game(2, 1), first);
        assert_eq!(game(1, 1), first);
    }

    #[test]
    fn only_quiet_positions_are_stored() {
        let mut engine = Engine::new(Options { hash: 1, ..Options::default() });
        for number in 0..20 {
            for stored in play(&mut engine, 50, &mut Random::new(3, number)) {
                let side = stored.position.side_to_move();
                assert!(stored.position.shot_squares(side).removed.is_empty());
            }
        }
    }
}
