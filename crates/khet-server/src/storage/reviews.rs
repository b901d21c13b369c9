//! Reviews of games.

use khet_protocol::{GameId, GameReview};
use sqlx::Row;

use super::{StorageError, Store, from_json, signed, to_json};

impl Store {
    /// Keeps a game's review.
    pub(crate) async fn keep_review(
        &self,
        game: GameId,
        review: GameReview,
        now: u64,
    ) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                sqlx::query(
                    "INSERT INTO reviews (game, engine, body, at) VALUES ($1, $2, $3, $4) \
                     ON CONFLICT (game) DO NOTHING",
                )
                .bind(game.to_string())
                .bind(&review.engine)
                .bind(to_json(&review)?)
                .bind(signed(now))
                .execute(connection)
                .await?;
                Ok(())
            })
        })
        .await
    }

    /// A game's review, if it is kept.
    pub(crate) async fn review(&self, game: GameId) -> Result<Option<GameReview>, StorageError> {
        let row = sqlx::query("SELECT body FROM reviews WHERE game = $1")
            .bind(game.to_string())
            .fetch_optional(self.readers())
            .await?;
        row.map(|row| from_json(row.try_get("body")?)).transpose()
    }
}
