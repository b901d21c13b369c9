//! Ratings as they are told: whole numbers, each speed apart.

use serde::{Deserialize, Serialize};

use crate::{PublicProfile, Speed};

/// How strong a person plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Rating {
    /// The rating, 1500 to begin with.
    pub value: u16,
    /// How far the truth may be from it.
    pub deviation: u16,
}

impl Rating {
    /// Whether it is still a guess; shown with a question mark.
    pub fn is_provisional(self) -> bool {
        self.deviation > 110
    }
}

/// What a game did to a rating.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RatingChange {
    /// The rating before.
    pub before: u16,
    /// The rating after.
    pub after: u16,
}

/// A rating at a speed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SpeedRating {
    /// The speed.
    pub speed: Speed,
    /// The rating.
    pub rating: Rating,
    /// How many rated games stand behind it.
    pub games: u32,
}

/// A point of a rating graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RatingPoint {
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The rating behind that game.
    pub value: u16,
}

/// How a rating at one speed went.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RatingHistory {
    /// The speed.
    pub speed: Speed,
    /// A point behind every rated game, the oldest first.
    pub points: Vec<RatingPoint>,
}

/// The strongest at one speed: `GET /api/leaderboard/{speed}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Leaderboard {
    /// The speed.
    pub speed: Speed,
    /// The strongest first. Who has not played enough, or not for long, is not among them.
    pub leaders: Vec<Leader>,
}

/// A line of the leaderboard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Leader {
    /// The place, from 1.
    pub place: u32,
    /// Who.
    pub person: PublicProfile,
    /// How many rated games at this speed.
    pub games: u32,
}
