//! Writes the network that the engine reads.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use crate::checkpoint::Checkpoint;

/// Rounds the weights of a checkpoint to integers, and writes the network that the engine reads.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "Example: khet-tune export network.fit crates/khet-engine/src/network/khet.net"
)]
pub(crate) struct ExportArgs {
    /// The checkpoint, written by `fit`.
    checkpoint: PathBuf,
    /// The network file to write.
    network: PathBuf,
}

/// Writes the network of a checkpoint.
pub(crate) fn run(args: &ExportArgs) -> Result<(), Box<dyn Error>> {
    let checkpoint = Checkpoint::read(&args.checkpoint)
        .map_err(|error| format!("{}: {error}", args.checkpoint.display()))?;
    let network = checkpoint.quantise();
    fs::write(&args.network, network.to_bytes())
        .map_err(|error| format!("{}: {error}", args.network.display()))?;
    println!("{}", network.description());
    Ok(())
}
