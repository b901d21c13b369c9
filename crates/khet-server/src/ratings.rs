//! Computes ratings with Glicko-2, separately for each speed. All setups, editions and expansions count
//! together, games with a tower too: ratings per variant would need more players than there are.

use khet::Color;
use khet_protocol::{ByColor, GameOptions};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, decay_deviation, glicko2};

use crate::storage::{GameEnd, RateGame, RatingUpdate, StoredRating};

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
/// Smallest and largest rating.
const BOUNDS: (f64, f64) = (100.0, 4000.0);

/// Returns the function that rates a game with these options after this number of moves, or `None`
/// if the game is casual or a player has not moved.
pub(crate) fn rater_for(options: &GameOptions, moves: usize) -> Option<RateGame> {
    (options.rated && moves >= 2).then_some(rate as RateGame)
}

/// Computes the ratings of both players after a rated game.
fn rate(game: &GameEnd, stored: ByColor<Option<StoredRating>>) -> ByColor<RatingUpdate> {
    let silver = at_time(stored.silver, game.at);
    let red = at_time(stored.red, game.at);
    let outcome = match game.outcome.winner {
        Some(Color::Silver) => Outcomes::WIN,
        Some(Color::Red) => Outcomes::LOSS,
        None => Outcomes::DRAW,
    };
    let (silver_after, red_after) = glicko2(&glicko(&silver), &glicko(&red), &outcome, &CONFIG);
    let update = |before: StoredRating, after: Glicko2Rating| RatingUpdate {
        before: before.rounded(),
        after: to_stored(bounded(after), before.games.saturating_add(1), game.at),
    };
    ByColor { silver: update(silver, silver_after), red: update(red, red_after) }
}

/// Returns a rating at a time, with a larger deviation the longer the last game is ago.
fn at_time(stored: Option<StoredRating>, time: u64) -> StoredRating {
    let Some(stored) = stored else { return to_stored(Glicko2Rating::new(), 0, time) };
    let periods = (time.saturating_sub(stored.changed) / RATING_PERIOD).min(MAX_PERIODS);
    let rating = (0..periods).fold(glicko(&stored), |rating, _| decay_deviation(&rating));
    to_stored(rating, stored.games, stored.changed)
}

fn glicko(stored: &StoredRating) -> Glicko2Rating {
    let &StoredRating { rating, deviation, volatility, .. } = stored;
    Glicko2Rating { rating, deviation, volatility }
}

fn to_stored(rating: Glicko2Rating, games: u32, changed: u64) -> StoredRating {
    let Glicko2Rating { rating, deviation, volatility } = rating;
    StoredRating { rating, deviation, volatility, games, changed }
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
    use skillratings::Outcomes;
    use skillratings::glicko2::{Glicko2Rating, decay_deviation, glicko2};

    use super::{BOUNDS, CONFIG, MIN_DEVIATION, bounded};

    #[test]
    fn ratings_stay_within_bounds() {
        let (mut strong, mut weak) = (Glicko2Rating::new(), Glicko2Rating::new());
        for _ in 0..5000 {
            let (one, other) = glicko2(&strong, &weak, &Outcomes::WIN, &CONFIG);
            (strong, weak) = (bounded(one), bounded(other));
        }
        assert!(strong.rating <= BOUNDS.1 && weak.rating >= BOUNDS.0);
        assert!(strong.deviation >= MIN_DEVIATION && strong.rating > 2000.0);
    }

    #[test]
    fn deviation_grows_without_games() {
        let mut rating = Glicko2Rating { deviation: MIN_DEVIATION, ..Glicko2Rating::new() };
        let mut periods = 0;
        while rating.deviation <= 110.0 {
            rating = decay_deviation(&rating);
            periods += 1;
        }
        // Five days each.
        assert!((50..200).contains(&periods), "{periods}");
    }
}
