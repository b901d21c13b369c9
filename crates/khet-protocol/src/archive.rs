//! Games in lists: live ones to watch, finished ones to search.

use khet::Color;
use serde::{Deserialize, Serialize};

use crate::{End, Face, GameId, GameOptions, PersonName, Seats};

/// A game in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameSummary {
    /// Which game.
    pub id: GameId,
    /// Who played; the ratings are those at the beginning.
    pub players: Seats<Face>,
    /// What was played.
    #[serde(flatten)]
    pub options: GameOptions,
    /// When it began, in milliseconds since 1970.
    pub at: u64,
    /// How many turns were made.
    pub turns: u32,
    /// The position on the board, in notation.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub position: khet::Placement,
    /// How it ended; nothing while it is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
}

/// A result to look for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ResultFilter {
    /// Silver won.
    Silver,
    /// Red won.
    Red,
    /// A draw.
    Draw,
    /// The player who is looked for won.
    Won,
    /// The player who is looked for lost.
    Lost,
}

/// What is looked for among finished games, in a query string. Everything is optional; the newest games come first.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema, utoipa::IntoParams))]
pub struct GameQuery {
    /// A player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<PersonName>,
    /// The other player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent: Option<PersonName>,
    /// The colour of `player`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>))]
    pub color: Option<Color>,
    /// A setup's name; `position` for games from other positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup: Option<String>,
    /// The result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultFilter>,
    /// Only rated games, or only casual ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rated: Option<bool>,
    /// Not before this moment, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<u64>,
    /// Before this moment; also to page on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// At most so many games, up to 100.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}
