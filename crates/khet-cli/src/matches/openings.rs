//! Random openings: a few random moves that make games differ without helping either side.

use std::collections::HashSet;

use khet::{AnyPosition, Game, GamePosition};

/// Attempts to find an opening before giving up.
const MAX_ATTEMPTS: usize = 10_000;

/// Suitable openings that may be rejected as duplicates before one is used again.
const MAX_DUPLICATES: usize = 100;

/// A generator of random openings. The same seed generates the same openings.
#[derive(Clone, Debug)]
pub(crate) struct OpeningGenerator {
    random: SplitMix64,
    plies: usize,
    /// Position keys of the openings generated so far.
    used: HashSet<u64>,
}

impl OpeningGenerator {
    pub(crate) fn new(seed: u64, plies: usize) -> OpeningGenerator {
        OpeningGenerator { random: SplitMix64(seed), plies, used: HashSet::new() }
    }

    /// Returns an opening from this position, a new one if possible. `None` if no suitable opening
    /// was found.
    pub(crate) fn generate(&mut self, start: AnyPosition) -> Option<Game<AnyPosition>> {
        let mut duplicate = None;
        let mut duplicates = 0;
        for _ in 0..MAX_ATTEMPTS {
            let Some(game) = self.attempt(start) else { continue };
            if self.used.insert(game.position().key()) {
                return Some(game);
            }
            duplicate = Some(game);
            duplicates += 1;
            if duplicates == MAX_DUPLICATES || self.plies == 0 {
                break;
            }
        }
        duplicate
    }

    /// Plays random moves. Returns `None` if a shot hits a piece, a draw can be claimed, or the
    /// next move could win.
    fn attempt(&mut self, start: AnyPosition) -> Option<Game<AnyPosition>> {
        let mut game = Game::new(start);
        for _ in 0..self.plies {
            let mv = {
                let moves = game.position().legal_moves();
                *moves.get(self.random.below(moves.len())?)?
            };
            let shot = game.play(mv).ok()?;
            if !shot.hits.is_empty() || game.can_claim_draw() {
                return None;
            }
        }
        // Without random moves, the given position is played in any case.
        let is_quiet = self.plies == 0 || game.position().winning_move().is_none();
        (is_quiet && game.outcome().is_none()).then_some(game)
    }
}

/// The SplitMix64 random number generator. Written out because a seed must give the same openings
/// in every version.
#[derive(Clone, Debug)]
struct SplitMix64(u64);

impl SplitMix64 {
    /// Returns the next random number.
    fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Returns a number below the limit, or `None` if the limit is 0.
    fn below(&mut self, limit: usize) -> Option<usize> {
        (limit > 0).then(|| ((u128::from(self.next_u64()) * limit as u128) >> 64) as usize)
    }
}
