//! Computes ratings with Glicko-2, separately for each speed. All setups, editions and expansions count
//! together, games with a tower too: ratings per variant would need more players than there are.

use khet::Color;
use khet_protocol::glicko::{Glicko2Rating, Outcomes, after_pause, rate_game};
use khet_protocol::{ByColor, GameOptions};

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
    let (silver_after, red_after) = rate_game(glicko(&silver), glicko(&red), outcome);
    let update = |before: StoredRating, after: Glicko2Rating| RatingUpdate {
        before: before.rounded(),
        after: to_stored(after, before.games.saturating_add(1), game.at),
    };
    ByColor { silver: update(silver, silver_after), red: update(red, red_after) }
}

/// Returns a rating at a time, with a larger deviation the longer the last game is ago.
fn at_time(stored: Option<StoredRating>, time: u64) -> StoredRating {
    let Some(stored) = stored else { return to_stored(Glicko2Rating::new(), 0, time) };
    let rating = after_pause(glicko(&stored), time.saturating_sub(stored.changed));
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
