//! Glicko-2, as the server rates players, and the app those who solve puzzles on this device.

pub use skillratings::Outcomes;
pub use skillratings::glicko2::Glicko2Rating;
use skillratings::glicko2::{Glicko2Config, decay_deviation, glicko2};

use crate::Rating;

/// A small `tau`, because playing strength in an abstract game changes slowly (Glickman suggests
/// 0.3 to 1.2).
const CONFIG: Glicko2Config = Glicko2Config { tau: 0.5, convergence_tolerance: 0.000_001 };
/// Every game is a rating period. The deviation of a person who does not play grows by one more
/// period in this time, in milliseconds: five days. From an established rating to a provisional one
/// it takes more than a year.
const RATING_PERIOD: u64 = 5 * 24 * 60 * 60 * 1000;
/// After this number of periods every rating is provisional.
const MAX_PERIODS: u64 = 2000;
/// Smallest deviation, so that ratings never stop moving.
const MIN_DEVIATION: f64 = 45.0;
/// The deviation with which a puzzle starts. Its rating is an estimate by the engine's levels, which
/// overlook other things than people do.
const PUZZLE_DEVIATION: f64 = 250.0;
/// Smallest and largest rating.
const BOUNDS: (f64, f64) = (100.0, 4000.0);

/// Returns both ratings after a game, whose outcome is that of the first.
pub fn rate_game(
    one: Glicko2Rating,
    other: Glicko2Rating,
    outcome: Outcomes,
) -> (Glicko2Rating, Glicko2Rating) {
    let (one, other) = glicko2(&one, &other, &outcome, &CONFIG);
    (bounded(one), bounded(other))
}

/// Returns a rating after a time without games, in milliseconds.
pub fn after_pause(rating: Glicko2Rating, pause: u64) -> Glicko2Rating {
    let periods = (pause / RATING_PERIOD).min(MAX_PERIODS);
    (0..periods).fold(rating, |rating, _| decay_deviation(&rating))
}

/// Returns the rating with which a puzzle starts, from the engine's estimate.
pub fn first_puzzle_rating(estimate: u16) -> Glicko2Rating {
    Glicko2Rating { rating: estimate.into(), deviation: PUZZLE_DEVIATION, ..Glicko2Rating::new() }
}

/// Rounds a rating for people.
pub fn rounded(rating: Glicko2Rating) -> Rating {
    let round = |number: f64| number.round().clamp(0.0, 9999.0) as u16;
    Rating { value: round(rating.rating), deviation: round(rating.deviation) }
}

/// Limits a rating to the allowed range, and replaces invalid numbers.
fn bounded(rating: Glicko2Rating) -> Glicko2Rating {
    let new = Glicko2Rating::new();
    // NaN would spread from game to game.
    if !(rating.rating.is_finite() && rating.deviation.is_finite() && rating.volatility.is_finite())
    {
        return new;
    }
    Glicko2Rating {
        rating: rating.rating.clamp(BOUNDS.0, BOUNDS.1),
        deviation: rating.deviation.clamp(MIN_DEVIATION, new.deviation),
        volatility: rating.volatility.clamp(0.01, 0.1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_stay_within_bounds() {
        let (mut strong, mut weak) = (Glicko2Rating::new(), Glicko2Rating::new());
        for _ in 0..5000 {
            (strong, weak) = rate_game(strong, weak, Outcomes::WIN);
        }
        assert!(strong.rating <= BOUNDS.1 && weak.rating >= BOUNDS.0);
        assert!(strong.deviation >= MIN_DEVIATION && strong.rating > 2000.0);
    }

    #[test]
    fn deviation_grows_without_games() {
        let rating = Glicko2Rating { deviation: MIN_DEVIATION, ..Glicko2Rating::new() };
        let provisional =
            |periods: &u64| after_pause(rating, periods * RATING_PERIOD).deviation > 110.0;
        let periods = (0..300).find(provisional);
        // Five days each.
        assert!(periods.is_some_and(|periods| (50..200).contains(&periods)), "{periods:?}");
    }
}
