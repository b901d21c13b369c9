//! Ratings as whole numbers, one per speed.

use serde::{Deserialize, Serialize};

use crate::{PublicProfile, Speed};

/// A rating.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Rating {
    /// The rating, 1500 at first.
    pub value: u16,
    /// The rating deviation.
    pub deviation: u16,
}

impl Rating {
    /// A rating with a larger deviation is provisional.
    pub const MAX_SETTLED_DEVIATION: u16 = 110;

    /// Returns whether the rating is provisional; it is shown with a question mark.
    pub fn is_provisional(self) -> bool {
        self.deviation > Rating::MAX_SETTLED_DEVIATION
    }
}

/// The change of a rating by a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RatingChange {
    /// The rating before the game.
    pub before: u16,
    /// The rating after the game.
    pub after: u16,
}

/// A rating at one speed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpeedRating {
    /// The speed.
    pub speed: Speed,
    /// The rating.
    pub rating: Rating,
    /// Number of rated games.
    pub games: u32,
}

/// A point of a rating graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RatingPoint {
    /// When the game ended, in milliseconds since 1970.
    pub at: u64,
    /// The rating after the game.
    pub value: u16,
}

/// The history of a rating at one speed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RatingHistory {
    /// The speed.
    pub speed: Speed,
    /// A point for each rated game, the oldest first.
    pub points: Vec<RatingPoint>,
}

/// The strongest players at one speed: `GET /api/leaderboard/{speed}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Leaderboard {
    /// The speed.
    pub speed: Speed,
    /// The players, the strongest first, without those who have too few games or none recently.
    pub leaders: Vec<LeaderboardEntry>,
}

/// A line of the leaderboard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LeaderboardEntry {
    /// The rank, from 1.
    #[serde(alias = "place")]
    pub rank: u32,
    /// The player.
    pub person: PublicProfile,
    /// Number of rated games at this speed.
    pub games: u32,
}
