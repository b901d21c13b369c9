//! Games of two engines against each other in one process, for tuning.

use khet::{Color, Game, GamePosition};
use khet_engine::{Engine, Limits, SearchRoot};

use crate::random::Random;

/// A game that lasts longer is a draw.
const MAX_PLIES: usize = 300;

/// Returns a game after random moves that do not end it. `start` draws the first position and
/// `plies` the number of moves, again for each try.
pub(crate) fn random_opening<P: GamePosition>(
    start: impl Fn(&mut Random) -> P,
    plies: impl Fn(&mut Random) -> usize,
    random: &mut Random,
) -> Game<P> {
    loop {
        let mut game = Game::new(start(random));
        for _ in 0..plies(random) {
            let position = *game.position();
            let moves = position.legal_moves();
            if moves.is_empty() || game.play(moves[random.below(moves.len())]).is_err() {
                break;
            }
        }
        if game.outcome().is_none() {
            return game;
        }
    }
}

/// Plays a game from an opening. Returns the score of Silver: 1, 1/2 or 0.
pub(crate) fn play(mut game: Game, silver: &mut Engine, red: &mut Engine, nodes: u64) -> f64 {
    silver.clear();
    red.clear();
    while game.outcome().is_none() && game.moves().len() < MAX_PLIES {
        if game.claim_draw().is_ok() {
            break;
        }
        let engine = match game.position().side_to_move() {
            Color::Silver => &mut *silver,
            Color::Red => &mut *red,
        };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let best = engine.search_to_limits(&SearchRoot::new(&game), limits);
        let Some(mv) = best.mv else { break };
        if game.play(mv).is_err() {
            break;
        }
    }
    match game.outcome().and_then(|outcome| outcome.winner) {
        Some(Color::Silver) => 1.0,
        Some(Color::Red) => 0.0,
        None => 0.5,
    }
}
