//! Challenges, until someone accepts them.

use khet_protocol::{ChallengeId, Event, GameId, NewChallenge, PersonId};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use super::games::insert_game;
use super::{StorageError, Store, from_json, parse, signed, to_json, unsigned};

/// A challenge as it is kept.
#[derive(Clone, Debug)]
pub(crate) struct StoredChallenge {
    pub(crate) id: ChallengeId,
    pub(crate) person: PersonId,
    pub(crate) challenge: NewChallenge,
    pub(crate) created: u64,
    /// The game that came of it.
    pub(crate) game: Option<GameId>,
}

const COLUMNS: &str = "id, person, body, created, game";

impl Store {
    /// Keeps a challenge.
    pub(crate) async fn add_challenge(&self, new: StoredChallenge) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                sqlx::query(
                    "INSERT INTO challenges (id, person, body, created) VALUES ($1, $2, $3, $4)",
                )
                .bind(new.id.to_string())
                .bind(new.person.to_string())
                .bind(to_json(&new.challenge)?)
                .bind(signed(new.created))
                .execute(connection)
                .await?;
                Ok(())
            })
        })
        .await
    }

    /// A challenge, whether it was accepted or not.
    pub(crate) async fn challenge(
        &self,
        id: ChallengeId,
    ) -> Result<Option<StoredChallenge>, StorageError> {
        let row = sqlx::query(sqlx::AssertSqlSafe(format!(
            "SELECT {COLUMNS} FROM challenges WHERE id = $1"
        )))
        .bind(id.to_string())
        .fetch_optional(self.readers())
        .await?;
        row.as_ref().map(read).transpose()
    }

    /// All challenges that wait, the oldest first.
    pub(crate) async fn waiting_challenges(&self) -> Result<Vec<StoredChallenge>, StorageError> {
        let rows = sqlx::query(sqlx::AssertSqlSafe(format!(
            "SELECT {COLUMNS} FROM challenges WHERE game IS NULL ORDER BY created, id"
        )))
        .fetch_all(self.readers())
        .await?;
        rows.iter().map(read).collect()
    }

    /// Moves a challenge into a game. `false` if it is gone, or someone was quicker.
    pub(crate) async fn accept_challenge(
        &self,
        id: ChallengeId,
        game: GameId,
        first: Event,
    ) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let taken =
                    sqlx::query("UPDATE challenges SET game = $1 WHERE id = $2 AND game IS NULL")
                        .bind(game.to_string())
                        .bind(id.to_string())
                        .execute(&mut *connection)
                        .await?;
                if taken.rows_affected() == 0 {
                    return Ok(false);
                }
                insert_game(connection, game, &first).await?;
                Ok(true)
            })
        })
        .await
    }

    /// Withdraws a challenge that waits.
    pub(crate) async fn withdraw_challenge(&self, id: ChallengeId) -> Result<bool, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let gone = sqlx::query("DELETE FROM challenges WHERE id = $1 AND game IS NULL")
                    .bind(id.to_string())
                    .execute(connection)
                    .await?;
                Ok(gone.rows_affected() > 0)
            })
        })
        .await
    }

    /// Withdraws what nobody accepted since that moment.
    pub(crate) async fn forget_challenges(&self, before: u64) -> Result<u64, StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                let gone = sqlx::query("DELETE FROM challenges WHERE created < $1")
                    .bind(signed(before))
                    .execute(connection)
                    .await?;
                Ok(gone.rows_affected())
            })
        })
        .await
    }
}

fn read(row: &SqliteRow) -> Result<StoredChallenge, StorageError> {
    let game: Option<&str> = row.try_get("game")?;
    Ok(StoredChallenge {
        id: parse(row.try_get("id")?)?,
        person: parse(row.try_get("person")?)?,
        challenge: from_json(row.try_get("body")?)?,
        created: unsigned(row.try_get("created")?),
        game: game.map(parse).transpose()?,
    })
}
