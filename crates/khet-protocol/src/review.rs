//! Reviews of finished games, made by the server's engine and stored.

use khet::AnyPosition;
use khet_review::Review;
use serde::{Deserialize, Serialize};

/// The stored review of a game: `GET /api/games/{id}/review`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameReview {
    /// The engine that made it.
    #[cfg_attr(feature = "openapi", schema(example = "Khet 0.1.0"))]
    pub engine: String,
    /// Nodes searched per position.
    pub nodes: u64,
    /// The review: `start`; `moves`, each with its `ply` from 1, `move`, `shot`, `eval` after it
    /// and the `depth` of that evaluation, `best` move, `best_eval`, best `line` and `mark`;
    /// `players` with `moves`, `inaccuracies`, `mistakes`, `blunders` and `accuracy` of `silver`
    /// and `red`. `khet analyse --json` writes the same format.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub review: Review<AnyPosition>,
}

/// The progress of a review.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewProgress {
    /// Number of reviews ahead of it in the queue.
    #[serde(rename = "waiting")]
    pub ahead: u32,
    /// Number of moves reviewed so far.
    pub judged: u32,
    /// Number of moves of the game.
    pub moves: u32,
}
