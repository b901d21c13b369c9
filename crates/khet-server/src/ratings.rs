//! Ratings: what a rated game does to them.

use khet_protocol::{GameId, RatingChange};
use sqlx::SqliteConnection;

use crate::storage::{Finish, StorageError};

/// Changes the ratings of both players by a rated game that has ended, Silver's first. Part of the transaction that ends
/// the game, so that neither is ever without the other.
pub(crate) async fn settle(
    _connection: &mut SqliteConnection,
    _game: GameId,
    _finish: &Finish,
) -> Result<Option<(RatingChange, RatingChange)>, StorageError> {
    Ok(None)
}
