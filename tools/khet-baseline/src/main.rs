//! `khet-baseline`: the engine on standard input and output.

use std::io::{self, BufReader};

fn main() {
    khet_baseline::run(BufReader::new(io::stdin()), io::stdout());
}
