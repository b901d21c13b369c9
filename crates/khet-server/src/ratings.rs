//! Ratings: what a rated game does to them, by Glicko-2, each speed apart.

use khet::Color;
use khet_protocol::{GameId, PersonId, RatingChange, Speed};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, decay_deviation, glicko2};
use sqlx::SqliteConnection;

use crate::storage::{Finish, StorageError, StoredChange, StoredRating, ratings};

/// How much the strength of people changes: little, in an abstract game (Glickman suggests 0.3 to 1.2).
const CONFIG: Glicko2Config = Glicko2Config { tau: 0.5, convergence_tolerance: 0.000_001 };
/// Every game is a rating period of its own. Who does not play becomes less certain by one more period in this time, in
/// milliseconds: five days. From well known to a guess it takes more than a year.
const PERIOD: u64 = 5 * 24 * 60 * 60 * 1000;
/// Nobody is more certain than this, so that ratings go on moving.
const CERTAIN: f64 = 45.0;
/// Ratings stay between these, whatever is played.
const BOUNDS: (f64, f64) = (100.0, 4000.0);

/// Changes the ratings of both players by a rated game that has ended, Silver's first. Part of the transaction that ends
/// the game, so that neither is ever without the other. A game counts once.
pub(crate) async fn settle(
    connection: &mut SqliteConnection,
    game: GameId,
    finish: &Finish,
) -> Result<Option<(RatingChange, RatingChange)>, StorageError> {
    let started = &finish.started;
    let Some(speed) = Speed::of(started.options.time) else { return Ok(None) };
    if ratings::is_settled(connection, game).await? {
        return Ok(None);
    }
    let silver = now(connection, started.silver, speed, finish.at).await?;
    let red = now(connection, started.red, speed, finish.at).await?;
    let outcome = match finish.outcome.winner {
        Some(Color::Silver) => Outcomes::WIN,
        Some(Color::Red) => Outcomes::LOSS,
        None => Outcomes::DRAW,
    };
    let (silver_after, red_after) = glicko2(&silver.rating, &red.rating, &outcome, &CONFIG);
    let mut changes = Vec::new();
    for (person, before, after) in
        [(started.silver, silver, silver_after), (started.red, red, red_after)]
    {
        let after = StoredRating {
            rating: bounded(after),
            games: before.games.saturating_add(1),
            changed: finish.at,
        };
        let before = ratings::whole(before.rating);
        changes
            .push(RatingChange { before: before.value, after: ratings::whole(after.rating).value });
        let change = StoredChange { game, person, speed, before, after };
        ratings::keep_change(connection, change).await?;
    }
    Ok(Some((changes[0], changes[1])))
}

/// A rating as it is at a moment: less certain, the longer it was not played for.
async fn now(
    connection: &mut SqliteConnection,
    person: PersonId,
    speed: Speed,
    at: u64,
) -> Result<StoredRating, StorageError> {
    let Some(stored) = ratings::read_rating(connection, person, speed).await? else {
        return Ok(StoredRating { rating: Glicko2Rating::new(), games: 0, changed: at });
    };
    // In this many periods even the best known rating becomes a guess.
    let periods = (at.saturating_sub(stored.changed) / PERIOD).min(2000);
    let rating = (0..periods).fold(stored.rating, |rating, _| decay_deviation(&rating));
    Ok(StoredRating { rating, ..stored })
}

fn bounded(rating: Glicko2Rating) -> Glicko2Rating {
    let new = Glicko2Rating::new();
    // Numbers that are none must not spread from game to game.
    if !(rating.rating.is_finite() && rating.deviation.is_finite() && rating.volatility.is_finite())
    {
        return new;
    }
    Glicko2Rating {
        rating: rating.rating.clamp(BOUNDS.0, BOUNDS.1),
        deviation: rating.deviation.clamp(CERTAIN, new.deviation),
        volatility: rating.volatility.clamp(0.01, 0.1),
    }
}

#[cfg(test)]
mod tests {
    use skillratings::Outcomes;
    use skillratings::glicko2::{Glicko2Rating, decay_deviation, glicko2};

    use super::{BOUNDS, CERTAIN, CONFIG, bounded};

    #[test]
    fn ratings_stay_within_bounds_whatever_is_played() {
        let (mut strong, mut weak) = (Glicko2Rating::new(), Glicko2Rating::new());
        for _ in 0..5000 {
            let (one, other) = glicko2(&strong, &weak, &Outcomes::WIN, &CONFIG);
            (strong, weak) = (bounded(one), bounded(other));
        }
        assert!(strong.rating <= BOUNDS.1 && weak.rating >= BOUNDS.0);
        assert!(strong.deviation >= CERTAIN && strong.rating > 2000.0);
    }

    #[test]
    fn what_was_certain_becomes_a_guess_with_time() {
        let mut rating = Glicko2Rating { deviation: CERTAIN, ..Glicko2Rating::new() };
        let mut periods = 0;
        while rating.deviation <= 110.0 {
            rating = decay_deviation(&rating);
            periods += 1;
        }
        // Five days each.
        assert!((50..200).contains(&periods), "{periods}");
    }
}
