//! Challenges.

use khet_protocol::{ChallengeId, Event, GameId, NewChallenge, PersonId};
use sqlx::types::Text;

use super::columns::{Json, row};
use super::games::insert_game;
use super::sql::{DatabaseRow, FromRow, query};
use super::{StorageError, Store, to_i64};

/// A challenge: open, accepted or declined.
#[derive(Clone, Debug)]
pub(crate) struct StoredChallenge {
    pub(crate) id: ChallengeId,
    pub(crate) person: PersonId,
    pub(crate) challenge: NewChallenge,
    pub(crate) created: u64,
    /// The game that started when the challenge was accepted.
    pub(crate) game: Option<GameId>,
    /// The person who was challenged has declined.
    pub(crate) declined: bool,
}

row! {
    struct ChallengeRow {
        id: Text<ChallengeId>,
        person: Text<PersonId>,
        body: Json<NewChallenge>,
        created: u64,
        game: Option<Text<GameId>>,
        declined: bool,
    }
}

impl From<ChallengeRow> for StoredChallenge {
    fn from(row: ChallengeRow) -> StoredChallenge {
        StoredChallenge {
            id: row.id.0,
            person: row.person.0,
            challenge: row.body.0,
            created: row.created,
            game: row.game.map(|game| game.0),
            declined: row.declined,
        }
    }
}

impl Store {
    /// Inserts a challenge. `false` if the person has `limit` open ones already, counted in the
    /// same transaction.
    pub(crate) async fn add_challenge(
        &self,
        new: StoredChallenge,
        limit: usize,
    ) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let open: u64 =
                    query("SELECT COUNT(*) FROM challenges WHERE person = $1 AND game IS NULL")
                        .bind(Text(new.person))
                        .fetch_one(&mut *connection)
                        .await?;
                if open >= limit as u64 {
                    return Ok(false);
                }
                query("INSERT INTO challenges (id, person, body, created) VALUES ($1, $2, $3, $4)")
                    .bind(Text(new.id))
                    .bind(Text(new.person))
                    .bind(Json(new.challenge))
                    .bind(to_i64(new.created))
                    .execute(connection)
                    .await?;
                Ok(true)
            })
        })
        .await
    }

    /// Returns a challenge: open, accepted or declined.
    pub(crate) async fn challenge(
        &self,
        id: ChallengeId,
    ) -> Result<Option<StoredChallenge>, StorageError> {
        let row: Option<ChallengeRow> =
            query("SELECT id, person, body, created, game, declined FROM challenges WHERE id = $1")
                .bind(Text(id))
                .fetch_optional(&mut self.reader().await?)
                .await?;
        Ok(row.map(StoredChallenge::from))
    }

    /// Returns the challenges of a person that were declined, oldest first.
    pub(crate) async fn declined_challenges(
        &self,
        person: PersonId,
        limit: u32,
    ) -> Result<Vec<StoredChallenge>, StorageError> {
        let rows: Vec<ChallengeRow> = query(
            "SELECT id, person, body, created, game, declined FROM challenges \
             WHERE person = $1 AND declined = 1 ORDER BY created, id LIMIT $2",
        )
        .bind(Text(person))
        .bind(limit)
        .fetch_all(&mut self.reader().await?)
        .await?;
        Ok(rows.into_iter().map(StoredChallenge::from).collect())
    }

    /// Returns all open challenges, oldest first. Unreadable ones are logged and left out.
    pub(crate) async fn open_challenges(&self) -> Result<Vec<StoredChallenge>, StorageError> {
        let rows = query(
            "SELECT id, person, body, created, game, declined FROM challenges \
             WHERE game IS NULL AND declined = 0 ORDER BY created, id",
        )
        .fetch_rows(&mut self.reader().await?)
        .await?;
        let read = |row: &DatabaseRow| {
            ChallengeRow::from_row(row)
                .inspect_err(|error| tracing::error!(%error, "a challenge can't be read"))
                .ok()
        };
        Ok(rows.iter().filter_map(read).map(StoredChallenge::from).collect())
    }

    /// Accepts a challenge and inserts its game. `false` if the challenge is no longer open.
    pub(crate) async fn accept_challenge(
        &self,
        id: ChallengeId,
        game: GameId,
        first: Event,
    ) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let accepted = query(
                    "UPDATE challenges SET game = $1 \
                     WHERE id = $2 AND game IS NULL AND declined = 0",
                )
                .bind(Text(game))
                .bind(Text(id))
                .execute(&mut *connection)
                .await?;
                if accepted == 0 {
                    return Ok(false);
                }
                insert_game(connection, game, &first).await?;
                Ok(true)
            })
        })
        .await
    }

    /// Marks an open challenge as declined. `false` if it was accepted or no longer exists.
    pub(crate) async fn decline_challenge(&self, id: ChallengeId) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let declined =
                    query("UPDATE challenges SET declined = 1 WHERE id = $1 AND game IS NULL")
                        .bind(Text(id))
                        .execute(connection)
                        .await?;
                Ok(declined > 0)
            })
        })
        .await
    }

    /// Deletes an open or declined challenge. `false` if it was accepted or no longer exists.
    pub(crate) async fn delete_challenge(&self, id: ChallengeId) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let deleted = query("DELETE FROM challenges WHERE id = $1 AND game IS NULL")
                    .bind(Text(id))
                    .execute(connection)
                    .await?;
                Ok(deleted > 0)
            })
        })
        .await
    }

    /// Deletes all challenges created before a time.
    pub(crate) async fn delete_old_challenges(&self, before: u64) -> Result<u64, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let deleted = query("DELETE FROM challenges WHERE created < $1")
                    .bind(to_i64(before))
                    .execute(connection)
                    .await?;
                Ok(deleted)
            })
        })
        .await
    }
}
