//! Ratings, and what games did to them.

use khet_protocol::{
    GameId, LeaderboardEntry, PersonId, PublicProfile, Rating, RatingHistory, RatingPoint, Speed,
    SpeedRating,
};
use skillratings::glicko2::Glicko2Rating;
use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use super::{StorageError, Store, parse, people, signed, unsigned};

/// A rating as it is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredRating {
    pub(crate) rating: Glicko2Rating,
    pub(crate) games: u32,
    /// When the last game that counted ended.
    pub(crate) changed: u64,
}

/// What a game did to a rating.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredChange {
    pub(crate) game: GameId,
    pub(crate) person: PersonId,
    pub(crate) speed: Speed,
    pub(crate) before: Rating,
    pub(crate) after: StoredRating,
}

/// A rating as it is told.
pub(crate) fn whole(rating: Glicko2Rating) -> Rating {
    let round = |number: f64| number.round().clamp(0.0, 9999.0) as u16;
    Rating { value: round(rating.rating), deviation: round(rating.deviation) }
}

/// Whether ratings have been changed by a game.
pub(crate) async fn is_settled(
    connection: &mut SqliteConnection,
    game: GameId,
) -> Result<bool, StorageError> {
    let row = sqlx::query("SELECT 1 FROM rating_changes WHERE game = $1 LIMIT 1")
        .bind(game.to_string())
        .fetch_optional(connection)
        .await?;
    Ok(row.is_some())
}

/// A person's rating, if there is one.
pub(crate) async fn read_rating(
    connection: &mut SqliteConnection,
    person: PersonId,
    speed: Speed,
) -> Result<Option<StoredRating>, StorageError> {
    let row = sqlx::query(
        "SELECT rating, deviation, volatility, games, changed FROM ratings WHERE person = $1 AND speed = $2",
    )
    .bind(person.to_string())
    .bind(speed.name())
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(stored).transpose()
}

/// Keeps a rating, and what led to it.
pub(crate) async fn keep_change(
    connection: &mut SqliteConnection,
    change: StoredChange,
) -> Result<(), StorageError> {
    let StoredChange { game, person, speed, before, after } = change;
    sqlx::query(
        "INSERT INTO ratings (person, speed, rating, deviation, volatility, games, changed) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (person, speed) DO UPDATE SET \
         rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility, \
         games = excluded.games, changed = excluded.changed",
    )
    .bind(person.to_string())
    .bind(speed.name())
    .bind(after.rating.rating)
    .bind(after.rating.deviation)
    .bind(after.rating.volatility)
    .bind(i64::from(after.games))
    .bind(signed(after.changed))
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "INSERT INTO rating_changes (game, person, speed, at, before, deviation, after) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(game.to_string())
    .bind(person.to_string())
    .bind(speed.name())
    .bind(signed(after.changed))
    .bind(i64::from(before.value))
    .bind(i64::from(before.deviation))
    .bind(i64::from(whole(after.rating).value))
    .execute(connection)
    .await?;
    Ok(())
}

impl Store {
    /// A person's ratings at all speeds that they have played.
    pub(crate) async fn ratings(&self, person: PersonId) -> Result<Vec<SpeedRating>, StorageError> {
        let rows = sqlx::query(
            "SELECT speed, rating, deviation, volatility, games, changed FROM ratings WHERE person = $1",
        )
        .bind(person.to_string())
        .fetch_all(self.readers())
        .await?;
        let mut ratings = Vec::new();
        for row in &rows {
            let stored = stored(row)?;
            let speed = parse(row.try_get("speed")?)?;
            ratings.push(SpeedRating { speed, rating: whole(stored.rating), games: stored.games });
        }
        ratings.sort_by_key(|rating| rating.speed);
        Ok(ratings)
    }

    /// How a person's ratings went, with at most so many points for each speed, the newest.
    pub(crate) async fn rating_histories(
        &self,
        person: PersonId,
        points: u32,
    ) -> Result<Vec<RatingHistory>, StorageError> {
        let mut histories = Vec::new();
        for speed in Speed::ALL {
            let rows = sqlx::query(
                "SELECT at, after FROM rating_changes WHERE person = $1 AND speed = $2 \
                 ORDER BY at DESC LIMIT $3",
            )
            .bind(person.to_string())
            .bind(speed.name())
            .bind(i64::from(points))
            .fetch_all(self.readers())
            .await?;
            if rows.is_empty() {
                continue;
            }
            let points = rows.iter().rev().map(|row| {
                let value = u16::try_from(row.try_get::<i64, _>("after")?).unwrap_or(u16::MAX);
                Ok(RatingPoint { at: unsigned(row.try_get("at")?), value })
            });
            let points = points.collect::<Result<_, StorageError>>()?;
            histories.push(RatingHistory { speed, points });
        }
        Ok(histories)
    }

    /// The strongest at a speed whose rating is no guess, and who have played since a moment.
    pub(crate) async fn leaders(
        &self,
        speed: Speed,
        since: u64,
        count: u32,
    ) -> Result<Vec<LeaderboardEntry>, StorageError> {
        let rows = sqlx::query(
            "SELECT people.id, people.kind, people.name, ratings.rating, ratings.deviation, \
             ratings.volatility, ratings.games, ratings.changed \
             FROM ratings JOIN people ON people.id = ratings.person \
             WHERE ratings.speed = $1 AND ratings.changed >= $2 AND ratings.deviation < 110.5 \
             AND people.name IS NOT NULL ORDER BY ratings.rating DESC, people.id LIMIT $3",
        )
        .bind(speed.name())
        .bind(signed(since))
        .bind(i64::from(count))
        .fetch_all(self.readers())
        .await?;
        let leader = |(row, place): (&SqliteRow, u32)| {
            let StoredRating { rating, games, .. } = stored(row)?;
            let name: Option<&str> = row.try_get("name")?;
            let person = PublicProfile {
                id: parse(row.try_get("id")?)?,
                kind: people::kind(row.try_get("kind")?)?,
                name: name.map(parse).transpose()?,
                rating: Some(whole(rating)),
            };
            Ok(LeaderboardEntry { rank: place, person, games })
        };
        rows.iter().zip(1..).map(leader).collect()
    }
}

fn stored(row: &SqliteRow) -> Result<StoredRating, StorageError> {
    Ok(StoredRating {
        rating: Glicko2Rating {
            rating: row.try_get("rating")?,
            deviation: row.try_get("deviation")?,
            volatility: row.try_get("volatility")?,
        },
        games: u32::try_from(row.try_get::<i64, _>("games")?).unwrap_or(u32::MAX),
        changed: unsigned(row.try_get("changed")?),
    })
}
