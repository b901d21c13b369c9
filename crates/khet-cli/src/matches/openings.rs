//! Openings: a few random moves, so that games differ, from which neither side has gained.

use std::collections::HashSet;

use khet::{Game, Position};

/// So many random openings are thrown away before it is said that there is none.
const ATTEMPTS: usize = 10_000;

/// So many of them may be thrown away because they were drawn before.
const ATTEMPTS_AT_NEW: usize = 100;

/// Draws openings, always the same for a seed.
#[derive(Clone, Debug)]
pub(crate) struct Openings {
    random: Random,
    plies: usize,
    drawn: HashSet<u64>,
}

impl Openings {
    pub(crate) fn new(seed: u64, plies: usize) -> Openings {
        Openings { random: Random(seed), plies, drawn: HashSet::new() }
    }

    /// An opening from this position, if possible one that was not drawn before. None where no moves
    /// lead to a position that is fit to play on.
    pub(crate) fn draw(&mut self, start: Position) -> Option<Game> {
        let mut found = None;
        let mut known = 0;
        for _ in 0..ATTEMPTS {
            let Some(game) = self.attempt(start) else { continue };
            if self.drawn.insert(game.position().key()) {
                return Some(game);
            }
            found = Some(game);
            known += 1;
            if known == ATTEMPTS_AT_NEW || self.plies == 0 {
                break;
            }
        }
        found
    }

    /// Random moves, unless a shot removes something, a draw could be claimed or a pharaoh be lit.
    fn attempt(&mut self, start: Position) -> Option<Game> {
        let mut game = Game::new(start);
        for _ in 0..self.plies {
            let moves = game.position().legal_moves();
            let mv = *moves.get(self.random.below(moves.len())?)?;
            let shot = game.play(mv).ok()?;
            if !shot.hits.is_empty() || game.can_claim_draw() {
                return None;
            }
        }
        // A position that someone chose is played as it is.
        let fit = self.plies == 0 || !can_light_pharaoh(game.position());
        (fit && game.outcome().is_none()).then_some(game)
    }
}

/// Whether a move of the side to move wins at once.
fn can_light_pharaoh(position: &Position) -> bool {
    let pharaoh = position.pharaoh(!position.side_to_move());
    let aim = position.aim();
    position.legal_moves().iter().any(|&mv| aim.hits(mv).any(|(square, _)| Some(square) == pharaoh))
}

/// The generator SplitMix64.
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below the limit; none below 0.
    fn below(&mut self, limit: usize) -> Option<usize> {
        (limit > 0).then(|| ((u128::from(self.next()) * limit as u128) >> 64) as usize)
    }
}
