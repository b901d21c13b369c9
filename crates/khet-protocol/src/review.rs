//! Reviews of finished games, made by the server's engine and kept.

use khet_review::Review;
use serde::{Deserialize, Serialize};

/// A review that is kept: `GET /api/games/{id}/review`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KeptReview {
    /// Who made it.
    #[cfg_attr(feature = "openapi", schema(example = "Khet 0.1.0"))]
    pub engine: String,
    /// How many nodes it visited for each question.
    pub nodes: u64,
    /// What it found: `start`; `moves`, each with its `ply` from 1, `mv`, `shot`, `eval` behind it, `best` move, `best_eval`, best `line` and
    /// `mark`; `players` with `moves`, `inaccuracies`, `mistakes`, `blunders` and `accuracy` of `silver` and `red`. As `khet analyse --json` writes it.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub review: Review,
}

/// How far a review is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewProgress {
    /// How many other reviews come first.
    pub waiting: u32,
    /// How many moves are judged.
    pub judged: u32,
    /// How many moves there are.
    pub moves: u32,
}
