//! How much of a player's time the network took.
//!
//! The server measures round trips with pings of its own; what clients say about time is never asked. Who answers pings slowly on
//! purpose gains at most the budget, which is small and refills slowly.

use khet::Color;

/// At most this much is given for one move, in milliseconds.
const PER_MOVE: u64 = 500;
/// What can be given at once, over several moves.
const BUDGET: u64 = 2000;
/// What each move adds to the budget.
const REFILL: u64 = 150;

/// What is left to give to each player.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lag {
    budget: [u64; 2],
}

impl Default for Lag {
    fn default() -> Lag {
        Lag { budget: [BUDGET; 2] }
    }
}

impl Lag {
    /// What a player with this round trip may get for the move.
    pub(crate) fn available(&self, color: Color, round_trip: u64) -> u64 {
        round_trip.min(PER_MOVE).min(self.budget[color as usize])
    }

    /// A player made a move, and got so much for it.
    pub(crate) fn spend(&mut self, color: Color, given: u64) {
        let budget = &mut self.budget[color as usize];
        *budget = (budget.saturating_sub(given) + REFILL).min(BUDGET);
    }
}

#[cfg(test)]
mod tests {
    use khet::Color;

    use super::Lag;

    #[test]
    fn round_trip_is_compensated() {
        let mut lag = Lag::default();
        assert_eq!(lag.available(Color::Red, 80), 80);
        for _ in 0..1000 {
            lag.spend(Color::Red, 80);
        }
        assert_eq!(lag.available(Color::Red, 80), 80);
    }

    #[test]
    fn compensation_is_bounded() {
        let mut lag = Lag::default();
        let mut given = 0;
        for _ in 0..100 {
            let now = lag.available(Color::Silver, 10_000);
            assert!(now <= 500);
            lag.spend(Color::Silver, now);
            given += now;
        }
        assert!(given <= 2000 + 100 * 150, "{given}");
        assert_eq!(lag.available(Color::Red, 10_000), 500);
    }
}
