//! Measures Khet by games of the engine against itself, and writes a page of figures.
//!
//! Games are stored as they end ([`games_file`]), and all figures are computed from the stored
//! games in their order. An interrupted run is therefore continued, and any number of threads gives
//! the same page.

mod family;
mod figures;
mod games_file;
mod page;
mod removal_loss;
mod report;
mod self_player;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use khet::Setup;
use khet_engine::{Network, bench};

use self::games_file::{GamesFile, GamesHeader};
use self::report::StatisticsReport;
use self::self_player::SelfPlayer;
use crate::generate::read_network;
use crate::progress;

/// Plays games of the engine against itself from every official setup, and writes a page of
/// figures about Khet.
///
/// The games are stored beside the page. An interrupted run is continued; the same options give
/// the same page with any number of threads.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example: khet-tune statistics docs/statistics.md --games 2000 --nodes 1500 --seed 1"
)]
pub(crate) struct StatisticsArgs {
    /// The page to write, in Markdown.
    page: PathBuf,
    /// Writes the figures as JSON, too.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// The file of games; by default the name of the page with the extension `games`.
    #[arg(long, value_name = "FILE")]
    games_file: Option<PathBuf>,
    /// Number of games from each setup.
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Positions that the engine searches for each move.
    #[arg(long, default_value_t = 1_500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of the openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads; all cores by default.
    #[arg(long)]
    threads: Option<usize>,
    /// Network that plays; by default the one that is part of the engine.
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
}

/// Plays the games that are missing, and writes the page.
pub(crate) fn run(args: &StatisticsArgs) -> Result<(), Box<dyn Error>> {
    let network = match &args.network {
        Some(path) => read_network(path)?,
        None => Network::built_in(),
    };
    let header = GamesHeader {
        nodes: args.nodes,
        seed: args.seed,
        network: network.hash(),
        signature: bench::SIGNATURE,
    };
    let path = args.games_file.clone().unwrap_or_else(|| args.page.with_extension("games"));
    let failed = |error: Box<dyn Error>| format!("{}: {error}", path.display());
    let mut file = GamesFile::open(&path, header).map_err(failed)?;
    play_missing(args, &network, &mut file).map_err(failed)?;

    let mut games = file.into_games();
    // A file may have more games than requested, from a longer run.
    games.retain(|game| game.number < args.games);
    games.sort_unstable_by_key(|game| (game.setup, game.number));
    let report = StatisticsReport::new(&games, header, network.description()).map_err(failed)?;
    write(&args.page, &page::markdown(&report))?;
    if let Some(path) = &args.json {
        write(path, &format!("{}\n", serde_json::to_string_pretty(&report)?))?;
    }
    println!("{} games in {}", games.len(), args.page.display());
    Ok(())
}

/// Plays the games that the file does not have.
fn play_missing(
    args: &StatisticsArgs,
    network: &Arc<Network>,
    file: &mut GamesFile,
) -> Result<(), Box<dyn Error>> {
    let numbers = 0..args.games;
    let all = numbers.flat_map(|number| Setup::ALL.map(|setup| (setup, number)));
    let missing: Vec<(Setup, u32)> = all.filter(|&game| !file.has_game(game)).collect();
    let total = u64::from(args.games) * Setup::ALL.len() as u64;
    let bar = progress::bar(total, "games");
    bar.set_position(total - missing.len() as u64);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.unwrap_or(cores).clamp(1, missing.len().max(1));
    let next = AtomicUsize::new(0);
    let (sender, games) = mpsc::channel();
    thread::scope(|scope| -> Result<(), Box<dyn Error>> {
        for _ in 0..threads {
            let (sender, missing, next) = (sender.clone(), &missing, &next);
            let mut player = SelfPlayer::new(Arc::clone(network), args.nodes, args.seed);
            scope.spawn(move || {
                while let Some(&(setup, number)) = missing.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    // The receiver is gone if the file could not be written.
                    if sender.send(player.play(setup, number)).is_err() {
                        return;
                    }
                }
            });
        }
        // The channel ends with the last thread's sender.
        drop(sender);
        for game in games {
            file.append(game)?;
            bar.inc(1);
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    Ok(())
}

/// Writes a file, first under another name, so that an interruption leaves the old one.
fn write(path: &Path, text: &str) -> Result<(), String> {
    let unfinished = path.with_extension("unfinished");
    fs::write(&unfinished, text)
        .and_then(|()| fs::rename(&unfinished, path))
        .map_err(|error| format!("{}: {error}", path.display()))
}
