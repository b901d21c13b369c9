//! `khet engine`: the engine as a UKI process, for match runners and graphical interfaces.

use std::io::{self, BufReader};

use crate::output::Problem;

/// Run the engine: speaks the UKI protocol on standard input and output
///
/// Example: khet engine
///
/// Type uki for the list of options. For a first search, type:
/// position setup classic moves h2+, then go movetime 1000
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> Result<(), Problem> {
    khet_engine::uki::run(BufReader::new(io::stdin()), io::stdout());
    Ok(())
}
