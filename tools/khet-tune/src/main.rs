//! Fits the weights of the engine's evaluation to self-play games.
//!
//! ```sh
//! cargo run --release -p khet-tune -- play 2000 2000 games.kgn
//! cargo run --release -p khet-tune -- fit games.kgn crates/khet-engine/src/weights.rs
//! ```

mod fit;
mod play;

use std::error::Error;
use std::process::ExitCode;

const HELP: &str = "\
Usage: khet-tune play GAMES NODES OUT.kgn [SEED]    games of the engine against itself
       khet-tune fit GAMES.kgn… WEIGHTS.rs          weights that explain their results
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["play", games, nodes, out, seed @ ..] => play(games, nodes, out, seed),
        ["fit", games @ .., out] if !games.is_empty() => fit::run(games, out),
        _ => Err(HELP.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("khet-tune: {error}");
            ExitCode::from(2)
        }
    }
}

fn play(games: &str, nodes: &str, out: &str, seed: &[&str]) -> Result<(), Box<dyn Error>> {
    let seed = seed.first().map_or(Ok(1), |seed| seed.parse())?;
    play::run(games.parse()?, nodes.parse()?, out, seed)
}
