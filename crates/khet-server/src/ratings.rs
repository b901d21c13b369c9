//! Computes ratings with Glicko-2, separately for each speed. All setups, editions and expansions count
//! together, games with a tower too: ratings per variant would need more players than there are.
//!
//! An attempt at a puzzle is a game between the solver and the puzzle. Solvers have a rating of their
//! own for it.

use khet::Color;
use khet_protocol::glicko::{self, Glicko2Rating, Outcomes};
use khet_protocol::{ByColor, GameOptions, Rating};

use crate::storage::{GameEnd, RateGame, RatingUpdate, StoredRating};

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
    let (silver_after, red_after) = rate_pair(silver, red, outcome, game.at);
    ByColor {
        silver: RatingUpdate { before: silver.rounded(), after: silver_after },
        red: RatingUpdate { before: red.rounded(), after: red_after },
    }
}

/// Computes the ratings of a solver and of a puzzle after an attempt. A puzzle does not get stronger
/// or weaker with time, so its deviation only shrinks.
pub(crate) fn rate_attempt(
    solver: Option<StoredRating>,
    puzzle: StoredRating,
    solved: bool,
    at: u64,
) -> (RatingUpdate, StoredRating) {
    let solver = at_time(solver, at);
    let outcome = if solved { Outcomes::WIN } else { Outcomes::LOSS };
    let (after, puzzle_after) = rate_pair(solver, puzzle, outcome, at);
    (RatingUpdate { before: solver.rounded(), after }, puzzle_after)
}

/// Returns the rating with which a puzzle starts, from the engine's estimate.
pub(crate) fn first_puzzle_rating(estimate: u16) -> StoredRating {
    to_stored(glicko::first_puzzle_rating(estimate), 0, 0)
}

/// Returns the rating of a person without rated games.
pub(crate) fn first_rating() -> Rating {
    at_time(None, 0).rounded()
}

/// Computes two ratings after a game that ended at a time; the outcome is that of the first side.
fn rate_pair(
    one: StoredRating,
    other: StoredRating,
    outcome: Outcomes,
    at: u64,
) -> (StoredRating, StoredRating) {
    let (one_after, other_after) = glicko::rate_game(to_glicko(&one), to_glicko(&other), outcome);
    let stored = |before: StoredRating, after: Glicko2Rating| {
        to_stored(after, before.games.saturating_add(1), at)
    };
    (stored(one, one_after), stored(other, other_after))
}

/// Returns a rating at a time, with a larger deviation the longer the last game is ago.
fn at_time(stored: Option<StoredRating>, time: u64) -> StoredRating {
    let Some(stored) = stored else { return to_stored(Glicko2Rating::new(), 0, time) };
    let rating = glicko::after_pause(to_glicko(&stored), time.saturating_sub(stored.changed));
    to_stored(rating, stored.games, stored.changed)
}

fn to_glicko(stored: &StoredRating) -> Glicko2Rating {
    let &StoredRating { rating, deviation, volatility, .. } = stored;
    Glicko2Rating { rating, deviation, volatility }
}

fn to_stored(rating: Glicko2Rating, games: u32, changed: u64) -> StoredRating {
    let Glicko2Rating { rating, deviation, volatility } = rating;
    StoredRating { rating, deviation, volatility, games, changed }
}

#[cfg(test)]
mod tests {
    use super::{first_puzzle_rating, rate_attempt};

    /// Five weeks, in milliseconds.
    const PAUSE: u64 = 35 * 24 * 60 * 60 * 1000;

    /// Returns rating and deviation after one game by the formulas of Glickman's description, without
    /// the change of the volatility, which one game hardly changes.
    fn by_the_formulas(own: (f64, f64), other: (f64, f64), score: f64) -> (f64, f64) {
        const SCALE: f64 = 173.7178;
        let (mu, phi) = ((own.0 - 1500.0) / SCALE, own.1 / SCALE);
        let (other_mu, other_phi) = ((other.0 - 1500.0) / SCALE, other.1 / SCALE);
        let g = 1.0 / (1.0 + 3.0 * (other_phi / std::f64::consts::PI).powi(2)).sqrt();
        let expected = 1.0 / (1.0 + (-g * (mu - other_mu)).exp());
        let v = 1.0 / (g * g * expected * (1.0 - expected));
        let before = phi.hypot(0.06);
        let after = 1.0 / (1.0 / (before * before) + 1.0 / v).sqrt();
        let mu = mu + after * after * g * (score - expected);
        (1500.0 + SCALE * mu, SCALE * after)
    }

    #[test]
    fn an_attempt_is_rated_by_the_published_formulas() {
        for (estimate, solved) in [(1500, true), (700, false), (2600, true), (1100, true)] {
            let puzzle = first_puzzle_rating(estimate);
            let (solver, puzzle_after) = rate_attempt(None, puzzle, solved, 1000);
            let score = f64::from(u8::from(solved));
            let (new, start) = ((1500.0, 350.0), (f64::from(estimate), 250.0));
            for (rated, own, other, score) in
                [(solver.after, new, start, score), (puzzle_after, start, new, 1.0 - score)]
            {
                let (rating, deviation) = by_the_formulas(own, other, score);
                assert!((rated.rating - rating).abs() < 0.5, "{rated:?} {rating}");
                assert!((rated.deviation - deviation).abs() < 0.5, "{rated:?} {deviation}");
                assert_eq!((rated.games, rated.changed), (1, 1000));
            }
        }
    }

    #[test]
    fn only_solvers_get_uncertain_with_time() {
        let (solver, puzzle) = rate_attempt(None, first_puzzle_rating(1500), true, 0);
        let (later, puzzle_later) = rate_attempt(Some(solver.after), puzzle, true, 10 * PAUSE);
        assert!(later.before.deviation > solver.after.rounded().deviation);
        assert!(puzzle_later.deviation < puzzle.deviation);
    }
}
