//! Ratings and the changes that games made to them.

use khet_protocol::{
    ByColor, GameId, LeaderboardEntry, PersonId, PersonKind, PersonName, PublicProfile, Rating,
    RatingChange, RatingHistory, RatingPoint, Speed, SpeedRating,
};
use sqlx::types::Text;

use super::columns::{Name, row};
use super::games::GameEnd;
use super::sql::{DatabaseConnection, query};
use super::{StorageError, Store, to_i64};

/// Ratings with at least this deviation are provisional, and leaderboards leave them out. Smaller
/// ones are rounded to [`Rating::MAX_SETTLED_DEVIATION`] or less.
const PROVISIONAL_DEVIATION: f64 = Rating::MAX_SETTLED_DEVIATION as f64 + 0.5;

row! {
    /// A rating of one person at one speed.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct StoredRating {
        pub(crate) rating: f64,
        pub(crate) deviation: f64,
        pub(crate) volatility: f64,
        /// Number of rated games.
        pub(crate) games: u32,
        /// End of the last rated game.
        pub(crate) changed: u64,
    }
}

impl StoredRating {
    /// Returns the rating in whole numbers, as clients see it.
    pub(crate) fn rounded(&self) -> Rating {
        round(self.rating, self.deviation)
    }
}

/// Rounds a rating for clients.
pub(super) fn round(rating: f64, deviation: f64) -> Rating {
    let round = |number: f64| number.round().clamp(0.0, 9999.0) as u16;
    Rating { value: round(rating), deviation: round(deviation) }
}

/// A player's rating at the start of a game and after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RatingUpdate {
    pub(crate) before: Rating,
    pub(crate) after: StoredRating,
}

/// Computes both players' ratings after a game from the stored ones, which are `None` for a first
/// game.
pub(crate) type RateGame = fn(&GameEnd, ByColor<Option<StoredRating>>) -> ByColor<RatingUpdate>;

row! {
    struct SpeedRow {
        speed: Text<Speed>,
        rating: f64,
        deviation: f64,
        games: u32,
    }
}

row! {
    struct LeaderRow {
        id: Text<PersonId>,
        kind: Name<PersonKind>,
        name: Option<Text<PersonName>>,
        rating: f64,
        deviation: f64,
        games: u32,
    }
}

/// Changes the ratings of both players by a rated game, once per game.
pub(super) async fn rate_game(
    connection: &mut DatabaseConnection,
    game: GameId,
    end: &GameEnd,
) -> Result<Option<ByColor<RatingChange>>, StorageError> {
    let (Some(rate), Some(speed)) = (end.rate, Speed::of(end.started.options.time)) else {
        return Ok(None);
    };
    if is_rated(connection, game).await? {
        return Ok(None);
    }
    let before = ByColor {
        silver: read_rating(connection, end.started.silver, speed).await?,
        red: read_rating(connection, end.started.red, speed).await?,
    };
    let ByColor { silver, red } = rate(end, before);
    Ok(Some(ByColor {
        silver: update_rating(connection, game, end.started.silver, speed, silver).await?,
        red: update_rating(connection, game, end.started.red, speed, red).await?,
    }))
}

/// Returns whether a game has already changed ratings.
async fn is_rated(connection: &mut DatabaseConnection, game: GameId) -> Result<bool, StorageError> {
    let row = query("SELECT 1 FROM rating_changes WHERE game = $1 LIMIT 1")
        .bind(Text(game))
        .fetch_optional::<i64>(connection)
        .await?;
    Ok(row.is_some())
}

async fn read_rating(
    connection: &mut DatabaseConnection,
    person: PersonId,
    speed: Speed,
) -> Result<Option<StoredRating>, StorageError> {
    query(
        "SELECT rating, deviation, volatility, games, changed FROM ratings \
         WHERE person = $1 AND speed = $2",
    )
    .bind(Text(person))
    .bind(speed.name())
    .fetch_optional(connection)
    .await
}

/// Stores a rating and the change that led to it.
async fn update_rating(
    connection: &mut DatabaseConnection,
    game: GameId,
    person: PersonId,
    speed: Speed,
    RatingUpdate { before, after }: RatingUpdate,
) -> Result<RatingChange, StorageError> {
    query(
        "INSERT INTO ratings (person, speed, rating, deviation, volatility, games, changed) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (person, speed) DO UPDATE SET \
         rating = excluded.rating, deviation = excluded.deviation, \
         volatility = excluded.volatility, games = excluded.games, changed = excluded.changed",
    )
    .bind(Text(person))
    .bind(speed.name())
    .bind(after.rating)
    .bind(after.deviation)
    .bind(after.volatility)
    .bind(after.games)
    .bind(to_i64(after.changed))
    .execute(&mut *connection)
    .await?;
    let change = RatingChange { before: before.value, after: after.rounded().value };
    query(
        "INSERT INTO rating_changes (game, person, speed, at, before, deviation, after) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(Text(game))
    .bind(Text(person))
    .bind(speed.name())
    .bind(to_i64(after.changed))
    .bind(change.before)
    .bind(before.deviation)
    .bind(change.after)
    .execute(connection)
    .await?;
    Ok(change)
}

impl Store {
    /// Returns a person's ratings at all speeds that they have played.
    pub(crate) async fn ratings(&self, person: PersonId) -> Result<Vec<SpeedRating>, StorageError> {
        let rows: Vec<SpeedRow> =
            query("SELECT speed, rating, deviation, games FROM ratings WHERE person = $1")
                .bind(Text(person))
                .fetch_all(&mut self.reader().await?)
                .await?;
        let mut ratings: Vec<SpeedRating> = rows
            .into_iter()
            .map(|row| SpeedRating {
                speed: row.speed.0,
                rating: round(row.rating, row.deviation),
                games: row.games,
            })
            .collect();
        ratings.sort_by_key(|rating| rating.speed);
        Ok(ratings)
    }

    /// Returns a person's rating histories, with at most the newest `points` of each speed.
    pub(crate) async fn rating_histories(
        &self,
        person: PersonId,
        points: u32,
    ) -> Result<Vec<RatingHistory>, StorageError> {
        let mut connection = self.page_reader().await?;
        let mut histories = Vec::new();
        for speed in Speed::ALL {
            let newest: Vec<(u64, u16)> = query(
                "SELECT at, after FROM rating_changes WHERE person = $1 AND speed = $2 \
                 ORDER BY at DESC LIMIT $3",
            )
            .bind(Text(person))
            .bind(speed.name())
            .bind(points)
            .fetch_all(&mut connection)
            .await?;
            if newest.is_empty() {
                continue;
            }
            let points = newest.into_iter().rev().map(|(at, value)| RatingPoint { at, value });
            histories.push(RatingHistory { speed, points: points.collect() });
        }
        Ok(histories)
    }

    /// Returns the leaderboard of a speed: accounts with an established rating who have played
    /// since a time.
    pub(crate) async fn leaders(
        &self,
        speed: Speed,
        since: u64,
        count: u32,
    ) -> Result<Vec<LeaderboardEntry>, StorageError> {
        let mut connection = self.page_reader().await?;
        let rows: Vec<LeaderRow> = query(
            "SELECT people.id, people.kind, people.name, ratings.rating, ratings.deviation, \
             ratings.games FROM ratings JOIN people ON people.id = ratings.person \
             WHERE ratings.speed = $1 AND ratings.changed >= $2 AND ratings.deviation < $3 \
             AND people.name IS NOT NULL ORDER BY ratings.rating DESC, people.id LIMIT $4",
        )
        .bind(speed.name())
        .bind(to_i64(since))
        .bind(PROVISIONAL_DEVIATION)
        .bind(count)
        .fetch_all(&mut connection)
        .await?;
        let leader = |(row, rank): (LeaderRow, u32)| {
            let person = PublicProfile {
                id: row.id.0,
                kind: row.kind.0,
                name: row.name.map(|name| name.0),
                rating: Some(round(row.rating, row.deviation)),
            };
            LeaderboardEntry { rank, person, games: row.games }
        };
        Ok(rows.into_iter().zip(1..).map(leader).collect())
    }
}
