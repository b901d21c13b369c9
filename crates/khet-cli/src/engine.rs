//! `khet engine`: the engine for other programs.

use std::io::{self, BufReader};

use crate::output::Problem;

/// Play as an engine: speak the protocol UKI on standard input and output
///
/// Example: khet engine
///
/// Then type, for instance: position setup classic moves h2+ and go movetime 1000
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> Result<(), Problem> {
    khet_engine::uki::run(BufReader::new(io::stdin()), io::stdout());
    Ok(())
}
