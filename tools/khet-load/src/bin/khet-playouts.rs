//! `khet-playouts`: writes records of random games, the same ones in every run.

use std::io::{self, Write};

use clap::Parser;
use khet_load::Playout;

/// Write records of random games
#[derive(Parser)]
struct Args {
    /// Number of games
    #[arg(long, default_value_t = 1000)]
    games: u64,
}

fn main() -> io::Result<()> {
    let Args { games } = Args::parse();
    let mut out = io::BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut text = String::new();
    for number in 0..games {
        text.clear();
        Playout::new(number).append_record(&mut text);
        out.write_all(text.as_bytes())?;
    }
    out.flush()
}
