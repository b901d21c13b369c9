//! Writes records of random games: `cargo run --release --example random_games 1000 > games.kgn`.
//!
//! Useful for measuring whatever reads records, and a small tour of `Game` and `Record`.

use std::io::{self, BufWriter, Write};

use khet::{Comment, Game, Record, Setup, TreePath};

/// XorShift games rarely end by themselves soon.
const MAX_MOVES: usize = 120;

fn main() -> io::Result<()> {
    let games = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(100);
    let mut random = XorShift(1);
    let mut out = BufWriter::new(io::stdout().lock());
    for number in 0..games {
        let setup = Setup::ALL[random.below(Setup::ALL.len())];
        let mut game = Game::new(setup.position());
        while game.outcome().is_none() && game.moves().len() < MAX_MOVES {
            let moves = game.position().legal_moves();
            if game.play(moves[random.below(moves.len())]).is_err() {
                break;
            }
        }
        let mut record = Record::from_game(&game);
        if record.set_tag("Event", &format!("Random game {}", number + 1)).is_ok()
            && let Some(comments) = record.comments_mut(&TreePath::main_line(1))
        {
            comments.extend(Comment::new("every move was chosen at random"));
        }
        writeln!(out, "{record}")?;
    }
    out.flush()
}

/// The generator xorshift64*.
struct XorShift(u64);

impl XorShift {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }
}
