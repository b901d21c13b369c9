//! Games between levels of different strength, from random openings: the stronger side gets to use
//! the mistakes of the weaker one.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fastrand::Rng;
use khet::{Game, Setup};
use khet_engine::{Control, Engine, Level, Limits, Options, SearchRoot};

/// Random plies at the start of a game: at least this many, and up to twice as many.
const RANDOM_PLIES: usize = 4;
/// A longer game is not played to its end.
const MAX_PLIES: usize = 160;
/// The levels that play, some twice as often. Lower ones lose in one or two moves, higher ones take
/// long and make few mistakes; level 5 takes long for its strength.
const LEVELS: [u8; 6] = [3, 4, 6, 6, 7, 7];
/// Size of the transposition table in mebibytes.
const HASH: usize = 1;

/// Plays games between two levels of the engine.
pub struct LevelGames {
    engine: Engine,
}

impl std::fmt::Debug for LevelGames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LevelGames").finish_non_exhaustive()
    }
}

impl Default for LevelGames {
    fn default() -> LevelGames {
        LevelGames { engine: Engine::new(Options { hash: HASH, ..Options::default() }) }
    }
}

impl LevelGames {
    /// Plays the game of a seed and a number. The same arguments give the same game.
    pub fn play(&mut self, setup: Setup, seed: u64, number: u32) -> Game {
        let mut random =
            Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(number));
        let mut game = random_opening(setup, &mut random);
        let levels = [(); 2].map(|()| Level::new(LEVELS[random.usize(..LEVELS.len())]));
        self.engine.clear();
        let never = AtomicBool::new(false);
        let control = Control { stop: &never, pondering: &never, elapsed: &|| Duration::ZERO };
        while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
            if game.can_claim_draw() {
                break;
            }
            let search_root = SearchRoot::new(&game);
            let level = levels[game.position().side_to_move() as usize].unwrap_or(Level::ALL[5]);
            let limits = Limits::default();
            let move_seed = random.u64(..);
            let best =
                level.choose_move(&mut self.engine, &search_root, limits, move_seed, control);
            let Some(mv) = best.mv else { break };
            if game.play(mv).is_err() {
                break;
            }
        }
        game
    }
}

/// Returns a game after some random moves that do not end it.
fn random_opening(setup: Setup, random: &mut Rng) -> Game {
    loop {
        let mut game = Game::new(setup.position());
        for _ in 0..random.usize(RANDOM_PLIES..=2 * RANDOM_PLIES) {
            let moves = game.position().legal_moves();
            if moves.is_empty() || game.play(moves[random.usize(..moves.len())]).is_err() {
                break;
            }
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_and_a_number_give_the_same_game_again() {
        let mut games = LevelGames::default();
        let mut play = |seed, number| games.play(Setup::Classic, seed, number).moves().to_vec();
        let first = play(1, 1);
        assert!(first.len() > RANDOM_PLIES);
        assert_ne!(play(1, 2), first);
        assert_ne!(play(2, 1), first);
        assert_eq!(play(1, 1), first);
    }
}
