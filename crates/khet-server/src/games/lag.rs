//! Lag compensation: gives players back the time that the network took.
//!
//! The server measures round trips with its own pings and ignores times that clients send. A
//! client that delays its pongs on purpose gains at most the budget, which is small and refills
//! slowly.

use khet::Color;

/// Largest compensation per move, in milliseconds.
const MAX_PER_MOVE: u64 = 500;
/// Largest budget, in milliseconds.
const MAX_BUDGET: u64 = 2000;
/// Refill of the budget per move, in milliseconds.
const REFILL_PER_MOVE: u64 = 150;

/// The compensation that each player can still get, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LagBudget {
    budget: [u64; 2],
}

impl Default for LagBudget {
    fn default() -> LagBudget {
        LagBudget { budget: [MAX_BUDGET; 2] }
    }
}

impl LagBudget {
    /// Returns the compensation that a player with this round trip gets for a move.
    pub(crate) fn available(&self, color: Color, round_trip: u64) -> u64 {
        round_trip.min(MAX_PER_MOVE).min(self.budget[color as usize])
    }

    /// Deducts the compensation of a move and refills the budget.
    pub(crate) fn spend(&mut self, color: Color, given: u64) {
        let budget = &mut self.budget[color as usize];
        *budget = (budget.saturating_sub(given) + REFILL_PER_MOVE).min(MAX_BUDGET);
    }
}

#[cfg(test)]
mod tests {
    use khet::Color;

    use super::LagBudget;

    #[test]
    fn round_trip_is_compensated() {
        let mut lag = LagBudget::default();
        assert_eq!(lag.available(Color::Red, 80), 80);
        for _ in 0..1000 {
            lag.spend(Color::Red, 80);
        }
        assert_eq!(lag.available(Color::Red, 80), 80);
    }

    #[test]
    fn compensation_is_bounded() {
        let mut lag = LagBudget::default();
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
