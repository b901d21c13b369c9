//! Reviews of games.

use khet_protocol::{GameId, GameReview};
use sqlx::types::Text;

use super::columns::Json;
use super::sql::query;
use super::{StorageError, Store, to_i64};

impl Store {
    /// Stores a game's review unless it has one.
    pub(crate) async fn add_review(
        &self,
        game: GameId,
        review: GameReview,
        now: u64,
    ) -> Result<(), StorageError> {
        self.write(move |connection| {
            Box::pin(async move {
                query(
                    "INSERT INTO reviews (game, engine, body, at) VALUES ($1, $2, $3, $4) \
                     ON CONFLICT (game) DO NOTHING",
                )
                .bind(Text(game))
                .bind(review.engine.clone())
                .bind(Json(review))
                .bind(to_i64(now))
                .execute(connection)
                .await?;
                Ok(())
            })
        })
        .await
    }

    /// Returns a game's review.
    pub(crate) async fn review(&self, game: GameId) -> Result<Option<GameReview>, StorageError> {
        let mut connection = self.page_reader().await?;
        let review = query("SELECT body FROM reviews WHERE game = $1")
            .bind(Text(game))
            .fetch_optional(&mut connection)
            .await?;
        Ok(review.map(|Json(review)| review))
    }
}
