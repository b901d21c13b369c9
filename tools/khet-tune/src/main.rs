//! Trains the engine's evaluation: plays games of the engine against itself, fits the evaluation
//! to their positions, and writes it in the form that the engine reads.
//!
//! ```sh
//! cargo run --release -p khet-tune -- generate training.bin --games 50000
//! cargo run --release -p khet-tune -- fit training.bin --checkpoint network.fit
//! cargo run --release -p khet-tune -- export network.fit crates/khet-engine/src/network/khet.net
//! ```
//!
//! `statistics` plays games to measure Khet itself, and writes a page about it. `tower-setups` looks
//! for setups with a tower.

mod checkpoint;
mod export;
mod fit;
mod fit_linear;
mod generate;
mod progress;
mod random;
mod self_play;
mod spsa;
mod statistics;
mod target;
mod tower_setups;
mod training_file;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Trains the engine and measures the game.
#[derive(Parser, Debug)]
struct TunerArguments {
    #[command(subcommand)]
    command: TunerCommand,
}

#[derive(Subcommand, Debug)]
enum TunerCommand {
    Generate(generate::GenerateArgs),
    Fit(fit::FitArgs),
    Export(export::ExportArgs),
    FitLinear(fit_linear::FitLinearArgs),
    Spsa(spsa::SpsaArgs),
    Statistics(statistics::StatisticsArgs),
    TowerSetups(tower_setups::TowerSetupsArgs),
}

fn main() -> ExitCode {
    let done = match TunerArguments::parse().command {
        TunerCommand::Generate(args) => generate::run(&args),
        TunerCommand::Fit(args) => fit::run(&args),
        TunerCommand::Export(args) => export::run(&args),
        TunerCommand::FitLinear(args) => fit_linear::run(&args),
        TunerCommand::Spsa(args) => spsa::run(&args),
        TunerCommand::Statistics(args) => statistics::run(&args),
        TunerCommand::TowerSetups(args) => tower_setups::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("khet-tune: {error}");
            ExitCode::from(2)
        }
    }
}
