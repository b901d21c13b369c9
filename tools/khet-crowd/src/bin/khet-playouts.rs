//! `khet-playouts`: writes records of games that were made up by chance, the same each time.

use std::io::{self, Write};

use clap::Parser;
use khet_crowd::Playout;

/// Write records of games that were made up by chance
#[derive(Parser)]
struct Args {
    /// How many games
    #[arg(long, default_value_t = 1000)]
    games: u64,
}

fn main() -> io::Result<()> {
    let Args { games } = Args::parse();
    let mut out = io::BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut text = String::new();
    for number in 0..games {
        text.clear();
        Playout::new(number).write(&mut text);
        out.write_all(text.as_bytes())?;
    }
    out.flush()
}
