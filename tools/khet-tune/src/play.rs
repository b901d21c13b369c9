//! Plays games of the engine against itself from random openings.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

use khet::{Color, Comment, Game, MoverEval, Record, Setup, TreePath};
use khet_engine::{Engine, Limits, Options, SearchRoot};

/// Number of random plies at the start of each game.
const RANDOM_PLIES: usize = 7;
/// A game that lasts longer is a draw.
const MAX_PLIES: usize = 240;

/// Plays games of the engine against itself and writes their records.
pub(crate) fn run(games: u64, nodes: u64, out: &str, seed: u64) -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(File::create(out)?);
    let mut random = XorShift64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut engine = Engine::new(Options { hash: 8, ..Options::default() });
    for number in 1..=games {
        writeln!(out, "{}", play(&mut engine, nodes, &mut random))?;
        if number % 100 == 0 {
            out.flush()?;
            eprintln!("{number} of {games} games");
        }
    }
    Ok(out.flush()?)
}

/// Returns a random opening: mostly of the standard game, and of the others often enough to tune
/// their pieces.
fn opening(random: &mut XorShift64) -> Game {
    loop {
        let setup = if random.below(10) < 7 {
            Setup::ALL[random.below(3)]
        } else {
            Setup::ALL[3 + random.below(Setup::ALL.len() - 3)]
        };
        let mut game = Game::new(setup.position());
        for _ in 0..RANDOM_PLIES + random.below(2) {
            let moves = game.position().legal_moves();
            if moves.is_empty() || game.play(moves[random.below(moves.len())]).is_err() {
                break;
            }
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// Plays a game and records the engine's evaluation of each of its moves.
fn play(engine: &mut Engine, nodes: u64, random: &mut XorShift64) -> Record {
    let mut game = opening(random);
    let mut evals = vec![None; game.moves().len()];
    engine.clear();
    while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
        if game.claim_draw().is_ok() {
            break;
        }
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let answer = engine.search_to_limits(&SearchRoot::new(&game), limits);
        let Some(mv) = answer.mv else { break };
        evals.push(Some(answer.score.for_silver(game.position().side_to_move())));
        // A forced win is not played out.
        if let MoverEval::MateIn(moves) = answer.score
            && moves > 3
        {
            let winner = game.position().side_to_move();
            let _ = game.resign(!winner);
            break;
        }
        if game.play(mv).is_err() {
            break;
        }
    }
    if game.outcome().is_none() {
        let _ = game.offer_draw(Color::Silver);
        let _ = game.accept_draw(Color::Red);
    }
    let mut record = Record::from_game(&game);
    for (index, eval) in evals.into_iter().enumerate() {
        if let Some(comments) = record.comments_mut(&TreePath::main_line(index + 1)) {
            comments.extend(eval.map(Comment::from_eval));
        }
    }
    record
}

/// The xorshift64* random generator.
struct XorShift64(u64);

impl XorShift64 {
    /// Returns a random number below a limit.
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }
}
